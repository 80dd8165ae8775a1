"""Ctrl-C for a program that runs in a process of its own."""

import signal
import subprocess
import sys
import time
from pathlib import Path

HEARD = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""An interrupt is heard even in a shell's background job, which ignores it."""
FRAME = """{before}
import time; print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    at = time.time()
    print("interrupted", at, {told})
"""


def interrupted(before: str, work: str, told: str = "''", *, after: float, folder: Path | None = None) -> list[str]:
    """Interrupt the work, return what is told then, and check that it came within a second and the process ended well.

    ``before`` is run before the work begins, and ``told`` is an expression; the signal is sent so many seconds later.
    """
    program = HEARD + FRAME.format(before=before, work=work, told=told)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": folder}
    child = subprocess.Popen([sys.executable, "-c", program], **pipes)
    assert child.stdout.readline() == "ready\n"
    time.sleep(after)
    sent = time.time()
    child.send_signal(signal.SIGINT)
    output, errors = child.communicate(timeout=60)
    word, answered, *words = output.split()
    assert (word, errors, child.returncode) == ("interrupted", "", 0)
    assert float(answered) - sent < 1.0
    return words
