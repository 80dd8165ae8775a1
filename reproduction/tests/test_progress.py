"""The progress bar is redrawn on a terminal, and a log gets few lines."""

import io

import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc_reproduction.run.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def counted(stream, n):
    with progress_bar(n, stream) as bar:
        for _ in range(n):
            bar.update()
    return stream.getvalue()


def test_a_terminal_gets_one_line_that_is_written_anew():
    text = counted(Terminal(), 20)
    assert text.count("\n") == 1
    assert "20/20" in text


def test_a_log_is_told_the_start_and_the_end_of_a_quick_run():
    text = counted(io.StringIO(), 2000)
    assert text.count("\r") == 2
    assert "2000/2000" in text
