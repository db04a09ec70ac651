"""The fixed Cypher statements, one per ``.cypher`` file, each with a header that says what it takes and returns.

A name that must be spliced in stands as `` `<name>` `` in the file and passes :func:`quote`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from kgqa_graphdb.errors import ConfigError, UnknownNameError

_HEADER = re.compile(r"^//\s*(\w+):\s*(.*)$")
_SPLICE = re.compile(r"`<(\w+)>`")
HEADER_FIELDS = ("name", "purpose", "params", "returns", "needs", "cost")


@dataclass(frozen=True, slots=True)
class Query:
    """A statement file.

    :ivar name: folder and stem, e.g. ``retrieve/describe``
    :ivar header: the header's fields, see ``HEADER_FIELDS``
    :ivar text: the statement without its header
    """

    name: str
    header: dict[str, str]
    text: str

    @property
    def splices(self) -> frozenset[str]:
        """The names that :meth:`cypher` needs."""
        return frozenset(_SPLICE.findall(self.text))

    def cypher(self, **names: str) -> str:
        """The statement with its names spliced in, quoted.

        :raises ConfigError: a name is missing or not asked for
        """
        if set(names) != self.splices:
            raise ConfigError(f"query '{self.name}' splices {sorted(self.splices)}, not {sorted(names)}")
        return _SPLICE.sub(lambda match: quote(names[match[1]]), self.text)


def quote(name: str) -> str:
    """Quote a label, relationship type, property key or index name for Cypher.

    :raises UnknownNameError: the name is empty or holds a NUL, which no schema name may
    """
    if not name or "\x00" in name:
        raise UnknownNameError(f"{name!r} can't be a label, type, property or index name")
    # Cypher reads \\uXXXX in quoted names, too, unless another backslash stands before it: so none is left as it is.
    return "`" + name.replace("\\", "\\u005C").replace("`", "``") + "`"


def _folder() -> Path:
    """The statement files: inside an installed package, beside it in a checkout."""
    installed = Path(str(resources.files("kgqa_graphdb"))) / "cypher"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "cypher"


def parse(name: str, source: str) -> Query:
    """Read a statement file's header and text.

    :raises ConfigError: the header is incomplete, or says another name
    """
    header: dict[str, str] = {}
    body: list[str] = []
    last = ""
    for line in source.splitlines():
        match = _HEADER.match(line)
        if not body and match and match[1] in HEADER_FIELDS:
            last = match[1]
            header[last] = match[2].strip()
        elif not body and line.startswith("//") and last:
            header[last] += " " + line.removeprefix("//").strip()
        elif line.strip() or body:
            body.append(line)
    missing = [field for field in HEADER_FIELDS if field not in header]
    if missing or header["name"] != name:
        raise ConfigError(f"cypher/{name}.cypher: header lacks {missing} or does not say 'name: {name}'")
    return Query(name, header, "\n".join(body).strip())


@cache
def load(name: str) -> Query:
    """The statement file of that name.

    :raises ConfigError: there is no such file, or its header is wrong
    """
    path = _folder() / f"{name}.cypher"
    try:
        source = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"there is no statement file cypher/{name}.cypher") from None
    return parse(name, source)


def names() -> Iterator[str]:
    """The names of all statement files, sorted."""
    folder = _folder()
    yield from sorted(str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.cypher"))
