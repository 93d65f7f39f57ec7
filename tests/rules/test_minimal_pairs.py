"""Pairs that differ in a word and come out apart."""

import pytest

PAIRS = [  # buying a thing | learning about it
    ("买一台咖啡机，预算1000", "recommendation", "咖啡机的工作原理", "research"),
    ("推荐一款吸尘器", "recommendation", "吸尘器怎么清洗滤网", "how-to"),
    ("best electric car to buy", "recommendation", "how do electric cars work", "research"),
    ("cheap telescope for beginners", "recommendation", "history of the telescope", "research"),
    ("想买吉他", "recommendation", "吉他怎么调音", "how-to"),
    ("which drone should i buy", "recommendation", "how to fly a drone", "how-to"),
    ("性价比高的相机", "recommendation", "相机光圈的原理", "research"),
    ("affordable solar panels", "recommendation", "how do solar panels work", "research"),
    ("手机推荐", "recommendation", "手机是谁发明的", "factual"),
    ("laptop under $800", "recommendation", "what is the average price of a laptop", "factual"),
    # fixing an error | learning a concept
    ("Python内存溢出报错怎么解决", "troubleshooting", "Python内存管理机制", "research"),
    ("docker container won't start", "troubleshooting", "docker container architecture", "research"),
    ("MySQL死锁报错", "troubleshooting", "什么是死锁原理", "research"),
    ("my wifi keeps dropping", "troubleshooting", "how does wifi work", "research"),
    ("蓝屏怎么修复", "troubleshooting", "为什么天空是蓝色的", "research"),
    ("git merge failed with conflict error", "troubleshooting", "how to merge branches in git", "how-to"),
    ("空调不制冷", "troubleshooting", "空调制冷原理", "research"),
    ("fix broken zipper on jacket", "troubleshooting", "best winter jacket", "recommendation"),
    ("redis connection refused", "troubleshooting", "redis vs memcached", "comparison"),
    ("登录失败提示密码错误", "troubleshooting", "怎么修改登录密码", "how-to"),
    ("how to fix error 404 on my site", "troubleshooting", "what is error 404", "exploration"),
    ("网站404错误怎么解决", "troubleshooting", "404错误是什么意思", "factual"),
    ("memory leak in my node app", "troubleshooting", "what is a memory leak", "exploration"),
    ("MySQL死锁怎么解决", "troubleshooting", "什么是死锁", "exploration"),
    ("my laptop shows a blue screen", "troubleshooting", "what does blue screen mean", "factual"),
    ("PostgreSQL index not used", "troubleshooting", "how to create an index in PostgreSQL", "how-to"),
    ("sourdough starter not rising", "troubleshooting", "sourdough starter recipe", "how-to"),
    ("快递三天没更新了", "troubleshooting", "快递怎么寄", "how-to"),
    ("洗衣机没反应", "troubleshooting", "有没有反应快的洗衣机推荐", "recommendation"),
    ("jeans faded after washing, not fixed", "troubleshooting", "jeans, not faded", "recommendation"),
    # other neighbours
    ("最好的咖啡机", "recommendation", "最好的学习方法是什么", "how-to"),
    ("best tesla model y tires for winter", "recommendation", "tesla model y range in winter", "factual"),
    ("北京和上海哪个更适合生活", "comparison", "北京到上海多远", "factual"),
    ("怎么去故宫", "how-to", "故宫的历史演变", "research"),
    ("symptoms of flu", "factual", "i have a fever and cough", "troubleshooting"),
    ("介绍一下京都", "exploration", "京都有什么好玩的", "recommendation"),
]


@pytest.mark.parametrize(("one", "intent", "two", "other"), PAIRS, ids=[f"{p[0]} | {p[2]}" for p in PAIRS])
def test_the_first_intents_differ(one, intent, two, other, understand):
    assert (understand(one).intent[0], understand(two).intent[0]) == (intent, other)
