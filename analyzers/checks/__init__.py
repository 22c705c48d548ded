"""Every check, in code order.  Adding one means one module here and one line below."""

from analyzers.checks.check import Check
from analyzers.checks.cit001_undefined_key import UndefinedKey
from analyzers.checks.cnt001_promised_count import PromisedCount
from analyzers.checks.cnt002_enumerated_count import EnumeratedCount
from analyzers.checks.cnt003_panel_count import PanelCount

ALL_CHECKS: tuple[Check, ...] = (
    UndefinedKey(),
    PromisedCount(),
    EnumeratedCount(),
    PanelCount(),
)
