"""Venues: aliases, abbreviations, versions, and what stays undecided."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.citations.venues import VenueMatch, compare_venues, venue_families, venue_kind

ICML = "Proceedings of the 40th International Conference on Machine Learning, ICML 2023, Honolulu, Hawaii, USA"
NEURIPS = "Advances in Neural Information Processing Systems 35: Annual Conference, NeurIPS 2022, New Orleans, LA, USA"
CVPR = "IEEE/CVF Conference on Computer Vision and Pattern Recognition, CVPR 2022, New Orleans, LA, USA"
CASES = [
    ("CVPR", CVPR, VenueMatch.SAME),
    ("NIPS", NEURIPS, VenueMatch.SAME),
    ("Adv. Neur. In.", NEURIPS, VenueMatch.SAME),
    ("ICML, PMLR 202", ICML, VenueMatch.SAME),
    ("UAI", ICML, VenueMatch.DIFFERENT),
    ("Symposium on Weight Sharing Laws", ICML, VenueMatch.DIFFERENT),
    ("International Conference on Quantum Machine Learning", ICML, VenueMatch.DIFFERENT),
    ("ACM Workshop on Network Design", NEURIPS, VenueMatch.DIFFERENT),
    ("PMLR", ICML, VenueMatch.UNKNOWN),
    ("Springer", ICML, VenueMatch.UNKNOWN),
    ("", ICML, VenueMatch.UNKNOWN),
    ("arXiv preprint arXiv:1706.03762", NEURIPS, VenueMatch.PREPRINT),
    ("NeurIPS", "CoRR", VenueMatch.PUBLISHED),
    ("J. Mach. Learn. Res.", ICML, VenueMatch.VERSION),
    ("CL", "Computational Linguistics", VenueMatch.SAME),
    ("SDM", "Proceedings of the 2014 SIAM International Conference on Data Mining", VenueMatch.SAME),
    (
        "ASONAM",
        "Proceedings of the 2017 IEEE/ACM Conference on Advances in Social Networks Analysis and Mining",
        VenueMatch.SAME,
    ),
    ("Proc. IEEE", "Proceedings of the IEEE", VenueMatch.SAME),
    ("Mach. Learn.", "Machine Learning", VenueMatch.SAME),
    ("Nature", "Nature Communications", VenueMatch.DIFFERENT),
    (
        "EMNLP",
        "Findings of the Association for Computational Linguistics: EMNLP 2021",
        VenueMatch.SAME,
    ),
    (
        "ACL",
        "Conference of the European Chapter of the Association for Computational Linguistics",
        VenueMatch.DIFFERENT,
    ),
    ("Proc. Conf. River Ecol.", "Proceedings of the Conference on River Ecology, Berlin", VenueMatch.SAME),
    ("Journal of River Ecology", "Proceedings of the Conference on River Ecology, Berlin", VenueMatch.VERSION),
    ("Conference on Glacier Dynamics", "Workshop on Bee Keeping", VenueMatch.DIFFERENT),
]


@pytest.mark.parametrize(("given_venue", "found_venue", "expected"), CASES)
def test_case(given_venue: str, found_venue: str, expected: VenueMatch) -> None:
    assert compare_venues(given_venue, found_venue) is expected


def test_joint_conferences_have_several_families() -> None:
    venue = "59th Annual Meeting of the Association for Computational Linguistics and the 11th International Joint "
    venue += "Conference on Natural Language Processing (Volume 1: Long Papers)"
    assert venue_families(venue) == {"acl", "ijcnlp"}


@pytest.mark.parametrize(
    ("venue", "kind"), [("ICML", "conf"), ("CoRR", "preprint"), ("LNCS", "series"), ("TMLR", "journal"), ("Bees", "")]
)
def test_kinds(venue: str, kind: str) -> None:
    assert venue_kind(venue) == kind


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=60), st.sampled_from([ICML, "", "Bees", "arXiv", "LNCS"]))
def test_any_venue_is_compared(given_venue: str, found_venue: str) -> None:
    assert compare_venues(given_venue, found_venue) in VenueMatch
    assert compare_venues(given_venue, given_venue) in (VenueMatch.SAME, VenueMatch.UNKNOWN)
