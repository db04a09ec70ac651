"""What ``kgqa load`` prints for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kgqa_graphdb.cli.output import print_status, say

if TYPE_CHECKING:
    from kgqa_graphdb.catalog import SourceCounts
    from kgqa_loaders.bulk import FilesReport
    from kgqa_loaders.preview import Preview
    from kgqa_loaders.write import LoadReport

_SHOWN = 30
"""Classes and relations of a preview, at most."""


def show_report(report: LoadReport) -> None:
    """What a load did."""
    added = report.added_entities + report.added_facts + report.added_literals
    removed = report.removed_entities + report.removed_facts
    changed = report.changed_entities + report.changed_facts
    literals = f", {report.literals:,} literals" if report.literals else ""
    say(
        f"Graph '{report.graph}': {report.entities:,} entities, {report.facts:,} facts{literals}, "
        f"{report.relations:,} relations."
    )
    if added:
        say(
            f"Added {report.added_entities:,} entities, {report.added_facts:,} facts and {report.added_literals:,} "
            f"literals in {report.seconds:.1f} s ({report.facts_per_s:,.0f} facts/s)."
        )
    if removed:
        say(f"Took away {report.removed_entities:,} entities and {report.removed_facts:,} facts.")
    if changed:
        say(f"Changed {report.changed_entities:,} entities and {report.changed_facts:,} facts.")
    if not added and not removed and not changed:
        say(f"It holds all of this source already ({report.seconds:.1f} s).")
    show_sources(report.sources)
    _rejected(report.rejected, report.rejects_file)
    for note in report.notes:
        print_status(f"note: {note}")
    say(f'Ask it: kgqa ask "…" --graph {report.graph}')


def show_sources(sources: Sequence[SourceCounts]) -> None:
    """What each of several sources gave, and what of that those above it had not; nothing for one."""
    for counts in sources:
        facts = f"{counts.facts:,} facts ({counts.new_facts:,} new"
        facts += f", {counts.qualified:,} with qualifiers)" if counts.qualified else ")"
        given = {
            "values": counts.values, "names": counts.named, "entities with aliases": counts.aliased,
            "descriptions": counts.described,
        }  # fmt: skip
        entities = f"{counts.entities:,} entities ({counts.new_entities:,} new)"
        others = [f"{count:,} {what}" for what, count in given.items() if count]
        say(f"  {counts.source}: {', '.join([facts, entities, *others])}")


def _rejected(count: int, file: str | None) -> None:
    if count:
        say(f"{count:,} lines could not be loaded; they are in {file}.")


def show_files(report: FilesReport) -> None:
    """What was written for an import elsewhere, and how to go on."""
    say(
        f"Wrote {report.entities:,} entities, {report.facts:,} facts and {report.literals:,} literals to "
        f"{report.folder} in {report.seconds:.1f} s. To import them into an empty database, with its server stopped:\n"
    )
    say(f"  {report.command}\n")
    say(f"then, with the server started:\n\n  cypher-shell --file {report.after}")
    _rejected(report.rejected, report.rejects_file)


def show_preview(found: Preview, formats: Sequence[str], licence: str) -> None:
    """What the first records of a source would become."""
    say(f"Recognised as {', '.join(formats)}; licence: {licence or 'not known, give it with --licence'}.")
    read = f"All {found.records:,} records" if found.complete else f"The first {found.records:,} records"
    say(f"{read} become {found.entities:,} entities, {found.facts:,} facts and {found.literals:,} literals.")
    if found.names:
        say(f"Entities are named such as: {'; '.join(found.names)}")
    if found.labels:
        say("Classes: " + ", ".join(f"{label} ({count:,})" for label, count in list(found.labels.items())[:_SHOWN]))
    say()
    for relation in found.relations[:_SHOWN]:
        say(f"{relation.facts:>8,}  {relation.kind:<9} {relation.relation}")
        say(f"{'':>8}  {'':<9} {relation.example or f'{relation.phrase} / {relation.inverse}'}")
    if len(found.relations) > _SHOWN:
        say(f"          … and {len(found.relations) - _SHOWN:,} more relations")
    if found.rejected:
        say(f"\n{found.rejected:,} records can't be loaded, such as:")
        for reject in found.rejects:
            say(f"  line {reject.line}: {reject.reason}: {reject.text[:80]}")
    say("Nothing was written. To load it, leave out --dry-run.")
