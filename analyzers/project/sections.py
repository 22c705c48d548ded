"""What a section is about: a class from its title, its place and the sections around it."""

import re
from enum import StrEnum
from functools import lru_cache


class SectionClass(StrEnum):
    """The role of a section in a paper."""

    ABSTRACT = "abstract"
    INTRODUCTION = "introduction"
    RELATED = "related work"
    METHOD = "method"
    EXPERIMENTS = "experiments"
    CONCLUSION = "conclusion"
    APPENDIX = "appendix"
    OTHER = "other"


# The first rule that matches decides, so the order goes from the surest cues to the vaguest.
_CUES: tuple[tuple[SectionClass, str], ...] = (
    (SectionClass.ABSTRACT, r"^(?:abstract|summary|zusammenfassung|kurzfassung|摘要|аннотация|реферат|résumé)$"),
    (SectionClass.APPENDIX, r"^(?:appendi(?:x|ces)|supplement\w*|supporting information|anhang|附录|приложени\w*)\b|\bsupplementary (?:material|information)"),
    (SectionClass.RELATED, (r"\brelated (?:work|literature|research|approaches|studies)\b|\b(?:prior|previous) (?:work|art)\b|literature (?:review|survey)|^background$"
                           r"|state of the art|verwandte arbeiten|stand der (?:forschung|technik)|相关工作|研究现状|обзор литературы|связанные работы")),
    (SectionClass.CONCLUSION, (r"\bconclu\w*|\bfinal remarks\b|\bclosing (?:remarks|thoughts)\b|\bsummary and (?:outlook|discussion|future)|\bdiscussion and (?:conclusion|future)"
                              r"|\bfuture (?:work|directions)\b|^outlook$|\bfazit\b|schlussfolger\w*|ausblick|结论|总结|заключени\w*|выводы")),
    (SectionClass.INTRODUCTION, r"\bintroduc\w*|^motivation\b|^overview$|\beinleitung\b|einführung|引言|绪论|введени\w*"),
    (SectionClass.EXPERIMENTS, (r"\bexperiment\w*|\bevaluat\w*|\bresults?\b|\bablation\w*|\bbenchmark\w*|\bempirical\b|\bcase stud(?:y|ies)\b|\buser stud(?:y|ies)\b"
                               r"|\bperformance\b|\bcomparison\b|\bfindings\b|\bsimulation (?:stud|results|examples)\w*|\bnumerical (?:stud|results|examples|experiments)\w*"
                               r"|\bdiscussion\b|\bvalidation\b|\bdata ?sets?\b|ergebnis\w*|evaluierung|auswertung|实验|结果|эксперимент\w*|результат\w*")),
    (SectionClass.METHOD, (r"\bmethod\w*|\bapproach\w*|\bmodels?\b|\balgorithms?\b|\barchitecture\b|\bframework\b|\bproposed\b|\bimplementation\b|\btraining\b|\bpreliminar\w*"
                          r"|\bproblem (?:formulation|statement|setting|definition|setup)\b|\bsystem (?:design|overview|model)\b|\bdesign\b|\btheor\w*|\bformalism\b|\bsetup\b"
                          r"|\bmaterials?\b|\bprocedure\b|\bnotation\b|\bformulation\b|\bdata\b|\banalysis\b|\bmethodik\b|vorgehen|umsetzung|方法|模型|算法|метод\w*|модел\w*")),
)  # fmt: skip
_ENDS = re.compile(r"^[\W\d_]+|[\W_]+$")
_LONGEST_KNOWN = 300


@lru_cache(maxsize=2)
def _rules(flags: int) -> tuple[tuple[SectionClass, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern, flags)) for kind, pattern in _CUES)


@lru_cache(maxsize=512)
def _cue(title: str) -> SectionClass | None:
    """What the title alone says."""
    bare = _ENDS.sub("", title)
    # In ASCII a search in lower case finds the same as one that ignores case, and is faster.
    rules = _rules(0) if bare.isascii() else _rules(re.IGNORECASE)
    bare = bare.lower() if bare.isascii() else bare
    return next((kind for kind, pattern in rules if pattern.search(bare)), None)


def classify(title: str, parent: SectionClass | None, appendix: bool) -> SectionClass:
    """The class of a section with this plain title; subsections without a cue of their own take that of their parent.

    “Experimental Evaluation of Language Models” is experiments, although “models” alone would say method: cues of
    results go before cues of method.
    """
    if appendix:
        return SectionClass.APPENDIX
    if parent in (SectionClass.ABSTRACT, SectionClass.APPENDIX):
        return parent
    # Titles are short and recur; what is longer is no title, and not worth remembering.
    kind = (_cue if len(title) <= _LONGEST_KNOWN else _cue.__wrapped__)(title)
    if kind is None:
        return parent if parent is not None else SectionClass.OTHER
    # A subsection keeps the role of its section: “Model architecture” below “Experiments” is part of the experiments,
    # and “Evaluation metrics” below “Method” is not where results stand.
    if parent in (SectionClass.RELATED, SectionClass.CONCLUSION, SectionClass.EXPERIMENTS) and kind in (
        SectionClass.METHOD,
        SectionClass.INTRODUCTION,
    ):
        return parent
    if parent is SectionClass.INTRODUCTION and kind in (SectionClass.METHOD, SectionClass.EXPERIMENTS):
        return parent
    return kind
