"""``python -m cart_elc`` is ``cart-elc``."""

from cart_elc.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
