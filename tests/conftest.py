"""Fixtures of all tests: a real Neo4j, and a folder of its own, so that no test touches what the user has.

The server is the one that ``NEO4J_URI`` names (with ``NEO4J_USERNAME`` and ``NEO4J_PASSWORD``), else a managed one,
of the version ``KGQA_NEO4J_VERSION``, started once a run on free ports with a temporary home, and removed at the end.
"""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Generator, Iterator

import neo4j
import pytest

from kgqa_graphdb.managed import Connection, ManagedServer, connection_from_environment
from kgqa_graphdb.managed.layout import data_root
from tests.graphs import load_demo, remove

# What a machine may lack, as reasons of skips name it. A package is not among it: the tests need all extras.
MAY_BE_MISSING = (
    "set KGQA_DATA",
    "no CUDA device",
    "no Chromium",
    "this system",
    "NEO4J_URI names a server",
    "the server of this run",
)

JAVA_OPTIONS = "JDK_JAVA_OPTIONS"
LATE_SECOND_COMPILER = (
    "-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000 "
    "-XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000"
)
"""Ten times Java's own thresholds."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that ``make test`` runs with."""
    parser.addoption(
        "--no-missing",
        action="store_true",
        default=bool(os.environ.get("CI")),
        help="fail where a test is skipped for want of a package (the default where CI is set)",
    )


def fail_if_skipped_needlessly(report: pytest.TestReport | pytest.CollectReport, config: pytest.Config) -> None:
    """Turn a skip into a failure, with ``--no-missing``, unless its reason is something that a machine may lack."""
    if not (report.skipped and config.getoption("no_missing")) or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if not any(known in reason for known in MAY_BE_MISSING):
        report.outcome = "failed"
        report.longrepr = (
            f"{reason}\nThe tests need all packages: pip install '.[all,dev]'; without --no-missing this skips."
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """See what a test was skipped for."""
    report = yield
    fail_if_skipped_needlessly(report, item.config)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """See what a module was skipped for."""
    report = yield
    fail_if_skipped_needlessly(report, collector.config)
    return report


def pytest_configure() -> None:
    """Share the cores out among the processes of tests, have commands compiled once, and let Ctrl-C end them.

    Torch takes every core in each process, and its threads wait for each other by spinning: two processes on two cores
    train eight times slower than with a core each. Where Python is told to write no compiled files, as in many
    containers, each of hundreds of commands takes a second to compile all modules. A shell that starts the tests in the
    background ignores Ctrl-C for them and for what they start.
    """
    if processes := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
        os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // processes)))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def kgqa_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Servers that tests start live in a temporary folder; Neo4j's jars are the user's, so they are fetched once.

    Java's second compiler is half of what a start costs. Without it Neo4j plans statements at one and a half times to
    twice the cost, and planning is most of what it does here. So it compiles only what is hottest.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(JAVA_OPTIONS, os.environ.get(JAVA_OPTIONS) or LATE_SECOND_COMPILER)
        patch.setenv("KGQA_JARS", os.environ.get("KGQA_JARS") or str(data_root() / "jars"))
        patch.setenv("KGQA_HOME", str(tmp_path_factory.mktemp("kgqa-home")))
        yield


@pytest.fixture(scope="session")
def managed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A server of this run alone, also where ``NEO4J_URI`` names another: what is on it is ours, and it has Browser."""
    server = ManagedServer(tmp_path_factory.mktemp("neo4j") / "home")
    yield server.start()
    server.remove()


@pytest.fixture(scope="session")
def connection(request: pytest.FixtureRequest) -> Iterator[Connection]:
    """The server of this run. From here on ``NEO4J_*`` variables name it, for ``KGQA.connect`` and command lines."""
    if (named := connection_from_environment()) is not None:
        yield named
        return
    started: Connection = request.getfixturevalue("managed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NEO4J_URI", started.uri)
        patch.setenv("NEO4J_USERNAME", started.username)
        patch.setenv("NEO4J_PASSWORD", started.password)
        yield started


@pytest.fixture(scope="session")
def driver(connection: Connection) -> Iterator[neo4j.Driver]:
    """A driver to the server of this run."""
    with neo4j.GraphDatabase.driver(connection.uri, auth=connection.auth) as opened:
        yield opened


def own_name(driver: neo4j.Driver, begin: str) -> Iterator[str]:
    """A name that no one else uses; what is loaded under it, or under names that begin so, is removed afterwards."""
    name = f"{begin}{uuid.uuid4().hex[:12]}"
    yield name
    remove(driver, name)


@pytest.fixture(scope="session")
def space_name(driver: neo4j.Driver) -> Iterator[str]:
    """The name of :func:`space`."""
    yield from own_name(driver, "space")


@pytest.fixture(scope="module")
def space(driver: neo4j.Driver, space_name: str) -> str:
    """The demo graph, which tests leave as it is: loaded once, and again where a module emptied the database."""
    there = "MATCH (g:_KGQA_Graph {graph: $graph, state: 'complete'}) RETURN g"
    if not driver.execute_query(there, graph=space_name).records:
        load_demo(driver, space_name)
    return space_name


@pytest.fixture(scope="session")
def free_name(driver: neo4j.Driver) -> Iterator[str]:
    """The name that :func:`graph_name` gives to one test after the other."""
    yield from own_name(driver, "t")


@pytest.fixture
def graph_name(driver: neo4j.Driver, free_name: str) -> Iterator[str]:
    """A name that no graph has now; whatever is loaded under it is removed afterwards.

    The constraint and the index that every load makes stay for the next: Neo4j forgets the plans of all statements when
    an index comes or goes, and to plan a statement takes it ten times as long as to run it.
    """
    yield free_name
    remove(driver, free_name, unless="name IN [$label + '_entity_id', $label + '_names']")


@pytest.fixture(scope="module")
def module_name(driver: neo4j.Driver) -> Iterator[str]:
    """As :func:`graph_name`, for a graph that all tests of a module read."""
    yield from own_name(driver, "m")


@pytest.fixture
def new_name(driver: neo4j.Driver) -> Iterator[str]:
    """As :func:`graph_name`, where it counts that there are no indexes."""
    yield from own_name(driver, "n")
