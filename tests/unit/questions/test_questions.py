"""Question files of each format: what is read, and what is said of broken ones."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgqa_graphdb.errors import QuestionsError, UsageError
from kgqa_graphdb.questions import Gold, Pair, read_asked, read_pairs
from tests.unit.mutants import many, mutants, values

WEBQSP = {"Questions": [
    {"QuestionId": "Q-1", "ProcessedQuestion": "which rivers cross made land", "Parses": [
        {"TopicEntityMid": "m.01", "TopicEntityName": "Made Land", "InferentialChain": ["land.rivers"],
         "Answers": [{"AnswerType": "Entity", "AnswerArgument": "m.02", "EntityName": "Long Water"}]},
        {"TopicEntityMid": "m.01", "InferentialChain": ["land.waters", "water.rivers"],
         "Answers": [{"AnswerType": "Entity", "AnswerArgument": "m.02", "EntityName": "Long Water"},
                     {"AnswerType": "Value", "AnswerArgument": "1950-01-02"}]}]},
    {"QuestionId": "Q-2", "ProcessedQuestion": "nobody knows", "Parses": [
        {"TopicEntityMid": None, "InferentialChain": None, "Answers": []}]},
]}  # fmt: skip
QALD = {"questions": [
    {"id": 7, "aggregation": False, "query": {"sparql": "SELECT ?x WHERE { wd:Q1 wdt:P2 ?x }"},
     "question": [{"language": "de", "string": "wer"}, {"language": "en", "string": "who made it?"}],
     "answers": [{"results": {"bindings": [
         {"x": {"type": "uri", "value": "http://www.wikidata.org/entity/Q3"}}, {"x": {"type": "literal", "value": "4"}},
     ]}}]},
    {"id": 8, "aggregation": True, "question": [{"language": "en", "string": "is it?"}],
     "answers": [{"boolean": True}]},
    {"id": 9, "question": [{"language": "de", "string": "nur deutsch"}], "answers": []},
]}  # fmt: skip
FILES = {
    "metaqa": ("who made [Long Water]\tAnn|Bob|Ann\n\nwhat is near [Made Land]\tC\n", [
        Pair("1", "who made [Long Water]", (Gold(name="Ann"), Gold(name="Bob")), ("Long Water",)),
        Pair("3", "what is near [Made Land]", (Gold(name="C"),), ("Made Land",)),
    ]),
    "pathquestion": ("who is a_(b) 's child ?\tc_(d)(c_(d)/e/)\ta_(b)#spouse#x#child#c_(d)#<end>#c_(d)\n", [
        Pair("1", "who is a_(b) 's child ?", (Gold("c_(d)"), Gold("e")), ("a_(b)",), "", 2, (("spouse", "child"),),
             (("a_(b)", "spouse", "x"), ("x", "child", "c_(d)"))),
    ]),
    "world cup, paths": (
        "where does Ann_LAND play ?\tFarton\tAnn_LAND#plays_in#Far_FC#is_in#Farton\tFarton/\t"
        "Ann_LAND#plays_in#Far_FC///Far_FC#is_in#Farton\n"
        "who plays there ?\tBob\tFar_FC#plays_in_inverse#Bob\tAnn_LAND/Bob/\tBob#plays_in#Far_FC\n", [
            Pair("1", "where does Ann_LAND play ?", (Gold("Farton"),), ("Ann_LAND",), "", 2, (("plays_in", "is_in"),),
                 (("Ann_LAND", "plays_in", "Far_FC"), ("Far_FC", "is_in", "Farton"))),
            Pair("2", "who plays there ?", (Gold("Ann_LAND"), Gold("Bob")), ("Far_FC",), "", 1,
                 (("plays_in_inverse",),), (("Far_FC", "plays_in_inverse", "Bob"),)),
        ]),
    "world cup, conjunctions": (
        "which Forward is from Far_Land ?\tBob\tForward#has_inverse#Bob#<end>#Bob*Far_Land#from_inverse#Bob#<end>#Bob\t"
        "Bob/\tBob#has#Forward///Bob#from#Far_Land\tForward/Far_Land\n", [
            Pair("1", "which Forward is from Far_Land ?", (Gold("Bob"),), ("Forward", "Far_Land"), "conjunction", 1,
                 (("has_inverse",), ("from_inverse",)),
                 (("Forward", "has_inverse", "Bob"), ("Far_Land", "from_inverse", "Bob"))),
        ]),
    "zjqa": ("长河在哪\t长河\t项目|地点\t甲|乙\t2\n", [
        Pair("1", "长河在哪", (Gold(name="甲"), Gold(name="乙")), ("长河",), "", 2, (("项目", "地点"),)),
    ]),
    "simplequestions": ("Q1\tP20\tQ2\twhere did ann die\nQ3\tR19\tQ4\twho was born in made land\n", [
        Pair("1", "where did ann die", (Gold("Q2"),), ("Q1",), "P20", 1, (("P20",),)),
        Pair("2", "who was born in made land", (Gold("Q4"),), ("Q3",), "R19", 1, (("<P19",),)),
    ]),
    "lines": ('{"question": "how many?", "answers": [3, true, "x", {"id": "Q1", "name": "n"}], "type": "count"}\n'
              '{"id": "b", "question": "none?", "answers": [], "topics": ["Q2"], "paths": [["r", "s"]]}\n', [
        Pair("1", "how many?", (Gold(name="3"), Gold(name="true"), Gold(name="x"), Gold("Q1", "n")), (), "count"),
        Pair("b", "none?", (), ("Q2",), "", 2, (("r", "s"),)),
    ]),
    "webqsp": (json.dumps(WEBQSP), [
        Pair("Q-1", "which rivers cross made land", (Gold("m.02", "Long Water"), Gold(name="1950-01-02")),
             ("m.01", "Made Land"),
             "", 1, (("land.rivers",), ("land.waters", "water.rivers"))),
    ]),
    "cwq": (json.dumps([{"ID": "c", "question": "q?", "answers": [{"answer_id": "m.1", "answer": "n"}],
                         "compositionality_type": "conjunction"}]), [
        Pair("c", "q?", (Gold("m.1", "n"),), (), "conjunction"),
    ]),
    "cwq, answers under answer": (json.dumps([
        {"ID": "c", "question": "q?", "answer": [{"answer_id": "m.1", "answer": "n", "aliases": ["o"]}],
         "compositionality_type": "conjunction"},
        {"ID": "d", "question": "q?", "answer": ["n", "", "o"]},
        {"ID": "e", "question": "q?", "answer": "n"},
    ]), [
        Pair("c", "q?", (Gold("m.1", "n"),), (), "conjunction"), Pair("d", "q?", (Gold(name="n"), Gold(name="o"))),
        Pair("e", "q?", (Gold(name="n"),)),
    ]),
    "mids": (json.dumps({"id": "e", "question": "q?", "entities": ["m.1"],
                         "answers": [{"kb_id": "m.2", "text": None}]}), [
        Pair("e", "q?", (Gold("m.2"),), ("m.1",)),
    ]),
    "qald": (json.dumps(QALD), [
        Pair("7", "who made it?", (Gold("Q3"), Gold(name="4")), ("Q1",)),
        Pair("8", "is it?", (Gold(name="true"),), (), "aggregate"),
    ]),
    "qald named": (json.dumps([{"question": "q?", "answer": {"Q1": "n", "+100": "+100"},
                                "qid_topic_entity": {"Q5": "t"}}]), [
        Pair("1", "q?", (Gold("Q1", "n"), Gold(name="100")), ("Q5",)),
    ]),
    "mintaka": (json.dumps([
        {"id": "m1", "question": "who?", "complexityType": "multihop",
         "questionEntity": [{"name": "Q5", "entityType": "entity"}, {"name": 3, "entityType": "ordinal"},
                            {"name": None, "entityType": "entity", "mention": "who"}],
         "answer": {"answerType": "entity",
                    "answer": [{"name": "Q6", "label": "N"}, {"name": "Q7", "label": {"en": "O"}}]}},
        {"id": "m2", "question": "is it?", "questionEntity": [],
         "answer": {"answerType": "boolean", "answer": [True]}},
        {"id": "m3", "question": "how many?", "complexityType": "count", "questionEntity": [],
         "answer": {"answerType": "numerical", "answer": [4]}},
        {"id": "m4", "question": "unknown?", "questionEntity": [], "answer": {"answerType": "entity", "answer": None}},
    ]), [
        Pair("m1", "who?", (Gold("Q6", "N"), Gold("Q7", "O")), ("Q5",), "multihop"),
        Pair("m2", "is it?", (Gold(name="true"),)),
        Pair("m3", "how many?", (Gold(name="4"),), (), "count"),
    ]),
    "mintaka with a model's answers": (json.dumps({
        "a1": {"question": "q?", "answerType": "date", "answer": 1981, "lm_answers": ["1981 I think", " ", "1982"]},
        "a2": {"question": "p?", "answerType": "entity", "answer": None, "lm_answers": []},
    }), [
        Pair("a1", "q?", (Gold(name="1981"),), (), "date", candidates=("1981 I think", "1982")),
    ]),
    "candidates": (
        'question,target,answer_1,answer_0,topics,more\n"where, then",Ann,"b ""c""",a,Q1|Q2,x\n,,,,,\nwho,Bob,,,,\n', [
            Pair("2", "where, then", (Gold(name="Ann"),), ("Q1", "Q2"), candidates=("a", 'b "c"')),
            Pair("4", "who", (Gold(name="Bob"),)),
        ]),
    "lines with candidates": ('{"question": "q?", "answers": ["a"], "candidates": ["b", "a", 7]}\n', [
        Pair("1", "q?", (Gold(name="a"),), candidates=("b", "a", "7")),
    ]),
    "wikiwebquestions": (json.dumps([{"id": "w", "utterance": "q?", "sparql": "wd:Q1 wdt:P1 ?x",
                                      "results": ["Q2", "1950"]}]), [
        Pair("w", "q?", (Gold("Q2"), Gold(name="1950")), ("Q1",)),
    ]),
    "wikiwebquestions with bindings": (json.dumps([{
        "id": "w", "utterance": "q?", "sparql": "wd:Q1 wdt:P1 ?x", "results": [
            {"x": {"type": "uri", "value": "http://www.wikidata.org/entity/Q2"},
             "y": {"type": "literal", "value": "1950-01-01"}},
            {"x": {"type": "literal", "value": "12"}},
        ]}]), [
        Pair("w", "q?", (Gold("Q2"), Gold(name="12")), ("Q1",)),
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "pairs"), FILES.values(), ids=FILES)
def test_each_format_is_recognised_and_read(tmp_path: Path, text: str, pairs: list[Pair]) -> None:
    path = tmp_path / "questions"
    path.write_text(text, encoding="utf-8")
    assert read_pairs(path) == pairs


def test_types_beside_or_above_a_metaqa_file_are_read(tmp_path: Path) -> None:
    (tmp_path / "vanilla").mkdir()
    path = tmp_path / "vanilla" / "qa_dev.txt"
    path.write_text("who made [A]\tB\n", encoding="utf-8")
    (tmp_path / "qa_dev_qtype.txt").write_text("movie_to_actor_to_movie\n", encoding="utf-8")
    [pair] = read_pairs(path)
    assert (pair.type, pair.hops) == ("movie_to_actor_to_movie", 2)
    (tmp_path / "qa_dev_qtype.txt").write_text("a_to_b\na_to_b\n", encoding="utf-8")
    with pytest.raises(QuestionsError, match="2 types for the 1 questions"):
        read_pairs(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("just text\n", "known are: metaqa"),
        ("who made [A]\tB\n" * 30 + "x\n", "line 31: 1 columns where 2"),
        ('{"question": "a?", "answers": ["b"]}\n' * 30 + '{"question": "a?"}\n', "line 31: 'answers' is missing"),
        ('{"question": "a?", "answers": ["b"]}\n' * 30 + '{"question": "", "answers": []}\n', "line 31: the question"),
        ('{"question": "a?", "answers": [{}]}\n', "neither id nor name"),
        ("a?\tb\tc#d#e\n" + "a?\tb(b/)\tc#d#e\n", "can't tell"),
        ('{"Questions": [{"Parses": []}', "no JSON"),
        ('{"Questions": [{"Parses": [{}]}]}', "begins like webqsp but is not: 'Answers' is missing"),
        ("[1, 2]", "known are"),
        ("[" * 100_000, "nested too deep"),
        ('{"question": "a?", "answers": ' + "[" * 100_000, "can't tell|nested too deep"),
        (
            '{"question": "a?", "answers": ["b"]}\n{"question": "a?", "answers": ' + "[" * 100_000,
            "line 2: it is nested",
        ),
        ('{"question": "a?", "answers": ["b"]}\n{"question": "a?", "answers": ["b"], "hops": Infinity}', "line 2"),
        ('{"Questions": [7]}', "known are"),
        ('{"questions": ["a"]}', "known are"),
        ('{"questions": {"a": 1}}', "known"),
        ('[{"ID": 1, "question": 7, "answers": []}]', "the question is no text: 7"),
        ('{"question": "a?", "answers": ["\\ud83d"]}', "half a character"),
        ("question,target,answer_0\nq,,a\n", "line 2: question or target is empty"),
        ("question,target,answer_0\nq,t,a,b\n", "line 2: 4 columns where the head has 3"),
        ('{"question": "a?", "answers": ["b"], "candidates": "c"}', "line 1: the candidates are no list"),
        ("长河\t长河\t项目\t甲\t2\n" * 30 + "长河\t长河\t项目\t甲\t²\n", "line 31: '²' is no number of hops"),
    ],
)
def test_a_broken_file_is_an_error_that_says_where(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "questions"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QuestionsError, match=says):
        read_pairs(path)


def test_what_can_not_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(QuestionsError, match="can't read"):
        read_pairs(tmp_path / "none")
    (tmp_path / "latin").write_bytes(b"who made [A]\t\xe9\n")
    with pytest.raises(QuestionsError, match="not UTF-8"):
        read_pairs(tmp_path / "latin")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("test.json", "{}")
    with pytest.raises(QuestionsError, match=r"unpack it and name one of its files: test\.json"):
        read_pairs(tmp_path / "all.zip")


def test_a_character_that_some_take_for_the_end_of_a_line_is_none(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "a\u2028b?", "answers": ["c\x85d"]}\n', encoding="utf-8")
    assert read_pairs(path) == [Pair("1", "a\u2028b?", (Gold(name="c\x85d"),))]


def test_a_broken_archive_and_a_name_that_no_file_has_are_errors(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("test.json", "{}" * 50)
    whole = (tmp_path / "all.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[60:])
    for path in (tmp_path / "cut.zip", "nul\0l", "x" * 5_000):
        with pytest.raises(QuestionsError):
            read_pairs(path)


PIECES = (
    "{", "}", "[", "]", ":", ",", '"question"', '"answers"', '"answer"', '"a?"', "\t", "|", "/", "#", "(b/)", "[X]",
    "\n", "1", "true", "null", "\\ud800", "Q1", "P1", "<end>", "*", "1e999", "-",
)  # fmt: skip
VALUES = values("""
    question answers answer topics type hops paths id ID Questions Parses QuestionId ProcessedQuestion Answers
    AnswerType AnswerArgument InferentialChain entities kb_id text answer_id questions language string results
    bindings boolean utterance sparql query qid_topic_entity
""".split())  # fmt: skip


@st.composite
def broken_files(draw: st.DrawFn) -> str:
    """Files of each format with something wrong in them, and files of no format."""
    text = draw(st.sampled_from([text for text, _ in FILES.values()]))
    way = draw(st.integers(0, 3))
    if way == 0:
        return "".join(draw(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=25)))
    if way == 1:
        start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        return text[:start] + draw(st.sampled_from(PIECES)) + text[end:]
    lines = text.splitlines()
    if text[0] in "{[":
        return "\n".join(json.dumps(draw(mutants(json.loads(line), VALUES))) for line in lines)
    return "\n".join([*lines, draw(st.sampled_from(lines))[: draw(st.integers(0, 40))], draw(st.text(max_size=9))])


@settings(many, max_examples=1_500)
@given(text=broken_files())
def test_whatever_a_file_holds_is_read_or_is_an_error_of_ours(tmp_path: Path, text: str) -> None:
    path = tmp_path / "questions"
    path.write_text(text, encoding="utf-8", errors="replace")
    try:
        pairs = read_pairs(path)
    except QuestionsError:
        return
    assert all(isinstance(pair.question, str) for pair in pairs)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("metaqa/1-hop/vanilla/qa_test.txt", 9_947), ("metaqa/2-hop/vanilla/qa_test.txt", 14_872),
        ("metaqa/3-hop/vanilla/qa_test.txt", 14_274), ("pathquestion/PQ-2H.txt", None),
        ("pathquestion/PQL-3H.txt", None),
        ("zjqa/test.txt", None), ("wikidata/questions/qald10/qald_10.json", None),
        ("wikidata/questions/qald10/tog/qald_10-en.json", None), ("wikidata/questions/train.json", None),
        ("wikidata/questions/simplequestions-wikidata/annotated_wd_data_test.txt", None),
        ("wikidata/questions/dev.json", 454), ("wikidata/mintaka/mintaka_dev_part.json", 1_381),
        ("webqsp/epr/dev_simple.jsonl", None),
    ],
)  # fmt: skip
def test_real_files_are_read_whole(name: str, count: int | None) -> None:
    path = Path(os.environ.get("KGQA_DATA", "data")) / name
    if not path.exists():
        pytest.skip(f"no {path}: set KGQA_DATA to the folder that holds {name}")
    pairs = read_pairs(path)
    text = path.read_text("utf-8")
    if count is None:
        document = json.loads(text) if path.suffix == ".json" else text.splitlines()
        count = len(document["questions"] if isinstance(document, dict) else document)
    assert len(pairs) == count
    assert all(pair.question and (pair.answers or path.suffix != ".txt") for pair in pairs)


@pytest.mark.data
def test_webqsp_has_the_questions_that_published_figures_count(tmp_path: Path) -> None:
    path = Path(os.environ.get("KGQA_DATA", "data")) / "webqsp" / "WebQSP.zip"
    if not path.exists():
        pytest.skip(f"no {path}: set KGQA_DATA to the folder that holds webqsp")
    with zipfile.ZipFile(path) as archive:
        archive.extract("WebQSP.test.json", tmp_path)
    assert len(read_pairs(tmp_path / "WebQSP.test.json")) == 1_628


def test_questions_of_one_file_take_the_candidates_of_another(tmp_path: Path) -> None:
    asked, guessed, plain = tmp_path / "asked", tmp_path / "guessed", tmp_path / "plain"
    asked.write_text("who made [A]\tB\nwho made [C]\tD\n", encoding="utf-8")
    guessed.write_text("question,target,answer_0\nWho made A?,B,E\n", encoding="utf-8")
    plain.write_text("who made [X]\tB\n", encoding="utf-8")
    both = read_asked(asked, guessed)
    assert [(pair.topics, pair.candidates) for pair in both] == [(("A",), ("E",)), (("C",), ())]
    assert read_asked(None, guessed)[0].candidates == ("E",)
    assert read_asked(asked) == read_pairs(asked)
    with pytest.raises(UsageError, match="name a file of --questions"):
        read_asked(None)
    with pytest.raises(UsageError, match="holds questions, but no candidates"):
        read_asked(None, plain)
    with pytest.raises(UsageError, match="candidates for none of the questions"):
        read_asked(plain, guessed)
