"""The search of one node in shares, which joblib's workers take: processes, or the machines of a Dask cluster.

The sets of features are independent but for the best loss so far. First parts of them are dived in greedily, then
shares of them are searched, each with the best loss that is known when it is handed out. What ties with that loss is
kept, so the best of the shares' answers is the answer of one search; where several shares tie, the sets in question are
searched once more together, and the kernel's own rule decides.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import comb, inf
from typing import Any

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

from cart_elc import _core

WORTH_SHARING = 10_000_000
"""Rows times sets of features from which on a search takes seconds, and sharing it pays."""
DIVES_PER_WORKER, SHARES_PER_WORKER = 4, 8
"""Parts of the sets for each worker: the last ones to end leave the others idle, and each takes a copy of the table."""
TIE = 1e-12
"""Losses this close are equal, as the kernel takes them."""

Answer = dict[str, Any]
Report = Callable[..., None]


@dataclass(frozen=True)
class Question:
    """What the kernel is asked: its function, the arrays of the node with what it has of classes, and the options."""

    kernel: str
    arrays: tuple[Any, ...]
    options: dict[str, Any]

    def answered(self, **options: Any) -> Answer:  # noqa: ANN401
        answer: Answer = getattr(_core, self.kernel)(*self.arrays, self.options | options)
        return answer

    @property
    def n_sets(self) -> int:
        """The number of feature sets, of all sizes that are searched."""
        r, m = self.options["r"], self.arrays[0].shape[1]
        return sum(comb(m, size) for size in (range(1, r + 1) if self.options["planes"] == "any" else (r,)))

    def is_worth_sharing(self) -> bool:
        return self.n_sets * len(self.arrays[2]) >= WORTH_SHARING


@dataclass
class Shares:
    """The answers so far."""

    question: Question
    n_workers: int
    start: float = field(default_factory=time.monotonic)
    answers: list[Answer] = field(default_factory=list)
    bounds: list[float] = field(default_factory=list)
    known: float = inf

    @property
    def n_shares(self) -> int:
        return SHARES_PER_WORKER * self.n_workers

    def dives(self) -> Iterator[Any]:
        n_parts = DIVES_PER_WORKER * self.n_workers
        for part in range(n_parts):
            yield self._task(part, n_parts, boxes=False)

    def searches(self) -> Iterator[Any]:
        """The tasks, each made when it is handed out, so that it knows the best loss by then."""
        for share in range(self.n_shares):
            yield self._task(share, self.n_shares, dives=False)

    def _task(self, share: int, n_shares: int, *, dives: bool = True, boxes: bool = True) -> Any:  # noqa: ANN401
        options = self.question.options | {"progress": None, "n_threads": 1, "seconds": self.seconds_left}
        options |= {"must_beat": self.must_beat(), "part": (share, n_shares, [], dives, boxes)}
        # The arrays go inside a question: as arguments of their own, joblib would place them on one of Dask's workers,
        # and with that worker they would be lost.
        return joblib.delayed(answered)(replace(self.question, options=options))

    @property
    def seconds_left(self) -> float:
        return max(float(self.question.options["seconds"]) - (time.monotonic() - self.start), 0.0)

    def must_beat(self) -> float:
        """What the question asks to beat, or so little more than the best loss known that what ties with it passes."""
        return min(float(self.question.options["must_beat"]), self.known + 2.5 * TIE)

    def note(self, answer: Answer, *, share: bool = False) -> None:
        self.known = min(self.known, answer["loss"])
        self.answers.append(answer | {"share": share})

    def add(self, answer: Answer) -> None:
        """Note the answer of a share, which bounds all splits of its sets."""
        self.note(answer, share=True)
        self.bounds.append(answer["bound"])
        report: Report | None = self.question.options["progress"]
        if report is not None:
            n_sets, seconds = self.question.n_sets, time.monotonic() - self.start
            done = len(self.bounds) * n_sets // self.n_shares
            report(done, n_sets, self.n_boxes, self.known, self.bound, seconds, 0)

    @property
    def bound(self) -> float:
        """What no split is below: while shares are open, what the dives know of all sets."""
        is_open = len(self.bounds) < self.n_shares
        dived: list[float] = [answer["bound"] for answer in self.answers if not answer["share"]] if is_open else []
        return min([self.known, *self.bounds, *dived])

    @property
    def n_boxes(self) -> int:
        return sum(answer["n_boxes"] for answer in self.answers)

    def best(self) -> Answer:
        """Return the one answer: the lowest loss, then the fewest features, then what the kernel prefers."""
        tied = [answer for answer in self.answers if answer["features"] and answer["loss"] <= self.known + TIE]
        best = min(tied, key=lambda answer: len(answer["features"]), default=self.answers[-1])
        bound = min(self.bounds)
        if bound < best["loss"] - TIE:
            return best | {"n_boxes": self.n_boxes, "proven": False, "bound": bound}
        size = len(best["features"])
        if size > 1:
            best = self._chosen([answer for answer in tied if len(answer["features"]) == size])
        return best | {"n_boxes": self.n_boxes, "proven": True, "bound": best["loss"]}

    def _chosen(self, tied: list[Answer]) -> Answer:
        """Search the sets of answers that tie once more, as one search would have met them."""
        sets = [list(features) for features in {tuple(answer["features"]) for answer in tied}]
        part = (0, 1, sets, True, True)
        best = self.question.answered(part=part, must_beat=self.must_beat(), seconds=inf, progress=None)
        if self.question.options["planes"] == "any":  # others keep no ties
            shares = [answer for answer in tied if answer["share"]]
            best["n_ties"] = sum(answer["n_ties"] for answer in shares)
            best["all_ties_kept"] = all(answer["all_ties_kept"] for answer in shares)
        return best


def answered(question: Question) -> Answer:
    """Answer a share of a question; this runs in a worker."""
    return question.answered()


def answer_in_shares(question: Question, n_workers: int) -> Answer:
    """Answer a question with joblib's workers; if one of them is lost and joblib cannot go on, without them."""
    shares = Shares(question, n_workers)
    work = joblib.Parallel(n_jobs=n_workers, return_as="generator_unordered", pre_dispatch=n_workers, batch_size=1)
    try:
        for answer in work(shares.dives()):
            shares.note(answer)
        for answer in work(shares.searches()):
            shares.add(answer)
    except TerminatedWorkerError:
        return question.answered(seconds=shares.seconds_left)
    return shares.best()
