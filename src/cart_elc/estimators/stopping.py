"""The parameters that say when a tree stops growing, which trees and forests have by the same names."""

from dataclasses import dataclass

from cart_elc.estimators.parameters import check_count, check_int, check_real
from cart_elc.growing import Stopping


@dataclass(kw_only=True, eq=False, repr=False)
class StoppingRules:
    """scikit-learn's limits of growth.

    Parameters
    ----------
    max_depth : int or None, default=None
        Largest depth of a leaf.
    min_samples_split : int or float, default=2
        Fewest rows of a node that is split; a float is a fraction of the rows.
    min_samples_leaf : int or float, default=1
        Fewest rows on each side of a split; a float is a fraction of the rows. Rows count, not weights.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share of the total weight on each side of a split.
    min_impurity_decrease : float, default=0.0
        Smallest weighted impurity decrease of a split. At 0, splits without gain are made too.
    max_leaf_nodes : int or None, default=None
        Largest number of leaves; the tree is then grown best-first.
    """

    max_depth: int | None = None
    min_samples_split: int | float = 2
    min_samples_leaf: int | float = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None

    def _stopping(self, n_samples: int) -> Stopping:
        """Check the stopping rules and turn fractions into counts."""
        return Stopping(
            max_depth=check_int("max_depth", self.max_depth, 1, optional=True),
            min_samples_split=check_count("min_samples_split", self.min_samples_split, 2, n_samples),
            min_samples_leaf=check_count("min_samples_leaf", self.min_samples_leaf, 1, n_samples),
            min_weight_fraction_leaf=check_real("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5),
            min_impurity_decrease=check_real("min_impurity_decrease", self.min_impurity_decrease, 0.0),
            max_leaf_nodes=check_int("max_leaf_nodes", self.max_leaf_nodes, 2, optional=True),
        )
