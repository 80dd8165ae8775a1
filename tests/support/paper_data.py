"""The folder with the paper's data, where there is one: tests that need it are skipped elsewhere, with a reason."""

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
FOLDER = Path(os.environ.get("CART_ELC_DATA") or BESIDE)
needs_paper_data = pytest.mark.skipif(
    not (FOLDER / "pima.csv").is_file(),
    reason=f"the paper's data are not in {FOLDER}: set CART_ELC_DATA to a folder that has them",
)
