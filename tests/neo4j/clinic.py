"""A made clinic's graph: ages, dates of birth, years and durations; second labels; dates on relationships."""

from __future__ import annotations

LABELS = (
    "Patient",
    "Insured",
    "Nurse",
    "Ward",
    "Diagnosis",
    "MedicalCompany",
    "Remedy",
    "SupplyOrder",
    "TrainingVideo",
)

MAKE = """
CREATE (ana:Patient {name: 'Ana Pohl', age: 35, admitted: date('2020-02-01')}),
       (ben:Patient:Insured {name: 'Ben Roth', age: 42, admitted: date('2021-03-05')}),
       (cora:Patient:Insured {name: 'Cora Lind', age: 67, admitted: date('2019-11-20')}),
       (dan:Patient {name: 'Dan Mews', age: 40, admitted: date('2021-03-09')}),
       (eva:Nurse {name: 'Eva Horn', birthDate: date('1990-04-01'), yearsOfService: 8}),
       (finn:Nurse {name: 'Finn Rask', birthDate: date('1979-10-12'), yearsOfService: 15}),
       (gus:Nurse {name: 'Gus Pell', birthDate: date('2001-01-30'), yearsOfService: 1}),
       (north:Ward {name: 'North Ward', opened: 1988, beds: 12}),
       (south:Ward {name: 'South Ward', opened: 2011, beds: 30}),
       (east:Ward {name: 'East Ward', opened: 1999, beds: 8}),
       (asthma:Diagnosis {name: 'Asthma'}), (gout:Diagnosis {name: 'Gout'}),
       (alder:MedicalCompany {name: 'Alder Labs', foundingDate: date('1971-05-02'), employees: 900}),
       (birch:MedicalCompany {name: 'Birch Supply', foundingDate: date('2008-09-15'), employees: 40}),
       (cedar:MedicalCompany {name: 'Cedar Works', foundingDate: date('1994-01-01'), employees: 310}),
       (pill:Remedy {name: 'Blue Pill', price: 4.0, shelfLifeDays: 400}),
       (syrup:Remedy {name: 'Elder Syrup', price: 9.5, shelfLifeDays: 90}),
       (balm:Remedy {name: 'Pine Balm', price: 6.0, shelfLifeDays: 730}),
       (r1:SupplyOrder {name: 'R-101', total: 120.0, placed: date('2017-08-15')}),
       (r2:SupplyOrder {name: 'R-102', total: 80.0, placed: date('2017-08-15')}),
       (r3:SupplyOrder {name: 'R-103', total: 300.0, placed: date('2018-03-01')}),
       (r4:SupplyOrder {name: 'R-104', total: 50.0, placed: date('2017-08-30')}),
       (v1:TrainingVideo {title: 'Knots', durationMinutes: 45, releaseYear: 2012}),
       (v2:TrainingVideo {title: 'Safe Lifting', durationMinutes: 90, releaseYear: 2005}),
       (v3:TrainingVideo {title: 'Clean Hands', durationMinutes: 12, releaseYear: 2020}),
       (ana)-[:DIAGNOSED_WITH {since: date('2020-01-01')}]->(asthma),
       (ben)-[:DIAGNOSED_WITH {since: date('2021-05-05')}]->(gout),
       (cora)-[:DIAGNOSED_WITH {since: date('2015-06-30')}]->(asthma),
       (cora)-[:DIAGNOSED_WITH {since: date('2018-02-02')}]->(gout),
       (ana)-[:STAYS_IN]->(north), (ben)-[:STAYS_IN]->(south), (cora)-[:STAYS_IN]->(north),
       (dan)-[:STAYS_IN]->(south),
       (eva)-[:CARES_FOR]->(ana), (eva)-[:CARES_FOR]->(cora), (finn)-[:CARES_FOR]->(ben),
       (finn)-[:CARES_FOR]->(cora), (gus)-[:CARES_FOR]->(dan),
       (eva)-[:WORKS_IN {since: date('2016-03-01'), role: 'head nurse'}]->(north),
       (finn)-[:WORKS_IN {since: date('2009-07-01'), role: 'night nurse'}]->(south),
       (gus)-[:WORKS_IN {since: date('2023-09-01'), role: 'trainee'}]->(south),
       (eva)-[:WATCHED]->(v1), (eva)-[:WATCHED]->(v2), (finn)-[:WATCHED]->(v2),
       (eva)-[:PLACED]->(r1), (eva)-[:PLACED]->(r2), (finn)-[:PLACED]->(r3), (eva)-[:PLACED]->(r4),
       (r1)-[:CONTAINS {quantity: 10}]->(pill), (r1)-[:CONTAINS {quantity: 2}]->(syrup),
       (r2)-[:CONTAINS {quantity: 5}]->(balm), (r3)-[:CONTAINS {quantity: 30}]->(pill),
       (r4)-[:CONTAINS {quantity: 1}]->(balm),
       (alder)-[:SUPPLIES]->(pill), (birch)-[:SUPPLIES]->(syrup), (birch)-[:SUPPLIES]->(balm)
"""

QUESTIONS = """
# an age in years
Which patients are older than 40? => Ben Roth ; Cora Lind
Which patients are younger than 40? => Ana Pohl
Which patients are 40 or older? => Ben Roth ; Cora Lind ; Dan Mews
Which patients are at least 42 years old? => Ben Roth ; Cora Lind
Who is the oldest patient? => Cora Lind
Which patient is the youngest? => Ana Pohl
Who are the 2 youngest patients? => Ana Pohl ; Dan Mews
Is Cora Lind older than Ben Roth? => yes
Is Ana Pohl older than Dan Mews? => no
Is Ana Pohl younger than 40? => yes
Is Dan Mews older than 40? => no
Which patients are older than Dan Mews? => Ben Roth ; Cora Lind
Which patients are younger than Ben Roth? => Ana Pohl ; Dan Mews
How many patients are older than 40? => 2
Which patients are older than the average? => Cora Lind
# a date of birth
Who is the oldest nurse? => Finn Rask
Which nurse is the youngest? => Gus Pell
Which nurses are older than Eva Horn? => Finn Rask
Which nurses are younger than Eva Horn? => Gus Pell
Is Gus Pell younger than Eva Horn? => yes
Is Eva Horn older than Finn Rask? => no
Which nurses are older than 40? => NONE
Which nurses were born after 1985? => Eva Horn ; Gus Pell
Which nurses were born before Eva Horn? => Finn Rask
Which nurse was born first? => Finn Rask
Which nurse was born last? => Gus Pell
# a year, and a date, in which something began
What is the oldest ward? => North Ward
Which ward is the newest? => South Ward
Is South Ward newer than East Ward? => yes
Is South Ward older than East Ward? => no
Which wards are older than East Ward? => North Ward
Which wards are newer than East Ward? => South Ward
Which wards opened before 1990? => North Ward
Which wards were opened after East Ward? => South Ward
Which ward opened first? => North Ward
What is the oldest company? => Alder Labs
Which company is the youngest? => Birch Supply
Which companies are older than Cedar Works? => Alder Labs
Which companies are newer than Cedar Works? => Birch Supply
Was Birch Supply founded after Cedar Works? => yes
Was Alder Labs founded later than Birch Supply? => no
Which company was founded most recently? => Birch Supply
Which companies were founded earlier than 1995? => Alder Labs ; Cedar Works
Which is the most recent training video? => Clean Hands
What is the latest training video? => Clean Hands
What is the earliest training video? => Safe Lifting
Which training videos are older than Knots? => Safe Lifting
Which videos are more recent than Knots? => Clean Hands
Which training videos are older than 2010? => Safe Lifting
# an amount of time
Which training video is the longest? => Safe Lifting
What is the shortest training video? => Clean Hands
Which training videos are longer than 40 minutes? => Knots ; Safe Lifting
Which training videos are shorter than Knots? => Clean Hands
Is Safe Lifting longer than Knots? => yes
Is Safe Lifting shorter than 60 minutes? => no
Which nurse has the most years of service? => Finn Rask
Which nurses have more than 5 years of service? => Eva Horn ; Finn Rask
Which nurse has the fewest years of service? => Gus Pell
Does Eva Horn have more years of service than Finn Rask? => no
Which remedy has the longest shelf life? => Pine Balm
Which remedies have a shelf life of less than 100 days? => Elder Syrup
# a second label
How many insured patients are there? => 2
Which insured patients are older than 50? => Cora Lind
Which insured patients stay in North Ward? => Cora Lind
Which patients are insured? => Ben Roth ; Cora Lind
Which patients are not insured? => Ana Pohl ; Dan Mews
Who is the youngest insured patient? => Ben Roth
How many insured patients does Eva Horn care for? => 1
Is Ben Roth insured? => yes
What is the average age of insured patients? => 54.5
# days, topics and groups of what is counted and summed up
How many orders were placed on 15 August 2017? => 2
Which orders were placed on August 15, 2017? => R-101 ; R-102
Which orders were placed in August 2017? => R-101 ; R-102 ; R-104
How many orders were placed before 30 August 2017? => 2
Which orders were placed after 15 August 2017? => R-103 ; R-104
How many orders did Eva Horn place on 15 August 2017? => 2
How many orders did Eva Horn place? => 3
What is the total amount of Eva Horn's orders? => 250.0
What is the total of the orders of Eva Horn? => 250.0
What is the sum of the totals of Finn Rask's orders? => 300.0
What is the average total of the orders placed by Eva Horn? => 83.33333333333333
What is the average age of the patients in North Ward? => 51.0
What is the average age of the patients that Finn Rask cares for? => 54.5
How many remedies did Eva Horn order? => 3
What is the total price of the remedies in R-101? => 13.5
How many beds do the wards have in total? => 50
How many urgent orders are there? => NONE
How many orders did Eva Horn place in Berlin? => NONE
What is the average age of patients from Norway? => NONE
How many orders were placed by fax? => NONE
What is the highest total of any urgent order? => NONE
# dates on relationships
When was Ben Roth diagnosed with Gout? => 2021-05-05
Since when has Cora Lind been diagnosed with Gout? => 2018-02-02
Since when does Eva Horn work in North Ward? => 2016-03-01
Since when has Finn Rask been working in South Ward? => 2009-07-01
When did Gus Pell start to work in South Ward? => 2023-09-01
When did Eva Horn start working in North Ward? => 2016-03-01
What role does Eva Horn have in North Ward? => head nurse
What is the role of Gus Pell in South Ward? => trainee
When was Ana Pohl admitted? => 2020-02-01
# a property that is called as a total is, and kinds by the last of their words
Which order has the highest total? => R-103
What is the total of R-102? => 80.0
Which orders have a total above 100? => R-101 ; R-103
How many orders have a total above 100? => 2
Which orders have a total below the average? => R-101 ; R-102 ; R-104
What is the average total of orders? => 137.5
How many supply orders are there? => 4
How many videos are there? => 3
Which videos did Eva Horn watch? => Knots ; Safe Lifting
Which nurse placed the most orders? => Eva Horn
Which nurses have not placed an order? => Gus Pell
# politeness
If you don't mind, how many patients are there? => 4
How many patients are there, if you don't mind? => 4
Could you tell me who the oldest patient is, please? => Cora Lind
Would you mind telling me which ward is the oldest? => North Ward
I would like to know which patients are older than 40. => Ben Roth ; Cora Lind
Please tell me how many orders Eva Horn placed. => 3
Could you please tell me when Ben Roth was diagnosed with Gout? => 2021-05-05
Where does Ana Pohl stay, if you don't mind my asking? => North Ward
"""
"""A question and its answers, or NONE where it must abstain, a line each."""
