"""What the commands in a cell do to its text."""

import re

BOLD, UNDERLINE, ITALIC = 1, 2, 4
STYLES = dict.fromkeys(("textbf", "mathbf", "boldsymbol", "bm", "pmb", "bf", "bfseries", "boldmath", "strong"), BOLD)
STYLES |= dict.fromkeys(("underline", "uline", "ul", "uuline", "underbar", "uwave", "dashuline", "dotuline"), UNDERLINE)
STYLES |= dict.fromkeys(("textit", "emph", "textsl", "mathit", "it", "itshape", "em", "sl", "slshape"), ITALIC)
DECLARATIONS = frozenset(("bf", "bfseries", "boldmath", "it", "itshape", "em", "sl", "slshape"))
UPRIGHT = frozenset(("mdseries", "normalfont", "rm", "upshape"))
# Commands whose last argument is the text; the string says what comes before it (o optional, m in braces).
LAST: dict[str, str] = dict(
    item.partition(":")[::2]
    for item in (
        "textcolor:om colorbox:om fcolorbox:mm rotatebox:om scalebox:mo resizebox:mm raisebox:moo adjustbox:m"
        " multirow:omomo multicolumn:mm multirowcell:omo multirowthead:omo parbox:ooom makecell:o thead:o"
        " shortstack:o colhead: twocolhead: hyperref:o href:m makebox:oo framebox:oo rothead:o Centerstack:o"
        " stackunder:m minipage:oooom tabincell:m diagbox:o tablenum:o cellcolor:om- rowcolor:om- color:om-"
        " hspace:m- vspace:m- footnote:om- tnote:m- tablefootnote:om- footnotemark:o- label:m- phantom:m-"
        " hphantom:m- vphantom:m- todo:om- includegraphics:om- rule:omm- tablenotemark:m- rowfont:om- SetCell:om-"
        " setlength:mm- hskip:- vskip:- arrayrulecolor:om- fontsize:mm- setcounter:mm- linespread:m-"
        " renewcommand:mom- arraystretch:- pdftooltip: tnotex:m- multicolcell: sisetup:m- ding:m- RowStyle:om-"
        " notag:- addlinespace:o- cmidrule:om- cline:m- smash:o llap: rlap: clap: mathclap: mathllap:"
        " stepcounter:m- addtocounter:mm- refstepcounter:m- hypertarget:m hyperlink:m twemoji:om- bigstrut:o-"
        " strut:- sym:m- acl: acs: ac: gls: Gls:"
    ).split()
)
CITES = re.compile(r"(?:[A-Za-z]*[cC]ite[A-Za-z]*)$")
REFS = frozenset(("ref", "cref", "Cref", "eqref", "autoref", "pageref", "nameref", "subref", "vref"))
SPACES = frozenset(
    ("quad", "qquad", "enspace", "enskip", "thinspace", "newline", "linebreak", "tabularnewline", "cr", "par", "hfill")
)
EXTRA = {
    "textuparrow": "↑", "textdownarrow": "↓", "textrightarrow": "→", "nearrow": "↗", "searrow": "↘", "lbrack": "[",
    "rbrack": "]", "textbullet": "•", "Uparrow": "↑", "Downarrow": "↓", "blacktriangle": "▲", "triangledown": "▽",
    "triangle": "△", "square": "□", "blacksquare": "■", "CheckmarkBold": "✓", "XSolidBrush": "✗", "cdots": "…",
    "vdots": "⋮", "textasteriskcentered": "*", "dagger": "†", "ddagger": "‡", "textdaggerdbl": "‡", "textless": "<",
    "minus": "-", "nodata": "…", "colon": ":", "lvert": "|", "AA": "Å", "textminus": "−", "textperthousand": "‰",
    "euro": "€",
}  # fmt: skip
# Pifont's marks: 51 and 52 are ticks, 53 to 56 are crosses.
DINGBATS = {"51": "✓", "52": "✓", "53": "✗", "54": "✗", "55": "✗", "56": "✗"}
ARGUMENTS = {"frac": 2, "tfrac": 2, "dfrac": 2, "nicefrac": 2, "sfrac": 2}
SIUNITX = frozenset(("num", "SI", "qty", "si", "unit", "ang", "numrange", "SIrange", "qtyrange", "tablenum"))


# A body that decides something is a program: what it prints cannot be told from its text.
PROGRAM = re.compile(
    r"\\(?:if(?!mmode)[A-Za-z@]*|pdfstrcmp|csname|expandafter|futurelet|@ifnextchar|loop|write|read|def)(?![A-Za-z@])"
)
FUNCTIONS = frozenset(
    ("log", "ln", "exp", "sin", "cos", "tan", "max", "min", "arg", "lim", "det", "Pr", "sup", "inf", "argmax", "argmin")
)
