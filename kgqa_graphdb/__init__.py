"""Question answering over knowledge graphs in Neo4j."""
