"""What is known of each data set: shape, classes and missing cells as the paper states them, origin and licence."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Facts:
    """A data set's facts, after the paper's preparation.

    Attributes
    ----------
    classes : tuple of tuples of str
        For each class its name, then the spellings that files use for it; empty where the files name the classes.
    class_counts : tuple of int
        Rows in each class; empty where the paper does not say.
    n_missing : tuple of int
        Allowed numbers of missing cells, the paper's first.
    file : str or None
        Its name in a data folder. ``other_files`` are tried after it.
    openml : int or None
        Number of the data set on OpenML, if it is there.
    drop_incomplete : bool
        Whether rows with a missing value are dropped.
    """

    name: str
    title: str
    n_rows: int
    n_features: int
    description: str
    source: str
    licence: str
    classes: tuple[tuple[str, ...], ...] = ()
    class_counts: tuple[int, ...] = ()
    n_missing: tuple[int, ...] = (0,)
    file: str | None = None
    other_files: tuple[str, ...] = ()
    openml: int | None = None
    drop_incomplete: bool = False
    in_paper: bool = True


def tupled(value: Any) -> Any:  # noqa: ANN401
    return tuple(map(tupled, value)) if isinstance(value, list) else value


def read_catalogue() -> dict[str, Facts]:
    """Return the data sets of ``catalogue.toml`` by name, in its order."""
    text = files("cart_elc.datasets").joinpath("catalogue.toml").read_text(encoding="utf-8")
    sets = (Facts(**{key: tupled(value) for key, value in entry.items()}) for entry in tomllib.loads(text)["data_set"])
    return {facts.name: facts for facts in sets}


CATALOGUE = read_catalogue()
"""The data sets by name: the paper's six in the order of its tables, then two more that come with scikit-learn."""
