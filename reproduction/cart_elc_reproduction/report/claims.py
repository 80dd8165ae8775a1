"""What the report opens with: the claims of the paper's abstract and conclusion, and what our runs make of them.

Words such as "often" have no number in the paper. Each has one here, said in the text, so that a verdict follows from
the records alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS, PUBLISHED
from cart_elc_reproduction.report.document import Block, Items
from cart_elc_reproduction.report.formats import count, duration, signed
from cart_elc_reproduction.report.other_tests import honest_comparison
from cart_elc_reproduction.report.paper_tables import papers_choice
from cart_elc_reproduction.report.significance import differs, our_comparison
from cart_elc_reproduction.report.verdicts import judged_cells, n_published
from cart_elc_reproduction.results import published
from cart_elc_reproduction.results.gathering import MeanStd, Result, Results
from cart_elc_reproduction.results.statistics import Comparison, significant

COMPETITIVE = 2.0
"""Percentage points from the most accurate algorithm that still count as competitive."""
OFTEN = 1 / 3
FREQUENTLY = 1 / 2
NOT_RUN = "not run"


@dataclass(frozen=True)
class Rivalry:
    """CART-ELC and one rival on one of the paper's data sets: ours, and what was published of both."""

    dataset: str
    rival: str
    elc: Result
    other: Result
    test: Comparison
    honest: Comparison | None

    def printed(self, quantity: str) -> float:
        """A published statistic of the pair."""
        return published.statistics()[quantity, str(ALGORITHMS[self.rival].published), self.dataset]

    def printed_leaves(self, name: str) -> MeanStd | None:
        """The published size of one of the two."""
        return published.cell_of("table2", str(ALGORITHMS[name].published), self.dataset, "leaves")

    @property
    def flips(self) -> bool:
        """Whether our run gives another verdict of significance than the published one."""
        return differs("welch_p", self.test.welch, self.printed("welch_p"))

    @property
    def printed_win(self) -> bool:
        """Whether CART-ELC is published as significantly more accurate."""
        return significant(self.printed("welch_p")) and self.printed("cohens_d") > 0

    @property
    def printed_smaller(self) -> bool:
        """Whether CART-ELC is published with fewer leaves."""
        elc, other = (self.printed_leaves(name) for name in ("cart-elc", self.rival))
        return elc is not None and other is not None and elc.mean < other.mean


class Evidence:
    """What the claims are judged by, gathered once.

    Parameters
    ----------
    results : Results
        Of any run; what it lacks is a claim that is not judged.
    """

    def __init__(self, results: Results) -> None:
        self.results = results

    @cached_property
    def rivalries(self) -> list[Rivalry]:
        """Every pair that was run and has published statistics."""
        return [
            Rivalry(dataset, name, elc, other, test, honest_comparison(self.results, name, dataset))
            for dataset in self.results.datasets_run
            for name in PUBLISHED[1:]
            if ("welch_p", str(ALGORITHMS[name].published), dataset) in published.statistics()
            and (test := our_comparison(self.results, name, dataset))
            and (elc := papers_choice(self.results, dataset, "cart-elc"))
            and (other := papers_choice(self.results, dataset, name))
        ]

    @cached_property
    def gaps(self) -> dict[str, float]:
        """Accuracy of CART-ELC minus that of the best rival, by data set."""
        datasets = dict.fromkeys(pair.dataset for pair in self.rivalries)
        return {
            dataset: min(p.elc.accuracy.mean - p.other.accuracy.mean for p in self.rivalries if p.dataset == dataset)
            for dataset in datasets
        }


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, and how it is judged: a verdict, and what our runs say."""

    text: str
    judge: Callable[[Evidence], tuple[str, str]]

    def sentence(self, evidence: Evidence) -> str:
        """The claim with its verdict."""
        verdict, finding = self.judge(evidence)
        return f"“{self.text}” {verdict.upper()}. {finding}".strip()


def is_competitive(evidence: Evidence) -> tuple[str, str]:
    """Whether CART-ELC is near the best rival on every data set."""
    if not evidence.gaps:
        return NOT_RUN, ""
    texts = (f"{CATALOGUE[dataset].title} {signed(gap)}" for dataset, gap in evidence.gaps.items())
    holds = min(evidence.gaps.values()) >= -COMPETITIVE
    text = f"Points of accuracy from the best rival: {', '.join(texts)}; within {COMPETITIVE:g} is called competitive."
    return "holds" if holds else "does not hold", text


def is_often_better(evidence: Evidence) -> tuple[str, str]:
    """How often CART-ELC is significantly more accurate, by the paper's test and by one that fits its protocol."""
    pairs = evidence.rivalries
    if not pairs:
        return NOT_RUN, ""
    wins = sum(significant(pair.test.welch) and pair.test.cohens_d > 0 for pair in pairs)
    losses = sum(significant(pair.test.welch) and pair.test.cohens_d < 0 for pair in pairs)
    honest = [pair.honest for pair in pairs if pair.honest is not None]
    corrected = sum(significant(test.corrected) and test.better > 0.5 for test in honest)
    text = (
        f"Of {len(pairs)} comparisons {sum(p.printed_win for p in pairs)} were published as significant improvements; "
        f"here {wins} are, and {losses} are significantly worse, by the paper's test."
    )
    if honest:
        text += (
            f" With r and depth chosen without the test folds, and the test corrected for folds that share rows, "
            f"{corrected} of {len(honest)} are."
        )
    if wins < OFTEN * len(pairs):
        return "does not hold", text
    in_full = bool(honest) and corrected >= OFTEN * len(honest)
    return ("holds" if in_full else "holds by the paper's test only"), f"{text} A third is called often."


def is_frequently_smaller(evidence: Evidence) -> tuple[str, str]:
    """How often CART-ELC's trees have fewer leaves than a rival's."""
    pairs = evidence.rivalries
    if not pairs:
        return NOT_RUN, ""
    smaller = [pair for pair in pairs if pair.elc.size.mean < pair.other.size.mean]
    larger = [pair for pair in pairs if pair.elc.size.mean > pair.other.size.mean]
    worst = sorted({CATALOGUE[pair.dataset].title for pair in larger if pair.elc.size.mean > 2 * pair.other.size.mean})
    exceptions = (
        f" Not on {' and '.join(worst)}, where it has more than twice the leaves of some rivals." if worst else ""
    )
    text = (
        f"Fewer leaves in {len(smaller)} of {len(pairs)} comparisons, more in {len(larger)}; published: fewer in "
        f"{sum(pair.printed_smaller for pair in pairs)}.{exceptions} Half is called frequently."
    )
    return "holds" if len(smaller) >= FREQUENTLY * len(pairs) else "does not hold", text


def uses_few_features(evidence: Evidence) -> tuple[str, str]:
    """What r the selection rule chooses, of those that the paper tried."""
    chosen = {pair.dataset: pair.elc.point.r for pair in evidence.rivalries}
    if not chosen:
        return NOT_RUN, ""
    texts = (f"{CATALOGUE[dataset].title} r = {r}" for dataset, r in chosen.items())
    return "holds", f"By construction; chosen here: {', '.join(texts)}."


def is_prohibitive(evidence: Evidence) -> tuple[str, str]:
    """What the largest measured split cost."""
    splits = evidence.results.of_kind("split")
    if not splits:
        return NOT_RUN, ""
    largest = max(splits, key=lambda record: record["n_candidates"])
    text = (
        f"It holds of trying every plane. By branch and bound the same split of {largest['n']:,} rows with "
        f"r = {largest['r']}, {count(largest['n_candidates'])} planes, takes {duration(largest['seconds'])}."
    )
    return "no longer holds", text


CLAIMS = (
    Claim("CART-ELC consistently achieves competitive performance on small datasets", is_competitive),
    Claim("often yielding statistically significant improvements in classification accuracy", is_often_better),
    Claim("frequently producing shallower, simpler, and thus more interpretable trees", is_frequently_smaller),
    Claim("r limits the number of features in each linear combination", uses_few_features),
    Claim("the computational complexity of CART-ELC remains prohibitively high for large datasets", is_prohibitive),
)


def claims_blocks(results: Results) -> tuple[Block, ...]:
    """Return what is against the paper first, then each claim with its verdict."""
    evidence = Evidence(results)
    return (against_text(evidence), Items(tuple(claim.sentence(evidence) for claim in CLAIMS)))


def against_text(evidence: Evidence) -> str:
    """Say how many verdicts of significance flip, and how many published figures have none of ours beside them."""
    pairs = evidence.rivalries
    n_judged = sum(1 for _ in judged_cells(evidence.results))
    parts = []
    if pairs:
        parts.append(
            f"{sum(pair.flips for pair in pairs)} of {len(pairs)} published verdicts of significance flip in our runs."
        )
    if n_judged < n_published():
        parts.append(
            f"{n_published() - n_judged} of {n_published()} published accuracies and sizes have nothing of ours "
            "beside them: their data could not be had, or were not asked for."
        )
    return " ".join([*parts, "The claims of the paper's abstract and conclusion, and what our runs say of them:"])
