"""Questions as people put them to a graph of their own: who of several kinds, values by their verbs, flags, roles.

What they ask for that the graph lacks is answered by nothing near to it, over an untouched proposal of a mapping.
"""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from tests.neo4j.databases import asked_as_proposed

pytestmark = pytest.mark.slow

FACTS = """
CREATE (ida:Archaeologist {name: 'Ida Brandt', employed: date('2009-03-01'), dailyRate: 410, field: 'bronze tools',
    languages: ['Danish', 'Turkish']}),
  (otto:Archaeologist {name: 'Dr. Otto Lamm', employed: date('2016-06-15'), dailyRate: 320, field: 'pottery',
    languages: ['German']}),
  (suri:Archaeologist {name: 'Suri Patel', employed: date('2020-01-10'), dailyRate: 290, field: 'pottery',
    languages: ['English', 'Turkish']}),
  (bea:Helper {name: 'Bea Holt', employed: date('2008-05-05')}), (jon:Helper {name: 'Jon Reyes'}),
  (mound:Dig {code: 'DG-1', title: 'Red Mound', insured: true}),
  (ferry:Dig {code: 'DG-2', title: 'Ferry Meadow', insured: false}),
  (north:Trench {code: 'TR-7', title: 'North Trench', opened: date('2021-04-01'), closed: date('2021-09-30')}),
  (south:Trench {code: 'TR-8', title: 'South Trench', opened: date('2022-05-02')}),
  (bowl:Find {label: 'Painted Bowl', level: 1}), (axe:Find:Restored {label: 'Bronze Axe', level: 2}),
  (ring:Find {label: 'Thin Ring', level: 1}), (bead:Find {label: 'Lost Beads of the Hill', level: 3}),
  (fund:Sponsor {name: 'Alder Fund'}), (bank:Sponsor {name: 'Quay Bank'}),
  (otto)-[:ASSISTS]->(ida), (suri)-[:ASSISTS]->(otto), (bea)-[:ASSISTS]->(suri),
  (otto)-[:JOINS {role: 'surveyor', since: date('2018-02-01')}]->(mound),
  (suri)-[:JOINS {role: 'draughtsman', since: date('2021-03-03')}]->(mound),
  (suri)-[:JOINS {role: 'surveyor', since: date('2022-01-01')}]->(ferry),
  (mound)-[:PAID_BY]->(fund), (ferry)-[:PAID_BY]->(bank),
  (north)-[:PART_OF]->(mound), (south)-[:PART_OF]->(ferry), (north)-[:NEXT_TRENCH {metres: 12}]->(south),
  (bowl)-[:LIFTED_BY {hours: 5}]->(otto), (axe)-[:LIFTED_BY {hours: 9}]->(ida), (ring)-[:LIFTED_BY {hours: 2}]->(suri),
  (bead)-[:LIFTED_BY {hours: 1}]->(suri)
"""
ANSWERS = """
Who was employed before 2010? => Bea Holt ; Ida Brandt
Who was employed first? => Bea Holt
Who has the highest daily rate? => Ida Brandt
Which archaeologists speak Turkish? => Ida Brandt ; Suri Patel
Which archaeologists specialise in pottery? => Dr. Otto Lamm ; Suri Patel
Who are our archaeologists? => Dr. Otto Lamm ; Ida Brandt ; Suri Patel
Who is our most expensive archaeologist? => Ida Brandt
How many level 1 finds are there? => 2
Which level 1 finds were lifted by Suri Patel? => Thin Ring
Which restored finds are there? => Bronze Axe
Is Red Mound insured? => yes
Is Ferry Meadow insured? => no
Which digs aren't insured? => Ferry Meadow
Which role does Dr. Otto Lamm have in Red Mound? => surveyor
How many hours did Otto Lamm put into Painted Bowl? => 5
How many metres is it from North Trench to South Trench? => 12
What is the code of Red Mound? => DG-1
When was TR-7 closed? => 2021-09-30
When was North Trench opened? => 2021-04-01
Since when has Dr. Otto Lamm been in Red Mound? => 2018-02-01
What is the next trench after North Trench? => South Trench
Who does Dr. Otto Lamm assist? => Ida Brandt
"""
UNANSWERED = """
When was TR-8 closed?
What is the next trench after South Trench?
Which dig does Ida Brandt join?
Who lifted Beads of Love?
Which company restored Bronze Axe?
Which magazine printed Thin Ring?
What was Ida Brandt's role in Red Mound?
"""


@pytest.fixture(scope="module")
def dig(empty: neo4j.Driver, encoder: CachedEncoder) -> Iterator[KGQA]:
    """A client of the made graph; the server holds nothing else."""
    empty.execute_query(FACTS)
    with asked_as_proposed(empty, "dig", encoder) as kg:
        yield kg


def answered(kg: KGQA, question: str) -> str:
    reply = kg.ask(question)
    return " ; ".join(sorted(reply.names) or sorted(str(value.value) for value in reply.values))


def test_everyday_questions_are_answered(dig: KGQA) -> None:
    lines = [line.partition(" => ") for line in ANSWERS.strip().splitlines()]
    assert {question: answered(dig, question) for question, _, _ in lines} == {one: gold for one, _, gold in lines}


def test_nothing_near_stands_for_what_the_graph_lacks(dig: KGQA) -> None:
    questions = UNANSWERED.strip().splitlines()
    assert {question: answered(dig, question) for question in questions} == dict.fromkeys(questions, "")


def test_the_cypher_finds_those_of_all_kinds_that_are_persons(dig: KGQA) -> None:
    reply = dig.ask("Who was employed before 2010?")
    assert reply.cypher is not None
    assert "`Archaeologist`" in reply.cypher.text
    assert "`Helper`" in reply.cypher.text
