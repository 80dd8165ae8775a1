"""The page of ``peers.py``: what is lost and won beside other libraries, from its records."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from peer_methods import DEFAULT, FOREST, METHODS, N_INNER, TIME_LIMIT, versions
from scipy.stats import t as student

Record = dict[str, Any]
Key = tuple[int, int]


class Measure(NamedTuple):
    """What is measured, how it is printed, and whether more of it is better."""

    title: str
    key: str
    scale: float
    digits: int
    sign: int = -1


ACCURACY = Measure("Accuracy %", "accuracy", 100.0, 1, sign=1)
MIXED_LOSS = Measure("Mixed log-loss", "mixed_log_loss", 1.0, 3)
MEASURES = (
    ACCURACY,
    MIXED_LOSS,
    Measure("Log-loss", "log_loss", 1.0, 3),
    Measure("Leaves", "leaves", 1.0, 1),
    Measure("Coefficients", "coefficients", 1.0, 1),
    Measure("Seconds", "seconds", 1.0, 2),
)


class Interval(NamedTuple):
    """A mean over folds and half its 95 % interval."""

    mean: float
    half: float

    @property
    def sign(self) -> int:
        """On which side of zero the whole interval is; 0 if on neither."""
        return int(np.sign(self.mean)) if abs(self.mean) > self.half else 0

    def text(self, measure: Measure, plus: str = "") -> str:
        mean, half = measure.scale * self.mean, measure.scale * self.half
        return f"{mean:{plus}.{measure.digits}f} ± {half:.{measure.digits}f}"


class Results:
    """The records of whole trials, by method and set."""

    def __init__(self, found: list[Record], n_folds: int) -> None:
        self.n_folds = n_folds
        by_trial: dict[tuple[str, str, int], list[Record]] = defaultdict(list)
        for record in found:
            by_trial[record["method"], record["set"], record["trial"]].append(record)
        self.cells: dict[tuple[str, str], list[Record]] = defaultdict(list)
        for (method, name, _), records in sorted(by_trial.items()):
            if len(records) == n_folds:
                self.cells[method, name] += records
        order = {record["set"]: record for record in found}
        self.shapes = {name: record for name, record in order.items() if (DEFAULT, name) in self.cells}
        self.sets = sorted(self.shapes, key=lambda name: self.shapes[name]["rows"])

    @cached_property
    def methods(self) -> list[str]:
        return [method.name for method in METHODS if any((method.name, name) in self.cells for name in self.sets)]

    def records(self) -> Iterator[Record]:
        return (record for records in self.cells.values() for record in records)

    def n_trials(self, method: str, name: str) -> int:
        return len(self.cells.get((method, name), [])) // self.n_folds

    def values(self, method: str, name: str, key: str) -> dict[Key, float]:
        records = self.cells.get((method, name), [])
        return {(r["trial"], r["fold"]): r[key] for r in records if r[key] is not None}

    def interval(self, values: list[float]) -> Interval:
        """The mean over the folds, and half of its interval by Nadeau and Bengio's corrected variance."""
        n = len(values)
        spread = np.sqrt((1 / n + 1 / (self.n_folds - 1)) * np.var(values, ddof=1))
        return Interval(float(np.mean(values)), float(student.ppf(0.975, n - 1) * spread))

    def of(self, method: str, name: str, measure: Measure) -> Interval | None:
        values = list(self.values(method, name, measure.key).values())
        return self.interval(values) if values else None

    def gain(self, one: str, other: str, name: str, measure: Measure) -> Interval | None:
        """By how much one method is better than another, over the folds that both have."""
        ours, theirs = (self.values(method, name, measure.key) for method in (one, other))
        gaps = [measure.sign * (ours[key] - theirs[key]) for key in ours if key in theirs]
        return self.interval(gaps) if gaps else None


def page(found: list[Record], n_folds: int, mixed: float) -> str:
    results = Results(found, n_folds)
    lines = [HEAD.format(n_folds=n_folds, n_inner=N_INNER, n_candidates=n_candidates(), versions=versions())]
    lines += [f"\n{sentence}" for sentence in (trials(results), left_out())]
    lines += ["\n## The sets\n", *sets_table(results)]
    for subject, title in ((DEFAULT, "The default tree"), (FOREST, "The forest")):
        lines += [f"\n## {title} beside the others\n", *lost_and_won(results, subject, title)]
    lines += ["\n## All figures"]
    for measure in MEASURES:
        lines += [f"\n### {measure.title}\n", *measure_table(results, measure)]
    return "\n".join([*lines, QUESTIONS.format(mixed=mixed, limit=TIME_LIMIT, cut=cut(results), bare=bare(results))])


def n_candidates() -> int:
    """How many candidates each method that chooses has; the same for all of them."""
    (number,) = {int(np.prod([len(values) for values in m.grid.values()])) for m in METHODS if m.grid}
    return number


def trials(results: Results) -> str:
    """Of how many trials the figures are."""
    methods: dict[tuple[str, int], list[str]] = defaultdict(list)
    for name, method in itertools.product(results.sets, results.methods):
        methods[name, results.n_trials(method, name)].append(method)
    most = max(n for _, n in methods)
    fewer = [f"{n} on {name} for {named(results, those)}" for (name, n), those in methods.items() if n < most]
    return f"Every figure is of {most} trials" + (f", but {'; '.join(fewer)}." if fewer else ".")


def named(results: Results, methods: list[str]) -> str:
    """The methods by name, or those that are not among them where they are fewer."""
    others = [method for method in results.methods if method not in methods]
    listed, start = (others, "all but ") if len(others) < len(methods) else (methods, "")
    return start + " and ".join(f"*{method}*" for method in listed) if listed else "all"


def left_out() -> str:
    """What could not be compared, and why."""
    reasons = [(method, method.reason_against()) for method in METHODS]
    said = [f"*{method.name}* (`{reason}`)" for method, reason in reasons if reason]
    return f"Tried and left out, because a fit on iris fails: {'; '.join(said)}." if said else "Nothing is left out."


def sets_table(results: Results) -> Iterator[str]:
    yield "| | rows | features | classes |\n| --- | ---: | ---: | ---: |"
    for name in results.sets:
        shape = results.shapes[name]
        yield f"| {name} | {shape['rows']} | {shape['features']} | {shape['classes']} |"


def lost_and_won(results: Results, subject: str, title: str) -> Iterator[str]:
    others = [method for method in results.methods if method != subject]
    for word, sign in (("**Accuracy lost** to", -1), ("**Accuracy won** over", 1)):
        found = {
            other: [name for name, its in signs(results, subject, other, ACCURACY) if its == sign] for other in others
        }
        said = [f"*{other}* on {', '.join(names)}" for other, names in found.items() if names]
        yield f"{word} {'; '.join(said) or 'none'}.\n"
    yield f"*{subject}*: sets lost / undecided / won, by intervals that leave out zero or not.\n"
    measured = [measure for measure in MEASURES if any(results.of(subject, name, measure) for name in results.sets)]
    yield f"| beside | {' | '.join(measure.title for measure in measured)} |"
    yield f"| --- |{' ---: |' * len(measured)}"
    for other in others:
        yield f"| {other} | {' | '.join(tally(results, subject, other, measure) for measure in measured)} |"
    for measure in (ACCURACY, MIXED_LOSS):
        yield f"\n### {title}: {measure.title.lower()}, by how much\n"
        yield "Better is positive, worse is negative; bold where zero is left out.\n"
        yield f"| beside | {' | '.join(results.sets)} |"
        yield f"| --- |{' ---: |' * len(results.sets)}"
        for other in others:
            gains = [results.gain(subject, other, name, measure) for name in results.sets]
            yield f"| {other} | {' | '.join(gain_text(gain, measure) for gain in gains)} |"


def tally(results: Results, subject: str, other: str, measure: Measure) -> str:
    found = [sign for _, sign in signs(results, subject, other, measure)]
    return " / ".join(str(found.count(sign)) for sign in (-1, 0, 1)) if found else "-"


def signs(results: Results, subject: str, other: str, measure: Measure) -> list[tuple[str, int]]:
    """The sets that both methods have, with the sign of what the first gains."""
    gains = [(name, results.gain(subject, other, name, measure)) for name in results.sets]
    return [(name, gain.sign) for name, gain in gains if gain]


def gain_text(gain: Interval | None, measure: Measure) -> str:
    if gain is None:
        return "-"
    text = gain.text(measure, "+")
    return f"**{text}**" if gain.sign else text


def measure_table(results: Results, measure: Measure) -> Iterator[str]:
    """A row for each method; the mean is over the sets that all of them have."""
    found = {method: {name: results.of(method, name, measure) for name in results.sets} for method in results.methods}
    found = {method: cells for method, cells in found.items() if any(cells.values())}
    everywhere = [name for name in results.sets if all(cells[name] for cells in found.values())]
    yield f"| | {' | '.join(results.sets)} | mean |\n| --- |{' ---: |' * (len(results.sets) + 1)}"
    for method, cells in found.items():
        means = [cell.mean for name, cell in cells.items() if cell and name in everywhere]
        texts = [cell.text(measure) if cell else "-" for cell in cells.values()]
        yield f"| {method} | {' | '.join(texts)} | {measure.scale * float(np.mean(means)):.{measure.digits}f} |"
    if everywhere != results.sets:
        yield f"\nThe mean is over {', '.join(everywhere)}."


def cut(results: Results) -> str:
    """On which sets a fit met its time limit."""
    return ", ".join(dict.fromkeys(record["set"] for record in results.records() if record["cut"])) or "none"


def bare(results: Results) -> str:
    """How many test rows got no probabilities, by method."""
    counts: Counter[str] = Counter()
    for record in results.records():
        counts[record["method"]] += record["bare"]
    return ", ".join(f"{method} {count}" for method, count in counts.items() if count) or "none"


HEAD = """# Beside other libraries

Written by `benchmarks/peers.py`, which anyone can run again: {n_folds}-fold cross-validation in several trials, the
same folds for every method. A method with something to choose chooses among {n_candidates} candidates by {n_inner}-fold
cross-validation within the training rows. *as it comes*, *r = 3*, *refined* and both forests choose nothing;
*cart-elc, chosen* chooses `r` and `price`. STree, logistic regression and both forests are yardsticks of what a tree of
sparse splits gives away: their splits use all features, or there are a hundred trees. ± is half of a 95 % interval.
{versions}."""
QUESTIONS = """
## What a sceptic asks

**Are the folds the same?** Yes: those of trial *t* are scikit-learn's `KFold`, shuffled with seed 71 + *t*, as in the
[reproduction](reproduction.md). The inner folds are stratified, shuffled with seed 0, and the same for every method.
Every method that draws has a fixed seed.

**Does anything see the test rows?** No: medians for missing values and scales are steps of a pipeline that is fitted on
training rows alone, in the inner folds too.

**Were the defaults of this library chosen on these sets?** Partly, and so they may be flattered: `r`, the criterion and
the price were settled with an eye on iris, wine, wdbc, cancer, housing and diabetes ([choosing](choosing.md)), the
price also on other planted pairs ([stopping](stopping.md)), and refining was looked at on planted pairs of another size
and on a few pixels of digits ([refining](refining.md)). The planted axis tree and the planted plane had no part in it.

**Is the tuning even?** Each method that chooses has as many candidates, and its library's default is among them;
choosing is by accuracy. This library's three fixed trees have no such help. ydf also holds out rows of its own to
prune.

**Are the synthetic sets ours to win?** One of them. The labels of *planted axis tree* come from a tree of axis-parallel
splits, scikit-learn's home; those of *planted pairs* from splits on two features, ours; those of *planted plane* from
one split on all features, that of STree and of logistic regression. 5 % of the labels are turned, so that the truth
itself is right on 95 % of the rows (`benchmarks/planted_trees.py`).

**Who gets scaled and completed data?** STree, obliquetree and logistic regression, which need scales, get them; ydf's
oblique tree chooses its own normalisation. Only housing has missing values: this library, scikit-learn's trees and ydf
take them as they are, the others get medians.

**What are the intervals?** Of the mean over all folds of all trials, by the corrected resampled *t* (Nadeau and Bengio,
2003), since folds share training rows. Each is of 95 % by itself: of a hundred comparisons without any difference, five
come out bold.

**Why two log-losses?** A leaf of one class says probability 0 for the others, and one such row in the wrong leaf
outweighs all the rest. *Log-loss* takes shares as they are, not below 1e-15; *mixed log-loss* first gives {mixed:.0%}
of the probability to all classes evenly. Test rows without any probabilities count as even: {bare}.

**What is counted?** Coefficients are the features of all splits together, or logistic regression's weights. Seconds are
of one processor for the whole fit, choosing included, on a machine with other work. Trees with `r = 3` are cut short
after {limit} s and then are not proven; sets where that happened: {cut}.

**And regression, and boosting?** [One tree or a forest](forests.md) has both.
"""
