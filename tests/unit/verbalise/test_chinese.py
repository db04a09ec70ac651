"""Answers in Chinese, by the words of its language object."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

import kgqa_graphdb
from kgqa_graphdb.language import CHINESE, ENGLISH, Language
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.methods.finish import give_up, language_of_answer, worded
from kgqa_graphdb.plan import Aggregate, Combine, Every, Follow, Plan, Result
from kgqa_graphdb.types import Entity, Fact, Link, Node, Question, Step, Value
from kgqa_graphdb.verbalise import describe_plan, fact_sentence, sentence

FILM, NOLAN, PAGE = Entity("f", "Inception"), Entity("n", "诺兰"), Entity("p", "Page")
MADE, IN = make_relation("导演", language=CHINESE), make_relation("位于", language=CHINESE)
GROSS = make_relation("票房", kind="property", unit="元", language=CHINESE)
OUT = make_relation("上映日期", kind="property", language=CHINESE)
SHOT = make_relation("导演", label="导演", inverse="执导的电影", language=CHINESE)
MAKERS, FILMS = Follow(FILM, (Step(MADE),)), Follow(NOLAN, (Step(MADE, inverse=True),))


@pytest.mark.parametrize(
    ("plan", "nodes", "amounts", "text"),
    [
        (MAKERS, (NOLAN,), (), "Inception 的导演是诺兰。"),
        (MAKERS, (NOLAN, PAGE), (), "Inception 的导演是诺兰和 Page。"),
        (FILMS, (FILM, PAGE), (), "导演是诺兰的实体是 Inception 和 Page。"),
        (Follow(NOLAN, (Step(SHOT, inverse=True),)), (FILM, PAGE), (), "诺兰执导的电影是 Inception 和 Page。"),
        (Follow(NOLAN, (Step(IN, inverse=True),)), (FILM, PAGE), (), "位于诺兰的实体是 Inception 和 Page。"),
        (Follow(FILM, (Step(MADE), Step(OUT))), (Value(1970),), (), "Inception 的导演的上映日期是 1970。"),
        (Aggregate("count", MAKERS), (Value(2),), (), "Inception 的导演的数量是 2。"),
        (Aggregate("max", Every("电影"), (Step(GROSS),)), (FILM,), (Value(9, "元"),),
         "所有电影中票房最大的是 Inception（9 元）。"),
        (Aggregate("min", Every("电影"), (Step(OUT),)), (FILM,), (Value(date(2010, 7, 16)),),
         "所有电影中上映日期最早的是 Inception（2010-07-16）。"),
        (Aggregate(">", Every("电影"), (Step(GROSS),), 5), (FILM, PAGE), (),
         "所有电影中票房大于 5 的是 Inception 和 Page。"),
        (Aggregate("mean", Every("电影"), (Step(GROSS),)), (Value(3.5, "元"),), (),
         "所有电影的票房的平均值是 3.5 元。"),
        (Aggregate("exists", Follow(FILM, (Step(MADE),), NOLAN)), (Value(True),), (),
         "是的：Inception 的导演是诺兰。"),
        (Aggregate("exists", Follow(FILM, (Step(MADE),), NOLAN)), (Value(False),), (),
         "否：图谱中没有“Inception 的导演是诺兰”这一事实。"),
        (MAKERS, (), (), "图谱中没有答案。"),
        (MAKERS, tuple(Entity(str(at), f"片{at}") for at in range(12)), (),
         "Inception 的导演是片0、片1、片2、片3、片4、片5、片6、片7、片8、片9 等 12 个。"),
    ],
    ids=str,
)  # fmt: skip
def test_answers_are_chinese_sentences(
    plan: Plan, nodes: tuple[Node, ...], amounts: tuple[Value, ...], text: str
) -> None:
    assert sentence(Result(plan, nodes, (), False, amounts), CHINESE) == text


def test_a_fact_is_a_chinese_sentence_whatever_language_its_relation_was_taken_for() -> None:
    for language in (CHINESE, ENGLISH):  # a loader takes any relation's name for English
        fact = Fact(FILM, make_relation("导演", language=language), NOLAN, (("年份", 2010),))
        assert fact_sentence(fact, CHINESE) == "Inception 的导演是诺兰（年份 2010）。"
    own = make_relation("导演", template="{tail}拍了{head}。", language=CHINESE)
    assert fact_sentence(Fact(FILM, own, NOLAN), CHINESE) == "诺兰拍了 Inception。"
    assert fact_sentence(Fact(FILM, make_relation("directed_by"), NOLAN), CHINESE) == "Inception 的 director 是诺兰。"
    assert fact_sentence(Fact(FILM, IN, NOLAN), CHINESE) == "Inception 位于诺兰。"


def test_what_is_done_against_a_direction_and_both_of_two_are_described() -> None:
    assert describe_plan(Combine("or", (MAKERS, FILMS)), language=CHINESE) == "Inception 的导演或导演是诺兰的实体"


@pytest.mark.parametrize(
    ("question", "mention", "language"),
    [
        ("Inception的导演是谁", "Inception", CHINESE),
        ("诺兰导演了哪些电影?", "诺兰", CHINESE),
        ("Who wrote 红楼梦?", "红楼梦", ENGLISH),
        ("Who wrote Up?", "Up", ENGLISH),
        ("インセプションの監督は誰ですか", "", ENGLISH),
    ],
)
def test_the_question_tells_the_language_of_its_answer(question: str, mention: str, language: Language) -> None:
    start = question.find(mention)
    links = (Link(start, start + len(mention), FILM, 1.0),) if mention else ()
    assert language_of_answer(Question(question), links, ENGLISH) is language


@pytest.mark.parametrize(
    ("question", "why", "text"),
    [
        ("谁导演了它？", "no entity of graph 'zjqa' is named in the question",
         "无法回答这个问题：问题中没有提到图谱“zjqa”中的任何实体。"),
        ("谁导演了它？", "graph 'k' has no entity '诺兰' or 'Page'",
         "无法回答这个问题：图谱“k”中没有实体“诺兰”或“Page”。"),
        ("诺兰呢？", "the graph has no facts about '诺兰' that the question may ask for",
         "无法回答这个问题：图谱中没有问题可能询问的关于“诺兰”的事实。"),
        ("诺兰呢？", "a reason without a pattern", "无法回答这个问题：a reason without a pattern。"),
        ("Who made 诺兰?", "no entity of graph 'k' is named in the question",
         "I can't answer that: no entity of graph 'k' is named in the question."),
    ],
)  # fmt: skip
def test_abstentions_are_in_the_language_of_the_question(question: str, why: str, text: str) -> None:
    asked = Question(question)
    answer = worded(give_up("paths", asked, (), why), language_of_answer(asked, (), ENGLISH))
    assert (answer.text, answer.abstained) == (text, why)


@pytest.mark.parametrize("reason", CHINESE.wording.reasons)
def test_reasons_are_those_that_methods_have(reason: str) -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("methods", "compose")
        for path in sorted((Path(kgqa_graphdb.__file__).parent / folder).glob("*.py"))
    )
    assert all(part in source for part in re.split(r"\{\w+\}", reason))
    names, here = (sorted(re.findall(r"\{\w+\}", text)) for text in (reason, CHINESE.wording.reasons[reason]))
    assert names == here
