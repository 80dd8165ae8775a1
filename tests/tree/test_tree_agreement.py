"""Every node of a fitted tree has the split that brute force finds on its rows, and its rows are those of `apply`."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import oracle
from agreement import Case, expressible
from cart_elc import ELCClassifier
from cart_elc.estimators.elc import MIN_SAVING
from cart_elc.tree import Tree
from hunt import draw
from strategies import CI, cases

RS = st.sampled_from([1, 2, 3, 4])
Rows = NDArray[np.int64]


def fitted(case: Case, problem: oracle.Problem) -> Tree:
    model = ELCClassifier(
        case.r,
        criterion=problem.criterion,
        planes=problem.planes,
        missing=problem.missing,
        min_samples_leaf=problem.min_samples_leaf,
    )
    with warnings.catch_warnings():
        # scikit-learn warns of a regression where there are nearly as many classes as rows.
        warnings.filterwarnings("ignore", message="The number of unique classes")
        return model.fit(case.X, case.y, case.sample_weight).tree_


def assert_apply_gives_the_training_partition(case: Case, tree: Tree) -> None:
    rows = case.kept()
    weights = np.ones(len(case.X)) if case.sample_weight is None else case.sample_weight
    codes = np.unique(case.y, return_inverse=True)[1]
    leaves = tree.apply(case.X[rows])
    value = np.zeros_like(tree.value)
    np.add.at(value, (leaves, codes[rows]), weights[rows])
    assert np.array_equal(np.bincount(leaves, minlength=tree.n_nodes)[tree.is_leaf], tree.n_node_samples[tree.is_leaf])
    assert np.allclose(value[tree.is_leaf], tree.value[tree.is_leaf], rtol=1e-12, atol=0)


def answer_at(case: Case, rows: Rows, r: int, problem: oracle.Problem) -> oracle.Answer:
    """What brute force says of the node that has these rows."""
    weight = None if case.sample_weight is None else case.sample_weight[rows]
    return oracle.best(Case(case.X[rows], case.y[rows], weight, r).table(), problem)


def assert_nodes_are_as_brute_force_has_them(case: Case, problem: oracle.Problem, tree: Tree) -> None:
    """The split's score is the best: of all sizes, or at its own number of features if none was to be had with more."""
    kept = case.kept()
    for node, members in enumerate(tree.node_rows(case.X[kept])):
        rows = kept[members]
        if len(np.unique(case.y[rows])) < 2:
            assert tree.is_leaf[node]
            continue
        features = tree.split(node)[0]
        tried = range(case.r, len(features), -1) if problem.planes != "any" else ()
        for r in tried:
            answer = answer_at(case, rows, r, problem)
            unsure = answer.doubtful or not expressible(case.X[rows])
            assert answer.certain == oracle.no_candidate(problem.criterion) or unsure, (node, r, str(case))
        if tree.proven[node]:
            answer = answer_at(case, rows, case.r if problem.planes == "any" else len(features), problem)
            assert answer.accepts(tree.score[node]), (node, tree.score[node], answer, str(case))
        else:
            assert tree.is_leaf[node] or not expressible(case.X[np.ix_(rows, features)])


def check(case: Case, problem: oracle.Problem) -> None:
    if problem.criterion == "mdl":  # weights are scaled once for the whole tree, and brute force scales each node's
        case = replace(case, sample_weight=None)
    tree = fitted(case, problem)
    assert_apply_gives_the_training_partition(case, tree)
    assert_nodes_are_as_brute_force_has_them(case, problem, tree)


@pytest.mark.parametrize("planes", oracle.PLANES)
@pytest.mark.parametrize("criterion", oracle.CRITERIA)
@CI
@given(
    case=RS.flatmap(cases),
    missing=st.sampled_from(oracle.MISSING),
    least=st.integers(1, 3),
)
def test_small_and_nasty_tables_grow_the_trees_of_brute_force(
    criterion: str, planes: str, case: Case, missing: str, least: int
) -> None:
    check(case, oracle.Problem(criterion, planes, missing, min_samples_leaf=least, min_saving=MIN_SAVING))


@pytest.mark.parametrize("seed", range(40))
def test_random_nasty_tables_grow_the_trees_of_brute_force(seed: int) -> None:
    generator = np.random.default_rng([31, seed])
    case = draw(generator)
    for criterion in oracle.CRITERIA:
        check(case, oracle.Problem(criterion, "any" if seed % 2 else "through", min_saving=MIN_SAVING))
