"""Docstrings with the parameters and attributes of the bases: each is described once, and help() has them all."""

import re
from inspect import cleandoc

INHERITED = ("Parameters", "Attributes")


def with_inherited(doc: str, of_base: str) -> str:
    """Return a numpydoc docstring with, after its own entries, those of its base's that it lacks."""
    own, inherited = sections(doc), sections(of_base)
    merged = {"": own.pop("")}
    for title in INHERITED:
        ours, theirs = entries(own.pop(title, "")), entries(inherited.get(title, ""))
        merged[title] = "\n".join((ours | theirs | ours).values())
    heads = {title: f"{title}\n{'-' * len(title)}\n" if title else "" for title in merged | own}
    return "\n\n".join(heads[title] + text for title, text in (merged | own).items() if text)


def sections(doc: str) -> dict[str, str]:
    """Return the text of each section by its title; what stands before the first has none."""
    before, *parts = re.split(r"^(\w+)\n-+\n", cleandoc(doc), flags=re.MULTILINE)
    return {"": before.strip()} | {title: text.strip("\n") for title, text in zip(parts[::2], parts[1::2], strict=True)}


def entries(section: str) -> dict[str, str]:
    """Return the entries of a section by the names that they begin with."""
    texts = re.split(r"\n(?=\S)", section) if section else []
    return {text.partition(" :")[0]: text for text in texts}
