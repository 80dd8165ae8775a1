# Two commands on a fresh clone: `make run` and `make test`. Both make .venv; the second time they start at once,
# because a stamp says that the package is installed, and it is rebuilt only when a source of the build has changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
NO_COMPILER := cart-elc needs a C++17 compiler and found none: install g++ or clang++, or set CXX to one.
# The install is editable, so that only what is compiled or declared makes it out of date.
# The editable install knows the modules by name, so a new folder or file of the package makes it out of date too.
BUILD_SOURCES := pyproject.toml reproduction/pyproject.toml CMakeLists.txt tools/compiler_first.py $(shell find src/core -type f) \
  $(shell find src/cart_elc -type d -not -name __pycache__)

SANITIZERS := address thread
SANITIZE_address := address,undefined
SANITIZE_thread := thread
RUNTIME_address := asan
RUNTIME_thread := tsan

.PHONY: run test lint bench reproduction data-named clean sanitize $(SANITIZERS:%=sanitize-%)

# Exact trees on iris with their proofs, then the paper's tables on what ships with scikit-learn: under a minute.
run: $(VENV)/.run
	$(BIN)/python examples/iris.py
	rm -rf build/reproduction
	$(BIN)/cart-elc reproduce table1 table2 table3 table4 table5 figures --dataset iris wine wdbc --trials 2 \
	  --out build/reproduction

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	git ls-files --cached --others --exclude-standard 'src/core/*.hpp' 'src/core/*.cpp' | \
	  xargs $(BIN)/clang-format --dry-run --Werror

# The kernel's tests on an extension that GCC or Clang checks as it runs: memory and undefined behaviour, then threads.
# The package is a copy beside that extension; -S keeps the editable install, which would take its place, out of the way.
sanitize: $(SANITIZERS:%=sanitize-%)

$(SANITIZERS:%=sanitize-%): sanitize-%: $(VENV)/.test
	$(BIN)/cmake -S . -B build/sanitize/$* -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DPython_EXECUTABLE=$(abspath $(BIN))/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) \
	  -DELC_SANITIZE=$(SANITIZE_$*)
	$(BIN)/cmake --build build/sanitize/$*
	rm -rf build/sanitize/$*/package && mkdir build/sanitize/$*/package
	cp -r src/cart_elc build/sanitize/$*/package && cp build/sanitize/$*/_core*.so build/sanitize/$*/package/cart_elc
	LD_PRELOAD=$$($${CXX:-c++} -print-file-name=lib$(RUNTIME_$*).so) ASAN_OPTIONS=detect_leaks=0 \
	  PYTHONPATH=build/sanitize/$*/package:$$($(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))") \
	  setarch -R $(BIN)/python -S -m pytest -p no:cacheprovider -q tests/core

# Writes docs/performance.md; several minutes, on an idle machine.
bench: $(VENV)/.test
	$(BIN)/python benchmarks/search.py

# Runs the paper's whole protocol and writes docs/reproduction.md and docs/algorithms.md; about half an hour on two processors,
# and it goes on where it was stopped. make reproduction DATA=<folder with the paper's data files>
reproduction: data-named $(VENV)/.test
	$(BIN)/python -m cart_elc_reproduction write --data-dir "$(DATA)"

data-named:
	@test -d "$(DATA)" || { echo "make reproduction needs DATA=<folder with the paper's data files>" >&2; exit 2; }

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# The build tools live in the venv and the objects in .venv/build: a rebuild compiles only what changed.
$(VENV)/.tools: pyproject.toml reproduction/pyproject.toml
	@{ if [ -n "$$CXX" ]; then command -v $$CXX; else command -v c++ || command -v g++ || command -v clang++; fi; } \
	  >/dev/null || { echo "$(NO_COMPILER)" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install "scikit-build-core>=0.10" "nanobind>=2.4" "cmake>=3.18" ninja "flit_core>=3.9"
	@touch $@

# The library and, beside it, the reproduction of the paper, which `pip install cart-elc` does not bring.
INSTALL := $(PIP) install --no-build-isolation --config-settings=build-dir=$(VENV)/build

$(VENV)/.run: $(VENV)/.tools $(BUILD_SOURCES)
	$(INSTALL) --editable . --editable ./reproduction
	@touch $@

# .test and .dev are the packages with the extra of that name.
$(VENV)/.test $(VENV)/.dev: $(VENV)/.%: $(VENV)/.tools $(BUILD_SOURCES)
	$(INSTALL) --editable ".[$*]" --editable "./reproduction[$*]"
	@touch $(VENV)/.run $@
