"""What a record says of the program and the machine that made it.

A version does not tell two builds apart, and which of equally good planes the search keeps may differ between builds:
the digest of the program says whether two records come from the same one.
"""

from __future__ import annotations

import hashlib
import os
import platform
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import cart_elc
from cart_elc import _core

PACKAGES = ("cart-elc", "numpy", "scipy", "scikit-learn", "joblib")
# What shows results but does not make them may change within a run.
WITHOUT_EFFECT = ("cli/", "inspection/")


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages whose arithmetic matters, and the program's digest."""
    numbers = {name: version(name) for name in PACKAGES}
    return {"python": platform.python_version()} | numbers | {"build": build_digest()}


@lru_cache(maxsize=1)
def build_digest() -> str:
    """Return a digest of what can change a record: the compiled core, the library's modules and the protocol's."""
    digest = hashlib.sha256(Path(_core.__file__).read_bytes())
    for folder in (Path(cart_elc.__file__).resolve().parent, Path(__file__).resolve().parent):
        for name in sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py")):
            if not name.startswith(WITHOUT_EFFECT):
                digest.update(name.encode() + (folder / name).read_bytes())
    return digest.hexdigest()[:12]


@lru_cache(maxsize=1)
def machine() -> dict[str, str | int]:
    """Return system, processor and number of processors; no name that would identify the computer."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor_name(),
        "processors": os.cpu_count() or 1,
    }


def processor_name() -> str:
    """Return the processor's own name where the system tells it."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"
