"""Every check, in code order.  Adding one means one module here and one line below."""

from analyzers.checks.acr001_two_expansions import TwoExpansions
from analyzers.checks.acr002_undefined_acronym import UndefinedAcronym
from analyzers.checks.acr003_acronym_housekeeping import AcronymHousekeeping
from analyzers.checks.bib_entries import BIBLIOGRAPHY_CHECKS
from analyzers.checks.cap001_caption_count import CaptionCount
from analyzers.checks.cap002_caption_name import CaptionName
from analyzers.checks.check import Check
from analyzers.checks.cit001_undefined_key import UndefinedKey
from analyzers.checks.cit002_narrative_name import NarrativeMismatch
from analyzers.checks.cit003_key_case import KeyCase
from analyzers.checks.cit004_uncited_entries import UncitedEntries
from analyzers.checks.cit005_claim_without_citation import ClaimWithoutCitation
from analyzers.checks.cit006_named_work import NamedWork
from analyzers.checks.clm001_main_claim_without_evidence import MainClaimWithoutEvidence
from analyzers.checks.clm002_unused_evidence import UnusedEvidence
from analyzers.checks.clm003_promised_contribution import PromisedContribution
from analyzers.checks.clm004_abstract_claim_missing import AbstractClaimMissing
from analyzers.checks.clm005_conclusion_overreach import ConclusionOverreach
from analyzers.checks.clm006_unsupported_comparison import UnsupportedComparison
from analyzers.checks.clm007_claim_rests_on_citation import ClaimRestsOnCitation
from analyzers.checks.clm008_limitation_against_claim import LimitationAgainstClaim
from analyzers.checks.cmp001_comparative import Comparative
from analyzers.checks.cmp002_comparative_vs_cells import ComparativeVersusCells
from analyzers.checks.cnt001_promised_count import PromisedCount
from analyzers.checks.cnt002_enumerated_count import EnumeratedCount
from analyzers.checks.cnt003_panel_count import PanelCount
from analyzers.checks.con001_setting_two_values import SettingTwoValues
from analyzers.checks.con002_cohort_size import CohortSize
from analyzers.checks.con003_dataset_size import DatasetSize
from analyzers.checks.con004_negated_restatement import NegatedRestatement
from analyzers.checks.con005_antonym_flip import AntonymFlip
from analyzers.checks.con006_scope_flip import ScopeFlip
from analyzers.checks.dat001_reversed_dates import ReversedDates
from analyzers.checks.dup001_repeated_text import RepeatedText
from analyzers.checks.num001_abstract_orphan import AbstractOrphan
from analyzers.checks.num002_delta_vs_cells import DeltaVersusCells
from analyzers.checks.num003_from_to import FromTo
from analyzers.checks.num004_sum_of_parts import SumOfParts
from analyzers.checks.num005_partition_percent import PartitionPercent
from analyzers.checks.num006_superlative import SuperlativeRefuted
from analyzers.checks.num007_percent_vs_points import PercentVersusPoints
from analyzers.checks.num008_fraction_percent import FractionPercent
from analyzers.checks.num009_two_values import TwoValues
from analyzers.checks.num010_near_miss import NearMissCell
from analyzers.checks.num011_macro_literal import MacroLiteral
from analyzers.checks.num012_rounding_drift import RoundingDrift
from analyzers.checks.num013_speedup_direction import SpeedupDirection
from analyzers.checks.num014_value_vs_cell import ValueVersusCell
from analyzers.checks.num015_slip_of_a_digit import SlipOfADigit
from analyzers.checks.ref001_undefined_label import UndefinedLabel
from analyzers.checks.ref002_duplicate_label import DuplicateLabel
from analyzers.checks.ref003_unreferenced_float import UnreferencedFloat
from analyzers.checks.ref004_float_order import FloatOrder
from analyzers.checks.ref005_typed_reference import TypedReferenceCheck
from analyzers.checks.rel001_related_pair import RelatedPairs
from analyzers.checks.sec001_invisible_text import InvisibleText
from analyzers.checks.sec002_unreadable_text import UnreadableText
from analyzers.checks.sec003_invisible_characters import InvisibleCharacters
from analyzers.checks.sec004_reviewer_instruction import ReviewerInstruction
from analyzers.checks.sta001_p_value import PVersusStatistic
from analyzers.checks.sta002_estimate_outside_interval import EstimateOutsideInterval
from analyzers.checks.sta003_grim import ImpossibleMean
from analyzers.checks.sta004_grimmer import ImpossibleDeviation
from analyzers.checks.sta005_significance_word import SignificanceWord
from analyzers.checks.sta006_interval_vs_p import IntervalVersusP
from analyzers.checks.sta007_degrees_vs_sample import DegreesVersusSample
from analyzers.checks.sta008_p_zero import PZero
from analyzers.checks.sta009_unnamed_spread import UnnamedSpread
from analyzers.checks.sym001_symbol_redefined import SymbolRedefined
from analyzers.checks.tab001_bold_not_best import BoldNotBest
from analyzers.checks.tab002_average_wrong import AverageWrong
from analyzers.checks.tab003_total_wrong import TotalWrong
from analyzers.checks.tab004_delta_column import DeltaColumnWrong
from analyzers.checks.tab005_second_best import SecondBest
from analyzers.checks.tab006_count_percent import CountPercent
from analyzers.checks.tab007_decimals_mixed import DecimalsMixed
from analyzers.checks.tab008_duplicate_row import DuplicateRow
from analyzers.checks.tab009_impossible_value import ImpossibleValue
from analyzers.checks.tab010_header_unit import HeaderUnitVersusText
from analyzers.checks.tab011_cross_table import CrossTable
from analyzers.checks.thm001_restated_differs import RestatedDiffers
from analyzers.checks.thm002_unused_assumption import UnusedAssumption
from analyzers.checks.txt001_template_text import TemplateText
from analyzers.checks.txt002_note_to_self import NoteToSelfCheck
from analyzers.checks.txt003_open_reference import OpenReference
from analyzers.checks.txt004_chat_residue import ChatResidue
from analyzers.checks.uni001_mixed_units import MixedUnits

ALL_CHECKS: tuple[Check, ...] = (
    TwoExpansions(),
    UndefinedAcronym(),
    AcronymHousekeeping(),
    *BIBLIOGRAPHY_CHECKS,
    CaptionCount(),
    CaptionName(),
    UndefinedKey(),
    NarrativeMismatch(),
    KeyCase(),
    UncitedEntries(),
    ClaimWithoutCitation(),
    NamedWork(),
    MainClaimWithoutEvidence(),
    UnusedEvidence(),
    PromisedContribution(),
    AbstractClaimMissing(),
    ConclusionOverreach(),
    UnsupportedComparison(),
    ClaimRestsOnCitation(),
    LimitationAgainstClaim(),
    Comparative(),
    ComparativeVersusCells(),
    PromisedCount(),
    EnumeratedCount(),
    PanelCount(),
    SettingTwoValues(),
    CohortSize(),
    DatasetSize(),
    NegatedRestatement(),
    AntonymFlip(),
    ScopeFlip(),
    ReversedDates(),
    RepeatedText(),
    AbstractOrphan(),
    DeltaVersusCells(),
    FromTo(),
    SumOfParts(),
    PartitionPercent(),
    SuperlativeRefuted(),
    PercentVersusPoints(),
    FractionPercent(),
    TwoValues(),
    NearMissCell(),
    MacroLiteral(),
    RoundingDrift(),
    SpeedupDirection(),
    ValueVersusCell(),
    SlipOfADigit(),
    UndefinedLabel(),
    DuplicateLabel(),
    UnreferencedFloat(),
    FloatOrder(),
    TypedReferenceCheck(),
    RelatedPairs(),
    InvisibleText(),
    UnreadableText(),
    InvisibleCharacters(),
    ReviewerInstruction(),
    PVersusStatistic(),
    EstimateOutsideInterval(),
    ImpossibleMean(),
    ImpossibleDeviation(),
    SignificanceWord(),
    IntervalVersusP(),
    DegreesVersusSample(),
    PZero(),
    UnnamedSpread(),
    SymbolRedefined(),
    BoldNotBest(),
    AverageWrong(),
    TotalWrong(),
    DeltaColumnWrong(),
    SecondBest(),
    CountPercent(),
    DecimalsMixed(),
    DuplicateRow(),
    ImpossibleValue(),
    HeaderUnitVersusText(),
    CrossTable(),
    RestatedDiffers(),
    UnusedAssumption(),
    TemplateText(),
    NoteToSelfCheck(),
    OpenReference(),
    ChatResidue(),
    MixedUnits(),
)
