"""A check of a split's certificate by someone who does not trust the search, in plain NumPy."""

from cart_elc.verification.verify import Verification, verify

__all__ = ["Verification", "verify"]
