"""Bulk loads: what is read the quick way is what the usual way reads, and steps are counted as they are in memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.bulk import bulk_files
from kgqa_loaders.bulk.cells import CHOICES, Column, cell
from kgqa_loaders.bulk.plain import plain_reader
from kgqa_loaders.bulk.plan import planned
from kgqa_loaders.bulk.pool import parse_all
from kgqa_loaders.bulk.worker import pieces
from kgqa_loaders.following import followers
from kgqa_loaders.normal import FACT, NAME, Row, normalise
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import Block, BlockSource, InMemorySource, Literal, LoadOptions, Record, Triple
from kgqa_loaders.relations import RelationSpec, parse_relations

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
XSD = "http://www.w3.org/2001/XMLSchema#"
NOTHING = parse_relations({"relations": {"also": {"kind": "alias"}, "knows (e.org/)": {"kind": "alias"}}})
LINES = {
    "usual": [
        "<http://e.org/a> <http://e.org/knows> <http://e.org/b> .", f'<http://e.org/a> {LABEL} "Anna"@en .',
        "<http://e.org/b> <http://e.org/likes> <http://e.org/c> .", f"<http://e.org/a> {TYPE} <http://e.org/Person> .",
        f'<http://e.org/b> <http://e.org/age> "7"^^<{XSD}integer> .', '<http://e.org/b> <http://e.org/says> "hi" .',
        '<http://e.org/b> <http://e.org/says> "salut"@fr .', f'<http://e.org/c> {LABEL} "Carl"@de .',
        '<http://e.org/c> <http://www.w3.org/2004/02/skos/core#altLabel> "C."@en-GB .',
        '<http://e.org/c> <http://www.w3.org/2000/01/rdf-schema#comment> "somebody"@en .',
    ],
    "first in a language that is not wanted": [
        '<http://e.org/a> <http://e.org/says> "salut"@fr .', '<http://e.org/a> <http://e.org/says> "hi"@en .',
    ],
    "escapes": [
        '<http://e.org/a> <http://e.org/says> "a\\tb" .',
        "<http://e.org/\\u00e9> <http://e.org/knows> <http://e.org/b> .",
        "<http://e.org/a> <http://e.org/knows> <http://e.org/\\u00e9> .",
        "<http://e.org/a> <http://e.org/knows> <http://e.org/b> .",
    ],
    "odd": [
        "_:x <http://e.org/likes> _:y .", "<http://e.org/a> <http://e.org/likes> <> .", "# nothing", "",
        "<http://e.org/a>  <http://e.org/likes>\t<http://e.org/b> .", "<http://e.org/a> <http://e.org/likes> <a> <g> .",
        '<http://e.org/a> <http://e.org/says> "a "quoted" b" .', "<http://e.org/a> <http://e.org/likes> <http://e.org/b>.",
    ],
    "rejects": [
        "<http://e.org/a> <http://e.org/likes> <http://e.org/b> .", "not a line",
        f'<http://e.org/a> <http://e.org/age> "x"^^<{XSD}integer> .',
    ],
    "properties": [
        "<http://e.org/likes> <http://www.w3.org/2000/01/rdf-schema#domain> <http://e.org/Person> .",
        f"<http://e.org/age> {TYPE} <http://www.w3.org/2002/07/owl#DatatypeProperty> .",
        f'<http://e.org/age> {LABEL} "years"@en .', "<http://e.org/a> <http://e.org/likes> <http://e.org/b> .",
    ],
}  # fmt: skip


def both_ways(source: BlockSource, specs: dict[str, RelationSpec], block: Block) -> tuple[set[Row], set[Row]]:
    """The rows of a block the usual way, and as a worker reads it, without those that only say that an entity is."""
    reader = plain_reader(source, specs)
    assert reader is not None
    quick: set[Row] = set()
    for piece in pieces(block):
        plain = reader(piece)
        if plain is None:
            quick.update(normalise(source.parse(piece), specs))
            continue
        facts = zip(plain.heads, plain.relations, plain.tails, strict=True)
        quick.update(Row(FACT, *fact) for fact in facts)
        quick.update(plain.rows, normalise(plain.records, specs))
        rest = set(normalise(source.parse(Block(2, plain.rest)), specs)) if plain.rest else set()
        quick.update(normalise(source.parse(piece), specs) if any(row.kind == "x" for row in rest) else rest)
    usual = set(normalise(source.parse(block), specs))
    return tuple({row for row in rows if row.kind != NAME or row.c} for rows in (usual, quick))  # type: ignore[return-value]


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
@pytest.mark.parametrize("specs", [{}, NOTHING], ids=["no specs", "specs"])
def test_n_triples_are_read_the_quick_way_as_they_are_the_usual_way(
    tmp_path: Path, lines: list[str], specs: dict[str, RelationSpec]
) -> None:
    path = tmp_path / "made.nt"
    path.write_text("\n".join([*LINES["usual"], *lines]) + "\n", encoding="utf-8")
    source = open_source(str(path))
    assert isinstance(source, BlockSource)
    for first in (1, 2):
        usual, quick = both_ways(source, specs, Block(first, ("\n".join(lines * 2) + "\n").encode()))
        assert quick == usual


@pytest.mark.parametrize(
    "text", ["a\tr\tb\nc\tr\td\n", "a\tr\tb", "a\tr\tb\r\n", "a\t \tb\n", "a\tr\tb\nx\n", "a\talso\tb\n",
     "a\tr\t" + "b" * 9000],
    ids=["usual", "no end", "windows", "blank", "short", "alias", "long"],
)  # fmt: skip
def test_triples_are_read_the_quick_way_as_they_are_the_usual_way(tmp_path: Path, text: str) -> None:
    path = tmp_path / "made.tsv"
    path.write_text("a\tr\tb\n", encoding="utf-8")
    source = open_source(str(path), "tsv")
    assert isinstance(source, BlockSource)
    for first in (1, 2):
        usual, quick = both_ways(source, NOTHING, Block(first, text.encode()))
        assert quick == usual


def test_pieces_of_a_block_are_whole_lines_with_their_numbers() -> None:
    block = Block(7, b"".join(b"%d\n" % number * 30_000 for number in range(20)))
    cut = list(pieces(block))
    assert b"".join(piece.data for piece in cut) == block.data
    assert len(cut) > 1
    assert cut[1].line == 7 + cut[0].data.count(b"\n")


def test_rare_columns_share_files_in_which_no_key_has_two_types() -> None:
    shapes = [(Column("k", kind), Column(f"p{n}", "string")) for n in range(300) for kind in ("integer", "string")]
    plan = planned([tuple(sorted(shape)) for shape in shapes], 10, ":ID")
    assert len(plan.files) <= 30
    for shape in shapes:
        columns = plan.files[plan.file_of[tuple(sorted(shape))]]
        assert set(shape) <= set(columns)
        assert len({column.key for column in columns}) == len(columns)


@pytest.mark.parametrize(("key", "value", "header", "text"), [
    ("a", 'x "y", z', '"a:string"', '"x ""y"", z"'), ("n", [1, 2], '"n:long[]"', '"1\x1f2"'),
    ("b", True, '"b:boolean"', "true"),
])  # fmt: skip
def test_values_become_cells(key: str, value: object, header: str, text: str) -> None:
    column, found = cell(key, value, CHOICES[0])  # type: ignore[arg-type]
    assert (column.header(), found) == (header, text)


def test_a_key_that_a_header_can_not_name_is_refused() -> None:
    with pytest.raises(LoadError, match="without --bulk"):
        Column("a(b)", "string").header()


def test_values_that_take_much_memory_are_put_together_with_more(tmp_path: Path) -> None:
    size, count = 8_000_000, 12
    values = (Literal(n, "a", "says", f"{n}" + "x" * size) for n in range(count))
    bulk_files(
        InMemorySource("long", [Triple(1, "a", "b", "c"), *values]),
        tmp_path / "out",
        graph="x",
        options=LoadOptions(workers=1),
    )
    assert sum(path.stat().st_size for path in (tmp_path / "out").glob("nodes*.csv")) > size * count


class Failing:
    """A source that breaks off."""

    describe = "a broken file"

    def checksum(self) -> str:
        return ""

    def records(self) -> Iterator[Record]:
        yield Triple(1, "a", "r", "b")
        raise LoadError("can't read a broken file to its end")


def test_what_goes_wrong_in_a_source_is_said_and_no_process_stays(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="to its end"):
        parse_all(Failing(), {}, tmp_path, CHOICES[0], workers=2, progress=lambda done, total=None: None)


def test_a_script_without_a_main_guard_can_load(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\nfrom kgqa_loaders.bulk.pool import parse_all\n"
        "from kgqa_loaders.bulk.cells import CHOICES\nfrom kgqa_loaders.records import InMemorySource, Triple\n"
        "source = InMemorySource('x', [Triple(1, 'a', 'r', 'b')])\n"
        f"parse_all(source, {{}}, Path({str(tmp_path / 'rows')!r}), CHOICES[0], workers=1,\n"
        "          progress=lambda done, total=None: None)\nprint('once')\n"
    )
    said = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert said.stdout == "once\n", said.stderr


def test_steps_are_counted_on_disk_as_in_memory(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    from kgqa_loaders.bulk import steps as on_disk
    from kgqa_loaders.bulk.tables import MEMORY_MIB, Tables

    random = np.random.default_rng(1)
    heads, tails = random.integers(0, 300, (2, 4_000))
    types = np.minimum(random.zipf(1.6, 4_000), 60) - 1
    triples = [Triple(0, f"e{h}", f"r{r:02}", f"e{t}") for h, r, t in zip(heads, types, tails, strict=True)]
    summaries = parse_all(
        InMemorySource("x", triples),
        {},
        tmp_path / "rows",
        CHOICES[0],
        workers=2,
        progress=lambda done, total=None: None,
    )
    with Tables(tmp_path, summaries, CHOICES[0], 2, MEMORY_MIB[0]) as tables:
        tables.fill()
        tables.read_values()
        numbers = {name: number for number, name in enumerate(tables.edges())}
        found = on_disk.followers(tables, tmp_path / "steps", numbers, {})
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(on_disk, "MAX_COUNTED_STEPS", 1)
            patch.setattr(on_disk, "_BUCKET", 500)
            without = on_disk.followers(tables, tmp_path / "again", numbers, {})
    rows = zip(heads.tolist(), types.tolist(), tails.tolist(), strict=True)
    facts = sorted({(h, numbers[f"r{r:02}"], t) for h, r, t in rows})
    expected = followers(*np.array(facts, dtype=np.uint64).T, [])
    assert found.after == expected.after == without.after
    assert found.rare == expected.rare
    assert without.rare == {}


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no SIGINT between processes")
def test_an_interrupted_load_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    import psutil

    pytest.importorskip("duckdb")
    script, temporary = tmp_path / "script.py", tmp_path / "temporary"
    temporary.mkdir()
    script.write_text(
        "from itertools import count\nfrom pathlib import Path\nfrom kgqa_loaders.bulk import bulk_files\n"
        "from kgqa_loaders.records import InMemorySource, LoadOptions, Triple\n"
        "endless = (Triple(n, f'a{n}', 'r', 'b') for n in count())\n"
        f"bulk_files(InMemorySource('endless', endless), Path({str(tmp_path / 'out')!r}), "
        "graph='x', options=LoadOptions(workers=2))\n"
    )
    environment = dict(os.environ) | {"TMPDIR": str(temporary)}
    with subprocess.Popen([sys.executable, str(script)], env=environment, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not list(temporary.glob("*/work/rows/*/facts.bin")) and time.monotonic() < deadline:
            time.sleep(0.05)
        workers = psutil.Process(process.pid).children()
        process.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in process.communicate(timeout=60)[1]
    assert len(workers) == 2
    assert not any(worker.is_running() for worker in workers)
    assert not list(temporary.iterdir())
