"""The table of canonical fields: what the general pack knows limits by, each with a query in both languages."""

from __future__ import annotations

from tables import code, table

EXAMPLES: dict[str, tuple[str, str]] = {
    "price": ("5000元以下的手机", "laptop under $500"),
    "brand": ("不要苹果的手机", "phone not Samsung"),
    "colour": ("白色的衬衫", "white shirt"),
    "published": ("2025年以后发布的手机", "phones released since 2024"),
    "memory": ("16GB内存的笔记本电脑", "laptop with at least 16GB of memory"),
    "storage": ("512GB硬盘的笔记本电脑", "laptop with 512GB storage"),
    "screen": ("14寸以下的笔记本电脑", "monitor over 27 inches"),
    "resolution": ("4k显示器", "4k monitor"),
    "refresh_rate": ("144Hz显示器", "monitor with 144Hz"),
    "battery_capacity": ("电池5000mAh以上的手机", "phone with at least 5000mAh"),
    "battery_life": ("续航10小时以上的笔记本电脑", "laptop with long battery life"),
    "weight": ("1公斤以下的笔记本电脑", "laptop under 1 kg"),
    "power": ("65W充电器", "charger with at least 65W"),
    "temperature": ("发烧38.5度怎么办", "fever of 38.5°C what to do"),
    "age": ("适合3岁以上的玩具", "toys for a 3 year old"),
    "size": ("42码的跑鞋", "running shoes size 9"),
    "material": ("纯棉T恤", "cotton t-shirt"),
    "audience": ("男士跑鞋", "men's running shoes"),
    "season": ("夏天穿的外套", "jacket for summer"),
}
"""The fields that shops and libraries store, in the order of the table; the pack's others are wishes of words."""


def canonical_fields() -> str:
    """Every field with its type, its unit, and a query in Chinese and in English that speaks of it."""
    from qx.domain import Taxonomy
    from qx.packs import load_pack

    found = load_pack("qx.builtin:general/pack.yaml").taxonomy
    known = {field.id: field for field in found.fields} if isinstance(found, Taxonomy) else {}
    rows = []
    for name, (chinese, english) in EXAMPLES.items():
        field = known[name]
        kind = "number" if field.type == "money" else field.type
        unit = "the currency that is stored" if field.type == "money" else code(field.unit) if field.unit else "-"
        rows.append([code(name), kind, unit, chinese, english])
    return table(["field", "type", "unit", "zh", "en"], rows)
