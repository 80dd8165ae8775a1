"""The paper's data sets, and two more that come with scikit-learn: `load` finds, prepares and checks them."""

from cart_elc.datasets.catalogue import CATALOGUE, Facts
from cart_elc.datasets.loading import NAMES, Dataset, load
from cart_elc.datasets.sources import DatasetUnavailableError

__all__ = ["CATALOGUE", "NAMES", "Dataset", "DatasetUnavailableError", "Facts", "load"]
