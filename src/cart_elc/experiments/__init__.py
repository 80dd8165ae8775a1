"""The paper's experiments: protocol as data, runs as records, reports as functions of records."""
