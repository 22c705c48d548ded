"""Every check, in code order.  Adding one means one module here and one line below."""

from analyzers.checks.check import Check
from analyzers.checks.cit001_undefined_key import UndefinedKey
from analyzers.checks.cnt001_promised_count import PromisedCount
from analyzers.checks.cnt002_enumerated_count import EnumeratedCount
from analyzers.checks.cnt003_panel_count import PanelCount
from analyzers.checks.ref001_undefined_label import UndefinedLabel
from analyzers.checks.ref002_duplicate_label import DuplicateLabel
from analyzers.checks.ref003_unreferenced_float import UnreferencedFloat
from analyzers.checks.ref004_float_order import FloatOrder
from analyzers.checks.ref005_typed_reference import TypedReferenceCheck

ALL_CHECKS: tuple[Check, ...] = (
    UndefinedKey(),
    PromisedCount(),
    EnumeratedCount(),
    PanelCount(),
    UndefinedLabel(),
    DuplicateLabel(),
    UnreferencedFloat(),
    FloatOrder(),
    TypedReferenceCheck(),
)
