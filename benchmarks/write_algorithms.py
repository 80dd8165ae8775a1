"""Put the generated tables into docs/algorithms.md: no figure of ours there is typed.

The comparison comes from the records of a run, the rest from the scripts beside this one.

    cart-elc reproduce table2 --data-dir DATA --out RUN
    CART_ELC_DATA=DATA python benchmarks/write_algorithms.py RUN

`write_reproduction.py` does both, with the whole protocol.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from write_reproduction import DOCS, filled, output_of

from cart_elc.datasets import CATALOGUE
from cart_elc.experiments.algorithms import ALGORITHMS, PUBLISHED, VARIANTS
from cart_elc.experiments.published import figure_of
from cart_elc.experiments.records import read_records
from cart_elc.experiments.report.formats import figure_text, signed
from cart_elc.experiments.report.paper_tables import papers_choice
from cart_elc.experiments.results import Figure, Results

PAGE = DOCS / "algorithms.md"
DATASETS = ("cancer", "iris", "housing", "diabetes")
SCRIPTS = ("rivals", "oc1_normalisation")
FEWEST_TRIALS = 10


def rivals() -> list[str]:
    """Return the published rivals, each with its variant after it."""
    return [name for row in PUBLISHED[1:] for name in (row, *(v for v, base in VARIANTS.items() if base == row))]


def comparison(results: Results) -> str:
    """Return the rivals beside the published figures; bold where the means are more than two deviations apart."""
    lines = [
        "| system | data | accuracy, % | published | apart | leaves | published |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in rivals():
        row = str(ALGORITHMS[VARIANTS.get(name, name)].published)
        for dataset in DATASETS:
            result = papers_choice(results, dataset, name)
            if result is None or result.n_trials < FEWEST_TRIALS:
                raise SystemExit(f"the run lacks {name} on {dataset}: {FEWEST_TRIALS} trials are needed")
            depth = "" if result.point.max_depth is None else f", depth {result.point.max_depth}"
            accuracy, leaves = (figure_of("table2", row, dataset, quantity) for quantity in ("accuracy", "leaves"))
            cells = (
                ALGORITHMS[name].title + depth,
                CATALOGUE[dataset].title.lower(),
                figure_text(result.accuracy),
                figure_text(accuracy),
                apart(result.accuracy, accuracy),
                figure_text(result.size),
                figure_text(leaves),
            )
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def apart(ours: Figure, published: Figure | None) -> str:
    """Return the distance of the means in published standard deviations."""
    assert published is not None
    distance = (ours.mean - published.mean) / published.std
    return f"**{signed(distance)}**" if abs(distance) > 2 else signed(distance)


def by_depth(results: Results) -> str:
    """Return HHCART at each depth."""
    depths = [depth for depth in ALGORITHMS["hhcart-d"].depths if depth is not None]
    lines = ["| system | data | " + " | ".join(f"depth {depth}" for depth in depths) + " |"]
    lines.append("|---|---" + "|---" * len(depths) + "|")
    for name in ("hhcart-a", "hhcart-d"):
        for dataset in DATASETS:
            found = {p.max_depth: result for p, result in results.grid(dataset, name, "twoing").items()}
            cells = (f"{found[depth].accuracy.mean:.1f}, {found[depth].size.mean:.1f}" for depth in depths)
            lines.append(f"| {ALGORITHMS[name].title} | {CATALOGUE[dataset].title.lower()} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Fill the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("run", type=Path, help="folder of a run that has table2")
    run: Path = parser.parse_args().run
    results = Results(read_records(run / "records.jsonl")[0])
    texts = {"comparison": comparison(results), "by depth": by_depth(results)}
    texts |= {script: output_of(script, run) for script in SCRIPTS}
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), texts), encoding="utf-8")


if __name__ == "__main__":
    main()
