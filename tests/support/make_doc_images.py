"""Write the documentation's pictures anew: ``python tests/support/make_doc_images.py``."""

import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from sklearn.datasets import load_iris

from browser import Browser
from cart_elc import ELCClassifier, export_html, plot_splits
from inspection_models import iris

IMAGES = Path(__file__).parents[2] / "docs" / "images"
PICK = "const row = document.getElementById('row'); row.value = 70; row.dispatchEvent(new Event('change'));"


def main() -> None:
    X, y = iris()
    plot_splits(ELCClassifier(r=2, criterion="gini", max_depth=3).fit(X, y), X, y).savefig(
        IMAGES / "splits.png", dpi=80
    )
    data = load_iris(as_frame=True)
    species = data.target_names[data.target]
    model = ELCClassifier(r=2, criterion="gini").fit(data.data, species)
    with tempfile.TemporaryDirectory() as folder:
        export_html(model, data.data, species, Path(folder) / "page.html", title="Iris species")
        browser = Browser(folder)
        try:
            browser.open(Path(folder) / "page.html", 1280, 800)
            browser.run(PICK)
            browser.run("return new Promise(done => setTimeout(done, 500))")  # until the path has lit up
            browser.driver.save_screenshot(str(IMAGES / "page.png"))
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
