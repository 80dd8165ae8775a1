"""Time and memory: prediction is compiled, and fits leave nothing behind."""

import gc
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from cart_elc import ELCClassifier

STATUS = Path("/proc/self/statm")


def seconds(call, repeats=7):
    """Return the shortest of several runs: what is measured is the work, not the machine's other tenants."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(100_000, 10))


@pytest.fixture(scope="module")
def model(rows):
    train = rows[:300]
    labels = (np.abs(train[:, :3].sum(axis=1)) * 2).astype(int) % 4
    fitted = ELCClassifier(2, criterion="gini", max_depth=5).fit(train, labels)
    assert fitted.get_depth() == 5
    return fitted


def test_prediction_takes_at_most_three_times_scikit_learns(model, rows):
    theirs = DecisionTreeClassifier(max_depth=5, random_state=0).fit(rows[:300], model.predict(rows[:300]))
    assert theirs.get_depth() == 5
    ratio = seconds(lambda: model.predict(rows)) / seconds(lambda: theirs.predict(rows))
    assert (
        model.predict(rows[:300]) == model.classes_[model.tree_.value[model.apply(rows[:300])].argmax(axis=1)]
    ).all()
    assert ratio <= 3.0


def test_prediction_lets_other_threads_run(model, rows):
    """The interpreter's lock is free during the pass: a thread that only counts goes on counting."""
    many = np.tile(rows, (10, 1))
    count, stop = [0], threading.Event()

    def counting():
        while not stop.is_set():
            count[0] += 1

    counter = threading.Thread(target=counting)
    counter.start()
    try:
        before = count[0]
        model.tree_.apply(many)
        during = count[0] - before
    finally:
        stop.set()
        counter.join()
    assert during > 1000


def resident_bytes():
    gc.collect()
    return int(STATUS.read_text().split()[1]) * 4096


@pytest.mark.skipif(not STATUS.exists(), reason="needs /proc")
def test_memory_does_not_grow_over_thousands_of_fits():
    generator = np.random.default_rng(0)
    X, y = generator.normal(size=(7, 2)), np.arange(7) % 2
    X[0, 0] = np.nan
    models = [ELCClassifier(1, criterion="gini", max_depth=1), ELCClassifier(2, criterion="gini", max_depth=1)]

    def fit(times):
        for i in range(times):
            models[i % 2].fit(X, y).predict(X)

    fit(500)  # caches of the interpreter and of the allocator fill up: from then on not a page is added
    before = resident_bytes()
    fit(2_500)
    assert resident_bytes() - before < 750_000  # 300 bytes a fit; a leaked tree or array would be more
