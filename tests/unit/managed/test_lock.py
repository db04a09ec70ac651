"""Lock files name every jar with what it must hash to."""

from __future__ import annotations

import pytest

from kgqa_graphdb.errors import ServerError
from kgqa_graphdb.managed.lock import DEFAULT_VERSION, load_lock, locked_versions, parse_lock, series_of

HASH = "0" * 64


def test_every_packaged_lock_holds_a_whole_neo4j_with_its_launcher_and_browser() -> None:
    assert DEFAULT_VERSION in locked_versions()
    for version in locked_versions():
        lock = load_lock(version)
        coordinates = {jar.coordinate for jar in lock.jars}
        assert {f"org.neo4j:neo4j:{version}", f"org.neo4j.app:neo4j-server:{version}"} & coordinates
        assert any(c.startswith("org.neo4j.client:neo4j-browser:") for c in coordinates)
        assert len(lock.jars) > 200
        assert 100e6 < lock.size < 250e6


def test_a_line_says_coordinate_checksum_and_size() -> None:
    (plain, native) = parse_lock(
        "1.2.3", f"# comment\n\ng.h:a-b:1.0 {HASH} 12\ng:n:2.0.Final:linux-x86_64 {HASH} 3\n"
    ).jars
    assert (plain.group, plain.artifact, plain.version, plain.classifier, plain.size) == ("g.h", "a-b", "1.0", "", 12)
    assert plain.file_name == "a-b-1.0.jar"
    assert native.file_name == "n-2.0.Final-linux-x86_64.jar"
    assert native.line == f"g:n:2.0.Final:linux-x86_64 {HASH} 3"


@pytest.mark.parametrize(
    "line",
    [
        "g:a:1.0",
        f"g:a {HASH} 1",
        f"g:a:1.0 {HASH}",
        f"g:a:1.0 {HASH[:-1]} 1",
        f"g:a:1.0 {HASH} 0",
        f"../g:a:1/2 {HASH} 1",
    ],
)
def test_a_damaged_line_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(ServerError, match="line 2"):
        parse_lock("1.2.3", f"# comment\n{line}\n")


def test_two_jars_of_one_file_name_are_refused() -> None:
    with pytest.raises(ServerError, match=r"a-1\.0\.jar twice"):
        parse_lock("1.2.3", f"g:a:1.0 {HASH} 1\nh:a:1.0 {HASH} 1\n")


def test_an_unknown_version_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ServerError, match=r"nearest: '5\.26\.29'; set KGQA_NEO4J_VERSION to 2026\.09\.0 or 5\.26\.29"):
        load_lock("5.26.2")


def test_versions_of_one_series_share_their_data_and_others_do_not() -> None:
    assert series_of("5.26.29") == series_of("5.26.3") == "5.26"
    assert series_of("2026.09.0") == series_of("2026.01.4") == "2026"
