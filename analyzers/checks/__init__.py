"""Every check, in code order.  Adding one means one module here and one line below."""

from analyzers.checks.check import Check
from analyzers.checks.cit001_undefined_key import UndefinedKey

ALL_CHECKS: tuple[Check, ...] = (UndefinedKey(),)
