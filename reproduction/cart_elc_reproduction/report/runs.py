"""What was run, on what and for how long, and what is missing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS
from cart_elc_reproduction.protocol.specification import N_TRIALS, PAPER_R, PAPER_SETS
from cart_elc_reproduction.protocol.tasks import Record
from cart_elc_reproduction.report.document import NOTHING, Block, Cell, Items, Table, row
from cart_elc_reproduction.report.formats import count, duration, share, span
from cart_elc_reproduction.results.gathering import Results

TreeKind = tuple[str, str, str]
"""Data set, algorithm and r, which is empty where the method has none."""

TIME_NOTE = (
    "One thread a tree. Times are those of the machines named below, whatever else they did. Trees of all criteria are "
    "counted together, and with them those of the inner folds of nested cross-validation, which have fewer rows. Only "
    "the forms of CART-ELC claim the best split; the rivals' splits are heuristic or along one feature."
)


def grown_trees(results: Results) -> list[Record]:
    """Return one record for each tree that was grown: the deepest of those read off it."""
    deepest: dict[tuple[object, ...], Record] = {}
    names = ("dataset", "algorithm", "criterion", "r", "trial", "fold", "inner")
    for record in results.of_kind("fit"):
        key = tuple(record[name] for name in names)
        if key not in deepest or (record["max_depth"] or 0) > (deepest[key]["max_depth"] or 0):
            deepest[key] = record
    return list(deepest.values())


def time_blocks(results: Results) -> tuple[Block, ...]:
    """Return run times by data set, algorithm and r."""
    by_kind: dict[TreeKind, list[Record]] = defaultdict(list)
    trees = grown_trees(results)
    for record in trees:
        by_kind[record["dataset"], record["algorithm"], "" if record["r"] is None else str(record["r"])].append(record)
    order = {name: i for i, name in enumerate([*CATALOGUE, *ALGORITHMS])}
    kinds = sorted(by_kind, key=lambda kind: (order[kind[0]], order[kind[1]], kind[2]))
    table = Table(
        header=("Trees", "r", "grown", "median", "longest", "together", "all splits proven"),
        rows=tuple(time_row(kind, by_kind[kind]) for kind in kinds),
        caption="Run times. A tree is grown once to the largest depth and read off at every smaller one.",
        note=TIME_NOTE,
    )
    return (*grid_times(trees), table)


def time_row(kind: TreeKind, records: Sequence[Record]) -> tuple[Cell, ...]:
    """Return the times of the trees of one kind."""
    dataset, algorithm, r = kind
    seconds = [record["seconds"] for record in records]
    n_proven = sum(record["proven"] for record in records)
    proven = share(n_proven, len(records)) if ALGORITHMS[algorithm].searches_r else NOTHING
    title = f"{CATALOGUE[dataset].title}: {ALGORITHMS[algorithm].title}"
    spread = (duration(median(seconds)), duration(max(seconds)), duration(sum(seconds)))
    return row(title, r, count(len(records)), *spread, proven)


def grid_times(trees: Sequence[Record]) -> tuple[str, ...]:
    """Say how long the paper's grid for CART-ELC took, and r = 3 beyond it."""
    searched = [record for record in trees if record["r"] is not None]
    outer = [record for record in searched if record["algorithm"] == "cart-elc" and record["inner"] is None]
    grid = [r for r in outer if r["dataset"] in PAPER_SETS and r["r"] <= PAPER_R[r["dataset"]]]
    beyond = [record for record in searched if record["r"] == 3 and PAPER_R[record["dataset"]] < 3]
    texts = []
    if grid:
        n_fits = count(len(grid) * len(ALGORITHMS["cart-elc"].depths))
        texts.append(f"The paper's grid for CART-ELC, {n_fits} fits: {together(grid)} of growing trees.")
    if beyond:
        texts.append(f"r = 3 beyond the paper, {count(len(beyond))} trees of all forms: {together(beyond)}.")
    return (" ".join(texts),) if texts else ()


def together(records: Sequence[Record]) -> str:
    """Return the time of some trees, one after the other."""
    return duration(sum(record["seconds"] for record in records))


def gap_blocks(results: Results) -> tuple[Block, ...]:
    """Return what the report lacks, and which copies of the data it used."""
    have = {record["dataset"] for record in results.of_kind("fit")}
    gaps = {record["dataset"]: record["reason"] for record in results.of_kind("gap")}
    missing = {dataset: reason for dataset, reason in gaps.items() if dataset not in have}
    texts = [f"{CATALOGUE[dataset].title} is missing: {reason}." for dataset, reason in missing.items()]
    ran = {record["algorithm"] for record in results.of_kind("fit")}
    lacking = [CATALOGUE[dataset].title for dataset in PAPER_SETS if dataset not in have | set(missing)]
    lacking += [algorithm.title for name, algorithm in ALGORITHMS.items() if name not in ran]
    if lacking:
        texts.append(f"Not run: {'; '.join(lacking)}.")
    builds = {record["versions"].get("build") for record in results.records if "versions" in record}
    if len(builds) > 1:
        texts.append(f"The records are of {len(builds)} builds of cart-elc: see Environment.")
    copies = {(r["dataset"], r["data"]["copy"]) for r in results.of_kind("fit") if r["data"]["copy"]}
    texts += [f"{CATALOGUE[dataset].title}: {copy}." for dataset, copy in sorted(copies)]
    trials = results.trial_numbers
    if trials and trials[0] < N_TRIALS:
        texts.append(f"Trials, where the paper has {N_TRIALS}: {span(trials)}.")
    return (Items(tuple(texts)),) if texts else ("Nothing is missing.",)


def environment_blocks(results: Results) -> tuple[Block, ...]:
    """Return the programs and machines that made the records."""
    made: dict[tuple[str, str], list[str]] = defaultdict(list)
    for record in results.records:
        if "versions" in record:
            made[json.dumps(record["versions"]), json.dumps(record["machine"])].append(record["finished"])
    rows = []
    for (versions, machine), finished in made.items():
        names = ", ".join(f"{name} {number}" for name, number in json.loads(versions).items())
        where = "{processor}, {processors} processors, {system}".format(**json.loads(machine))
        rows.append(row(where, names, count(len(finished)), min(finished)[:16], max(finished)[:16]))
    table = Table(
        header=("Machine", "Versions", "records", "first", "last (UTC)"),
        rows=tuple(rows),
        caption="What made the records.",
    )
    return (table,)
