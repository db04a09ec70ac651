"""A source is recognised by its content, or the message says what can be loaded."""

from __future__ import annotations

import gzip
import os
import threading
import zipfile
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError, UsageError
from kgqa_loaders.recognise import FORMATS, open_source, open_sources
from kgqa_loaders.records import ReadOptions, Triple, origins_of
from kgqa_loaders.triples import PipeTriples, TabTriples


def test_formats_have_distinct_names() -> None:
    assert len({format.name for format in FORMATS}) == len(FORMATS)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"a|b|c\nd|e|f\n", PipeTriples),
        (b"a\tb\tc\nd|x\te\tf\n", TabTriples),
        (b"\xef\xbb\xbfa|b|c\r\n", PipeTriples),
        (b"a|b|c\n" * 9 + b"broken\n", PipeTriples),
        (gzip.compress(b"a\tb\tc\n", mtime=0), TabTriples),
        (b"a|b|c", PipeTriples),
    ],
)
def test_source_is_recognised_by_content(tmp_path: Path, content: bytes, kind: type) -> None:
    path = tmp_path / "some.data"
    path.write_bytes(content)
    assert isinstance(open_source(str(path)), kind)


@pytest.mark.parametrize(
    "content", [b"who directed [Kismet]\tA|B|C\n", b'{"a": 1}\n', b"a <b> <c> .\n", b"a,b,c\n", bytes(range(256))]
)
def test_what_nothing_recognises_is_refused_with_the_formats(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "some.data"
    path.write_bytes(content)
    with pytest.raises(LoadError, match=r"--format.*triples.*tsv"):
        open_source(str(path))


def test_format_overrides_recognition(tmp_path: Path) -> None:
    path = tmp_path / "some.data"
    path.write_bytes(b"a|b|c\n")
    assert isinstance(open_source(str(path), "tsv"), TabTriples)


def test_unknown_format_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nearest: 'triples'"):
        open_source(str(tmp_path / "x"), "tripels")


def test_an_ontology_that_no_file_is_read_with_is_refused(tmp_path: Path) -> None:
    plain, dotted = tmp_path / "films.txt", tmp_path / "films.tsv"
    plain.write_text("Blade Runner|genre|Thriller\n")
    dotted.write_text("Blade Runner\tfilm.film.genre\tThriller\n")
    (tmp_path / "ontology").mkdir()
    (tmp_path / "ontology/fb_roles").write_text("film.film film.film.genre film.film_genre\n")
    options = ReadOptions(ontology=str(tmp_path / "ontology"))
    with pytest.raises(UsageError, match=r"^triples is not read with an ontology; .*freebase-names"):
        open_source(str(plain), options=options)
    assert open_sources([str(plain), str(dotted)], options=options).formats == ("triples", "freebase-names")


def test_missing_file_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "kb.txt").write_bytes(b"a|b|c\n")
    with pytest.raises(LoadError, match=r"nearest: 'kb\.txt'"):
        open_source(str(tmp_path / "bk.txt"))


@pytest.mark.parametrize(("content", "said"), [(b"", "is empty"), (b"\n \n", "is empty"), (b"\xff\xfea\x00", "UTF-16")])
def test_file_without_readable_text_says_so(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "some.data"
    path.write_bytes(content)
    with pytest.raises(LoadError, match=said):
        open_source(str(path))


def test_folder_without_a_graph_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README").write_bytes(b"what this is\n")
    with pytest.raises(LoadError, match="nothing in"):
        open_source(str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipe_can_be_read_twice(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"a|b|c\n",))
    writer.start()
    source = open_source(str(pipe))
    writer.join()
    assert list(source.records()) == list(source.records()) == [Triple(1, "a", "b", "c")]
    assert source.describe == str(pipe)


def test_files_of_a_zip_archive_are_read_but_not_those_of_its_packer(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "facts.zip", "w") as archive:
        archive.writestr("part/b.txt", "b|r|c\n")
        archive.writestr("part/a.tsv", "a\tr\tb\n")
        archive.writestr("part/README", "What this is.\n")
        archive.writestr("__MACOSX/part/._b.txt", "x|y|z\n")
        archive.writestr("part/.hidden.txt", "x|y|z\n")
    opened = open_sources([str(tmp_path / "facts.zip")])
    assert opened.formats == ("tsv", "triples")
    assert list(opened.source.records()) == [Triple(1, "a", "r", "b"), Triple(1, "b", "r", "c")]
    assert [Path(name).name for name in opened.skipped] == ["facts.zip:README"]


def test_each_source_keeps_the_place_that_was_given_for_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("folder/a.txt", "folder/b.txt", "c.txt"):
        (tmp_path / name).write_text("a|r|b\n")
    source = open_sources([str(tmp_path / "folder"), str(tmp_path / "c.txt")]).source
    assert list(origins_of(source)) == [str(tmp_path / "folder")] * 2 + [str(tmp_path / "c.txt")]
