"""``neo4j.conf`` suits this machine, listens here only, and the user's changes stay."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from kgqa_graphdb.errors import ServerError
from kgqa_graphdb.managed import conf
from kgqa_graphdb.managed.conf import GIB, Memory, addresses, fitting_memory, initial_conf, read_conf, with_setting

TEXT = initial_conf(20_001, 20_002, Path("/some/jars"), Memory(heap=2048, page_cache=1024))


def test_a_new_server_listens_on_loopback_only_and_offers_its_own_ports() -> None:
    settings = read_conf(TEXT)
    for key, value in settings.items():
        if key.endswith("_address"):
            assert value.startswith("127.0.0.1"), key
    assert settings["server.bolt.advertised_address"] == settings["server.bolt.listen_address"] == "127.0.0.1:20001"
    assert settings["server.http.advertised_address"] == settings["server.http.listen_address"] == "127.0.0.1:20002"
    assert settings["server.https.enabled"] == "false"


def test_a_new_server_reports_nothing_and_keeps_imports_and_logs_in_bounds() -> None:
    settings = read_conf(TEXT)
    assert settings["dbms.usage_report.enabled"] == "false"
    assert settings["server.directories.import"] == "import"
    assert settings["dbms.security.allow_csv_import_from_file_urls"] == "false"
    assert settings["db.tx_log.rotation.retention_policy"] == "256M size"
    assert settings["db.tx_log.preallocate"] == "false"


@pytest.mark.parametrize(
    ("total", "heap", "page_cache"),
    [(1 * GIB, 512, 256), (8 * GIB, 2048, 1024), (16 * GIB, 4096, 2048), (256 * GIB, 4096, 2048)],
)
def test_memory_is_a_modest_part_of_the_machine(total: int, heap: int, page_cache: int) -> None:
    assert fitting_memory(total) == Memory(heap, page_cache)


def test_changing_one_setting_leaves_every_other_character() -> None:
    text = "# mine\nserver.directories.lib = /old\n\n#server.directories.lib=/x\nserver.memory.heap.max_size=9g\n"
    changed = with_setting(text, "server.directories.lib", "/new\\1")
    assert changed == text.replace("server.directories.lib = /old", "server.directories.lib=/new\\1")
    assert with_setting("a=1", "b", "2") == "a=1\nb=2\n"


@pytest.mark.parametrize(
    ("text", "uri", "browser"),
    [
        ("", "bolt://localhost:7687", "http://localhost:7474/browser/"),
        ("server.bolt.listen_address=:7999", "bolt://localhost:7999", "http://localhost:7474/browser/"),
        ("server.default_listen_address=0.0.0.0", "bolt://127.0.0.1:7687", "http://127.0.0.1:7474/browser/"),
        (" server.bolt.listen_address = 127.0.0.1:7 \n", "bolt://127.0.0.1:7", "http://127.0.0.1:7474/browser/"),
        (TEXT, "bolt://127.0.0.1:20001", "http://127.0.0.1:20002/browser/"),
    ],
)
def test_addresses_follow_what_the_user_wrote(text: str, uri: str, browser: str) -> None:
    at = addresses(read_conf(text))
    assert (at.uri, at.browser) == (uri, browser)


def test_an_address_that_is_none_is_refused_with_the_setting() -> None:
    with pytest.raises(ServerError, match=r"server\.bolt\.listen_address=127\.0\.0\.1:x"):
        addresses({"server.bolt.listen_address": "127.0.0.1:x"})


def test_a_port_that_is_listened_on_is_not_free() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert not conf.port_is_free(taken.getsockname()[1])


def test_chosen_ports_are_free_distinct_and_below_those_of_outgoing_connections() -> None:
    ports = conf.free_ports(5)
    assert len(set(ports)) == 5
    assert all(20_000 <= port < 30_000 and conf.port_is_free(port) for port in ports)
