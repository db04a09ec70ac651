"""A wheel and an sdist, each installed in an environment of its own away from the checkout, do the whole job."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from kgqa_graphdb.managed.connection import Connection

ROOT = Path(__file__).parents[2]
STATEMENTS = sorted(str(path.relative_to(ROOT).as_posix()) for path in (ROOT / "cypher").rglob("*.cypher"))
LOCKS = sorted(path.name for path in (ROOT / "kgqa_graphdb" / "managed").glob("*.lock"))
DEMO = ("__init__.py", "space.txt", "space.toml", "questions.toml")

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command; its output is in the failure's message."""
    base = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "PYTHON", "VIRTUAL_"))}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=base | environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done


@dataclass(frozen=True)
class Built:
    """The two distributions."""

    sdist: Path
    wheel: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """An sdist of the checkout, and the wheel that is built from that sdist."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    (sdist,) = out.glob("*.tar.gz")
    (wheel,) = out.glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="module", params=["wheel", "sdist"])
def installed(request: pytest.FixtureRequest, built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` folder of an environment with one of them installed.

    The dependencies are those of the running environment, lent by a path file, so nothing is downloaded. The checkout
    is not lent: an editable install's own path file takes no effect through another one.
    """
    folder = tmp_path_factory.mktemp(f"installed-{request.param}")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(folder / "bin" / "python")]
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--ignore-installed"]
    run(*pip, "install", *options, getattr(built, request.param), cwd=folder)
    return folder / "bin"


def test_wheel_holds_all_that_is_needed_and_no_tests(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        files = set(archive.namelist())
    wanted = {f"kgqa_graphdb/{statement}" for statement in STATEMENTS}
    wanted |= {f"kgqa_graphdb/managed/{lock}" for lock in LOCKS}
    wanted |= {f"kgqa_graphdb/demo/{name}" for name in DEMO}
    wanted |= {
        f"kgqa_graphdb/train/data/schemas/{path.name}" for path in (ROOT / "kgqa_graphdb/train/data/schemas").iterdir()
    }
    wanted |= {f"kgqa_graphdb/plots/cytoscape/{name}" for name in ("cytoscape.min.js", "LICENSE")}
    wanted |= {"kgqa_graphdb/py.typed", "kgqa_loaders/py.typed", "kgqa_loaders/triples.py", "kgqa_loaders/relations.py"}
    assert not wanted - files
    tops = {name.split("/")[0] for name in files}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"kgqa_graphdb", "kgqa_loaders"}


def test_sdist_holds_what_a_rebuild_and_a_reader_need(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        files = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", *STATEMENTS}
    assert not wanted - files


def test_installed_package_comes_from_its_own_environment(installed: Path, tmp_path: Path) -> None:
    code = """if True:
        import kgqa_graphdb, kgqa_loaders
        from kgqa_graphdb import queries
        from kgqa_loaders import recognise
        print(kgqa_graphdb.__file__)
        print(kgqa_loaders.__file__)
        print(len([queries.load(name) for name in queries.names()]))
    """
    output = run(installed / "python", "-c", code, cwd=tmp_path).stdout.split("\n")
    assert Path(output[0]).is_relative_to(installed.parent)
    assert Path(output[1]).is_relative_to(installed.parent)
    assert int(output[2]) == len(STATEMENTS)


def test_installed_command_says_its_version_and_help(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "kgqa", "--version", cwd=tmp_path).stdout.startswith("kgqa-graphdb 0.")
    helped = run(installed / "kgqa", "--help", cwd=tmp_path).stdout
    assert {"ask", "load", "db", "demo", "graphs", "drop"} <= set(helped.split())


@pytest.mark.neo4j
def test_installed_command_runs_the_demo(installed: Path, tmp_path: Path, connection: Connection) -> None:
    environment = {"NEO4J_URI": connection.uri, "NEO4J_USERNAME": connection.username}
    environment |= {"NEO4J_PASSWORD": connection.password} if connection.password else {}
    environment |= {"NEO4J_DATABASE": connection.database} if connection.database else {}
    printed = run(installed / "kgqa", "demo", cwd=tmp_path, **environment).stdout
    assert "Christiaan Huygens" in printed
    assert "Enceladus" in printed
