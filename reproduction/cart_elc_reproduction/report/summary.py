"""What the report says first: what was run, how the paper was read, and by which protocol."""

from __future__ import annotations

from cart_elc_reproduction.protocol.algorithms import ELC_FORMS
from cart_elc_reproduction.report.document import Block, Highlights
from cart_elc_reproduction.report.formats import count, duration, share, span
from cart_elc_reproduction.report.runs import grown_trees
from cart_elc_reproduction.report.verdicts import verdict_counts
from cart_elc_reproduction.results.gathering import Results

PROTOCOL = (
    "The paper's protocol: ten trials of five-fold cross-validation, folds by KFold(5, shuffle=True, "
    "random_state=71 + trial). Accuracy and leaves are averaged over the folds of a trial; mean and population "
    "standard deviation are taken over the trials. Of the grid points whose mean accuracy is within 0.1 point of "
    "the best, the one with the fewest leaves is chosen, then the more accurate, the smaller r, the smaller depth; "
    "the paper says only “the best balance between mean accuracy and tree size”, and this rule makes its choices "
    "from its own grid. As in the paper, the choice is made on the test folds; what it costs to choose honestly is "
    "shown under “Honest selection”."
)
READING = (
    "The paper leaves open which sign a plane's normal has, and so on which side its samples fall, and which of "
    "equally good planes is kept. CART-ELC is run here with the rules that were found, after others had been tried, "
    "to fit the published figures best. The agreement of its figures is therefore partly by construction, not an "
    "independent confirmation; the project's docs/reproduction.md shows what other rules give."
)


def summary_blocks(results: Results) -> tuple[Block, ...]:
    """Return the numbers that sum up the report, and how it is to be read."""
    return (highlights(results), READING, PROTOCOL)


def highlights(results: Results) -> Highlights:
    """Return the numbers that sum up the report."""
    trees = grown_trees(results)
    exact = [record for record in trees if record["algorithm"] in ELC_FORMS]
    counts = verdict_counts(results)
    compared = counts.total()
    return Highlights(
        (
            (count(len(results.of_kind("fit"))), f"fits recorded, {trials_text(results)} of five folds"),
            (
                f"{compared - counts['not reached']} of {compared}",
                "published figures of what was run reproduced, within two deviations, or beaten",
            ),
            (str(counts["beaten"]), "of them beaten by more than two deviations"),
            (share(sum(record["proven"] for record in exact), len(exact)), "of exact trees with every split proven"),
            (duration(sum(record["seconds"] for record in trees)), "of growing trees, one thread each, by the clock"),
        )
    )


def trials_text(results: Results) -> str:
    """Return the number of trials, the fewest and the most where it differs."""
    text = span(results.trial_numbers)
    return f"{text} trial" + ("" if text == "1" else "s")
