"""Command names whose arguments the lexer reads, by what they do.  Wrapper macros of the user are found later, in facts."""

import re

# Every citing command of LaTeX, natbib, biblatex, apacite, jurabib and common classes: one pattern instead of a list that is never complete.
CITE = re.compile(
    r"(?:no)?[cC]ite(?:p|t|alt|alp|author|year|yearpar|num|fullauthor|title|url|date|al|text|s|A|N|NP|Y|meta|nobr|super|mask)*"
    r"|(?:full|short|mask|un|ref|text|my)?cite(?:A|author|year|NP|authorNP|yearNP|p|t|alp|alt|title)*"
    r"|[cC]ite(?:t|p|alt|alp|author|author\*)s|[cC]iteauthors"
    r"|(?:paren|Paren|foot|footfull|full|text|Text|smart|Smart|super|auto|Auto|note|pnote|f?tvol|vol|avol|Avol|pvol|Pvol|svol|Svol)cite(?:s|text|texts)?"
    r"|(?:foot|parent|text|auto|smart|super|full)cites|Cites|cites|[pP]notecite|fnotecite|[aA]vcite|[pP]vcite|svcite|ftvolcite"
    r"|citeyearpar|citetext|onlinecite|bibentry|fullcitebib|textcitenum|supercites|nocitemeta|citealias|footcitetext"
)
MULTICITE = frozenset(
    [
        "cites",
        "Cites",
        "parencites",
        "Parencites",
        "footcites",
        "footcitetexts",
        "textcites",
        "Textcites",
        "smartcites",
        "Smartcites",
        "supercites",
        "autocites",
        "Autocites",
        "volcites",
        "pvolcites",
        "fvolcites",
        "svolcites",
        "tvolcites",
        "avolcites",
    ]
)
# Not keys: these commands look like citing ones but take other arguments.
NOT_CITE = frozenset(
    [
        "citetext",
        "citestyle",
        "citeindextype",
        "citesetup",
        "citename",
        "citereset",
        "citeauthoryear",
        "citealias",
        "citelist",
        "citefield",
        "citet@",
        "citename",
    ]
)

# Commands that take a list of labels, separated by commas.
REF_LIST = frozenset(
    [
        "cref",
        "Cref",
        "cref*",
        "Cref*",
        "labelcref",
        "labelcpageref",
        "cpageref",
        "Cpageref",
        "namecref",
        "nameCref",
        "namecrefs",
        "nameCrefs",
        "zcref",
        "zcref*",
        "vref",
        "Vref",
    ]
)
REF_RANGE = frozenset(["crefrange", "Crefrange", "cpagerefrange", "vrefrange"])
REF = (
    REF_LIST
    | REF_RANGE
    | frozenset(
        [
            "ref",
            "ref*",
            "eqref",
            "eqref*",
            "pageref",
            "pageref*",
            "autoref",
            "autoref*",
            "nameref",
            "nameref*",
            "lcnamecref",
            "vref*",
            "vpageref",
            "fref",
            "Fref",
            "fullref",
            "subref",
            "subref*",
            "hyperref",
            "zref",
            "zpageref",
            "titleref",
            "labelref",
            "figref",
            "tabref",
            "secref",
            "thref",
            "Thref",
            "prettyref",
            "sref",
            "subeqref",
            "refeq",
        ]
    )
)

INCLUDE = frozenset(
    [
        "input",
        "include",
        "subfile",
        "subfileinclude",
        "InputIfFileExists",
        "import",
        "subimport",
        "inputfrom",
        "includefrom",
        "subinputfrom",
        "subincludefrom",
        "import*",
        "subimport*",
        "includefrom*",
        "inputfrom*",
        "subinputfrom*",
        "subincludefrom*",
        "@input",
        "loadglsentries",
    ]
)
BIBLIOGRAPHY = frozenset(
    [
        "bibliography",
        "addbibresource",
        "addglobalbib",
        "addsectionbib",
        "printbibliography",
        "nobibliography",
        "nobibliography*",
        "bibselect",
    ]
)

DEFINE = frozenset(
    [
        "newcommand",
        "renewcommand",
        "providecommand",
        "newcommand*",
        "renewcommand*",
        "providecommand*",
        "DeclareRobustCommand",
        "DeclareRobustCommand*",
        "def",
        "edef",
        "gdef",
        "xdef",
        "NewDocumentCommand",
        "RenewDocumentCommand",
        "ProvideDocumentCommand",
        "DeclareDocumentCommand",
        "NewExpandableDocumentCommand",
        "DeclareMathOperator",
        "DeclareMathOperator*",
        "newenvironment",
        "renewenvironment",
        "NewDocumentEnvironment",
        "RenewDocumentEnvironment",
        "DeclareDocumentEnvironment",
        "newtheorem",
        "newtheorem*",
        "newcolumntype",
        "lstnewenvironment",
        "DeclarePairedDelimiter",
        "DeclarePairedDelimiterX",
        "let",
    ]
)

# How many braced arguments to read (optional ones in between are read as well).
ARGUMENTS: dict[str, int] = {
    "label": 1,
    "caption": 1,
    "caption*": 1,
    "captionof": 2,
    "captionof*": 2,
    "subcaption": 1,
    "subcaptionbox": 2,
    "subfloat": 0,
    "title": 1,
    "abstract": 1,
    "Abstract": 1,
    "keywords": 1,
    "Keywords": 1,
    "documentclass": 1,
    "usepackage": 1,
    "RequirePackage": 1,
    "LoadClass": 1,
    "graphicspath": 1,
    "newtheorem": 2,
    "newtheorem*": 2,
    "bibitem": 1,
    "includegraphics": 1,
    "includegraphics*": 1,
    "lstinputlisting": 1,
    "footnote": 1,
    "footnotetext": 1,
    "thanks": 1,
    "definecolor": 3,
    "colorlet": 2,
    "color": 1,
    "textcolor": 2,
    "fontsize": 2,
    "externaldocument": 1,
    "hypersetup": 1,
    "pdfinfo": 1,
    "acro": 2,
    "acrodef": 2,
    "newacro": 2,
    "acrodefplural": 2,
    "newacronym": 3,
    "newabbreviation": 3,
    "DeclareAcronym": 2,
    "setcounter": 2,
    "phantom": 1,
    "hphantom": 1,
    "vphantom": 1,
    "transparent": 1,
    "texttransparent": 2,
    "pgfplotstabletypeset": 1,
    "csname": 0,
}
REF_ARGUMENTS = {name: 2 if name in REF_RANGE else 1 for name in REF} | {"hyperref": 0}
INCLUDE_ARGUMENTS = {name: 2 if any(part in name for part in ("import", "from")) else 1 for name in INCLUDE}
