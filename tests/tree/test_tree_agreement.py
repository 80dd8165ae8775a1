"""Every node of a fitted tree has the split that brute force finds on its rows, and its rows are those of `apply`."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import oracle
from agreement import Case, expressible
from cart_elc import ELCClassifier
from cart_elc.tree import Tree
from hunt import draw
from strategies import CI, cases

RS = st.sampled_from([1, 2, 3, 4])
Rows = NDArray[np.int64]


def fitted(case: Case, problem: oracle.Problem, placement: str) -> Tree:
    model = ELCClassifier(
        case.r,
        criterion=problem.criterion,
        orientation=problem.orientation,
        missing=problem.missing,
        min_samples_leaf=problem.min_samples_leaf,
        placement=placement,
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
    """The split's score is the best at its own number of features, and none was to be had with more."""
    kept = case.kept()
    for node, members in enumerate(tree.node_rows(case.X[kept])):
        rows = kept[members]
        if len(np.unique(case.y[rows])) < 2:
            assert tree.is_leaf[node]
            continue
        features = tree.split(node)[0]
        for r in range(case.r, len(features), -1):
            answer = answer_at(case, rows, r, problem)
            unsure = answer.doubtful or not expressible(case.X[rows])
            assert answer.certain == oracle.no_candidate(problem.criterion) or unsure, (node, r, str(case))
        if tree.proven[node]:
            answer = answer_at(case, rows, len(features), problem)
            assert answer.accepts(tree.score[node]), (node, tree.score[node], answer, str(case))
        else:
            assert tree.is_leaf[node] or not expressible(case.X[np.ix_(rows, features)])


def check(case: Case, problem: oracle.Problem, placement: str) -> None:
    tree = fitted(case, problem, placement)
    assert_apply_gives_the_training_partition(case, tree)
    assert_nodes_are_as_brute_force_has_them(case, problem, tree)


@pytest.mark.parametrize("placement", ["margin", "through"])
@pytest.mark.parametrize("criterion", oracle.CRITERIA)
@CI
@given(
    case=RS.flatmap(cases),
    orientation=st.sampled_from(oracle.ORIENTATIONS),
    missing=st.sampled_from(oracle.MISSING),
    least=st.integers(1, 3),
)
def test_small_and_nasty_tables_grow_the_trees_of_brute_force(
    criterion: str, placement: str, case: Case, orientation: str, missing: str, least: int
) -> None:
    check(case, oracle.Problem(criterion, orientation, missing, min_samples_leaf=least), placement)


@pytest.mark.parametrize("seed", range(40))
def test_random_nasty_tables_grow_the_trees_of_brute_force(seed: int) -> None:
    generator = np.random.default_rng([31, seed])
    case = draw(generator)
    for criterion in oracle.CRITERIA:
        check(case, oracle.Problem(criterion), "margin" if seed % 2 else "through")
