"""Chinese: how answers are put in its sentences, and the words of its relations.

Linking knows its script; a ranker for it is trained with ``--encoder characters``.
"""

from __future__ import annotations

import re

from kgqa_graphdb.language.language import Language, PathPatterns
from kgqa_graphdb.language.names import words_of
from kgqa_graphdb.language.scripts import has_cjk
from kgqa_graphdb.language.wording import StatementWords, Wording, fill, spoken
from kgqa_graphdb.types import Path, Step

_VERBS = frozenset(
    "出演 参演 执导 主演 隶属 属于 位于 毕业 拥有 包含 包括 认识 管理 雇佣 雇用 创办 创立 收购 生产 使用".split()
)
_VERBAL_ENDINGS = ("于", "自", "在", "到", "向", "给", "为", "了")
"""Of words after which the other end follows at once: "位于", "出生于"."""
_OWNED = re.compile(r"的.+|.+的$")


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese: it has more Chinese characters than words in other letters, and no kana or hangul."""
    if re.search(r"[\u3040-\u30ff\uac00-\ud7af]", text):
        return False
    return len(re.findall(r"[\u4e00-\u9fff]", text)) > len(re.findall(r"[^\W\d_\u4e00-\u9fff]+", text))


def is_verbal(phrase: str) -> bool:
    """Whether a phrase goes on after its subject, as "位于" does."""
    return phrase in _VERBS or phrase.endswith(_VERBAL_ENDINGS)


def _path(topic: str, path: Path, many: bool, wording: Wording) -> str:
    """What a path leads to: "Inception 的导演", "导演是诺兰的实体", "Ann 就职于的实体"."""
    text = topic
    for step in spoken(path):
        phrase = step.phrase
        if step.inverse:
            text = _back(step, text)
        elif is_verbal(phrase):
            text = fill("{start}{phrase}的{thing}", start=text, phrase=phrase, thing=_thing(step))
        else:
            text = fill("{start}的{phrase}", start=text, phrase=phrase)
    return text


def _back(step: Step, start: str) -> str:
    """A step against its direction: by its own words, such as "执导的电影", or by those of the way there."""
    phrase, there = step.phrase, step.relation.phrase
    if phrase not in (there, f"with {there}") and has_cjk(phrase):  # as loaders guess that take names for English
        pattern = "{start}{phrase}" if _OWNED.search(phrase) else "{start}的{phrase}"
        return fill(pattern, start=start, phrase=phrase)
    pattern = "{phrase}{start}的{thing}" if is_verbal(there) else "{phrase}是{start}的{thing}"
    return fill(pattern, phrase=there, start=start, thing=_thing(step))


def _thing(step: Step) -> str:
    labels = step.relation.heads if step.inverse else step.relation.tails
    return labels[0] if len(labels) == 1 and has_cjk(labels[0]) else "实体"


def _noun(step: Step, many: bool) -> str:
    if step.inverse and step.phrase in (step.relation.phrase, f"with {step.relation.phrase}"):
        return f"以之为{step.relation.phrase}的{_thing(step)}"
    return step.phrase


def _every(label: str) -> str:
    return fill("所有{label}", label=label)


def _template(phrase: str, *, of_value: bool = False) -> str:
    pattern = "{head}{phrase}{tail}。" if is_verbal(phrase) and not of_value else "{head}的{phrase}是{tail}。"
    return fill(pattern, phrase=phrase)


def _is_template(template: str) -> bool:
    """Whether a relation's sentence is Chinese: not the neutral one, which is guessed for any name."""
    return has_cjk(template) and not template.startswith("{head} — ")


def _edge_words(name: str, heads: tuple[str, ...], tails: tuple[str, ...]) -> tuple[str, str, str]:
    words = words_of(name)
    return words, words, _template(words)


_REASONS = {
    "graph {graph} has no entity {names}": "图谱{graph}中没有实体{names}",
    "no entity of graph {graph} is named in the question": "问题中没有提到图谱{graph}中的任何实体",
    "no entity of graph {graph} is called {name}": "图谱{graph}中没有名为{name}的实体",
    "the question is about {nouns}, but what it asks of them was not understood, and it names no entity": (
        "问题涉及{nouns}，但没有理解所问的内容，问题中也没有提到任何实体"
    ),
    "nothing in the graph fits the question well enough": "图谱中没有与问题足够匹配的内容",
    "the graph has no facts about {names} that the question may ask for": "图谱中没有问题可能询问的关于{names}的事实",
    "the paths that fit the question lead nowhere in the graph": "与问题匹配的路径在图谱中没有结果",
    "{word} in the question leaves something out, and what that is was not understood": (
        "问题中的{word}排除了某些内容，但没有理解排除的是什么"
    ),
    "the graph has no fact about {name} that says {word}": "图谱中关于{name}的事实都没有提到{word}",
    "the graph has no such fact about {name} itself": "图谱中没有关于{name}本身的这类事实",
    "the question counts, compares, ranks, groups and leaves out nothing that was understood": (
        "没有理解问题中的计数、比较、排序、分组或排除"
    ),
    "the question counts, sums up or ranks, and no plan says all of it": (
        "问题涉及计数、求和或排序，没有查询能完整表达它"
    ),
    "{word} in the question was not understood, and without it the answer would be another": (
        "没有理解问题中的{word}，忽略它会得到另一个答案"
    ),
    "nothing in the graph is {what}": "图谱中没有{what}",
    "the graph has no facts about {names}": "图谱中没有关于{names}的事实",
    "the graph has too many facts about {names} to be read": "图谱中关于{names}的事实太多，无法全部读取",
    "no relation path that the model knows leaves {names}": "没有已知的关系路径从{names}出发",
    "no relation path that was predicted leads anywhere from {names}": "预测的关系路径从{names}出发都没有结果",
    "the language model names nothing that stands in the facts that it was shown": (
        "语言模型给出的内容不在所提供的事实中"
    ),
    "the language model names only what the question is about": "语言模型只给出了问题本身所涉及的内容",
    "the language model finds no answer in the facts that it was shown": "语言模型在所提供的事实中没有找到答案",
}
"""The reasons for which methods abstain, in English and in Chinese; of two that fit, the first."""


def _reason_part(text: str) -> str:
    """Names in a reason, quoted as Chinese has it."""
    return re.sub(r"'([^']*)'", r"“\1”", text).replace(" or ", "或").replace(" and ", "和")


_WORDING = Wording(
    no_answer="图谱中没有答案。",
    abstained="无法回答这个问题：{why}。",
    reasons=_REASONS,
    reason_part=_reason_part,
    between="、",
    last="和",
    more="另外 {count} 个",
    cut_row="{names}等 {count} 个",
    amount="{name}（{amount}）",
    path=_path,
    noun=_noun,
    part="{owner}的{noun}",
    also="同时是{other}的{measure}",
    within="{measure}（仅限{within}）",
    kind=_every,
    of_both="{topic}与{other}的{phrase}",
    pinned="{what}中的{name}",
    combined={"and": "既是{one}又是{other}的实体", "or": "{one}或{other}", "not": "{one}（不包括{other}）"},
    reductions={
        "count": "数量", "exists": "是否有", "sum": "总和", "mean": "平均值", "median": "中位数", "measure": "",
        "max": "最大", "min": "最小", "<": "小于", "<=": "不大于", "=": "等于", ">=": "不小于", ">": "大于",
        "contains": "包含", "starts": "开头是",
    },
    attributes={"sum": "总", "mean": "平均", "median": "中位"},
    attribute="{attribute}{measure}",
    counted="{what}的{reduction}",
    exists="{reduction}{what}",
    native="查询返回的内容",
    cited="所引用的事实",
    number_of="{measure}的数量",
    number="数量",
    is_any="{over}中有{measure}的",
    with_any="{over}中有{measure}的",
    measure="{over}的{measure}",
    reduced="{over}的{measure}的{reduction}",
    reduced_bare="{over}的{reduction}",
    with_extreme="{over}中{measure}{reduction}的",
    compared="{over}中{measure}{wanted}的",
    compared_bare="{wanted}的{over}",
    wanted="{reduction}{value}",
    groups="{over}的各个{measure}",
    year="{measure}的年份",
    by="{groups}（按{attribute}{number}）",
    the_one="",
    those="",
    extremes={"max": "最晚", "min": "最早"},
    ranked="{over}中{measure}{extreme}的是{names}。",
    answer="{what}是{names}。",
    answer_path="{what}是{names}。",
    named="{names}。",
    is_so="是的：{what}{wanted}。",
    is_not="不是：{what}并非{wanted}。",
    claimed="是的：{claim}。",
    both_claims="{one}，并且{other}",
    either_claim="{one}，或者{other}",
    unclaimed="否：图谱中没有“{claim}”这一事实。",
    has="有：图谱中有{what}。",
    has_not="没有：图谱中没有{what}。",
    is_one="{name}是{what}",
    fact="{head}的{phrase}是{tail}。",
    qualified="{fact}（{qualifiers}）",
    is_template=_is_template,
    stop="。",
    capitals=False,
    words=StatementWords(
        glue=frozenset("的是为有和与及在由被了都也个等共位中其这那些它他她们之并而且分别还以就来自所于者为一部名实体"),
        negations=frozenset("不没无非未否"),
        possessive=frozenset(("的",)),
        be=frozenset(("是", "为")),
        by=frozenset(("被", "由")),
        joining=frozenset("和与及、，,并且以还有"),
        moments=("{year}年{month}月{day}日", "{year} 年 {month} 月 {day} 日"),
        months=tuple(f"{number}月" for number in range(1, 13)),
    ),
)  # fmt: skip

CHINESE = Language(
    code="zh",
    stop_words=frozenset("的 是 了 吗 呢 和 与 在 有 谁 什么 哪 哪里 哪个 哪些 多少 几 请 问 请问 告诉 我".split()),
    grammar_words=frozenset("的 是 了 吗 呢 和 与 在 有 请 问 请问 告诉 我".split()),
    interrogatives={"谁": "人", "什么": "", "哪": "", "哪里": "地点", "哪个": "", "哪些": "", "何时": "时间"},
    patterns=PathPatterns(
        noun="{start}的{phrase}", moment="{start}{phrase}", clause="{start}{phrase}", both="{one}、{other}"
    ),
    is_verbal=is_verbal,
    guessed_template=_template,
    edge_words=_edge_words,
    wording=_WORDING,
    is_written=is_chinese,
)
