"""Good expansions that a model would write pass the guard under the rules' own analysis; drifted ones do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.settings import Expand
from qx.steps.guard import guard
from qx.types import Query, SubQuery, Understanding

GOOD = [
    ("电脑开机黑屏只有光标在闪", "电脑开机黑屏 光标闪烁 解决方案", "synonym"),
    ("电脑开机黑屏只有光标在闪", '"开机黑屏" 故障排除', "boolean"),
    ("电脑开机黑屏只有光标在闪", "内存条接触不良 黑屏", "refine"),
    ("电脑开机黑屏只有光标在闪", "开机黑屏 BIOS 设置", "refine"),
    ("电脑开机黑屏只有光标在闪", "黑屏 进入安全模式", "refine"),
    ("想买一台给爸妈用的手机屏幕大点字大声大预算2000左右", "老人手机 大屏 大字体 大音量 2000元", "refine"),
    ("Python里怎么把列表里的重复元素去掉", "Python 列表去重 方法", "synonym"),
    ("Python里怎么把列表里的重复元素去掉", "Python 列表去重 set() dict.fromkeys 保持顺序", "refine"),
    ("智能手机续航差", "手机电池容量小 续航差", "refine"),
    ("电脑卡死了怎么办", "计算机系统响应缓慢 故障排除", "synonym"),
    ("机器学习书籍", "机器学习 入门 书籍 2026", "refine"),
    ("机器学习书籍", "机器学习 经典 教材", "synonym"),
    ("Python Django框架下ORM批量插入性能优化", "Python ORM 性能优化", "generalize"),
    ("Python Django框架下ORM批量插入性能优化", "Django 数据库操作效率", "generalize"),
    ("如何从零开始运营一个成功的科技博客", "科技博客 主题定位", "refine"),
    ("如何从零开始运营一个成功的科技博客", "独立博客 搭建教程", "refine"),
    ("如何从零开始运营一个成功的科技博客", "博客内容 创作技巧", "refine"),
    ("神经网络过拟合怎么预防", '"神经网络" AND "过拟合" 预防方法 site:zhihu.com', "boolean"),
    ("东京天气", "东京 未来一周 天气预报 降雨概率", "refine"),
    ("transformer architecture", "attention mechanism survey", "refine"),
    ("transformer architecture", "Vaswani et al. transformer paper", "refine"),
    ("我付不了款", "支付失败 错误处理", "synonym"),
    ("我付不了款", "订单无法支付 解决方案", "synonym"),
    ("我付不了款", "付款页面报错", "refine"),
    ("自驾去西藏要准备什么", "西藏自驾 高原反应药品", "refine"),
    ("孩子发烧38.5度流清鼻涕怎么办", "儿童发热38.5℃ 什么时候去医院", "refine"),
    ("特斯拉最近那个车怎么样", "特斯拉 新款 Model Y 测评 2026", "refine"),
    ("Python Django框架下ORM批量插入性能优化", "Django bulk_create batch_size 优化", "refine"),
    ("Python Django框架下ORM批量插入性能优化", "Django 批量插入 原生SQL COPY 对比", "refine"),
    ("Python Django框架下ORM批量插入性能优化", "Django bulk_create site:docs.djangoproject.com", "site"),
    ("Windows更新失败 0x80070057", "0x80070057 更新失败 BIOS 升级", "refine"),
    ("Python Django框架下ORM批量插入性能优化", "Django ORM 批量插入 PostgreSQL COPY", "refine"),
    ("Python里怎么把列表里的重复元素去掉", "python numpy unique 数组去重", "refine"),
    ("如何从零开始运营一个成功的科技博客", "博客 SEO 优化", "refine"),
    ("特斯拉最近那个车怎么样", "特斯拉新车 试驾体验", "refine"),
    ("iPhone 15 和 小米14 哪个拍照好", "iPhone 15 小米14 夜景 样张", "refine"),
    ("东京天气", "东京 降雨 雷达图", "refine"),
    ("东京天气", "东京 明天 下雨吗", "refine"),
    ("东京天气", "东京 紫外线 湿度", "refine"),
    ("东京天气", "东京 穿衣建议 旅行 出行", "refine"),
    ("想买一台给爸妈用的手机屏幕大点字大声大预算2000左右", "长辈模式 手机 大屏 大字体 大音量 2000元", "refine"),
    ("how to lose weight fast", "quick weight loss tips", "synonym"),
    ("冲锋衣起泡了还能修吗", "始祖鸟 冲锋衣 起泡 保修", "refine"),
    ("冲锋衣起泡了还能修吗", "户外服装 起泡 修复", "refine"),
    ("my kettle keeps leaking", "kettle seal replacement leak", "refine"),
    ("best noise cancelling headphones", "Sony WH-1000XM5 noise cancelling review", "refine"),
    ("my laptop won't turn on", "laptop no power troubleshooting", "synonym"),
]
BAD = [
    ("冲锋衣起泡了还能修吗", "华为 手机 起泡", "refine"),
    ("冲锋衣起泡了还能修吗", "手机 屏幕 起泡 维修", "refine"),
    ("my kettle keeps leaking", "samsung phone leaking battery", "refine"),
    ("东京天气", "小米手表 天气", "refine"),
    ("iPhone 15 和 小米14 哪个拍照好", "iPhone 15 华为P60 拍照 对比", "refine"),
    ("RTX 3070 驱动崩溃怎么解决", "RTX 3080 驱动崩溃 解决方法", "synonym"),
    ("东京天气", "大阪天气预报", "refine"),
    ("Python里怎么把列表里的重复元素去掉", "Java 列表 去重", "synonym"),
    ("孩子发烧38.5度流清鼻涕怎么办", "孩子发烧39度 怎么办", "refine"),
    ("cheap breathable men's shirt for summer, not white", "white linen men's shirt cheap summer", "refine"),
    ("Telegram 配置信息", "Telegram configuration guide", "synonym"),
    ("Telegram 配置信息", "微信 配置信息", "refine"),
    ("Telegram 配置信息", "Telegram configuration site:telegram.org", "site"),
    ("Telegram 配置信息", "微信 配置_文件 setup.py", "refine"),
    ("Python Django框架下ORM批量插入性能优化", "Python Flask ORM 批量插入 性能优化", "refine"),
    ("Python Django框架下ORM批量插入性能优化", "bulk_create 用法", "refine"),
    ("东京天气", "东京 美食 推荐", "refine"),
    ("神经网络过拟合怎么预防", "网络 断线 怎么办", "refine"),
    ("机器学习书籍", "英语 学习 方法", "refine"),
    ("best noise cancelling headphones under $200", "best noise cancelling headphones under $300", "refine"),
    ("best noise cancelling headphones under $200", "best noise cancelling headphones over $200", "refine"),
    ("how to reset a Fitbit", "best pizza in Chicago", "refine"),
    ("windows 11 update error 0x80070057", "windows 11 update error fix", "generalize"),
    ("medieval cathedral flying buttress load paths", "gothic vault load paths in cathedrals", "refine"),
    ("電腦開機黑屏怎麼辦", "电脑开机黑屏 解决", "synonym"),
]


def passes(text: str, candidate: str, strategy: str, understand: Callable[..., Understanding], knowledge: Any) -> str:
    made = [SubQuery(text=candidate, strategy=strategy)]
    kept, dropped = guard(Query(text=text), understand(text), made, settings=Expand(), knowledge=knowledge)
    return "" if kept else dropped[0].reason


def test_a_wording_replaced_as_a_whole_loses_none_of_its_words(knowledge: Any):
    words = ("Python", "列表", "重复", "元素", "去掉")
    understanding = Understanding(intent=("factual",), keywords=words, language="zh")
    made = [SubQuery(text=text, strategy="refine") for text in ("Python 列表 去重 方法", "Python 列表 排序 方法")]
    query = Query(text="Python里怎么把列表里的重复元素去掉")
    kept, dropped = guard(query, understanding, made, settings=Expand(), knowledge=knowledge)
    assert [k.text for k in kept] == ["Python 列表 去重 方法"]
    assert dropped[0].reason.startswith("loses the subject")


@pytest.mark.parametrize(("text", "candidate", "strategy"), GOOD)
def test_good_ones_pass(text: str, candidate: str, strategy: str, understand: Any, knowledge: Any):
    assert passes(text, candidate, strategy, understand, knowledge) == ""


@pytest.mark.parametrize(("text", "candidate", "strategy"), BAD)
def test_drifted_ones_do_not(text: str, candidate: str, strategy: str, understand: Any, knowledge: Any):
    assert passes(text, candidate, strategy, understand, knowledge) != ""
