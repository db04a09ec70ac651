UNWIND [
 ['SUP-1', 'Ferro Steel', 'Germany', 1921, 4.5], ['SUP-2', 'Lux Plastics', 'Poland', 1988, 3.9], ['SUP-3', 'Brightbolt', 'Italy', 2004, 4.8], ['SUP-4', 'Quarry & Sons', 'Ireland', 1899, 4.1]
] AS row CREATE (:Supplier {supplierId: row[0], companyName: row[1], country: row[2], founded: row[3], rating: row[4]});
UNWIND [
 ['P-10', 'Steel Rod', 2.5, 400, 1.2], ['P-11', 'Hex Bolt', 0.1, 12000, 0.02], ['P-12', 'Plastic Cap', 0.05, 9000, 0.01], ['P-13', 'Granite Slab', 35.0, 60, 22.0], ['P-14', 'Copper Wire', 4.75, 250, 0.6]
] AS row CREATE (:Part {partNo: row[0], partName: row[1], unitPrice: row[2], stock: row[3], weightKg: row[4]});
UNWIND [['SUP-1', 'P-10', 14], ['SUP-3', 'P-11', 5], ['SUP-1', 'P-11', 21], ['SUP-2', 'P-12', 7], ['SUP-4', 'P-13', 30]] AS row
MATCH (s:Supplier {supplierId: row[0]}), (p:Part {partNo: row[1]}) CREATE (s)-[:SUPPLIES {leadTimeDays: row[2]}]->(p);
UNWIND [['M-1', 'Garden Bench', 189.0, '2016-04-01', false], ['M-2', 'Park Lamp', 320.0, '2019-09-09', false], ['M-3', 'Picnic Table', 450.0, '2012-02-02', true], ['M-4', 'Bike Rack', 99.0, '2021-05-20', false]] AS row
CREATE (:Product {sku: row[0], name: row[1], listPrice: row[2], launchedOn: date(row[3]), discontinued: row[4]});
UNWIND [['M-1', 'P-10', 8], ['M-1', 'P-11', 24], ['M-2', 'P-14', 3], ['M-2', 'P-11', 12], ['M-2', 'P-12', 2], ['M-3', 'P-13', 1], ['M-4', 'P-10', 10], ['M-4', 'P-12', 20]] AS row
MATCH (a:Product {sku: row[0]}), (p:Part {partNo: row[1]}) CREATE (a)-[:MADE_FROM {quantity: row[2]}]->(p);
UNWIND [['C-1', 'City of Arden', 'Arden', '2015-03-03', true], ['C-2', 'Hotel Miramar', 'Costa', '2018-08-18', false], ['C-3', 'Lakeside School', 'Arden', '2020-01-20', false], ['C-4', 'Grand Zoo', 'Velden', '2011-11-11', true], ['C-5', 'Cafe Lumen', 'Costa', '2023-06-01', false]] AS row
CREATE (c:Customer {customerNo: row[0], name: row[1], town: row[2], customerSince: date(row[3])}) FOREACH (x IN CASE WHEN row[4] THEN [1] ELSE [] END | SET c:Premium);
UNWIND [
 ['SO-1041', 'C-1', '2024-01-15', 'shipped', 3780.0], ['SO-1042', 'C-2', '2024-02-20', 'shipped', 960.0], ['SO-1043', 'C-1', '2024-03-03', 'open', 640.0], ['SO-1044', 'C-3', '2024-03-28', 'cancelled', 198.0],
 ['SO-1045', 'C-4', '2023-11-30', 'shipped', 2250.0], ['SO-1046', 'C-2', '2024-05-05', 'open', 567.0], ['SO-1047', 'C-4', '2024-05-06', 'open', 99.0]
] AS row MATCH (c:Customer {customerNo: row[1]}) CREATE (o:SalesOrder {orderNo: row[0], orderedOn: date(row[2]), status: row[3], total: row[4]}) CREATE (c)-[:PLACED]->(o);
UNWIND [['SO-1041', 'M-1', 20, 189.0], ['SO-1042', 'M-2', 3, 320.0], ['SO-1043', 'M-2', 2, 320.0], ['SO-1044', 'M-4', 2, 99.0], ['SO-1045', 'M-3', 5, 450.0], ['SO-1046', 'M-1', 3, 189.0], ['SO-1047', 'M-4', 1, 99.0]] AS row
MATCH (o:SalesOrder {orderNo: row[0]}), (p:Product {sku: row[1]}) CREATE (l:OrderLine {quantity: row[2], unitPrice: row[3]}) CREATE (o)-[:HAS_LINE]->(l) CREATE (l)-[:OF_PRODUCT]->(p);
UNWIND [['North Depot', 'Arden', 5000], ['South Depot', 'Costa', 1200], ['Old Barn', 'Velden', 300]] AS row CREATE (:Warehouse {title: row[0], town: row[1], capacity: row[2]});
UNWIND [['M-1', 'North Depot', 40], ['M-2', 'North Depot', 15], ['M-4', 'South Depot', 70], ['M-1', 'South Depot', 5]] AS row
MATCH (p:Product {sku: row[0]}), (w:Warehouse {title: row[1]}) CREATE (p)-[:STORED_IN {units: row[2]}]->(w);
UNWIND [['Lena Vogt', '1980-10-10', 'plant manager'], ['Marco Rossi', '1991-02-14', 'buyer'], ['Nora Bell', '1975-07-07', 'sales'], ['Otto Kern', '1988-03-30', 'sales']] AS row
CREATE (:Person {name: row[0], born: date(row[1]), job: row[2]});
UNWIND [['Nora Bell', 'C-1'], ['Nora Bell', 'C-4'], ['Otto Kern', 'C-2'], ['Otto Kern', 'C-3']] AS row
MATCH (p:Person {name: row[0]}), (c:Customer {customerNo: row[1]}) CREATE (p)-[:LOOKS_AFTER]->(c);
UNWIND [['Marco Rossi', 'SUP-1'], ['Marco Rossi', 'SUP-3']] AS row MATCH (p:Person {name: row[0]}), (s:Supplier {supplierId: row[1]}) CREATE (p)-[:BUYS_FROM]->(s);
MATCH (a:Product {sku: 'M-2'}), (b:Product {sku: 'M-3'}), (c:Product {sku: 'M-1'}) CREATE (a)-[:REPLACES]->(b) CREATE (c)-[:SOLD_WITH]->(a)
