"""The command line: ``cart-elc reproduce | fit | predict | show | datasets``."""

from cart_elc.cli.main import main

__all__ = ["main"]
