"""A made museum, and questions for its values: missing ones, dates of relationships, counts and sums of some."""

from __future__ import annotations

LABELS = (
    "Curator",
    "Gallery",
    "Public",
    "Painting",
    "Fragile",
    "Consignment",
    "Courier",
    "Collector",
    "Auction",
    "Grant",
)
FACTS = """
CREATE (ines:Curator {name: 'Ines Falk', dateOfBirth: date('1980-02-03'), height: 170}),
  (rolf:Curator {name: 'Rolf Aker', height: 181}),
  (uma:Curator {name: 'Uma Stein', dateOfBirth: date('1975-09-09'), bloodType: '0+'}),
  (north:Gallery:Public {name: 'North Wing', opened: 1911, rooms: 12}),
  (glass:Gallery:Public {name: 'Glass House', opened: 2004, rooms: 5}),
  (mill:Gallery:Public {name: 'Mill Hall', rooms: 8}),
  (ines)-[:MANAGES {since: date('2012-05-01')}]->(north), (rolf)-[:MANAGES {since: date('2019-03-04')}]->(glass),
  (uma)-[:MANAGES]->(mill),
  (dawn:Painting:Fragile {name: 'Red Dawn', painted: 1890}), (frost:Painting {name: 'Late Frost', painted: 1902}),
  (heron:Painting {name: 'Old Heron'}),
  (ines)-[:RESTORED {hours: 14, on: date('2020-04-01')}]->(dawn),
  (rolf)-[:RESTORED {hours: 6, on: date('2021-06-02')}]->(frost),
  (uma)-[:RESTORED]->(heron), (ines)-[:RESTORED {hours: 3, on: date('2021-07-07')}]->(heron),
  (dawn)-[:HUNG_IN {from: 2001, to: 2009}]->(north), (frost)-[:HUNG_IN {from: 2005, to: 2015}]->(north),
  (heron)-[:HUNG_IN {from: 2010}]->(glass),
  (oda:Courier {name: 'Oda Prins'}), (max:Courier {name: 'Max Lorn'}), (kai:Courier {name: 'Kai Bund'}),
  (c1:Consignment {consignmentNo: 'CN-1', crates: 4, fee: 900.0, shipped: date('2021-03-01')}),
  (c2:Consignment {consignmentNo: 'CN-2', crates: 2, fee: 300.0, shipped: date('2022-05-05')}),
  (c3:Consignment {consignmentNo: 'CN-3', crates: 10, fee: 2500.0, shipped: date('2022-08-08')}),
  (c4:Consignment {consignmentNo: 'CN-4', crates: 1, fee: 100.0, shipped: date('2022-09-09')}),
  (c5:Consignment {consignmentNo: 'CN-5', crates: 6, fee: 700.0, shipped: date('2023-01-01')}),
  (oda)-[:TRANSPORTED]->(c1), (oda)-[:TRANSPORTED]->(c2), (max)-[:TRANSPORTED]->(c3), (kai)-[:TRANSPORTED]->(c4),
  (kai)-[:TRANSPORTED]->(c5),
  (c1)-[:SENT_FROM]->(north), (c1)-[:SENT_TO]->(glass), (c2)-[:SENT_FROM]->(glass), (c2)-[:SENT_TO]->(mill),
  (c3)-[:SENT_FROM]->(mill), (c3)-[:SENT_TO]->(glass), (c4)-[:SENT_FROM]->(glass), (c4)-[:SENT_TO]->(north),
  (c5)-[:SENT_FROM]->(north), (c5)-[:SENT_TO]->(glass),
  (nils:Collector {name: 'Nils Roth'}), (ella:Collector {name: 'Ella Brandt'}), (juno:Collector {name: 'Juno Fisk'}),
  (nils)-[:OUTBID {on: date('2018-02-02')}]->(ella), (ella)-[:OUTBID {on: date('2019-05-05')}]->(juno),
  (juno)-[:OUTBID {on: date('2019-11-11')}]->(nils),
  (spring:Auction {name: 'Spring Sale', year: 2018, count: 40}),
  (harbour:Auction {name: 'Harbour Sale', year: 2020, count: 25}),
  (nils)-[:WON]->(spring), (ella)-[:WON]->(harbour),
  (nils)-[:GAVE]->(:Grant {number: 51, amount: 500}), (ella)-[:GAVE]->(:Grant {number: 52, amount: 50}),
  (juno)-[:GAVE]->(:Grant {number: 53, amount: 200})
"""

OPEN = """
How old is Rolf Aker? => NONE
When was Rolf Aker born? => NONE
When was Ines Falk born? => 1980-02-03
What is the blood type of Ines Falk? => NONE
What is the blood type of Uma Stein? => 0+
How many rooms does Mill Hall have? => 8
When was Mill Hall opened? => NONE
How many hours did Uma Stein restore Old Heron? => NONE
How many hours did Ines Falk restore Red Dawn? => 14
Since when does Uma Stein manage Mill Hall? => NONE
When did Rolf Aker start managing Glass House? => 2019-03-04
Since when has Ines Falk managed North Wing? => 2012-05-01
When did Red Dawn leave North Wing? => 2009
Which paintings hung in North Wing until 2009? => Red Dawn
Which curators have managed a gallery since 2015? => Rolf Aker
How many consignments did Oda Prins transport in 2022? => 1
What is the total number of crates of consignments sent to Glass House? => 20
What is the total fee of consignments to Glass House? => 4100
How many consignments did Oda Prins and Max Lorn transport? => 3
Which gallery received the most consignments? => Glass House
Which gallery sent the most consignments? => Glass House ; North Wing
What is the average number of crates per consignment? => 4.6
How many collectors were outbid in 2019? => 2
Who was outbid in 2018? => Ella Brandt
How many crates do the consignments of Kai Bund have in total? => 7
Which collector gave the largest amount? => Nils Roth
What is the count of Spring Sale? => 40
Are all galleries public? => yes
Which curator has the earliest restoration? => Ines Falk
"""

SHUT = """
What is the height of Uma Stein? => NONE
In which year was Old Heron painted? => NONE
When was Glass House opened? => 2004
How many hours did Ines Falk restore Late Frost? => NONE
When did Old Heron leave Glass House? => NONE
When did Late Frost start hanging in North Wing? => 2005
How many consignments did Kai Bund transport in 2023? => 1
What is the total number of crates of consignments from Glass House? => 3
How many consignments did Oda Prins and Kai Bund transport? => 4
What is the average fee per consignment? => 900
Which collector gave the smallest amount? => Ella Brandt
Who was outbid in 2019? => Juno Fisk ; Nils Roth
Are all paintings fragile? => no
How many curators have managed a gallery since 2010? => 2
"""
"""Written with the others, before any was asked; not looked at while the rules were written."""
