"""What TeX's accents, symbols and spacing commands look like as text."""

import unicodedata

ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307", "u": "\u0306", "v": "\u030c",
    "H": "\u030b", "c": "\u0327", "k": "\u0328", "d": "\u0323", "b": "\u0331", "r": "\u030a", "t": "\u0361",
}  # fmt: skip

SYMBOLS = {
    "aa": "å", "AA": "Å", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß", "i": "ı", "j": "ȷ",
    "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "ng": "ŋ", "NG": "Ŋ",
    "ldots": "…", "dots": "…", "dotsc": "…", "dotsb": "…", "cdots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—",
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<", "textgreater": ">", "textquotesingle": "'",
    "textunderscore": "_", "textdegree": "°", "degree": "°", "textpm": "±", "texttimes": "×", "textmu": "µ", "copyright": "©", "textcopyright": "©",
    "textregistered": "®", "texttrademark": "™", "dag": "†", "ddag": "‡", "textdagger": "†", "S": "§", "P": "¶", "pounds": "£", "euro": "€",
    "texteuro": "€", "EUR": "€", "textsterling": "£", "textyen": "¥", "textdollar": "$", "TeX": "TeX", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e",
    "BibTeX": "BibTeX", "XeLaTeX": "XeLaTeX", "eg": "e.g.", "ie": "i.e.", "etal": "et al.", "checkmark": "✓", "cmark": "✓", "xmark": "✗", "permil": "‰",
    "percent": "%", "slash": "/", "lq": "‘", "rq": "’", "guillemotleft": "«", "guillemotright": "»", "textquoteleft": "‘", "textquoteright": "’",
    "textquotedblleft": "“", "textquotedblright": "”", "glqq": "„", "grqq": "“",
}  # fmt: skip

MATH_SYMBOLS = {
    "times": "×", "cdot": "·", "pm": "±", "mp": "∓", "le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "ne": "≠",
    "neq": "≠", "approx": "≈", "sim": "∼", "simeq": "≃", "cong": "≅", "equiv": "≡", "propto": "∝", "ll": "≪", "gg": "≫", "lt": "<", "gt": ">",
    "lesssim": "≲", "gtrsim": "≳", "infty": "∞", "to": "→", "rightarrow": "→", "leftarrow": "←", "uparrow": "↑", "downarrow": "↓", "Rightarrow": "⇒",
    "longrightarrow": "→", "mapsto": "↦", "leftrightarrow": "↔", "circ": "°", "prime": "′", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏",
    "int": "∫", "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "emptyset": "∅", "forall": "∀", "exists": "∃",
    "wedge": "∧", "vee": "∨", "neg": "¬", "lnot": "¬", "oplus": "⊕", "otimes": "⊗", "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ", "ast": "∗",
    "star": "⋆", "bullet": "•", "div": "÷", "setminus": "∖", "mid": "|", "vert": "|", "Vert": "‖", "lVert": "‖", "rVert": "‖", "lvert": "|", "rvert": "|",
    "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "colon": ":", "ldots": "…", "cdots": "…", "dots": "…",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "ϑ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ",
    "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "quad": " ", "qquad": " ",
}  # fmt: skip

# Commands that only set style: the command goes, its argument stays.
TRANSPARENT = frozenset(
    ["emph", "textbf", "textit", "textsl", "textsc", "texttt", "textsf", "textrm", "textmd", "textup", "textnormal", "textlf", "underline", "uline", "uwave", "mbox", "fbox", "hbox", "makebox", "text", "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "mathbb", "mathfrak", "mathscr", "boldsymbol", "bm", "operatorname", "mathnormal", "ensuremath", "textmath", "em", "it", "bf", "sc", "tt", "sf", "rm", "sl", "bfseries", "itshape", "scshape", "ttfamily", "sffamily", "rmfamily", "upshape", "mdseries", "normalfont", "small", "footnotesize", "scriptsize", "tiny", "large", "Large", "LARGE", "huge", "Huge", "normalsize", "centering", "raggedright", "noindent", "selectfont", "MakeUppercase", "MakeLowercase", "uppercase", "lowercase", "protect", "xspace", "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "strong", "enquote", "textquote", "sout", "hl", "st", "so", "ul", "mathop", "mathbin", "mathrel", "mathord", "boxed", "underbrace", "overbrace", "textsuperscript", "textsubscript", "foreignlanguage", "boldmath", "unboldmath", "leavevmode", "relax", "bgroup", "egroup", "begingroup", "endgroup", "null", "nobreak", "ignorespaces", "unskip", "allowbreak", "linebreak", "nolinebreak", "pagebreak", "newline", "smallskip", "medskip", "bigskip", "par", "hfill", "vfill", "hfil", "vfil", "clearpage", "newpage", "cleardoublepage", "indent", "maketitle", "tableofcontents", "listoffigures", "listoftables", "frontmatter", "mainmatter", "backmatter", "appendix", "onecolumn", "twocolumn", "sloppy", "fussy", "onehalfspacing", "doublespacing", "singlespacing", "flushbottom", "raggedbottom", "makeatletter", "makeatother", "titlecap", "hat", "bar", "tilde", "vec", "dot", "ddot", "widehat", "widetilde", "overline"]
)

# Commands that go with their arguments (how many in braces).
DROPPED = {
    "label": 1, "vspace": 1, "hspace": 1, "vskip": 0, "hskip": 0, "includegraphics": 1, "bibliographystyle": 1, "bibliography": 1, "index": 1, "thispagestyle": 1,
    "pagestyle": 1, "setlength": 2, "addtolength": 2, "setcounter": 2, "addtocounter": 2, "stepcounter": 1, "refstepcounter": 1, "usepackage": 1,
    "documentclass": 1, "input": 1, "include": 1, "subfile": 1, "import": 2, "subimport": 2, "pagenumbering": 1, "pdfbookmark": 2, "hypersetup": 1,
    "addbibresource": 1, "printbibliography": 0, "graphicspath": 1, "phantomsection": 0, "addcontentsline": 3, "markboth": 2, "markright": 1, "fontsize": 2,
    "color": 1, "definecolor": 3, "colorlet": 2, "rowcolor": 1, "cellcolor": 1, "arrayrulecolor": 1, "rule": 2, "raisebox": 1, "resizebox": 2, "scalebox": 1,
    "phantom": 1, "hphantom": 1, "vphantom": 1, "hypertarget": 1, "glsresetall": 0, "acresetall": 0, "todo": 1, "setenumerate": 1, "setitemize": 1,
    "setlist": 1, "captionsetup": 1, "theoremstyle": 1, "allowdisplaybreaks": 0, "numberwithin": 2, "newpage": 0, "lstset": 1, "lstinputlisting": 1,
    "email": 1, "orcid": 1, "affiliation": 1, "address": 1, "newlength": 1, "newcounter": 1, "RequirePackage": 1, "LoadClass": 1, "tikzset": 1,
    "usetikzlibrary": 1, "pgfplotsset": 1, "sisetup": 1, "externaldocument": 1, "DeclareAcronym": 2, "newacronym": 3, "newabbreviation": 3, "textcolor": 1,
    "colorbox": 1, "fcolorbox": 2, "parbox": 1, "hyperref": 0, "href": 1, "begin": 1, "end": 1, "cline": 1, "cmidrule": 1, "bookmarksetup": 1,
    "renewbibmacro": 2, "DeclareFieldFormat": 2, "Crefname": 3, "crefname": 3, "newgeometry": 1, "geometry": 1, "hyphenation": 1, "DeclareUnicodeCharacter": 2,
    "linespread": 1, "vadjust": 1, "special": 1, "write": 0, "csname": 0, "bibitem": 1, "cref@": 0, "pgfplotstabletypeset": 1, "fancyhead": 1, "fancyfoot": 1,
}  # fmt: skip

LETTERS_ACCENTS = frozenset("uvHckdbrt")


def accented(accent: str, letter: str) -> str:
    """`letter` with TeX's accent command `accent`, composed where Unicode has a single character."""
    base = {"ı": "i", "ȷ": "j"}.get(letter, letter)
    return unicodedata.normalize("NFC", base[:1] + ACCENTS[accent] + base[1:]) if base else ""
