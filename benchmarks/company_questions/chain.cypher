UNWIND [['Nils Aker', 'Olga Brun'], ['Olga Brun', 'Piet Cole'], ['Nils Aker', 'Rita Dorn']] AS row
MERGE (a:Person {name: row[0]}) MERGE (b:Person {name: row[1]}) CREATE (a)-[:ADVISES]->(b);
UNWIND [['Saul Ek', 'Tess Ford'], ['Tess Ford', 'Uri Gold'], ['Yann Kato', 'Tess Ford']] AS row
MERGE (a:Person {name: row[0]}) MERGE (b:Person {name: row[1]}) CREATE (a)-[:TRAINED_BY]->(b);
UNWIND [['Viggo Hart', 'Wanda Ilk'], ['Wanda Ilk', 'Xavi Jonas'], ['Xavi Jonas', 'Zora Lamb']] AS row
MERGE (a:Person {name: row[0]}) MERGE (b:Person {name: row[1]}) CREATE (a)-[:SUCCEEDED_BY]->(b);
UNWIND [['Alpha Corp', 'Beta Works'], ['Beta Works', 'Gamma Press'], ['Alpha Corp', 'Delta Foods']] AS row
MERGE (a:Company {name: row[0]}) MERGE (b:Company {name: row[1]}) CREATE (a)-[:OWNS]->(b);
UNWIND [['Epsilon Mills', 'Zeta Bakery'], ['Zeta Bakery', 'Eta Shops'], ['Theta Dairy', 'Zeta Bakery']] AS row
MERGE (a:Company {name: row[0]}) MERGE (b:Company {name: row[1]}) CREATE (a)-[:SUPPLIES]->(b);
UNWIND [['Lower Vale', 'Vale County'], ['Vale County', 'Westland'], ['Upper Vale', 'Vale County']] AS row
MERGE (a:Region {name: row[0]}) MERGE (b:Region {name: row[1]}) CREATE (a)-[:PART_OF]->(b)
