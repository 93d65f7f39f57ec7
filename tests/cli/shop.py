"""A small shop: a profile over a local index, and its products, for tests of ``qx index`` and ``qx search``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PROFILE = """\
tenant: shop
understand: {mode: rules}
search:
  backends:
    products:
      type: local
      path: index
      fields:
        title: title
        text: text
        brand: {name: metadata.brand, type: keyword}
        price: {name: metadata.price, type: number, unit: CNY}
"""

PRODUCTS: list[dict[str, Any]] = [
    {
        "_id": "1",
        "title": "轻薄笔记本电脑 14寸",
        "text": "续航十八小时，办公学习两不误。重量只有一公斤，适合经常出差的人；屏幕清晰，键盘手感好，接口齐全，风扇安静。",
        "metadata": {"price": 4599, "brand": "云帆"},
    },
    {
        "_id": "2",
        "title": "游戏本",
        "text": "高性能笔记本电脑，重 2.5 公斤。",
        "metadata": {"price": 7999, "brand": "雷霆"},
    },
    {"_id": "3", "title": "学生笔记本电脑", "text": "价格实惠。", "metadata": {"price": 2899, "brand": "云帆"}},
    {
        "_id": "4",
        "title": "Thin laptop, 14 inch",
        "text": "A light notebook computer with eighteen hours of battery: quiet, and good for travel.",
        "url": "https://example.org/thin",
        "metadata": {"price": 4999, "brand": "HP", "tags": ["light", "quiet"]},
    },
    {"_id": "5", "title": "Gaming laptop", "text": "Fast graphics, heavy.", "metadata": {"price": 9999, "brand": "HP"}},
]


def write_shop(folder: Path) -> Path:
    """Write the profile ``shop`` and return the file of its products."""
    (folder / "profiles").mkdir(exist_ok=True)
    (folder / "profiles" / "shop.yaml").write_text(PROFILE, encoding="utf-8")
    return write_lines(folder / "products.jsonl", *PRODUCTS)


def write_lines(path: Path, *records: dict[str, Any]) -> Path:
    """Write records as JSON lines."""
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
    path.write_text("".join(lines), encoding="utf-8")
    return path
