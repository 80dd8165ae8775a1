"""Pipelines: the tree at their end, with rules in the units that the data had before the first step.

Scalers are affine in each feature, ``z = factor * x + offset``, so that ``w.z >= b`` is a rule in ``x`` too; selectors
leave features out, and an imputer says what a missing value counts as. Any other step is not undone: the rules are then
in the units that the steps make, and say so.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cart_elc.tree import FloatArray, IntArray, Tree

Scaling = tuple[Any, Any]
"""Factors and offsets of all features, or one number for all."""


def standard(step: Any) -> Scaling:  # noqa: ANN401
    """Return the scaling of a step that subtracts a mean or centre and divides by a scale, where it is told to."""
    factor = 1.0 if step.scale_ is None else 1.0 / step.scale_
    centre = step.mean_ if getattr(step, "with_mean", False) else getattr(step, "center_", None)
    return factor, 0.0 if centre is None else -centre * factor


SCALERS: dict[str, Callable[[Any], Scaling | None]] = {
    "StandardScaler": standard,
    "RobustScaler": standard,
    "MaxAbsScaler": lambda step: (1.0 / step.scale_, 0.0),
    "MinMaxScaler": lambda step: None if step.clip else (step.scale_, step.min_),
}
"""The steps that are affine in each feature, by the names of their classes."""


@dataclass(frozen=True, eq=False)
class AffineSteps:
    """What steps do to the features: the tree's ``j`` is ``factors[j] * x[columns[j]] + offsets[j]``.

    ``fill`` has what a missing value of each of the tree's features counts as, before any scaling; None where the tree
    sees it.
    """

    n_columns: int
    columns: IntArray
    factors: FloatArray
    offsets: FloatArray
    fill: FloatArray | None = None

    def then(self, step: Any) -> "AffineSteps | None":  # noqa: ANN401
        """Return these steps and one more; None if that is not affine."""
        scaler = SCALERS.get(type(step).__name__)
        scaling = None if scaler is None else scaler(step)
        if scaling is not None:
            factor, offset = scaling
            return replace(self, factors=self.factors * factor, offsets=self.offsets * factor + offset)
        if hasattr(step, "get_support"):
            return self.chosen(np.flatnonzero(step.get_support()))
        return self.filled(step) if type(step).__name__ == "SimpleImputer" else None

    def chosen(self, kept: IntArray) -> "AffineSteps":
        fill = None if self.fill is None else self.fill[kept]
        return replace(
            self, columns=self.columns[kept], factors=self.factors[kept], offsets=self.offsets[kept], fill=fill
        )

    def filled(self, imputer: Any) -> "AffineSteps | None":  # noqa: ANN401
        """Return the steps with an imputer, unless it drops or adds columns."""
        values = np.asarray(imputer.statistics_, dtype=np.float64)
        if imputer.add_indicator or np.isnan(values).any() or self.fill is not None:
            return None
        return replace(self, fill=self.before(values))

    def before(self, values: FloatArray) -> FloatArray:
        """Return values of the tree's features as they were before the steps."""
        original: FloatArray = (values - self.offsets) / self.factors
        return original

    def spread(self, values: FloatArray, elsewhere: float) -> FloatArray:
        """Return values of the tree's features as values of all columns."""
        everywhere = np.full(self.n_columns, elsewhere)
        everywhere[self.columns] = values
        return everywhere

    def undone(self, tree: Tree) -> Tree:
        """Return the tree with its rules in the units before the steps."""
        nodes = np.repeat(np.arange(tree.n_nodes), np.diff(tree.indptr))
        shifts = np.bincount(nodes, tree.weights * self.offsets[tree.features], minlength=tree.n_nodes)
        return replace(
            tree,
            n_features=self.n_columns,
            features=self.columns[tree.features].astype(np.int32),
            weights=tree.weights * self.factors[tree.features],
            thresholds=tree.thresholds - shifts,
        )


def is_pipeline(model: object) -> bool:
    return isinstance(getattr(model, "steps", None), list)


def last_step(model: Any) -> Any:  # noqa: ANN401
    """Return the estimator at the end of a pipeline; any other model is its own."""
    return last_step(model.steps[-1][1]) if is_pipeline(model) else model


def steps_before(model: Any) -> Iterator[Any]:  # noqa: ANN401
    """Yield the steps of a pipeline that do something, those of pipelines inside it too, the last one aside."""
    for position, (_, step) in enumerate(model.steps):
        if is_pipeline(step):
            yield from steps_before(step)
            yield from [] if position == len(model.steps) - 1 else [last_step(step)]
        elif position < len(model.steps) - 1 and step not in (None, "passthrough"):
            yield step


def first_step(model: Any) -> Any:  # noqa: ANN401
    """Return the step that sees the data first."""
    return next(steps_before(model), last_step(model))


def affine_steps(model: Any) -> AffineSteps | None:  # noqa: ANN401
    """Return what the steps of a pipeline do, None if one of them is not affine."""
    n_columns = int(first_step(model).n_features_in_)
    steps: AffineSteps | None = AffineSteps(n_columns, np.arange(n_columns), np.ones(n_columns), np.zeros(n_columns))
    for step in steps_before(model):
        steps = None if steps is None else steps.then(step)
    return steps


def names_made(model: Any, n_features: int) -> list[str]:  # noqa: ANN401
    """Return what the steps call the features that they make; ``x0, x1, ...`` where they do not know."""
    try:
        return [str(name) for name in model[:-1].get_feature_names_out()]
    except (AttributeError, ValueError):
        return [f"x{j}" for j in range(n_features)]


def units_note(model: Any, undone: bool) -> str:  # noqa: ANN401
    """Return in a sentence which units the rules of a pipeline are in."""
    names = [type(step).__name__ for step in steps_before(model)]
    steps = ", ".join(names)
    if not names:
        return ""
    if undone:
        return f"Rules are in the units of the data: {steps} {'is' if len(names) == 1 else 'are'} undone."
    return f"Rules are in the units that {steps} {'makes' if len(names) == 1 else 'make'}, which cannot be undone."
