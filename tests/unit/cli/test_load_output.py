"""What ``kgqa load`` and ``kgqa graphs`` print of several sources."""

from __future__ import annotations

import pytest

from kgqa_graphdb.catalog import SourceCounts
from kgqa_graphdb.cli.load_output import show_sources


def test_each_source_has_a_line_of_what_it_gave(capsys: pytest.CaptureFixture[str]) -> None:
    show_sources(
        [
            SourceCounts("/a", facts=1_200, new_facts=1_200, qualified=7, entities=30, new_entities=30),
            SourceCounts("/b", facts=9, new_facts=0, entities=8, new_entities=1, values=4, named=3, described=2),
        ]
    )
    assert capsys.readouterr().out.splitlines() == [
        "  /a: 1,200 facts (1,200 new, 7 with qualifiers), 30 entities (30 new)",
        "  /b: 9 facts (0 new), 8 entities (1 new), 4 values, 3 names, 2 descriptions",
    ]


def test_one_source_has_no_lines(capsys: pytest.CaptureFixture[str]) -> None:
    show_sources(())
    assert not capsys.readouterr().out
