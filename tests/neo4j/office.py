"""A made office's graph: ages beside start dates, labels that narrow others, spans of time on relationships."""

from __future__ import annotations

LABELS = ("Employee", "Manager", "Contractor", "Department", "Project", "CorporateClient", "Invoice")

MAKE = """
CREATE (ivy:Employee {name: 'Ivy Brand', startDate: date('2012-04-01'), salary: 5200, age: 51, remote: true}),
       (joe:Employee:Manager {name: 'Joe Stein', startDate: date('2008-09-15'), salary: 7400, age: 44,
       remote: false}),
       (kim:Employee {name: 'Kim Larsen', startDate: date('2019-01-07'), salary: 4100, age: 29, remote: true}),
       (lou:Employee:Manager {name: 'Lou Petit', startDate: date('2015-06-30'), salary: 6900, age: 58,
       remote: false}),
       (mia:Employee:Contractor {name: 'Mia Torres', startDate: date('2021-11-02'), salary: 4700, age: 33,
       remote: true}),
       (sales:Department {name: 'Sales', budget: 90000, established: 1999}),
       (legal:Department {name: 'Legal', budget: 40000, established: 2004}),
       (lab:Department {name: 'Laboratory', budget: 250000, established: 1987}),
       (apollo:Project {name: 'Project Apollo', budget: 12000, startDate: date('2020-02-01'), durationMonths: 18}),
       (borealis:Project {name: 'Project Borealis', budget: 30000, startDate: date('2021-05-10'), durationMonths: 6}),
       (comet:Project {name: 'Project Comet', budget: 7000, startDate: date('2018-08-20'), durationMonths: 30}),
       (acme:CorporateClient {name: 'Acme Foods', city: 'Lyon', since: 2010}),
       (bolt:CorporateClient {name: 'Bolt Motors', city: 'Turin', since: 2016}),
       (crux:CorporateClient {name: 'Crux Media', city: 'Lyon', since: 2003}),
       (inv1:Invoice {name: 'INV-1', amount: 500.0, issued: date('2021-01-15'), paid: true}),
       (inv2:Invoice {name: 'INV-2', amount: 1500.0, issued: date('2021-03-20'), paid: false}),
       (inv3:Invoice {name: 'INV-3', amount: 250.0, issued: date('2022-01-15'), paid: true}),
       (inv4:Invoice {name: 'INV-4', amount: 900.0, issued: date('2022-07-01'), paid: false}),
       (ivy)-[:WORKS_IN {since: date('2012-04-01'), position: 'clerk'}]->(legal),
       (joe)-[:WORKS_IN {since: date('2010-01-01'), position: 'head'}]->(sales),
       (kim)-[:WORKS_IN {since: date('2019-01-07'), position: 'analyst'}]->(lab),
       (lou)-[:WORKS_IN {since: date('2016-02-01'), position: 'head'}]->(lab),
       (mia)-[:WORKS_IN {since: date('2021-11-02'), position: 'analyst'}]->(sales),
       (ivy)-[:ASSIGNED_TO {hours: 20}]->(apollo), (kim)-[:ASSIGNED_TO {hours: 35}]->(apollo),
       (kim)-[:ASSIGNED_TO {hours: 5}]->(borealis), (mia)-[:ASSIGNED_TO {hours: 40}]->(borealis),
       (joe)-[:LEADS {from: date('2020-02-01'), until: date('2021-08-01')}]->(apollo),
       (lou)-[:LEADS {from: date('2021-05-10')}]->(borealis), (lou)-[:LEADS {from: date('2018-08-20')}]->(comet),
       (apollo)-[:ORDERED_BY]->(acme), (borealis)-[:ORDERED_BY]->(bolt), (comet)-[:ORDERED_BY]->(acme),
       (inv1)-[:BILLED_TO]->(acme), (inv2)-[:BILLED_TO]->(acme), (inv3)-[:BILLED_TO]->(bolt),
       (inv4)-[:BILLED_TO]->(crux),
       (joe)-[:SUPERVISES]->(mia), (lou)-[:SUPERVISES]->(kim), (lou)-[:SUPERVISES]->(ivy)
"""

QUESTIONS = """
Who is the oldest employee? => Lou Petit
Which employee is the youngest? => Kim Larsen
Which employees are older than 45? => Ivy Brand ; Lou Petit
Which employees are over 50 years old? => Ivy Brand ; Lou Petit
Which employees are under the age of 35? => Kim Larsen ; Mia Torres
Which employees are aged between 30 and 50? => Joe Stein ; Mia Torres
Is Ivy Brand older than Joe Stein? => yes
Is Joe Stein younger than Mia Torres? => no
Which employees are younger than Joe Stein? => Kim Larsen ; Mia Torres
How many employees are younger than 40? => 2
What is the average age of the employees in Laboratory? => 43.5
Who is the oldest manager? => Lou Petit
How many managers are there? => 2
Which managers are younger than 50? => Joe Stein
Which managers work in Sales? => Joe Stein
How many contractors work in Sales? => 1
Which contractors are there? => Mia Torres
Is Mia Torres a contractor? => yes
Is Ivy Brand a manager? => no
Which employees are managers? => Joe Stein ; Lou Petit
Which employees are not managers? => Ivy Brand ; Kim Larsen ; Mia Torres
What is the average salary of the managers? => 7150.0
Which employees started after 2014? => Kim Larsen ; Lou Petit ; Mia Torres
Which employee started first? => Joe Stein
Which employees started before Lou Petit? => Ivy Brand ; Joe Stein
What is the oldest department? => Laboratory
Which department is the newest? => Legal
Which departments are older than 2000? => Laboratory ; Sales
Which departments were established before Sales? => Laboratory
Is Legal older than Sales? => no
What is the longest project? => Project Comet
Which project is the shortest? => Project Borealis
Which projects are longer than 12 months? => Project Apollo ; Project Comet
Is Project Apollo longer than Project Comet? => no
Which projects are shorter than Project Apollo? => Project Borealis
Which projects started in 2021? => Project Borealis
Which projects started before 1 March 2020? => Project Apollo ; Project Comet
What is the most recent project? => Project Borealis
How many clients are there? => 3
How many clients are in Lyon? => 2
Which clients have not received an invoice? => NONE
Which client ordered the most projects? => Acme Foods
How many invoices were issued on 15 January 2021? => 1
How many invoices were issued in January 2021? => 1
Which invoices were issued after 20 March 2021? => INV-3 ; INV-4
Which invoices were issued between March 2021 and February 2022? => INV-2 ; INV-3
How many invoices were billed to Acme Foods? => 2
What is the total amount of the invoices? => 3150.0
What is the total amount of the invoices billed to Acme Foods? => 2000.0
What is the total amount of Acme Foods's invoices? => 2000.0
What is the average amount of invoices issued in 2022? => 575.0
Which invoices have an amount above 600? => INV-2 ; INV-4
How many invoices have an amount below 600? => 2
Which invoice has the highest amount? => INV-2
What is the amount of INV-3? => 250.0
How many paid invoices are there? => 2
How many invoices are not paid? => 2
What is the total amount of paid invoices? => 750.0
How many overdue invoices are there? => NONE
How many invoices did Acme Foods receive in Paris? => NONE
How many invoices were rejected? => NONE
What is the average salary of employees in Marketing? => NONE
When did Lou Petit start to work in Laboratory? => 2016-02-01
Since when does Joe Stein work in Sales? => 2010-01-01
Since when has Lou Petit led Project Comet? => 2018-08-20
Until when did Joe Stein lead Project Apollo? => 2021-08-01
When did Joe Stein stop leading Project Apollo? => 2021-08-01
When did Joe Stein begin to lead Project Apollo? => 2020-02-01
What position does Kim Larsen have in Laboratory? => analyst
When was INV-2 issued? => 2021-03-20
When did Kim Larsen start? => 2019-01-07
How many employees are there per department? => Laboratory ; Legal ; Sales
What is the average salary per department? => Laboratory ; Legal ; Sales
Which department has the most employees? => Laboratory ; Sales
How many employees does Lou Petit supervise? => 2
How many remote employees are there? => 3
How many remote employees does Lou Petit supervise? => 2
What is the total budget of all departments? => 380000
What is the total budget of the projects led by Lou Petit? => 37000
Could you please tell me how many projects there are? => 3
I'd like to know who the youngest employee is, if you don't mind. => Kim Larsen
Would you mind telling me how many invoices were billed to Acme Foods, please? => 2
Which employees supervise nobody? => Ivy Brand ; Kim Larsen ; Mia Torres
Which employees are supervised by no one? => Joe Stein ; Lou Petit
Which clients ordered nothing? => Crux Media
How many employees supervise nobody? => 3
Which employees does nobody supervise? => NONE
Does nobody supervise Kim Larsen? => NONE
Which employees lead more projects than Joe Stein? => Lou Petit
Which employees supervise fewer employees than Lou Petit? => Ivy Brand ; Joe Stein ; Kim Larsen ; Mia Torres
Which project did Lou Petit lead first? => Project Comet
What was the last project that Lou Petit led? => Project Borealis
Which project did Kim Larsen work on first? => NONE
Who earns the most? => Joe Stein
Which employee has the highest salary? => Joe Stein
How many employees earn more than 5000? => 3
Which employees earn less than Mia Torres? => Kim Larsen
How many employees work in departments established before 2000? => 4
What is the median salary of employees? => 5200
How many months does Project Comet last? => 30
How many invoices were issued per year? => 2021 ; 2022
In which year were the most invoices issued? => 2021 ; 2022
How many invoices were issued per month? => NONE
"""
"""A question and its answers, or NONE where it must abstain, a line each."""
