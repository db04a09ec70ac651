// name:    load/end_script
// purpose: End the transaction of a script, of which a statement takes too long.
// params:  $script str what the transaction is marked with
// returns: message str what the server says of it; a row, or none when it has ended already
// needs:   nothing
// cost:    O(transactions)

CYPHER 5
SHOW TRANSACTIONS YIELD transactionId, metaData
WHERE metaData.script = $script
TERMINATE TRANSACTIONS transactionId YIELD message
RETURN message
ORDER BY message
