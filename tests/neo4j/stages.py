"""Actors, plays and theatres whose names are like others, end in marks or are words of questions; and questions.

The answers were written down from ``MAKE`` before any question was asked.
"""

from __future__ import annotations

LABELS = ("Actor", "Play", "Theatre")
MAKE = """
CREATE (cole:Actor {name: 'Mary-Ann Cole', born: 1970}), (vance:Actor {name: 'Peter Vance', born: 1981}),
       (mcardle:Actor {name: 'Ian McArdle', born: 1965}), (brandt:Actor {name: 'Sven-Olof Brandt', born: 1958}),
       (stone:Actor {name: 'Stone', born: 1990}), (mar:Actor {name: 'Lucía Del Mar', born: 1977}),
       (pike:Actor {name: 'George Walter Pike', born: 1949}), (mori:Actor {name: 'Hana Mori', born: 1962}),
       (lyric:Theatre {name: 'Lyric Hall', opened: 1905}), (loud:Theatre {name: 'Ha!', opened: 1999}),
       (ha:Theatre {name: 'Ha', opened: 1950}), (mill:Theatre {name: 'Old Mill', opened: 1880}),
       (bell:Theatre {name: 'Bell Street Stage', opened: 2001}),
       (one:Play {title: 'Act #1', year: 2001}), (two:Play {title: 'Act #2', year: 2003}),
       (sign:Play {title: '&', year: 2010}), (much:Play {title: 'How Much', year: 1998}),
       (younger:Play {title: 'Younger', year: 2005}), (eight:Play {title: '2008', year: 1991}),
       (song:Play {title: 'Yesterday', year: 2008}), (winters:Play {title: 'Three Winters', year: 2011}),
       (cole)-[:ACTED_IN]->(one), (cole)-[:ACTED_IN]->(sign), (vance)-[:ACTED_IN]->(winters),
       (vance)-[:ACTED_IN]->(two), (mcardle)-[:ACTED_IN]->(much), (brandt)-[:ACTED_IN]->(younger),
       (stone)-[:ACTED_IN]->(eight), (stone)-[:ACTED_IN]->(winters), (stone)-[:ACTED_IN]->(song),
       (mar)-[:ACTED_IN]->(song), (pike)-[:ACTED_IN]->(eight), (mori)-[:ACTED_IN]->(younger),
       (one)-[:STAGED_AT]->(lyric), (two)-[:STAGED_AT]->(lyric), (much)-[:STAGED_AT]->(lyric),
       (sign)-[:STAGED_AT]->(loud), (winters)-[:STAGED_AT]->(loud), (younger)-[:STAGED_AT]->(ha),
       (eight)-[:STAGED_AT]->(mill), (song)-[:STAGED_AT]->(bell),
       (cole)-[:WORKS_AT]->(lyric), (pike)-[:WORKS_AT]->(lyric), (vance)-[:WORKS_AT]->(loud),
       (stone)-[:WORKS_AT]->(loud), (mcardle)-[:WORKS_AT]->(ha), (brandt)-[:WORKS_AT]->(mill),
       (mar)-[:WORKS_AT]->(bell), (mori)-[:WORKS_AT]->(bell)
"""
QUESTIONS = """
Who works at Ha!? => Peter Vance ; Stone
Who works at Ha? => Ian McArdle
Does Peter Vance work at Ha!? => yes
Does Ian McArdle work at Ha!? => no
Which plays were staged at Ha!? => & ; Three Winters
Who acted in &? => Mary-Ann Cole
When was Ha! opened? => 1999
Was & staged at Ha!? => yes
When was Mary-Jane Cole born? => NONE
When was Paul Vance born? => NONE
When was Peter Stone born? => NONE
Who works at Lyric House? => NONE
Which plays were staged at New Mill? => NONE
Who acted in Act #3? => NONE
Did Paul Vance act in Three Winters? => NONE
When was George Henry Pike born? => NONE
Who acted in Four Winters? => NONE
When was George Pike born? => 1949
When was George W. Pike born? => 1949
When was Dr Pike born? => 1949
When was Mr. Brandt born? => 1958
When was Brandt born? => 1958
When was Sven Olof Brandt born? => 1958
When was Brandt, Sven-Olof born? => 1958
When was Petr Vance born? => 1981
when was vance born? => 1981
Which plays did Vance act in? => Act #2 ; Three Winters
Who acted in the old song Yesterday? => Lucía Del Mar ; Stone
When was Lucia born? => 1977
who works at lyric hall => George Walter Pike ; Mary-Ann Cole
Which plays were staged at the Mill? => 2008
Who acted in How Much? => Ian McArdle
How many plays were staged at Lyric Hall? => 3
Which plays are from 2008? => Yesterday
Who acted in 2008? => George Walter Pike ; Stone
Who acted in Younger? => Hana Mori ; Sven-Olof Brandt
How many actors work at Ha!? => 2
How many actors acted in 2008? => 2
Which actors are younger than Peter Vance? => Stone
Which theatres were opened after 1990? => Bell Street Stage ; Ha!
"""
SHUT = """
Does Stone work at Ha!? => yes
How many plays were staged at Ha!? => 2
Where was & staged? => Ha!
When was Mary-Ann Stone born? => NONE
When was Ian Brandt born? => NONE
Where was Act #4 staged? => NONE
Who works at Bell Street Stage? => Hana Mori ; Lucía Del Mar
Who works at Bell Road Stage? => NONE
When was Captain McArdle born? => 1965
When was Ian MacArdle born? => 1965
when was cole born? => 1970
How many plays did Stone act in? => 3
Which plays are from 1998? => How Much
Which actors are younger than Lucía Del Mar? => Peter Vance ; Stone
When was Ha opened? => 1950
Which plays did Hannah Mori act in? => Younger
How many theatres are there? => 5
When was Mori, Hana born? => 1962
Does Hugo Mori work at Bell Street Stage? => NONE
Which plays were staged at Lyric? => Act #1 ; Act #2 ; How Much
"""
