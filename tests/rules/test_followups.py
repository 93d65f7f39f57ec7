"""Follow-ups that say what kind of the thing is wanted, in words that no list knows."""

from collections.abc import Callable

import pytest

from qx.types import Understanding


@pytest.mark.parametrize(
    ("before", "text", "standalone"),
    [
        ("刘慈欣的科幻小说 50元以内", "要精装的", "精装的刘慈欣的科幻小说 50元以内"),
        ("红烧肉怎么做", "要带皮的", "带皮的红烧肉怎么做"),
        ("买羽绒服", "给我推荐长款的", "买长款的羽绒服"),
        ("买羽绒服", "男款的", "买男款的羽绒服"),
        ("想买羽绒服", "只要白色的", "白色的羽绒服"),
        ("刘慈欣的科幻小说", "要别的", None),
        ("苹果手机怎么截图", "要花钱吗", None),
        ("苹果手机怎么截图", "要真的", None),
        ("买羽绒服", "好的", None),
    ],
)
def test_what_is_wanted_in_so_many_words_narrows_the_thing(
    before: str, text: str, standalone: str | None, understand: Callable[..., Understanding]
):
    assert understand(text, before, "好的。").standalone == standalone
