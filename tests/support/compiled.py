"""Exported C, compiled and run."""

import shutil
import subprocess

import numpy as np

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
MAIN = """
#include <stdio.h>
int main(void) {
    double x[%(m)d];
    while (fread(x, sizeof(double), %(m)d, stdin) == %(m)d) printf("%%d\\n", predict(x));
    return 0;
}
"""


def run_c(code, X, tmp_path, *flags):
    source, program = tmp_path / "model.c", tmp_path / "model"
    source.write_text(code + MAIN % {"m": X.shape[1]}, encoding="utf-8")
    command = [COMPILER, "-std=c99", "-Wall", "-Wextra", "-Werror", *flags, "-o", str(program), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    done = subprocess.run([str(program)], input=np.ascontiguousarray(X).tobytes(), capture_output=True, check=True)
    return [int(line) for line in done.stdout.split()]
