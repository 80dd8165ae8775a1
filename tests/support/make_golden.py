"""Write the golden renderings anew: ``python tests/support/make_golden.py``; read the difference before committing it.

The model is a stored file, so that the renderings depend on nothing but the code that renders.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from cart_elc import (
    ELCClassifier,
    export_code,
    export_graphviz,
    export_text,
    load,
    plot_boundaries,
    plot_splits,
    plot_tree,
)
from inspection_models import iris

GOLDEN = Path(__file__).parents[1] / "golden"
SUFFIXES = {"python": "py", "sql": "sql", "c": "c"}


def main() -> None:
    X, y = iris(0.1)
    if not (GOLDEN / "model.json").exists():
        ELCClassifier(r=2, criterion="gini", max_depth=3).fit(X, y).save(GOLDEN / "model.json")
    model = load(GOLDEN / "model.json")
    write("text.txt", export_text(model, missing=True))
    write("graph.dot", export_graphviz(model, filled=True, rounded=True))
    for language, suffix in SUFFIXES.items():
        write(f"code.{suffix}.txt", export_code(model, language))
    for name, figure in pictures(model, X, y).items():
        figure.savefig(GOLDEN / f"{name}.png", dpi=40)


def pictures(model, X, y):
    return {
        "plot_tree": plot_tree(model).figure,
        "plot_splits": plot_splits(model, X, y),
        "plot_boundaries": plot_boundaries(model, X, y, ("petal_length", "petal_width")).figure,
    }


def write(name: str, text: str) -> None:
    (GOLDEN / name).write_text(text.rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
