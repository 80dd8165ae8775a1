"""A browser for all tests of the page, and the page of a model in it."""

import numpy as np
import pytest

from cart_elc import CARTClassifier, export_html


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    pytest.importorskip("selenium")
    from browser import Browser

    window = Browser(tmp_path_factory.mktemp("profile"))
    yield window
    window.quit()


@pytest.fixture
def show(browser, tmp_path):
    """Open the page of a model, and at the end see that it asked for nothing and complained about nothing."""

    def opened(model, X=None, y=None, size=(1440, 900), scheme="light", **options):
        page = tmp_path / "page.html"
        export_html(model, X, y, page, **options)
        browser.open(page, *size, scheme)
        return browser

    yield opened
    assert browser.console() == []
    assert browser.requests() == []


@pytest.fixture(scope="session")
def large():
    """A tree of 200 leaves, and its 10,000 rows."""
    random = np.random.default_rng(0)
    X = random.normal(size=(10_000, 6))
    y = ((X[:, :3] > 0) @ [1, 2, 4] + random.integers(0, 3, len(X))) % 4
    return CARTClassifier(max_leaf_nodes=200).fit(X, y), X, y
