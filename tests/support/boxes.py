"""Searches in which boxes are halved even where a feature set has so few candidates that all of them are scored.

Most tables that brute force can judge are so small. The search of boxes is what must be right on large ones, so it is
tested on those, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from cart_elc.splitters.shares import Answer, Question


@contextmanager
def always_halved() -> Iterator[None]:
    """While it lasts, no feature set of up to four features is enumerated whole."""
    answered = Question.answered

    def of_boxes(question: Question, **options: object) -> Answer:
        return answered(question, enumerates=False, **options)

    with mock.patch.object(Question, "answered", of_boxes):
        yield
