"""Numbers and names as they are written: short, in one line, cut or wrapped."""

import unicodedata

ANSWERS = {"left": "yes", "right": "no", "both": "both ways"}  # what a side is called where people read


def counted(digits: int) -> str:
    return f"{digits} digit{'' if digits == 1 else 's'}"


def number(value: float) -> str:
    """Return the shortest text that reads back as the same float, without a needless point.

    >>> number(5.31), number(28.0), number(-1e-07)
    ('5.31', '28', '-1e-07')
    """
    return repr(value).removesuffix(".0")


def one_line(name: str) -> str:
    r"""Return the name with control characters written as escapes, so that it cannot break a line.

    >>> print(one_line("a" + chr(10) + "b"))
    a\nb
    """
    controls = {c for c in name if unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp", "Cs"}}
    return name.translate({ord(c): c.encode("unicode_escape").decode("ascii") for c in controls})


def as_text(name: str) -> str:
    """Return the name as it is written among other things: in one line, and isolated if it reads from right to left."""
    return isolated(one_line(name))


def level_text(level: object) -> str:
    """Return a level as it is written in a list of them: between quotes where it could be taken for more or for less.

    >>> level_text("blue"), level_text("a, b"), level_text(True)
    ('blue', "'a, b'", 'True')
    """
    text = str(level)
    plain = bool(text.strip()) and text == text.strip() and not any(mark in text for mark in ",{}")
    return as_text(text if plain else f"'{text}'")


def isolated(text: str) -> str:
    r"""Return a text that leaves the order of what stands around it alone.

    Hebrew and Arabic letters turn the order of the signs and numbers beside them: ``x <= 1.92`` would be shown as a
    false rule. Text that has such letters is put between the marks U+2068 and U+2069 of Unicode's bidirectional
    algorithm; all other text stays as it is.

    >>> ascii(isolated("width")), ascii(isolated("\u05d0\u05d1"))
    ("'width'", "'\\u2068\\u05d0\\u05d1\\u2069'")
    """
    turns = any(unicodedata.bidirectional(character) in {"R", "AL", "AN"} for character in text)
    return f"\u2068{text}\u2069" if turns else text


def class_label(name: str) -> str:
    """Return what a class is called where nothing else says that it is one: "class 0", for a bare 0 is a riddle."""
    try:
        float(name)
    except ValueError:
        return f"class {name}" if name in {"True", "False"} else name
    return f"class {name}"


def wrapped(parts: list[str], width: int) -> list[str]:
    """Join parts to lines of at most ``width`` characters; a longer part stands alone.

    >>> wrapped(["0.62·petal_width", "+ petal_length", ">= 5.31"], 24)
    ['0.62·petal_width', '+ petal_length >= 5.31']
    """
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + 1 + len(part) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {part}".strip()
    return lines


def shortened(text: str, width: int) -> str:
    """Return the text, its middle left out where it is longer than ``width``.

    >>> shortened("a_very_long_feature_name", 12)
    'a_very…_name'
    """
    if len(text) <= width:
        return text
    keep = width - 1
    return text[: keep - keep // 2] + "…" + text[len(text) - keep // 2 :]
