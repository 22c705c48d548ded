"""What a model answers when it refines a graph: the only pydantic models, imported when a model is asked.

Every field is required and nothing else is allowed, which is what providers need to hold a model to a schema.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class ProposedNode(BaseModel):
    """A point and the names of the sentences that say it, the clearest first."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["Claim", "Evidence", "Methodology", "Implementation", "MathematicalTheory"]
    subtype: Literal["Main", "Secondary", "Tertiary", "High", "Medium", "Low", ""]
    description: str
    sentences: list[str]


class ProposedEdge(BaseModel):
    """How one point bears on another; `p3` is the third node of the answer, `n…` one that is known already."""

    model_config = ConfigDict(extra="forbid")

    source: str
    target: str
    relation: Literal["supports", "contradicts"]
    reason: str


class Proposals(BaseModel):
    """A whole answer."""

    model_config = ConfigDict(extra="forbid")

    nodes: list[ProposedNode]
    edges: list[ProposedEdge]
