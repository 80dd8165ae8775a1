"""``cart-elc datasets``: what data sets there are, and whether they are here."""

import argparse
from typing import Any

from cart_elc.datasets import CATALOGUE, Facts
from cart_elc.datasets.sources import IN_SCIKIT_LEARN, data_folder, file_in, how_to_get


def add_commands(commands: Any) -> None:  # noqa: ANN401
    text = "List the data sets of the paper, and two more: size, classes, licence, and whether they are here."
    parser: argparse.ArgumentParser = commands.add_parser("datasets", help="list the data sets", description=text)
    parser.add_argument("--data-dir", metavar="DIR", help="folder with data files (default: $CART_ELC_DATA)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    folder = data_folder(options.data_dir)
    for facts in CATALOGUE.values():
        path = file_in(facts, folder)
        place = str(path) if path else "scikit-learn" if facts.name in IN_SCIKIT_LEARN else ""
        print("\n".join(lines(facts, place)))


def lines(facts: Facts, place: str) -> list[str]:
    classes = f"{len(facts.classes) or 2} classes"
    missing = f", {facts.n_missing[0]} values missing" if facts.n_missing[0] else ""
    return [
        f"{facts.name:<9}{facts.n_rows} rows x {facts.n_features} features, {classes}{missing}",
        f"         {facts.description}",
        f"         source: {facts.source}; licence: {facts.licence}",
        f"         {where(facts, place)}",
        "",
    ]


def where(facts: Facts, place: str) -> str:
    if place:
        return f"here: {place}"
    if facts.openml is not None:
        return f"from OpenML (data set {facts.openml}), kept once fetched; or {facts.file} in the folder of --data-dir"
    return how_to_get(facts)
