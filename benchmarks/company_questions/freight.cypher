UNWIND [
 [1, 'Nadia', 'Brook', '1982-03-14', '2010-05-01', 98000], [2, 'Oskar', 'Lund', '1990-11-02', '2014-08-18', 72000], [3, 'Priya', 'Shah', '1986-06-25', '2012-02-06', 81000],
 [4, 'Quentin', 'Moss', '1995-09-30', '2019-10-01', 56000], [5, 'Rosa', 'Diaz', '1978-12-12', '2008-01-15', 104000], [6, 'Stefan', 'Gruber', '1992-04-04', '2017-07-03', 63000],
 [7, 'Tara', 'Quinn', '1999-08-21', '2022-09-12', 51000], [8, 'Umar', 'Farouk', '1984-01-09', '2016-03-21', 69000], [9, 'Vera', 'Novak', '1997-05-17', '2021-06-07', 54000]
] AS row CREATE (:Employee {employeeId: row[0], firstName: row[1], lastName: row[2], birthDate: date(row[3]), startDate: date(row[4]), salary: row[5]});
UNWIND [[5, 1], [5, 3], [1, 2], [1, 4], [3, 6], [3, 8], [2, 7], [8, 9]] AS row
MATCH (a:Employee {employeeId: row[0]}), (b:Employee {employeeId: row[1]}) CREATE (a)-[:MANAGES]->(b);
UNWIND [[2, 4], [6, 7], [3, 9]] AS row MATCH (a:Employee {employeeId: row[0]}), (b:Employee {employeeId: row[1]}) CREATE (a)-[:MENTORS]->(b);
UNWIND [['Platform', 'Gdansk'], ['R&D', 'Porto'], ['Fleet Ops', 'Gdansk'], ['Customer Care', 'Leeds']] AS row CREATE (:Team {teamName: row[0], city: row[1]});
UNWIND [[1, 'Platform', 'lead'], [2, 'Platform', 'engineer'], [4, 'Platform', 'engineer'], [3, 'R&D', 'lead'], [6, 'R&D', 'researcher'], [8, 'Fleet Ops', 'lead'], [9, 'Fleet Ops', 'dispatcher'], [7, 'Customer Care', 'agent']] AS row
MATCH (e:Employee {employeeId: row[0]}), (t:Team {teamName: row[1]}) CREATE (e)-[:MEMBER_OF {role: row[2]}]->(t);
UNWIND [['C++', 1985], ['C#', 2000], ['Go', 2009], ['Python', 1991], ['R', 1993]] AS row CREATE (:Skill {name: row[0], yearIntroduced: row[1]});
UNWIND [[2, 'C++', 5], [2, 'Python', 3], [4, 'Go', 2], [4, 'C#', 4], [6, 'R', 6], [6, 'Python', 5], [1, 'C#', 9], [9, 'Python', 1]] AS row
MATCH (e:Employee {employeeId: row[0]}), (s:Skill {name: row[1]}) CREATE (e)-[:KNOWS {years: row[2]}]->(s);
UNWIND [['PRJ-1', 'Night Owl', 250000, '2023-01-10', '2024-06-30', true], ['PRJ-2', 'Blue Crane', 120000, '2024-02-01', null, true], ['PRJ-3', 'Paper Trail', 40000, '2022-05-05', '2022-12-20', false], ['PRJ-4', 'Cold Chain', 310000, '2024-09-01', null, true]] AS row
CREATE (p:Project {code: row[0], title: row[1], budget: row[2], started: date(row[3]), billable: row[5]}) SET p.finished = date(row[4]);
UNWIND [[1, 'PRJ-1', 420], [2, 'PRJ-1', 610], [4, 'PRJ-2', 180], [2, 'PRJ-2', 90], [6, 'PRJ-3', 300], [3, 'PRJ-3', 75], [8, 'PRJ-4', 260], [9, 'PRJ-4', 140], [6, 'PRJ-4', 55]] AS row
MATCH (e:Employee {employeeId: row[0]}), (p:Project {code: row[1]}) CREATE (e)-[:WORKS_ON {totalHours: row[2]}]->(p);
UNWIND [['Hansa Foods', 'Bremen'], ['Tejo Pharma', 'Porto'], ['Nordlys Energy', 'Bergen']] AS row CREATE (:Client:Company {name: row[0], headquarters: row[1]});
UNWIND [['PRJ-1', 'Nordlys Energy'], ['PRJ-2', 'Hansa Foods'], ['PRJ-4', 'Hansa Foods'], ['PRJ-4', 'Tejo Pharma']] AS row
MATCH (p:Project {code: row[0]}), (c:Client {name: row[1]}) CREATE (p)-[:COMMISSIONED_BY]->(c);
UNWIND [
 ['T-11', 'Login loops', 'high', 'open', '2024-03-02', null, 2, 'PRJ-1'], ['T-12', 'Map tiles missing', 'low', 'closed', '2024-03-05', '2024-03-09', 4, 'PRJ-2'], ['T-13', 'Sensor drift', 'critical', 'open', '2024-10-11', null, 9, 'PRJ-4'],
 ['T-14', 'Invoice typo', 'low', 'closed', '2023-06-01', '2023-06-02', 7, 'PRJ-1'], ['T-15', 'Door alarm', 'high', 'closed', '2024-11-20', '2024-12-24', 8, 'PRJ-4'], ['T-16', 'Slow export', 'medium', 'open', '2024-08-08', null, 2, 'PRJ-2'],
 ['T-17', 'Lost pallets', 'critical', 'closed', '2025-01-04', '2025-01-06', 9, 'PRJ-4']
] AS row MATCH (e:Employee {employeeId: row[6]}), (p:Project {code: row[7]})
CREATE (t:Ticket {ticketNo: row[0], subject: row[1], priority: row[2], state: row[3], openedOn: date(row[4])}) SET t.closedOn = date(row[5]) CREATE (t)-[:ASSIGNED_TO]->(e) CREATE (t)-[:ABOUT]->(p);
MATCH (a:Ticket {ticketNo: 'T-13'}), (b:Ticket {ticketNo: 'T-15'}), (c:Ticket {ticketNo: 'T-17'}) CREATE (c)-[:DUPLICATES]->(b) CREATE (a)-[:BLOCKS]->(c);
UNWIND [['TR-7', 'Mercedes Actros', 18.5, 2018, ['cooled', 'GPS']], ['TR-8', 'Volvo FH', 24.0, 2021, ['GPS']], ['TR-9', 'Iveco Daily', 3.5, 2015, []]] AS row
CREATE (:Truck {plate: row[0], model: row[1], payloadTons: row[2], modelYear: row[3], features: row[4]});
UNWIND [['Vera', 'TR-7'], ['Umar', 'TR-8']] AS row MATCH (e:Employee {firstName: row[0]}), (t:Truck {plate: row[1]}) CREATE (e)-[:DRIVES]->(t)
