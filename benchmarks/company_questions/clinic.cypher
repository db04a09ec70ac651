UNWIND [
 ['W1', 'Maple Ward', 12], ['W2', 'Harbour Ward', 8], ['W3', 'Sunrise Ward', 20], ['W4', 'Quiet Room', 2]
] AS row CREATE (:Ward {code: row[0], name: row[1], beds: row[2]});
UNWIND [
 ['S01', 'Ruth Abel', 'Cardiology', '2009-04-01'], ['S02', 'Igor Petrov', 'Neurology', '2015-09-15'],
 ['S03', 'Lucy Marsh', 'Cardiology', '2019-01-07'], ['S04', 'Omar Haddad', 'Surgery', '2012-06-30'],
 ['S05', 'Greta Lind', 'Paediatrics', '2021-11-02'], ['S06', 'Paul Okafor', 'Surgery', '2022-03-14']
] AS row CREATE (:Employee:Doctor {staffId: row[0], name: row[1], specialty: row[2], hiredOn: date(row[3])});
UNWIND [
 ['S11', 'Tina Roth', 'night', '2018-05-01'], ['S12', 'Ben Castle', 'day', '2020-02-20'],
 ['S13', 'Mia Flores', 'night', '2016-08-08'], ['S14', 'Hugo Brandt', 'day', null]
] AS row CREATE (n:Employee:Nurse {staffId: row[0], name: row[1], shift: row[2]}) SET n.hiredOn = date(row[3]);
UNWIND [
 ['P100', 'Alma Reyes', '1950-02-11', 75, 'A+'], ['P101', 'Boris Wendt', '1988-07-30', 37, 'O-'],
 ['P102', 'Clara Nunez', '2001-12-05', 23, 'B+'], ['P103', 'David Stone', '1964-03-19', 61, 'A+'],
 ['P104', 'Elin Dahl', '2015-10-22', 10, 'AB+'], ['P105', 'Farid Amin', '1979-05-02', 46, 'O+'],
 ['P106', 'Gwen Pratt', '1943-09-09', 82, null], ['P107', 'Hanna Weiss', '1993-01-27', 32, 'O-'],
 ['P108', 'Ivan Kolar', '1971-11-11', 54, 'A-'], ['P109', 'Jane Otieno', '1985-06-16', 40, 'B+']
] AS row CREATE (:Patient {patientNo: row[0], fullName: row[1], dateOfBirth: date(row[2]), age: row[3], bloodGroup: row[4]});
UNWIND [
 ['I10', 'Hypertension'], ['G43', 'Migraine'], ['J45', 'Asthma'], ['E11', 'Type 2 Diabetes'], ['S82', 'Broken Leg'], ['M54', 'Back Pain']
] AS row CREATE (:Condition {icd: row[0], title: row[1]});
UNWIND [
 ['Lisopril', 10, 4.2], ['Sumatan', 50, 12.5], ['Ventolo', 2, 8.0], ['Glucomin', 500, 3.1], ['Painoff', 400, 1.5]
] AS row CREATE (:Drug {name: row[0], strengthMg: row[1], pricePerPack: row[2]});
UNWIND [
 ['P100', 'I10', '2011-03-01', 'severe'], ['P100', 'E11', '2016-10-10', 'mild'], ['P101', 'G43', '2019-05-21', 'moderate'],
 ['P102', 'J45', '2008-02-02', 'mild'], ['P103', 'I10', '2020-08-17', 'moderate'], ['P104', 'J45', '2023-04-12', 'severe'],
 ['P105', 'S82', '2025-01-15', 'severe'], ['P106', 'E11', '1999-12-31', 'severe'], ['P106', 'M54', '2005-06-06', 'moderate'],
 ['P107', 'G43', '2024-07-07', 'severe'], ['P108', 'M54', '2021-09-29', 'mild'], ['P109', 'I10', '2022-02-22', 'mild']
] AS row MATCH (p:Patient {patientNo: row[0]}), (c:Condition {icd: row[1]}) CREATE (p)-[:DIAGNOSED_WITH {on: date(row[2]), severity: row[3]}]->(c);
UNWIND [
 ['P100', 'W1', '2025-02-01'], ['P103', 'W1', '2025-02-10'], ['P104', 'W3', '2025-01-30'], ['P105', 'W2', '2025-01-15'], ['P106', 'W1', '2024-12-24'], ['P109', 'W3', '2025-02-14']
] AS row MATCH (p:Patient {patientNo: row[0]}), (w:Ward {code: row[1]}) CREATE (p)-[:ADMITTED_TO {since: date(row[2])}]->(w);
UNWIND [['S01', 'W1'], ['S03', 'W1'], ['S02', 'W2'], ['S04', 'W2'], ['S06', 'W2'], ['S05', 'W3']] AS row
MATCH (d:Doctor {staffId: row[0]}), (w:Ward {code: row[1]}) CREATE (d)-[:WORKS_ON]->(w);
UNWIND [['S11', 'W1'], ['S12', 'W1'], ['S13', 'W2'], ['S14', 'W3']] AS row
MATCH (n:Nurse {staffId: row[0]}), (w:Ward {code: row[1]}) CREATE (n)-[:ASSIGNED_TO]->(w);
UNWIND [['S01', 'S03'], ['S04', 'S06'], ['S01', 'S02']] AS row
MATCH (a:Doctor {staffId: row[0]}), (b:Doctor {staffId: row[1]}) CREATE (a)-[:SUPERVISES]->(b);
UNWIND [['P100', 'Lisopril', 20], ['P100', 'Glucomin', 1000], ['P101', 'Sumatan', 50], ['P102', 'Ventolo', 2], ['P103', 'Lisopril', 10], ['P105', 'Painoff', 800], ['P106', 'Glucomin', 500], ['P106', 'Painoff', 400]] AS row
MATCH (p:Patient {patientNo: row[0]}), (d:Drug {name: row[1]}) CREATE (p)-[:TAKES {doseMg: row[2]}]->(d);
UNWIND [['Lisopril', 'I10'], ['Sumatan', 'G43'], ['Ventolo', 'J45'], ['Glucomin', 'E11'], ['Painoff', 'M54'], ['Painoff', 'G43']] AS row
MATCH (d:Drug {name: row[0]}), (c:Condition {icd: row[1]}) CREATE (d)-[:TREATS]->(c);
UNWIND [
 ['A-501', '2025-03-03', 30, 'done', 'P100', 'S01'], ['A-502', '2025-03-03', 45, 'done', 'P101', 'S02'], ['A-503', '2025-03-05', 20, 'cancelled', 'P102', 'S05'],
 ['A-504', '2025-03-10', 60, 'booked', 'P105', 'S04'], ['A-505', '2025-03-12', 30, 'booked', 'P103', 'S01'], ['A-506', '2025-03-12', 15, 'booked', 'P109', 'S03'],
 ['A-507', '2025-03-20', 30, 'booked', 'P100', 'S03'], ['A-508', '2025-04-02', 90, 'booked', 'P106', 'S04'], ['A-509', '2025-04-02', 30, 'cancelled', 'P107', 'S02']
] AS row MATCH (p:Patient {patientNo: row[4]}), (d:Doctor {staffId: row[5]})
CREATE (a:Appointment {ref: row[0], scheduledFor: date(row[1]), lengthMinutes: row[2], status: row[3]}) CREATE (a)-[:FOR_PATIENT]->(p) CREATE (a)-[:WITH_DOCTOR]->(d)
