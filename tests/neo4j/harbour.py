"""A made harbour, and questions whose nearest fact is none that they ask for; NONE: an abstention."""

from __future__ import annotations

FACTS = """
CREATE (gull:Ship {name: 'Grey Gull', built: 1984, weight: 900, flag: 'Malta', launched: date('1984-05-05')}),
  (tern:Ship {name: 'Arctic Tern', built: 1999, weight: 400, flag: 'Norway'}),
  (wren:Ship {name: 'Sea Wren', built: 2010, weight: 650, flag: 'Malta'}),
  (ada:Pilot {name: 'Ada Brenner', born: date('1970-03-03'), hired: date('2001-04-04')}),
  (bo:Pilot {name: 'Bo Castell', born: date('1982-08-08'), hired: date('2010-06-06'), left: date('2020-02-02')}),
  (cem:Pilot {name: 'Cem Dural', born: date('1991-01-01')}),
  (long:Pier {name: 'Long Pier', opened: date('1920-07-01'), depth: 12}),
  (fish:Pier {name: 'Fish Pier', opened: date('1931-02-01'), closed: date('1999-12-31'), depth: 5}),
  (salt:Pier {name: 'Salt Pier', closed: date('2004-03-03'), depth: 7}),
  (ruud:Firm {name: 'Ruud Lines', sector: 'freight', founded: date('1950-01-01')}),
  (ruudf:Firm {name: 'Ruud Ferries', sector: 'ferries', founded: date('1988-09-01'), dissolved: date('2015-09-01')}),
  (voss:Firm {name: 'Voss Fuel', sector: 'fuel', founded: date('1977-01-01')}),
  (north:Depot {name: 'North Depot'}), (south:Depot {name: 'South Depot'}),
  (ox:Tug {name: 'Ox', power: 3000}), (elk:Tug {name: 'Elk', power: 2100}),
  (roll:Shanty {title: 'Roll the Tiny Barrel Home', printed: date('1890-01-01')}),
  (storm:Shanty {title: 'Storm at Dawn', printed: date('1901-05-05')}),
  (ivy:Singer {name: 'Ivy Okafor'}), (kit:Singer {name: 'Kit Larsen'}),
  (b1:Buoy {name: 'Red Buoy'}), (b2:Buoy {name: 'Green Buoy'}), (b3:Buoy {name: 'Bell Buoy'}),
  (tea:Cargo {name: 'Black Tea'}), (jute:Cargo {name: 'Raw Jute'}),
  (ada)-[:STEERS]->(gull), (ada)-[:STEERS]->(tern), (bo)-[:STEERS]->(wren),
  (gull)-[:MOORED_AT {arrived: date('2023-01-10'), departed: date('2023-01-14')}]->(long),
  (tern)-[:MOORED_AT {arrived: date('2023-02-01')}]->(long), (wren)-[:MOORED_AT]->(salt),
  (long)-[:FUELLED_BY {since: date('2012-12-01'), contract_until: date('2029-06-30')}]->(voss),
  (gull)-[:OWNED_BY {since: date('2005-05-01'), lease_until: date('2027-01-01')}]->(ruud),
  (tern)-[:OWNED_BY {since: date('2008-06-01')}]->(ruud), (wren)-[:OWNED_BY]->(ruudf),
  (ruudf)-[:SUBSIDIARY_OF]->(ruud),
  (bo)-[:TAUGHT_BY {since: date('2010-07-01'), grade: 'B'}]->(ada), (cem)-[:TAUGHT_BY {grade: 'A'}]->(bo),
  (ada)-[:LIVES_IN]->(:District {name: 'Old Town'}), (bo)-[:RESTS_IN]->(north), (ada)-[:RESTS_IN]->(north),
  (cem)-[:RESTS_IN]->(south),
  (ada)-[:SURVEYED {duty: 'lead inspector', days: 4}]->(fish), (bo)-[:SURVEYED {duty: 'diver', days: 9}]->(fish),
  (cem)-[:SURVEYED {duty: 'diver', days: 2}]->(long),
  (ivy)-[:WROTE]->(roll), (kit)-[:WROTE]->(storm), (ivy)-[:SINGS]->(storm),
  (ox)-[:BERTHED_AT]->(long), (elk)-[:BERTHED_AT]->(fish), (bo)-[:TOWS_WITH]->(ox), (cem)-[:TOWS_WITH]->(ox),
  (b1)-[:NEXT_BUOY {metres: 300}]->(b2), (b2)-[:NEXT_BUOY {metres: 450}]->(b3),
  (ruud)-[:EXPORTS]->(tea), (voss)-[:EXPORTS]->(jute), (voss)-[:IMPORTS]->(tea),
  (ruud)-[:BOUGHT {price: 70}]->(north), (voss)-[:SOLD {price: 55}]->(south)
"""
OPPOSITES = """
When was Fish Pier closed? => 1999-12-31
When was Long Pier closed? => NONE
When did Long Pier close? => NONE
When was Salt Pier opened? => NONE
When was Voss Fuel dissolved? => NONE
When was Ruud Ferries dissolved? => 2015-09-01
When did Ada Brenner die? => NONE
When did Ada Brenner leave? => NONE
When was Cem Dural hired? => NONE
Which cargo does Ruud Lines import? => NONE
Which cargo does Voss Fuel import? => Black Tea
Who imports Raw Jute? => NONE
Who exports Raw Jute? => Voss Fuel
Does Ruud Lines import Black Tea? => no
Which depot did Voss Fuel buy? => NONE
Who sold North Depot? => NONE
Who bought North Depot? => Ruud Lines
When did Arctic Tern depart from Long Pier? => NONE
When did Grey Gull depart from Long Pier? => 2023-01-14
When did Grey Gull arrive at Long Pier? => 2023-01-10
Which piers were closed before 2000? => Fish Pier
Which piers were opened before 1925? => Long Pier
Which pilots were dismissed before 2005? => NONE
Was Long Pier closed before 1950? => NONE
"""
WHO_DOES_WHAT = """
Who steers Grey Gull? => Ada Brenner
Which firm fuels Arctic Tern? => NONE
Who rests in Arctic Tern? => NONE
Which firm fuels Long Pier? => Voss Fuel
Which depot does Grey Gull rest in? => NONE
Which depot does Ada Brenner rest in? => North Depot
Which ships does Cem Dural steer? => NONE
Which pilot is married to Ada Brenner? => NONE
Which piers does Cem Dural rest in? => NONE
Which tugs are kept at Long Pier? => Ox
Which ships lie at Long Pier? => Arctic Tern ; Grey Gull
Which shanties does Kit Larsen sing? => NONE
Which ships are steered by pilots taught by Ada Brenner? => Sea Wren
Who steers the ships that are moored at Long Pier? => Ada Brenner
Which firm owns the ship that Bo Castell steers? => Ruud Ferries
"""
OF_THE_SORT = """
Which firm is the parent of Ruud Ferries? => Ruud Lines
Which company is the parent of Ruud Ferries? => Ruud Lines
Which company insures Voss Fuel? => NONE
Which museum displays Storm at Dawn? => NONE
Which publisher printed Storm at Dawn? => NONE
Which sector does Voss Fuel work in? => fuel
Which country built Sea Wren? => NONE
Which flag does Sea Wren fly? => Malta
Who was lead inspector of Fish Pier? => NONE
Which pilots were divers at Fish Pier? => Bo Castell
What was the duty of Bo Castell at Fish Pier? => diver
In which year was Sea Wren built? => 2010
What is the weight of Sea Wren? => 650
"""
NEXT = """
What is the next buoy after Red Buoy? => Green Buoy
What is the next buoy after Bell Buoy? => NONE
Which buoy comes after Green Buoy? => Bell Buoy
Which buoy comes before Green Buoy? => Red Buoy
Which buoy comes before Red Buoy? => NONE
What is the previous buoy before Bell Buoy? => Green Buoy
Which buoy follows Red Buoy? => Green Buoy
Which buoy follows Bell Buoy? => NONE
Which buoy precedes Green Buoy? => Red Buoy
What is Green Buoy's next buoy? => Bell Buoy
"""
SINCE_WHEN = """
Since when has Bo Castell been taught by Ada Brenner? => 2010-07-01
Since when has Cem Dural been taught by Bo Castell? => NONE
Since when has Ruud Lines owned Grey Gull? => 2005-05-01
Since when has Ruud Ferries owned Sea Wren? => NONE
Until when does Voss Fuel's contract for Long Pier run? => 2029-06-30
Until when does Ruud Lines lease Grey Gull? => 2027-01-01
Until when does Ruud Lines lease Arctic Tern? => NONE
Since when does Cem Dural rest in South Depot? => NONE
Since when is Sea Wren moored at Salt Pier? => NONE
"""
LONGER_NAMES = """
Who wrote Storm at Dawn? => Kit Larsen
Who wrote Roll the Tiny Barrel Home? => Ivy Okafor
Who wrote Barrel of Gold? => NONE
Who wrote Storm over Dover? => NONE
Who wrote Storms in Winter? => NONE
Who sings Dawn at Sea? => NONE
When was Barrel and Rope printed? => NONE
"""
THERE_AND_BACK = """
How many ships does the pilot of Grey Gull steer? => 2
How many ships does the pilot of Sea Wren steer? => 1
Which ships does the pilot of Grey Gull steer? => Arctic Tern
How many other ships does the pilot of Grey Gull steer? => NONE
What is the total weight of the ships that the pilot of Grey Gull steers? => 1300
How many ships does the owner of Arctic Tern own? => 2
How many pilots rest in the depot of Ada Brenner? => 2
How many ships are moored at the pier of Sea Wren? => 1
"""
