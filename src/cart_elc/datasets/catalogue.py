"""What is known of each data set: shape, classes and missing cells as the paper states them, origin and licence."""

from __future__ import annotations

from dataclasses import dataclass

UCI = "https://archive.ics.uci.edu/dataset"
CC_BY = "CC BY 4.0 (UCI Machine Learning Repository)"
STAR_GALAXY = (
    "on no registry: it came with the OC1 program of Murthy, Kasif and Salzberg (1994), from Odewahn's digitised plates"
)


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
    classes: tuple[tuple[str, ...], ...]
    class_counts: tuple[int, ...]
    description: str
    source: str
    licence: str
    n_missing: tuple[int, ...] = (0,)
    file: str | None = None
    other_files: tuple[str, ...] = ()
    openml: int | None = None
    drop_incomplete: bool = False
    in_paper: bool = True


CATALOGUE: dict[str, Facts] = {
    facts.name: facts
    for facts in (
        Facts(
            name="bright",
            title="S/G Bright",
            n_rows=2462,
            n_features=14,
            classes=(),
            class_counts=(),
            description="Stars and galaxies on bright photographic plates, 14 measurements each.",
            source=STAR_GALAXY,
            licence="not stated",
            file="bright.csv",
        ),
        Facts(
            name="dim",
            title="S/G Dim",
            n_rows=4192,
            n_features=14,
            classes=(),
            class_counts=(),
            description="Stars and galaxies on dim photographic plates, 14 measurements each.",
            source=STAR_GALAXY,
            licence="not stated",
            file="dim.csv",
        ),
        Facts(
            name="cancer",
            title="Cancer",
            n_rows=683,
            n_features=9,
            classes=(("benign", "0", "2"), ("malignant", "1", "4")),
            class_counts=(444, 239),
            description="Breast cancer Wisconsin (original): nine cytological scores from 1 to 10. As in the paper, "
            "the 16 of 699 rows that lack `bare_nuclei` are dropped.",
            source=f"{UCI}/15/breast+cancer+wisconsin+original",
            licence=CC_BY,
            file="cancer.csv",
            openml=15,
            drop_incomplete=True,
        ),
        Facts(
            name="iris",
            title="Iris",
            n_rows=150,
            n_features=4,
            classes=(("setosa", "0"), ("versicolor", "1"), ("virginica", "2")),
            class_counts=(50, 50, 50),
            description="Fisher's three species of iris, four lengths in centimetres.",
            source="scikit-learn's copy of " + f"{UCI}/53/iris",
            licence=CC_BY,
        ),
        Facts(
            name="housing",
            title="Housing",
            n_rows=506,
            n_features=13,
            classes=(("MEDV < 21", "1"), ("MEDV >= 21", "2")),
            class_counts=(246, 260),
            description="Boston housing, median value below 21,000 dollars or not. Its column B is built on the share "
            "of Black residents under an assumption about segregation, which is why scikit-learn dropped the set: use "
            "it to reproduce published figures, not to draw conclusions.",
            source="http://lib.stat.cmu.edu/datasets/boston (StatLib)",
            licence="not stated (StatLib; OpenML lists it as public)",
            n_missing=(120, 0),
            file="housing_nan.csv",
            other_files=("housing.csv",),
            openml=531,
        ),
        Facts(
            name="diabetes",
            title="Diabetes",
            n_rows=768,
            n_features=8,
            classes=(("negative", "0", "tested_negative"), ("positive", "1", "tested_positive")),
            class_counts=(500, 268),
            description="Pima Indians diabetes: eight clinical measurements. Zeros in it that stand for missing values "
            "are left as they are, as in the paper.",
            source="National Institute of Diabetes and Digestive and Kidney Diseases; OpenML 37",
            licence="public (OpenML)",
            file="pima.csv",
            other_files=("diabetes.csv",),
            openml=37,
        ),
        Facts(
            name="wine",
            title="Wine",
            n_rows=178,
            n_features=13,
            classes=(("class_0", "0"), ("class_1", "1"), ("class_2", "2")),
            class_counts=(59, 71, 48),
            description="Chemical analysis of wines of three cultivars. Not in the paper.",
            source="scikit-learn's copy of " + f"{UCI}/109/wine",
            licence=CC_BY,
            in_paper=False,
        ),
        Facts(
            name="wdbc",
            title="WDBC",
            n_rows=569,
            n_features=30,
            classes=(("malignant", "0"), ("benign", "1")),
            class_counts=(212, 357),
            description="Breast cancer Wisconsin (diagnostic): 30 measurements of cell nuclei. Not in the paper.",
            source="scikit-learn's copy of " + f"{UCI}/17/breast+cancer+wisconsin+diagnostic",
            licence=CC_BY,
            in_paper=False,
        ),
    )
}
"""The data sets by name: the paper's six in the order of its tables, then two more that come with scikit-learn."""
