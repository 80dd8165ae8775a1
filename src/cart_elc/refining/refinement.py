"""What refining did, and its form in a file."""

from dataclasses import dataclass
from functools import partial

from cart_elc.tree.fields import Field
from cart_elc.tree.storage import LARGEST_COUNT


@dataclass(frozen=True)
class Refinement:
    """What refining did, before any pruning.

    Attributes
    ----------
    unit : str
        Of the objective: "errors", "squared error" or "bits".
    before, after : float
        The objective of the tree that the criterion's own growth gave, and of the tree as it is.
    n_passes, n_changes : int
        Passes over the nodes, the last without a change unless the time ran out; and the changes that were made.
    proven : bool
        Whether every split is proven to be the best given the rest of the tree.
    start : str
        What gave the best tree: the growth by a criterion, a random tree, or the best tree with a split redrawn, with
        the number of the start.
    seconds : float
        Time of refining, growth aside.
    """

    unit: str
    before: float
    after: float
    n_passes: int
    n_changes: int
    proven: bool
    start: str
    seconds: float

    def __str__(self) -> str:
        proof = "every split proven best given the rest" if self.proven else "not proven"
        return (
            f"{self.unit} {self.before:.6g} -> {self.after:.6g} in {self.n_changes} changes, {self.n_passes} passes, "
            f"from {self.start}, {self.seconds:.3g} s; {proof}"
        )


def decode_refinement(done: Field) -> Refinement:
    """Return what a file says that refining did."""
    count = partial(Field.integer, low=0, high=LARGEST_COUNT)
    return Refinement(
        unit=done["unit"].text(),
        before=done["before"].real(),
        after=done["after"].real(),
        n_passes=count(done["n_passes"]),
        n_changes=count(done["n_changes"]),
        proven=done["proven"].flag(),
        start=done["start"].text(),
        seconds=done["seconds"].real(low=0.0),
    )
