"""The exact search as a user asks for it: its parameters, checked, and its splitter."""

from dataclasses import dataclass

from cart_elc.criteria import EXACT, EXACT_OF_NUMBERS
from cart_elc.estimators.parameters import check_choice, check_criterion, check_real, check_whole, check_workers
from cart_elc.estimators.user_warnings import warn_if_hopeless
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.reporting import Progress

PLANES = ("any", "through", "canonical")
MISSING = ("learn", "right")
GONE = {
    "placement": "planes: 'any' places by the widest margin, 'through' and 'canonical' through the samples",
    "orientation": "planes: 'canonical' is the canonical orientation, 'through' both of them",
}
"""Parameters of earlier versions, and what has taken their place."""
LARGEST_COEFFICIENT = 10
"""Of ``coefficients="integer"``."""


@dataclass(frozen=True, kw_only=True)
class ExactSearch:
    """The parameters of the exact search, as a user gives them to `ELCClassifier` or `best_split`."""

    r: int
    criterion: str
    planes: str
    missing: str
    n_jobs: int | None
    price: float = 1.0
    fallback: bool = False
    min_saving: float = 0.0
    coefficients: str | int | None = None

    def splitter(self, n_features: int, progress: Progress | None = None) -> ELCSplitter:
        r = min(check_whole("r", self.r, 1), n_features)
        warn_if_hopeless(n_features, r)
        n_threads, n_workers = check_workers(self.n_jobs)
        return ELCSplitter(
            r=r,
            criterion=check_criterion(self.criterion, (*EXACT, *EXACT_OF_NUMBERS)),
            price=check_real("price", self.price, 0.0),
            planes=check_choice("planes", self.planes, PLANES),
            missing=check_choice("missing", self.missing, MISSING),
            n_threads=n_threads,
            n_workers=n_workers,
            fallback=self.fallback,
            min_saving=self.min_saving,
            largest_coefficient=self._largest_coefficient(),
            progress=progress,
        )

    def _largest_coefficient(self) -> int | None:
        if self.coefficients is None:
            return None
        if self.planes != "any":
            raise ValueError(f"coefficients must be None where planes={self.planes!r}, got {self.coefficients!r}")
        if isinstance(self.coefficients, str):
            check_choice("coefficients", self.coefficients, ("integer",))
            return LARGEST_COEFFICIENT
        return check_whole("coefficients", self.coefficients, 1)
