"""The paper, reproduced: its protocol as data, runs as records, results and reports as functions of records.

The rooms, each of which imports only those before it: `protocol` (what is to be fitted), `run` (fitting it and keeping
records), `results` (the records as numbers, and the published ones), `report`, `sensitivity` and `pages`.
"""
