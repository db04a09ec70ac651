"""A made tea shop's graph: several relations between the same kinds, so that a count can be of another one."""

from __future__ import annotations

LABELS = ("Customer", "Order", "Product", "Category", "Employee", "Store")

MAKE = """
CREATE (ada:Customer {name: 'Ada Lunt', city: 'Bern', birthYear: 1980, loyaltyPoints: 120}),
       (bo:Customer {name: 'Bo Quist', city: 'Oslo', birthYear: 1995, loyaltyPoints: 40}),
       (cy:Customer {name: 'Cy Marsh', city: 'Bern', birthYear: 1962, loyaltyPoints: 900}),
       (o1:Order {name: 'O-1', orderDate: date('2017-08-15'), amount: 100.0, status: 'shipped', channel: 'web'}),
       (o2:Order {name: 'O-2', orderDate: date('2017-08-16'), amount: 40.0, status: 'open', channel: 'shop'}),
       (o3:Order {name: 'O-3', orderDate: date('2018-01-05'), amount: 75.0, status: 'shipped', channel: 'web'}),
       (o4:Order {name: 'O-4', orderDate: date('2018-08-15'), amount: 10.0, status: 'cancelled', channel: 'web'}),
       (o5:Order {name: 'O-5', orderDate: date('2017-08-15'), amount: 60.0, status: 'open', channel: 'phone'}),
       (tea:Product {name: 'Green Tea', price: 4.0, weight: 100, launchYear: 2001}),
       (mug:Product {name: 'Blue Mug', price: 9.0, weight: 350, launchYear: 2015}),
       (jar:Product {name: 'Glass Jar', price: 6.0, weight: 500, launchYear: 2010}),
       (hot:Category {name: 'Drinks'}), (ware:Category {name: 'Tableware'}),
       (fay:Employee {name: 'Fay Orr', hireDate: date('2010-01-01'), birthDate: date('1975-05-05')}),
       (gil:Employee {name: 'Gil Pane', hireDate: date('2015-03-01'), birthDate: date('1968-02-02')}),
       (hal:Employee {name: 'Hal Roe', hireDate: date('2020-09-01'), birthDate: date('1999-09-09')}),
       (st1:Store {name: 'Old Town Store', opened: date('1990-05-01'), area: 300}),
       (st2:Store {name: 'Harbour Store', opened: date('2012-10-01'), area: 900}),
       (ada)-[:PLACED]->(o1), (ada)-[:PLACED]->(o2), (bo)-[:PLACED]->(o3), (cy)-[:PLACED]->(o4), (cy)-[:PLACED]->(o5),
       (ada)-[:CANCELLED]->(o2), (ada)-[:FRIEND_OF]->(bo), (bo)-[:FRIEND_OF]->(cy),
       (ada)-[:REVIEWED {stars: 5, on: date('2019-01-01')}]->(tea),
       (ada)-[:REVIEWED {stars: 2, on: date('2020-01-01')}]->(mug),
       (bo)-[:REVIEWED {stars: 4, on: date('2021-01-01')}]->(tea), (cy)-[:WISHES_FOR]->(tea),
       (cy)-[:WISHES_FOR]->(jar),
       (o1)-[:CONTAINS {quantity: 3}]->(tea), (o1)-[:CONTAINS {quantity: 1}]->(mug),
       (o2)-[:CONTAINS {quantity: 2}]->(jar),
       (o3)-[:CONTAINS {quantity: 7}]->(tea), (o4)-[:CONTAINS {quantity: 1}]->(mug),
       (o5)-[:CONTAINS {quantity: 4}]->(tea),
       (tea)-[:IN_CATEGORY]->(hot), (mug)-[:IN_CATEGORY]->(ware), (jar)-[:IN_CATEGORY]->(ware),
       (fay)-[:HANDLED]->(o1), (fay)-[:HANDLED]->(o2), (gil)-[:HANDLED]->(o3), (hal)-[:HANDLED]->(o4),
       (hal)-[:HANDLED]->(o5),
       (fay)-[:MANAGES {since: 2014}]->(st1), (gil)-[:MANAGES {since: 2016}]->(st2),
       (fay)-[:WORKS_AT]->(st1), (hal)-[:WORKS_AT]->(st1), (gil)-[:WORKS_AT]->(st2),
       (o1)-[:SOLD_AT]->(st1), (o2)-[:SOLD_AT]->(st1), (o3)-[:SOLD_AT]->(st2), (o4)-[:SOLD_AT]->(st2),
       (o5)-[:SOLD_AT]->(st2)
"""

QUESTIONS = """
How many orders did Ada Lunt place? => 2
How many orders did Ada Lunt cancel? => 1
How many orders did Cy Marsh cancel? => 0
How many orders were placed on 15 August 2017? => 2
How many orders did Ada Lunt place on 15 August 2017? => 1
How many orders were placed on 17 August 2017? => 0
How many orders did Cy Marsh place after 1 January 2018? => 1
What is the total amount of the orders of Ada Lunt? => 140.0
What is the total amount of Ada Lunt's orders? => 140.0
What is the total amount of orders placed by Ada Lunt? => 140.0
What is the total amount of all orders? => 285.0
What is the total amount of Cy Marsh's orders in 2017? => 60.0
What is the average amount of the orders handled by Hal Roe? => 35.0
What is the highest amount of an order placed by Ada Lunt? => O-1
Which order of Ada Lunt has the highest amount? => O-1
How many shipped orders are there? => 2
How many open orders does Hal Roe handle? => 1
How many orders have the status shipped? => 2
How many orders were sold at Harbour Store? => 3
How many orders were sold at Harbour Store in 2018? => 2
How many customers live in Bern? => 2
How many customers from Oslo placed an order? => 1
How many friends does Ada Lunt have? => 1
How many products did Ada Lunt review? => 2
How many products did Ada Lunt order? => 3
How many products does Cy Marsh wish for? => 2
How many products are in the category Tableware? => 2
What is the average price of the products in Tableware? => 7.5
What is the total price of the products that Ada Lunt reviewed? => 13.0
How many refunded orders are there? => NONE
How many orders did Ada Lunt return? => NONE
How many customers live in Paris? => 0
How many vegan products are there? => NONE
How many orders were placed in the first quarter of 2018? => NONE
How many orders were placed last week? => NONE
How many orders were placed by Zed Moore? => NONE
What is the total amount of orders placed by Zed Moore? => NONE
How many products did both Ada Lunt and Bo Quist review? => 1
Which customer placed the most orders in 2017? => Ada Lunt
Which customer has the highest total amount of orders? => Ada Lunt
Which employee handled the most orders? => Fay Orr ; Hal Roe
Which store sold the most orders? => Harbour Store
What is the most expensive product in Tableware? => Blue Mug
What is the heaviest product that Ada Lunt reviewed? => Blue Mug
Which is the newest product? => Blue Mug
Which product is the oldest? => Green Tea
Which products are newer than Glass Jar? => Blue Mug
Which products were launched before 2011? => Glass Jar ; Green Tea
Who is the oldest employee? => Gil Pane
Which employee is the youngest? => Hal Roe
Is Fay Orr older than Gil Pane? => no
Is Fay Orr younger than Gil Pane? => yes
Which employees are older than Fay Orr? => Gil Pane
Which employee was hired last? => Hal Roe
Which employees were hired after Fay Orr? => Gil Pane ; Hal Roe
Who is the newest employee? => Hal Roe
Which customer is the oldest? => Cy Marsh
Which customers are younger than Ada Lunt? => Bo Quist
Is Cy Marsh older than Bo Quist? => yes
Which store is older, Old Town Store or Harbour Store? => Old Town Store
Which stores are older than Harbour Store? => Old Town Store
Which store opened first? => Old Town Store
Which stores opened before 1 June 1995? => Old Town Store
What is the larger store? => NONE
Which store is the largest? => Harbour Store
Since when does Fay Orr manage Old Town Store? => 2014
When did Ada Lunt review Green Tea? => 2019-01-01
When was O-3 placed? => 2018-01-05
How many stars did Ada Lunt give Blue Mug? => 2
How many Green Tea were in O-3? => 7
What is the average number of orders per customer? => NONE
How many orders are there per status? => cancelled ; open ; shipped
How many orders did each employee handle? => Fay Orr ; Gil Pane ; Hal Roe
Which cities have more than 1 customer? => Bern
How many web orders are there? => 3
How many orders were placed through the web channel? => 3
What percentage of orders is open? => NONE
How many orders are not shipped? => 3
How many orders without Green Tea are there? => 2
How many orders contain Green Tea? => 3
How many orders contain Green Tea or Glass Jar? => 4
How many orders containing Green Tea were placed by Cy Marsh? => 1
What is the sum of the prices of all products? => 19.0
What is the total weight of the products in O-1? => 450
How many customers are older than 40? => NONE
How many employees were born before 1980? => 2
"""
"""A question and its answers, or NONE where it must abstain, a line each."""
