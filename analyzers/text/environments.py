"""What the lexer knows about environment and command names."""

# The text of these environments is not TeX: it is taken as it is up to the literal `\end{name}`.
VERBATIM = frozenset(
    ["verbatim", "verbatim*", "Verbatim", "Verbatim*", "BVerbatim", "LVerbatim", "SaveVerbatim", "alltt", "lstlisting", "lstlisting*", "minted", "minted*", "comment", "filecontents", "filecontents*", "CodeInput", "CodeOutput", "CodeChunk", "Code", "Sinput", "Soutput", "Schunk", "code", "pycode", "tcblisting", "listing*", "luacode", "luacode*", "spverbatim", "pyverbatim", "sagesilent", "sageblock", "asy", "asydef", "dot2tex", "shellbox", "console", "bashcode", "pythoncode", "cppcode", "haskellcode", "promptbox*", "VerbatimOut", "lean", "ccode", "rawhtml", "htmlonly"]
)

# Kept in one block when their end can be found: floats, tables, drawings, algorithms.
FLOAT = frozenset(
    ["figure", "figure*", "table", "table*", "wrapfigure", "wraptable", "sidewaysfigure", "sidewaysfigure*", "sidewaystable", "sidewaystable*", "SCfigure", "SCtable", "SCfigure*", "SCtable*", "floatingfigure", "algorithm", "algorithm*", "algorithm2e", "deluxetable", "deluxetable*", "marginfigure", "margintable", "figurehere", "tablehere", "listing", "teaserfigure", "threeparttable"]
)
TABULAR = frozenset(
    ["tabular", "tabular*", "tabularx", "tabulary", "tabu", "longtable", "longtabu", "supertabular", "supertabular*", "xltabular", "tblr", "longtblr", "talltblr", "NiceTabular", "NiceTabular*", "NiceTabularX", "mpsupertabular", "xtabular", "ltablex"]
)
DRAWING = frozenset(
    ["tikzpicture", "pgfpicture", "picture", "algorithmic", "algorithmicx", "axis", "forest", "circuitikz", "tikzcd", "pspicture"]
)
WHOLE = FLOAT | TABULAR | DRAWING

MATH = frozenset(
    ["equation", "equation*", "align", "align*", "alignat", "alignat*", "flalign", "flalign*", "gather", "gather*", "multline", "multline*", "eqnarray", "eqnarray*", "math", "displaymath", "dmath", "dmath*", "dgroup", "dgroup*", "IEEEeqnarray", "IEEEeqnarray*", "subequations", "array", "cases", "dcases", "rcases", "matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "split", "aligned", "alignedat", "gathered", "multlined", "empheq", "numcases", "subnumcases", "darray", "mathpar"]
)
# Display math whose whole body is math; the others above occur inside of it.
DISPLAY_MATH = frozenset(
    ["equation", "equation*", "align", "align*", "alignat", "alignat*", "flalign", "flalign*", "gather", "gather*", "multline", "multline*", "eqnarray", "eqnarray*", "math", "displaymath", "dmath", "dmath*", "dgroup", "dgroup*", "IEEEeqnarray", "IEEEeqnarray*", "empheq", "numcases", "subnumcases", "darray", "mathpar"]
)

LIST = frozenset(
    ["itemize", "enumerate", "description", "compactitem", "compactenum", "inparaenum", "asparaenum", "enumerate*", "itemize*", "description*", "tight_enumerate", "tight_itemize", "inparaitem", "compactdesc", "easylist", "checklist"]
)

# Environments that stay on the stack across a sectioning command; any other one left open there is half-typed.
ACROSS_SECTIONS = frozenset(
    ["document", "appendices", "subappendices", "appendix", "multicols", "multicols*", "refsection", "refsegment", "landscape", "CJK", "CJK*", "frontmatter", "mainmatter", "backmatter", "spacing", "singlespace", "onehalfspace", "doublespace", "linenumbers", "internallinenumbers", "bibunit", "cbunit", "otherlanguage", "english", "french", "german", "russian", "supplement", "supplementary", "suppinfo"]
)

THEOREM = frozenset(
    ["theorem", "lemma", "proposition", "corollary", "definition", "assumption", "remark", "claim", "conjecture", "example", "hypothesis", "fact", "observation", "axiom", "property", "condition", "criterion", "problem", "question", "notation", "thm", "lem", "prop", "cor", "defn", "defi", "rem", "ass", "conj", "thm*", "theorem*", "lemma*", "proposition*", "corollary*", "definition*", "assumption*", "restatable", "restatable*", "thmrestate", "proof"]
)

SECTIONS = {
    "part": -1,
    "chapter": 0,
    "addchap": 0,
    "section": 1,
    "addsec": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
