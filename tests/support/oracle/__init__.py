"""The node problem by brute force: the executable definition that every search is compared with.

It shares no code with the package. What is asked is a `Problem`; where it is asked is a `Table`, whose candidates are
made once and scored under every criterion and missing mode.

* `make_table(X, y, r, sample_weight)` gives the `Table` of the rows of positive weight.
* `best(table, problem)` gives an `Answer`: the best score, and the interval of scores that float64 leaves open.
* `optimum(table, problem)`, for planes="any", gives an `Optimum`: all splits that tie for the best score, with margins.
* `margin(points, left)` and `margin_by_supports` measure the empty band between two sides in two ways.
* `separable_masks(points)` lists all linear splits again, in exact arithmetic and without planes.

Modules: `sides` (planes through points, and doubt), `through` (planes="through" and "canonical"), `linear`
(planes="any"), `scores`, `table`, `answer`, `optimum`, `margin`, `separable`.
"""

from oracle.answer import Answer, best
from oracle.linear import Partitions, Ways, linear_ways
from oracle.margin import Band, margin, margin_by_supports, widest_band
from oracle.optimum import Optimum, TiedSplit, optimum
from oracle.problem import CRITERIA, MISSING, NUMBER_CRITERIA, PLANES, Problem, no_candidate
from oracle.scores import description_weights, log2_binomial, net_scores, price_in_bits, score_partition
from oracle.separable import exact_points, is_separable, separable_masks
from oracle.sides import DOUBT, FLAT, INDEPENDENT, ON_PLANE
from oracle.table import Table, make_table, scale
from oracle.through import Planes

__all__ = [
    "CRITERIA",
    "DOUBT",
    "FLAT",
    "INDEPENDENT",
    "MISSING",
    "NUMBER_CRITERIA",
    "ON_PLANE",
    "PLANES",
    "Answer",
    "Band",
    "Optimum",
    "Partitions",
    "Planes",
    "Problem",
    "Table",
    "TiedSplit",
    "Ways",
    "best",
    "description_weights",
    "exact_points",
    "is_separable",
    "linear_ways",
    "log2_binomial",
    "make_table",
    "margin",
    "margin_by_supports",
    "net_scores",
    "no_candidate",
    "optimum",
    "price_in_bits",
    "scale",
    "score_partition",
    "separable_masks",
    "widest_band",
]
