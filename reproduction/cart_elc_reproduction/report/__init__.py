"""The report: a pure function of records, as one HTML page and as Markdown."""
