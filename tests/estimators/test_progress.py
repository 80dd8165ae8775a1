"""The progress bar tells the time left from what each kind of task has cost so far."""

import io

import pytest

from cart_elc.experiments import progress
from cart_elc.experiments.progress import Progress, clock


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def time(monkeypatch):
    """A clock that the test moves."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_slow_kinds_weigh_more(time):
    bar = Progress([("quick",)] * 10 + [("slow",)] * 2, Terminal())
    for kind, seconds in ((("quick",), 1.0), (("slow",), 10.0)):
        time[0] += seconds
        bar.advance(kind, seconds)
    assert bar.seconds_left() == pytest.approx(9 * 1.0 + 10.0)


def test_many_workers_shorten_the_time_left(time):
    bar = Progress([("fit",)] * 8, Terminal())
    time[0] = 1.0
    for _ in range(4):  # four workers, a second each
        bar.advance(("fit",), 1.0)
    assert bar.seconds_left() == pytest.approx(1.0)


def test_the_time_that_workers_take_to_start_is_not_repeated(time):
    bar = Progress([("fit",)] * 100, Terminal())
    time[0] = 5.0
    for _ in range(10):
        time[0] += 1.0
        bar.advance(("fit",), 1.0)
    assert bar.seconds_left() == pytest.approx(90.0)


def test_a_terminal_gets_one_line_that_is_written_anew(time):
    terminal = Terminal()
    bar = Progress([("fit",)] * 2, terminal)
    for _ in range(2):
        time[0] += 1.0
        bar.advance(("fit",), 1.0)
    bar.close()
    text = terminal.getvalue()
    assert text.count("\n") == 1
    assert text.count("\r") == 2
    assert "2/2 trees, 0:02 gone, 0:00 left" in text


def test_a_log_gets_a_line_now_and_then(time):
    log = io.StringIO()
    bar = Progress([("fit",)] * 100, log)
    for _ in range(100):
        time[0] += 1.0
        bar.advance(("fit",), 1.0)
    bar.close()
    assert log.getvalue().count("\n") == 3
    assert "\r" not in log.getvalue()


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (61, "1:01"), (3725, "1:02:05")])
def test_durations_read_like_a_clock(seconds, text):
    assert clock(seconds) == text
