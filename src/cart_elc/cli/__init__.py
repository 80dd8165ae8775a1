"""The command line: ``cart-elc fit | predict | show | export | datasets``, and what other packages add."""

from cart_elc.cli.main import main

__all__ = ["main"]
