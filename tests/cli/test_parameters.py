"""Every algorithm and every parameter of the library is on the command line, with the library's defaults."""

import argparse
from dataclasses import fields

import pytest

from cart_elc import load
from cart_elc.cli.main import build_parser
from cart_elc.cli.parameters import algorithm_of
from cart_elc.datasets import load as load_dataset
from cart_elc.estimators import ESTIMATORS, REGRESSORS
from cart_elc.splitters.reporting import LiveLine
from program import run, run_program


@pytest.fixture
def table(tmp_path):
    iris = load_dataset("iris")
    iris.X.assign(species=iris.y).to_csv(tmp_path / "iris.csv", index=False)
    return tmp_path / "iris.csv"


def fit(table, *options):
    code = run("fit", table, "--target", "species", "-o", table.with_name("m.json"), *options)
    return load(table.with_name("m.json")) if code == 0 else code


def choice(estimator):
    """Return the options that choose an estimator."""
    return ["--algorithm", algorithm_of(estimator), *(["--regression"] if estimator.__name__ in REGRESSORS else [])]


def fit_parser():
    (commands,) = (each for each in build_parser()._actions if isinstance(each, argparse._SubParsersAction))
    return commands.choices["fit"]


@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
def test_an_algorithm_has_the_defaults_of_the_library(table, estimator):
    model = fit(table, *choice(estimator))
    assert type(model) is estimator
    assert model.get_params() == type(model)().get_params()


def test_every_parameter_of_every_algorithm_has_an_option_with_a_word_about_it():
    options = {action.dest: action for action in fit_parser()._actions}
    for estimator in ESTIMATORS.values():
        for field in fields(estimator):
            assert options[field.name].option_strings[0] == "--" + field.name.replace("_", "-")
            assert len(options[field.name].help) > 20 or "(default: " in options[field.name].help


VALUES = {
    "max_depth": 2, "min_samples_split": 0.1, "min_samples_leaf": 3, "min_weight_fraction_leaf": 0.01,
    "min_impurity_decrease": 0.001, "max_leaf_nodes": 4, "ccp_alpha": 0.001, "standard_errors": 1.0, "n_folds": 3,
    "holdout_fraction": 0.2, "random_state": 7, "r": 1, "price": 0.5, "time_limit": 60, "n_jobs": 1, "restarts": 2,
    "jumps": 1, "stagnation": 0.5, "tolerance": 0.01, "deletion": 0.1, "min_objects": 3.0, "confidence": 0.1,
    "criterion": "information_gain", "planes": "through", "missing": "right", "variant": "D", "order": "best",
    "class_weight": "balanced", "pruning": "none", "categorical_features": "from_dtype", "n_init": 1,
    "excluded_features": [0], "feature_groups": [[1], [2, 3]],
    "monotonic_cst": None, "coefficients": None,
}  # fmt: skip


@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
def test_every_parameter_reaches_the_estimator(table, estimator):
    parameters = set(estimator().get_params()) - {"verbose"}
    flags = {field.name for field in fields(estimator) if field.type is bool}
    values = VALUES | ({"criterion": "squared_error"} if estimator.__name__ in REGRESSORS else {})
    assert parameters <= set(values) | flags
    given = {parameter: values[parameter] for parameter in parameters & set(values)}
    options = [text for key, value in given.items() for text in ("--" + key.replace("_", "-"), value)]
    model = fit(table, *choice(estimator), *options, *("--no-" + flag.replace("_", "-") for flag in flags))
    assert given | {"pruning": None} | dict.fromkeys(flags, False) == {
        key: value for key, value in model.get_params().items() if key != "verbose"
    } | {"pruning": None}


def test_class_weights_are_given_by_the_labels_as_they_are_written(table):
    model = fit(table, "--class-weight", '{"0": 1, "1": 2.5, "2": 1}', "--max-depth", 1)
    assert model.class_weight == {0: 1, 1: 2.5, 2: 1}


def test_cross_validation_stands_beside_the_score_on_the_training_rows(table, capsys):
    assert fit(table, "--max-depth", 1, "--cv", 3).max_depth == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert "66.7 % of the training rows right, " in last
    assert " % ± " in last
    assert " in 3-fold cross-validation" in last
    fit(table, "--cv", "--max-depth", 1)
    assert " in 5-fold cross-validation" in capsys.readouterr().out


def test_verbose_tells_of_every_split(table, capsys):
    fit(table, "--verbose")
    assert "[ELCClassifier] depth 0, 150 rows: features [2]" in capsys.readouterr().out


def test_a_terminal_shows_progress_and_a_file_does_not(table, monkeypatch):
    told = []
    fitted = ESTIMATORS["ELCClassifier"].fit
    monkeypatch.setattr(
        ESTIMATORS["ELCClassifier"], "fit", lambda model, X, y: told.append(model.verbose) or fitted(model, X, y)
    )
    assert fit(table).verbose == 0
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert fit(table).verbose == 0
    assert told[0] == 0
    assert isinstance(told[1], LiveLine)


@pytest.mark.parametrize("language", ["python", "sql", "c", "dot"])
def test_export_prints_what_the_library_writes(table, language, capsys):
    from cart_elc import export_code, export_graphviz

    model = fit(table)
    capsys.readouterr()
    assert run("export", table.with_name("m.json"), language) == 0
    out = capsys.readouterr().out.rstrip()
    if language == "dot":
        assert out == f"// ELCClassifier with 3 leaves, written by cart-elc\n{export_graphviz(model).rstrip()}"
    else:
        assert out == export_code(model, language).rstrip()


def test_a_function_can_have_another_name(table, capsys):
    fit(table)
    assert run("export", table.with_name("m.json"), "python", "--name", "species") == 0
    assert "def species(x):" in capsys.readouterr().out


def test_export_writes_onnx(table, tmp_path):
    onnx = pytest.importorskip("onnx")
    fit(table)
    assert run("export", table.with_name("m.json"), "onnx", "-o", tmp_path / "m.onnx") == 0
    assert onnx.load(tmp_path / "m.onnx").producer_name == "cart-elc"


def test_code_goes_through_a_pipe(table):
    fit(table)
    done = run_program("export", table.with_name("m.json"), "python")
    scope = {}
    exec(done.stdout, scope)
    assert scope["predict"]([5.0, 3.0, 1.4, 0.2]) == 0


def test_numbers_are_fitted_predicted_and_scored(table, tmp_path, capsys):
    numbers = tmp_path / "n.csv"
    numbers.write_text("a,y\n" + "".join(f"{i},{i // 5 + 0.25}\n" for i in range(20)))
    assert run("fit", numbers, "--target", "y", "-o", tmp_path / "n.json") == 2
    assert "n.csv: 'y' has numbers such as 0.25 and no classes: add --regression" in capsys.readouterr().err
    options = ["--regression", "--criterion", "squared_error", "--cv", 2]
    assert run("fit", numbers, "--target", "y", "-o", tmp_path / "n.json", *options) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert "4 leaves, depth 2, R² 1.000 on the training rows, R² 0." in last
    assert " in 2-fold cross-validation, 3 of 3 splits proven" in last
    assert run("predict", tmp_path / "n.json", numbers) == 0
    assert capsys.readouterr().out.split()[1:] == [str(i // 5 + 0.25) for i in range(20)]
    assert run("predict", tmp_path / "n.json", numbers, "--proba") == 2
    assert "--proba is for classes, and ELCRegressor predicts numbers" in capsys.readouterr().err


def test_an_algorithm_without_regression_says_which_have_it(table, capsys):
    assert fit(table, "--algorithm", "c45", "--regression") == 2
    assert "--algorithm must be one of elc, cart for --regression, got c45" in capsys.readouterr().err


def test_a_number_that_is_missing_is_no_target(tmp_path, capsys):
    (tmp_path / "n.csv").write_text("a,y\n1,0.5\n2,\n")
    assert run("fit", tmp_path / "n.csv", "--target", "y", "--regression", "-o", tmp_path / "n.json") == 2
    assert "row 2: the label 'y' is missing" in capsys.readouterr().err
