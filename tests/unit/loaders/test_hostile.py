"""Input made to do harm: it is refused in one sentence, soon, in little memory, and fetches nothing."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgqa_graphdb.errors import ConfigError, KgqaError, LoadError, QuestionsError, UsageError
from kgqa_graphdb.evaluate.outcome import read_outcomes
from kgqa_graphdb.mapping import read_mapping
from kgqa_graphdb.questions import read_pairs
from kgqa_loaders import files, recognise
from kgqa_loaders.cypher_text import check, decoded, statements
from kgqa_loaders.names import read_names, with_names
from kgqa_loaders.normal import normalise
from kgqa_loaders.recognise import FORMATS, open_source
from kgqa_loaders.records import ReadOptions
from kgqa_loaders.relations import read_relations
from tests.unit.loaders.samples import SAMPLES

RDF_XML = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">{}</rdf:RDF>'
ENTITY = RDF_XML.format('<e:A rdf:about="http://e/a"><e:name>&{};</e:name></e:A>')
DEEP = 100_000

# Reads a source in a process that may take 2 GiB and some seconds of computing, and prints what comes of it.
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[3]),) * 2)
from kgqa_graphdb.errors import KgqaError
from kgqa_loaders.recognise import open_source
try:
    print("records", sum(1 for _ in open_source(sys.argv[1], sys.argv[2]).records()))
except KgqaError as error:
    print(type(error).__name__, error)
with open("/proc/self/status") as status:  # ru_maxrss begins with what the parent process had
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def read_apart(path: Path, format: str = "", cpu_s: int = 60) -> tuple[str, int]:
    """What comes of a file in a process of its own, and the KiB of memory that it took."""
    done = subprocess.run(  # our own program
        [sys.executable, "-c", READ, str(path), format, str(cpu_s)], capture_output=True, text=True, timeout=300,
        check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    *said, memory = done.stdout.strip().split("\n")
    return "\n".join(said), int(memory)


def nested_entities(first: str) -> str:
    more = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 11))
    return f'<!DOCTYPE r [<!ENTITY a0 "{first}">{more}]>{ENTITY.format("a10")}'


DOCTYPES = {
    "plain": "<!DOCTYPE rdf:RDF>",
    "empty": "<!DOCTYPE rdf:RDF []>",
    "namespace entity": '<!DOCTYPE rdf:RDF [<!ENTITY a "http://e/">]>',
    "internal entity": '<!DOCTYPE r [<!ENTITY a "Ann">]>',
    "markup entity": '<!DOCTYPE r [<!ENTITY a "<e:B/>">]>',
    "external entity": '<!DOCTYPE r [<!ENTITY a SYSTEM "FILE">]>',
    "public entity": '<!DOCTYPE r [<!ENTITY a PUBLIC "a" "FILE">]>',
    "unparsed entity": '<!DOCTYPE r [<!NOTATION n SYSTEM "FILE"><!ENTITY a SYSTEM "FILE" NDATA n>]>',
    "parameter entity": '<!DOCTYPE r [<!ENTITY % a "b"><!ENTITY % c "%a;%a;">]>',
    "external parameter entity": '<!DOCTYPE r [<!ENTITY % a SYSTEM "FILE"> %a;]>',
    "external subset": '<!DOCTYPE r SYSTEM "FILE">',
    "public subset": '<!DOCTYPE r PUBLIC "a" "FILE" [<!ENTITY a "b">]>',
    "attribute default": '<!DOCTYPE r [<!ATTLIST rdf:RDF xml:base CDATA "FILE">]>',
}


@pytest.mark.parametrize("kind", DOCTYPES)
def test_xml_with_a_doctype_is_refused_and_reads_nothing_else(kind: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("swordfish")
    path = tmp_path / "made.rdf"
    for content in (ENTITY.format("a"), RDF_XML.format("")):
        path.write_text(f'<?xml version="1.0"?>\n{DOCTYPES[kind].replace("FILE", secret.as_uri())}{content}')
        with pytest.raises(LoadError, match=r"has a DOCTYPE.*at line 2; .*xmllint .*--dropdtd.*riot") as caught:
            list(open_source(str(path), "rdf").records())
        assert "swordfish" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1"])
def test_doctype_is_refused_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    declared = "" if encoding == "utf-8-sig" else f' encoding="{encoding}"'
    text = f'<?xml version="1.0"{declared}?>{DOCTYPES["internal entity"]}{ENTITY.format("a")}'
    (tmp_path / "made.rdf").write_bytes(text.encode(encoding))
    with pytest.raises(LoadError, match=r"has a DOCTYPE|can't tell which syntax"):
        list(open_source(str(tmp_path / "made.rdf"), "rdf").records())


HARMFUL = {
    "entities-in-entities.rdf": (nested_entities("aaaaaaaaaa"), "has a DOCTYPE"),
    "unknown-entity.rdf": (ENTITY.format("a"), "undefined entity"),
    "deep.rdf": (RDF_XML.format("<e:a><e:b>" * DEEP + "</e:b></e:a>" * DEEP), "over 1,000 deep"),
    "deep-attributes.rdf": (RDF_XML.format('<e:a rdf:parseType="Resource">' * DEEP), "over 1,000 deep"),
    "terms.trig": (
        "@prefix : <http://x/> .\n:s :p " + "<<( :a :b " * 20_000 + ":o" + " )>>" * 20_000 + " .\n", "over 100 deep",
    ),
    "terms.ttl": (
        "@prefix : <http://x/> .\n" + "<< :a :b\n" * 20_000 + ":o" + " >>" * 20_000 + " .\n", "over 100 deep",
    ),
    "deep.jsonld": (
        '{"@context": {"p": "http://x/p"}, "@id": "http://x/a", "p": ' + '{"p":' * DEEP + "1" + "}" * DEEP + "}",
        "no JSON-LD",
    ),
    "lists.jsonld": ('{"@context": {}, "p": ' + "[" * DEEP + "1" + "]" * DEEP + "}", "no JSON-LD"),
}  # fmt: skip


@pytest.mark.parametrize("name", HARMFUL)
def test_harmful_document_is_refused_in_little_memory(name: str, tmp_path: Path) -> None:
    content, said = HARMFUL[name]
    path = tmp_path / name
    path.write_text(content)
    found, memory = read_apart(path, "rdf", cpu_s=10)
    assert found.startswith("LoadError")
    assert said in found
    assert memory < 400_000


@pytest.mark.parametrize(
    "kind",
    [
        "<!DOCTYPE r SYSTEM '{}'>", "<!DOCTYPE r [<!ENTITY a SYSTEM '{}'>]>", "<!DOCTYPE r PUBLIC 'a' '{}'>",
        "<!DOCTYPE r [<!ENTITY % a SYSTEM '{}'> %a;]>",
    ],
)  # fmt: skip
def test_document_fetches_nothing(kind: str, tmp_path: Path) -> None:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/x"
        (tmp_path / "a.rdf").write_text(kind.format(address) + ENTITY.format("a"))
        (tmp_path / "b.jsonld").write_text(json.dumps({"@context": address, "@id": "http://e/a", "name": "a"}))
        for name in ("a.rdf", "b.jsonld"):
            with pytest.raises(LoadError):
                list(open_source(str(tmp_path / name), "rdf").records())
        server.shutdown()
    assert asked == []


@pytest.mark.parametrize("name", ["deep.ttl", "lists.ttl", "formulas.n3"])
def test_deep_document_is_read_in_time(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    begin, end = {"deep.ttl": ("[ :p ", "]"), "lists.ttl": ("(", ")"), "formulas.n3": ("{ ", "} ")}[name]
    inner = ":s :p :o" if name == "formulas.n3" else ":o"
    before = "" if name == "formulas.n3" else ":s :p "
    path.write_text(f"@prefix : <http://x/> .\n{before}{begin * 20_000}{inner}{end * 20_000} .\n")
    found, _ = read_apart(path, "rdf")
    assert found.startswith(("records", "LoadError"))


@pytest.mark.parametrize("format", ["ntriples", "triples", "tsv", "jsonl", "csv", "wikidata-json", "freebase-rdf"])
def test_endless_line_is_refused(format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 1 << 20)
    path = tmp_path / "line.gz"
    head = b":ID,name,:LABEL\n" if format == "csv" else b""
    path.write_bytes(gzip.compress(head + b"x" * (12 << 20)))
    known = [known.name for known in FORMATS]
    if format not in known:
        pytest.fail(f"{format} is none of {known}")
    with pytest.raises(LoadError, match="a line of over 1 MiB"):
        list(open_source(str(path), format).records())


def test_long_text_of_escapes_is_read_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "escapes.nt"
    path.write_text('<http://e/a> <http://e/p> "' + "\\u00e9" * 1_000_000 + '" .\n')
    found, memory = read_apart(path, "ntriples")
    assert found.startswith("records")
    assert memory < 200_000  # some 300 MB, where each escape is remembered as a place to go back to


@pytest.mark.parametrize("name", ["a.ttl", "a.rdf", "a.jsonld"])
def test_term_that_is_too_long_for_the_parser_is_refused_or_read(name: str, tmp_path: Path) -> None:
    text = "x" * (17 << 20)
    (tmp_path / name).write_text(
        {
            "a.ttl": f'@prefix : <http://x/> .\n:a :p "{text}" .\n',
            "a.rdf": RDF_XML.format(f'<rdf:Description rdf:about="http://e/a" e:p="{text}"/>'),
            "a.jsonld": f'{{"@context": {{"p": "http://x/p"}}, "@id": "http://x/a", "p": "{text}"}}',
        }[name]
    )
    with suppress(LoadError):
        list(open_source(str(tmp_path / name), "rdf").records())


def test_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.tar.gz"
    member = tarfile.TarInfo("big.txt")
    member.size = 2 << 30
    path.write_bytes(gzip.compress(member.tobuf() + b"\0" * (1 << 20)))
    with pytest.raises(LoadError, match=r"bomb\.tar\.gz holds 2,147,483,648 bytes .* unpack it, and load its folder"):
        open_source(str(path))


def test_archive_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognise, "MAX_FILES", 3)
    with tarfile.open(tmp_path / "many.tar", "w") as archive:
        for number in range(4):
            archive.addfile(tarfile.TarInfo(f"{number}.txt"))
    with pytest.raises(LoadError, match="over 3 files"):
        open_source(str(tmp_path / "many.tar"))


@pytest.mark.parametrize("format", ["", "triples"])
@pytest.mark.parametrize("document", ["[Content_Types].xml", "mimetype"])
def test_document_in_a_zip_file_is_no_triples(format: str, document: str, tmp_path: Path) -> None:
    path = tmp_path / "facts.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(document, "")
        archive.writestr("facts.txt", "a|b|c\n" * 1_000)
    with pytest.raises(LoadError, match="is a spreadsheet"):
        open_source(str(path), format)


def test_zip_that_is_cut_off_or_broken_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "facts.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("facts.txt", "a|b|c\n" * 1_000)
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    with pytest.raises(LoadError, match="zip file"):
        open_source(str(path))
    path.write_bytes(whole[:50] + b"\xff\xff" + whole[52:])
    with pytest.raises(LoadError, match=r"can't (unpack|read) .*facts\.zip"):
        open_source(str(path))


def test_zip_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognise, "SMALL_BYTES", 1_000)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("facts.txt", "a|b|c\n" * 100_000)
    with pytest.raises(LoadError, match=r"bomb\.zip holds 600,000 bytes .* unpack it, and load its folder"):
        open_source(str(path))


def test_zip_writes_nothing_outside_of_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "inner" / "facts.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../escaped.txt", "a|b|c\n")
    assert [record.head for record in open_source(str(path)).records()] == ["a"]  # type: ignore[union-attr]
    assert not list(tmp_path.rglob("escaped.txt"))


# ── anything ─────────────────────────────────────────────────────────────────────────────────────────────────────────

EXAMPLES = settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=8),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["id", "name", "labels", "type", "head", "relation", "tail", "properties", "start", "end", "p",
                         "question", "answers", "topics", "paths", "hops", "claims", "Questions", "@id", "@context"])
        | st.text(max_size=4), inner, max_size=6,
    ),
    max_leaves=12,
)  # fmt: skip
_SIGNS = st.sampled_from(
    ["|", "\t", ",", ";", "\n", "\r\n", '"', "'", "<", ">", "<<", ">>", "{", "}", "[", "]", "(", ")", "\\", "\\u12",
     "\\ud800", "\ufeff", "\x00", ":", "@", ".", "`", "$", "//", "/*", "*/", "CREATE", "MATCH", "\u2014", "e", "1" * 30]
)  # fmt: skip
_TEXT = st.lists(_SIGNS | st.text(max_size=6), max_size=20).map(lambda parts: "".join(parts).encode("utf-8", "replace"))


def lines_of_json() -> st.SearchStrategy[bytes]:
    return st.lists(_JSON, max_size=4).map(lambda rows: "\n".join(map(json.dumps, rows)).encode())


def broken(sample: bytes) -> st.SearchStrategy[bytes]:
    """A sample with something put in somewhere, in the place of some of it."""
    places = st.tuples(st.integers(0, len(sample)), st.integers(0, 12))
    pieces = st.binary(max_size=6) | _TEXT | lines_of_json()
    return st.lists(st.tuples(places, pieces), min_size=1, max_size=4).map(
        lambda changes: _changed(sample, changes)  # type: ignore[arg-type]
    )


def _changed(sample: bytes, changes: list[tuple[tuple[int, int], bytes]]) -> bytes:
    for (at, length), piece in changes:
        sample = sample[:at] + piece + sample[at + length :]
    return sample


def survives(read: Callable[[Path], Iterator[object]], content: bytes, name: str = "input") -> None:
    """Whatever is read, nothing but an error of ours comes of it, in one sentence that can be printed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            for _ in read(path):
                pass
        except KgqaError as error:
            str(error).encode()


def loaded(format: str) -> Callable[[Path], Iterator[object]]:
    def read(path: Path) -> Iterator[object]:
        source = open_source(str(path), format, ReadOptions(languages=()))
        for row in normalise(source.records(), {}):
            "".join(row).encode()
            yield row

    return read


READERS = sorted(known.name for known in FORMATS if known.name != "cypher")


@pytest.mark.slow
@pytest.mark.parametrize("format", READERS)
@EXAMPLES
@given(data=st.data())
def test_any_content_is_read_or_refused(format: str, data: st.DataObject) -> None:
    samples = [content for _, (name, content) in sorted(SAMPLES.items()) if name == format] or [b"a\tb\tc\n"]
    content = data.draw(st.binary(max_size=60) | _TEXT | lines_of_json() | st.one_of(list(map(broken, samples))))
    survives(loaded(format), content)


@EXAMPLES
@given(content=st.binary(max_size=60) | _TEXT | lines_of_json())
def test_any_content_is_recognised_or_refused(content: bytes) -> None:
    survives(loaded(""), content)


@EXAMPLES
@given(content=_TEXT | broken(SAMPLES["cypher"][1]))
def test_any_script_is_checked_or_refused(content: bytes) -> None:
    def read(path: Path) -> Iterator[object]:
        for statement in statements(decoded(path.read_bytes().decode(errors="replace"))):
            check(statement)
            yield statement

    survives(read, content)


QUESTIONS = (
    b'{"question": "Who?", "answers": ["a", {"id": "b", "name": "c"}, 1], "topics": ["t"], "paths": [["r"]]}',
    b"what does [Joe] appear in\tA|B\n", b"Q1\tP20\tQ2\twhere did he die\n",
    b'{"Questions": [{"QuestionId": "1", "RawQuestion": "q", "Parses": [{"Answers": [], "InferentialChain": []}]}]}',
    b'{"questions": [{"id": "1", "question": [{"language": "en", "string": "q"}], "query": {}, "answers": []}]}',
)  # fmt: skip


@EXAMPLES
@given(content=st.binary(max_size=60) | _TEXT | lines_of_json() | st.one_of([broken(sample) for sample in QUESTIONS]))
def test_any_question_file_is_read_or_refused(content: bytes) -> None:
    survives(lambda path: iter(read_pairs(path)), content)


@EXAMPLES
@given(content=_TEXT | broken(b'[relations."a"]\nkind = "property"\ndatatype = "integer"\nlabel = "a b"\n'))
def test_any_relations_file_is_read_or_refused(content: bytes) -> None:
    survives(lambda path: iter(read_relations(path)), content, "input.toml")


@pytest.mark.parametrize("content", ["[" * DEEP, '{"question": ' + "[" * DEEP, '{"a":' * DEEP])
def test_deep_question_file_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    path.write_text(content)
    with pytest.raises(QuestionsError):
        read_pairs(path)


@pytest.mark.parametrize("content", ['{"a":' * DEEP, '{"a":' + "[" * DEEP])
def test_deep_names_file_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "names.json").write_text(content)
    with pytest.raises(LoadError, match=r"names\.json as JSON: it is nested too deep"):
        read_names([str(tmp_path / "names.json")])


def test_deep_results_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text('{"a":' * DEEP + "\n{}\n")
    with pytest.raises(UsageError, match="line 1: not a line that kgqa evaluate writes"):
        list(read_outcomes(tmp_path / "results.jsonl"))


def test_name_with_half_a_character_is_a_reject(tmp_path: Path) -> None:
    (tmp_path / "facts.txt").write_text("a|r|b\n")
    (tmp_path / "names.json").write_text('{"a": "x\\ud800", "b": "Ben"}')
    source = with_names(open_source(str(tmp_path / "facts.txt")), [str(tmp_path / "names.json")])
    rows = list(normalise(source.records(), {}))
    assert sum("half a surrogate" in str(row) for row in rows) == 1
    "".join(map(str, rows)).encode()


@pytest.mark.parametrize(
    "field",
    [
        '"question": "a \\ud83d"', '"answers": ["\\ud83d"]', '"answers": [{"id": "a", "name": "\\ud83d"}]',
        '"topics": ["\\udc00"]', '"paths": [["\\udc00"]]', '"id": "\\udc00"', '"type": "\\udc00"',
    ],
)  # fmt: skip
def test_question_with_half_a_character_is_refused_with_its_line(field: str, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    line = f'{{"question": "a", "answers": ["a"], {field}}}'
    path.write_text('{"question": "\\ud83d\\ude00 \\\\ud83d", "answers": ["a"]}\n\n' + line)
    with pytest.raises(QuestionsError, match=r"questions\.jsonl, line 3: question .* has half a character") as caught:
        read_pairs(path)
    str(caught.value).encode()


READ_BY: dict[str, Callable[[str], object]] = {
    "questions": read_pairs, "relations": read_relations, "mapping": lambda file: read_mapping(Path(file)),
    "names": lambda file: read_names([file]),
}  # fmt: skip


@pytest.mark.parametrize("kind", READ_BY)
@pytest.mark.parametrize("content", ["folder", "empty", "binary", "closed", "missing"])
def test_file_that_holds_nothing_readable_is_refused_by_name(kind: str, content: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{kind}.file"
        if content == "folder":
            path.mkdir()
        elif content != "missing":
            path.write_bytes(b"" if content == "empty" else bytes(range(256)) * 8)
        if content == "closed":
            path.chmod(0)
        with as_nobody(Path(folder)), pytest.raises((QuestionsError, ConfigError, LoadError)) as caught:
            READ_BY[kind](str(path))
        assert f"{kind}.file" in str(caught.value)
        if content == "closed":
            assert "Permission denied" in str(caught.value)
        assert "\n" not in str(caught.value)


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Without the rights of root, who may read anything."""
    if os.geteuid() != 0:
        yield
        return
    folder.chmod(0o755)
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_deep_relations_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "relations.toml"
    path.write_text("a = " + "[" * DEEP)
    with pytest.raises(ConfigError):
        read_relations(path)
