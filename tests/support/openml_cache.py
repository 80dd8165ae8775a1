"""A cache of OpenML as scikit-learn keeps it, so that its own `fetch_openml` is run without a network."""

import gzip
import hashlib
import json
from pathlib import Path


def write_openml(data_home, data_id, columns, rows):
    """Write a data set into the cache.

    ``columns`` are (name, values) pairs, the target last; values are None for numbers, else the list of a nominal one.
    ``rows`` are lists of texts, "?" where a value is missing.
    """
    kinds = ["REAL" if values is None else "{" + ",".join(values) + "}" for _, values in columns]
    head = [f"@ATTRIBUTE {name} {kind}" for (name, _), kind in zip(columns, kinds, strict=True)]
    arff = "\n".join(["@RELATION data", *head, "@DATA", *map(",".join, rows)]) + "\n"
    url = f"https://www.openml.org/data/v1/download/{data_id}/data.arff"
    description = {
        "id": str(data_id),
        "name": "data",
        "version": "1",
        "description": "made for a test",
        "format": "ARFF",
        "url": url,
        "file_id": str(data_id),
        "status": "active",
        "md5_checksum": hashlib.md5(arff.encode()).hexdigest(),
    }
    features = [feature(i, name, values, len(columns)) for i, (name, values) in enumerate(columns)]
    api = "openml.org/api/v1/json/data"
    answers = {
        f"{api}/{data_id}": {"data_set_description": description},
        f"{api}/features/{data_id}": {"data_features": {"feature": features}},
        f"{api}/qualities/{data_id}": {
            "data_qualities": {"quality": [{"name": "NumberOfInstances", "value": str(len(rows))}]}
        },
    }
    for address, answer in answers.items():
        put(data_home, address, json.dumps(answer))
    put(data_home, url.removeprefix("https://www."), arff)


def feature(index, name, values, n_columns):
    return {
        "index": str(index),
        "name": name,
        "data_type": "numeric" if values is None else "nominal",
        **({} if values is None else {"nominal_value": values}),
        "is_target": "true" if index == n_columns - 1 else "false",
        "is_ignore": "false",
        "is_row_identifier": "false",
        "number_of_missing_values": "0",
    }


def put(data_home, address, text):
    path = Path(data_home) / "openml" / f"{address}.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))
