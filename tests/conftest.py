"""For every test: Hypothesis draws the same examples in every run, and a busy machine is no defect of the code.

New examples are looked for by ``tests/support/hunt.py``.
"""

from hypothesis import settings

settings.register_profile("cart-elc", deadline=None, derandomize=True)
settings.load_profile("cart-elc")
