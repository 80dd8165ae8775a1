"""A tree as a program: Python, SQL or C that predicts what the model predicts, to the last bit.

The sums are the model's own, in its order, with its numbers written in full. Where a split divides rows with a missing
value (`MissingPolicy.BOTH`), the program carries shares down the tree and adds up class proportions in the order in
which `predict_proba` does.
"""

import keyword
import re
from collections.abc import Callable

from cart_elc.inspection.export.code import c, python, sql
from cart_elc.inspection.export.code.program import Program
from cart_elc.inspection.model_source import FittedTree, fitted_tree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.options import check_option

TAKEN = {"python": python.CALLED, "sql": frozenset[str](), "c": c.KEYWORDS | c.OWN_NAMES}
"""Names that mean something else in the program."""
LANGUAGES: dict[str, Callable[[Program], str]] = {"python": python.write, "sql": sql.write, "c": c.write}


def export_code(model: FittedTree, language: str = "python", *, name: str = "predict") -> str:
    """Return a program without dependencies that reproduces ``model.predict`` exactly, missing values included.

    Parameters
    ----------
    model : fitted classifier
    language : {"python", "sql", "c"}, default="python"
        - Python: a function of one row, a sequence of numbers in training order; None or NaN is missing. A category has
          its level there, and in SQL; in C it has the position of the level, which a comment lists.
        - SQL: an expression over columns named as the features; NULL is missing. Standard SQL, tested in SQLite.
        - C: a function of a ``const double *`` that returns the position of the class in an array of labels beside it,
          or the number that a regressor predicts; NaN is missing. C99; do not compile with ``-ffast-math``.
    name : str, default="predict"
        Name of the function; SQL has none. Labels that are neither text nor numbers are written as text.

    Returns
    -------
    str

    Notes
    -----
    Decimal numbers that a database may read with an error in the last bit (SQLite does) are written in SQL as a whole
    number divided by a power of two.

    Examples
    --------
    >>> from cart_elc import ELCClassifier, export_code
    >>> model = ELCClassifier(r=1, criterion="gini").fit([[0.0], [1.0], [4.0]], ["no", "no", "yes"])
    >>> print(export_code(model, "sql"))
    -- ELCClassifier with 2 leaves, written by cart-elc
    CASE
      WHEN "x0" IS NULL OR -1.0E0 * "x0" >= -2.5E0 THEN  -- x0 <= 2.5
        'no'
      ELSE
        'yes'
    END
    """
    check_option("language", language, tuple(LANGUAGES))
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or keyword.iskeyword(name) or name in TAKEN[language]:
        raise ValueError(f"name must be a free name for a function, got {name!r}")
    fitted_tree(model)  # of a pipeline the steps would be undone, and not to the last bit
    return LANGUAGES[language](Program(NamedTree.of(model), name))
