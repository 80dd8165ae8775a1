"""The paper, reproduced: its protocol as data, runs as records, results and reports as functions of records.

The rooms, each of which imports only those before it: `protocol` (what is fitted), `results` (records as numbers, and
the published ones), `run` (fitting and keeping records), `report`, `sensitivity` (the protocol with variations) and
`pages` (docs/ from a run). `command` is ``cart-elc reproduce``.
"""
