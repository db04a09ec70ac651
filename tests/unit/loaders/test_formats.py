"""Each format is recognised by its content and by no other's; what is no graph is refused with its cure."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.recognise import open_sources
from tests.unit.loaders.samples import SAMPLES, parquet

QUESTIONS = b"who is the boss of [Ben]\tAnn\nwhom does [Ben] know\tCleo|Ann\n"


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("file", ["some.data", "packed.gz"])
def test_sample_is_recognised_by_content_alone(sample: str, file: str, tmp_path: Path) -> None:
    format, content = SAMPLES[sample]
    path = tmp_path / file
    path.write_bytes(gzip.compress(content) if file.endswith(".gz") else content)
    assert open_sources([str(path)]).formats == (format,)


def test_parquet_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "some.data"
    path.write_bytes(parquet([{"head": "a", "relation": "r", "tail": "b"}], tmp_path))
    assert open_sources([str(path)]).formats == ("parquet",)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (QUESTIONS, "looks like questions"),
        (
            b'{"question": "who?", "answers": ["Ann"]}\n{"question": "whom?", "answers": ["Ben"]}\n',
            "looks like questions",
        ),
        (b'[{"question": "who?", "id": 1, "name": "x"}]', "looks like questions"),
        (b'{"Questions": [{"RawQuestion": "who?"}]}', "looks like questions"),
        (b"orderID,customerID,freight\n1,ANN,3.2\n2,BEN,4.1\n", r"does not say what is an entity.*:START_ID"),
        (b"Q1\tR2\tQ3\twhat is the name of the boss\nQ1\tR2\tQ3\twho is it\n", "looks like questions"),
        ("他是谁\tann\n哪里人\tben\n".encode(), "looks like questions"),
        (b"/m/1\tAnn\n/m/2\tBen\n", "--names"),
        (b'{"a": [1, 2],\n "b": 3, "c": 4}\n', "can't tell"),
        (b"PK\x03\x04rest", "zip"),
        (b"%PDF-1.7\n", "PDF"),
        (b"<html><body><p>hello</p></body></html>\n", "can't tell"),
        (b"plain words\nand more of them\n", "can't tell"),
        (b"a <b> c .\n", "can't tell"),
        (b'{"a": 1}\n', "can't tell"),
        (b"SELECT * FROM facts;\n", "can't tell"),
    ],
)
def test_what_is_no_graph_is_refused_with_a_cure(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "some.data"
    path.write_bytes(content)
    with pytest.raises(LoadError, match=said) as caught:
        open_sources([str(path)])
    assert "--format" in str(caught.value)


def test_files_of_several_formats_are_loaded_together(tmp_path: Path) -> None:
    for number, (_, content) in enumerate(SAMPLES.values()):
        (tmp_path / f"{number:02}").write_bytes(content)
    (tmp_path / "README").write_bytes(b"What this is.\n")
    opened = open_sources([str(tmp_path)])
    assert opened.formats == tuple(format for format, _ in SAMPLES.values())
    assert len(opened.skipped) == 1
