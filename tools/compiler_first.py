"""The build backend: scikit-build-core, after a look for a C++ compiler.

CMake says in a page that there is none. Here it is one sentence, said before anything is configured. Where CMake is
told about the compiler in some other way, or may find one that is not on the path, the question is left to it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from typing import Any

from scikit_build_core import build as backend
from scikit_build_core.build import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

NO_COMPILER = "cart-elc needs a C++17 compiler and found none: install g++ or clang++, or set CXX to one."
NAMES = ("c++", "g++", "clang++", "CC", "aCC", "cl", "bcc", "xlC", "icpx", "icx")
"""The compilers that CMake looks for."""
PLACES = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/pkg/bin", "/opt/bin", "/opt/local/bin", "/sw/bin")
"""Where CMake looks besides the path."""
Settings = dict[str, Any] | None


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Build a wheel."""
    require_compiler(config_settings)
    return backend.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build a wheel for an editable install."""
    require_compiler(config_settings)
    return backend.build_editable(wheel_directory, config_settings, metadata_directory)


def require_compiler(settings: Settings) -> None:
    """End with one sentence where CMake would find no compiler."""
    if not cmake_is_told(settings, os.environ) and not has_compiler(os.environ):
        raise SystemExit(NO_COMPILER)


def cmake_is_told(settings: Settings, environment: Mapping[str, str]) -> bool:
    """Whether CMake may know of a compiler that is not on the path: from options or variables, on Windows by itself."""
    told = any("cmake" in name.lower() for name in settings or {})
    return told or sys.platform == "win32" or any(name.startswith(("CMAKE_", "SKBUILD_")) for name in environment)


def has_compiler(environment: Mapping[str, str], places: tuple[str, ...] = PLACES) -> bool:
    """Whether there is a compiler: the one that CXX names, or any that CMake looks for."""
    folders = os.pathsep.join([environment.get("PATH", os.defpath), *places])
    command = shlex.split(environment.get("CXX", ""))
    return any(shutil.which(name, path=folders) for name in (command[:1] or NAMES))
