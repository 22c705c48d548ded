"""Checks whose operands stand in one sentence: many wordings that have to be found, and many that have to be left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.checks.examples import flagged_by, manuscript_of
from analyzers.configuration import Configuration
from analyzers.driver import analyse
from analyzers.fixes import apply_edits

FOUND: dict[str, tuple[tuple[str, str], ...]] = {
    "NUM003": (
        ("The score increased from 41.2 to 49.1, which is a relative gain of 29.2\\%.", "29.2"),
        ("The error falls from 1.12 with a plain process to 0.93 with ours, an improvement of 0.21\\,mg/L.", "0.21"),
        ("F1 improves from 0.62 to 0.74 (+9.4\\%).", "+9.4"),
        ("Latency falls from 120\\,ms to 80\\,ms, a reduction of 45\\%.", "45"),
        ("We cut the error from 5.2\\% to 3.9\\%, a 35\\% relative reduction.", "35"),
        ("Memory drops from 12 GB to 4 GB, i.e., a 5$\\times$ reduction.", "5"),
        ("This lowers perplexity from 18.3 to 16.1 (a decrease of 3.2 points).", "3.2"),
        ("Throughput grew by a factor of 4.5 from 10 to 35 queries per second.", "4.5"),
        ("Accuracy rises by 14.3 points from 62.0 to 74.3.", "14.3"),
        ("An improvement of 24.8\\% from 62.0 to 74.3 was seen.", "24.8"),
    ),
    "NUM004": (
        ("The corpus has 1,200 documents: 800 news articles, 250 blog posts, and 100 forum threads.", "1,200"),
        ("We use 10,000 images, divided into 8,000 for training, 1,000 for validation and 2,000 for testing.", "10,000"),
        ("The 500 reviews were split into 300 positive and 250 negative reviews.", "500"),
        ("A set of 64 tasks (20 easy, 30 medium, and 24 hard) was used.", "64"),
        ("Of its 5,000 questions, 4,000 are for training, 500 for validation and 600 for testing.", "5,000"),
        ("It has 5,000 pairs, split into training, validation and test sets of 4,000, 500 and 600 pairs.", "5,000"),
        ("The 5,000 pairs are split into a training set of 4,000, a validation set of 500 and a test set of 600.", "5,000"),
        ("We use 5,000 images (4,000 train, 500 dev, 600 test).", "5,000"),
        ("It has 267 papers (120 from ACL, 80 from NeurIPS, 57 from ICML).", "267"),
        ("We annotated 90 papers, of which 60 are from ACL and 40 are from EMNLP.", "90"),
        ("The benchmark consists of 300 questions, comprising 120 factual, 100 causal and 90 temporal questions.", "300"),
    ),
    "NUM005": (
        ("Among the 200 failures, 50\\% were time-outs, 40\\% were crashes and 20\\% were wrong answers.", "20\\%"),
        ("Of these errors, 55\\% are due to parsing, 30\\% are due to retrieval, and the remaining 25\\% are due to generation.", "25\\%"),
        ("We find that 42\\% of the errors are lexical, 35\\% are syntactic and 28\\% are semantic.", "28\\%"),
        ("The errors are distributed over parsing (60\\%), retrieval (30\\%) and generation (20\\%).", "20\\%"),
    ),
    "NUM008": (
        ("The model answered 45 of 60 questions (72\\%).", "72"),
        ("Seventeen failed; 45/60 (80.0\\%) passed.", "80.0"),
        ("In 12 out of 15 cases, 85\\% of the total, it failed.", "85"),
        ("A share of 72\\% (45/60) passed.", "72"),
        ("It solved 1,200 of the 1,500 tasks (85.0\\%).", "85.0"),
    ),
    "CMP001": (
        ("Our model needs 3.2 GB of memory.\n\nIt takes 40 ms, slower than the baseline (55 ms).", "slower"),
        ("The error is 4.1\\%, lower than that of the baseline (3.9\\%).", "lower"),
        ("Its accuracy of 81.2\\% is good. It scores 81.2\\%, which is higher than Beta (83.4\\%).", "higher"),
        ("Training takes 12 h, shorter than Beta (10 h).", "shorter"),
    ),
    "UNI001": (
        ("It needs 3.1 GB, more than Beta (2.7 MB).", "3.1 GB"),
        ("The run takes 35 min, compared to 41 s for Beta.", "35 min"),
        ("The latency of RiverNet is 8.4 s, versus 9.9 ms before.", "8.4 s"),
    ),
}  # fmt: skip
SILENT: dict[str, tuple[str, ...]] = {
    "NUM003": (
        "The score increased from 41.2 to 49.1, which is a relative gain of 19.2\\%.",
        "F1 improves from 0.62 to 0.74 (+19.4\\%).",
        "F1 improves from 0.62 to 0.74, that is by 12 points.",
        "Latency falls from 120 ms to 40 ms, a 3x speedup.",
        "Latency falls from 1.2 s to 400 ms, a 3x speedup.",
        "It grew from 10k to 20k, i.e., twice as many.",
        "The width goes from 128 to 256 (4x parameters).",
        "From 2010 to 2020, accuracy rose by 30\\%.",
        "We vary the size from 10 to 50 in steps of 10.",
        "The budget went from about 60 to about 75, an improvement of 20\\%.",
        "Accuracy rises from 62.0 to 74.3 on Alpha, and by 3.1 points on Beta.",
        "Accuracy rises from 62.0 to 74.3, an increase of up to 30\\%.",
        "The temperature is raised from 20 to 25, and 80\\% of the samples survive.",
        "Errors fall from 8 to 2, i.e., by 75\\%.",
        "Recall drops from 80 to 60 (75\\% of the original).",
    ),
    "NUM004": (
        "The corpus has 1,150 documents: 800 news articles, 250 blog posts, and 100 forum threads.",
        "We use 10k images, divided into 8,012 for training, 1,004 for validation and 1,003 for testing.",
        "We asked 40 people (20 women, mean age 24.3).",
        "The figure shows all 16 states (states 9 and 12 are not reachable).",
        "Of its 5,000 questions, 4,000 are for training, 500 for validation and 500 for testing.",
        "Of the 5,000 questions, 400 are long, 50 are short and 20 are empty.",
        "It has 5,000 pairs, split into training, validation and test sets of 4,000, 500 and 500 pairs.",
        "The 5,000 pairs are split into a training set of 4,000 and a test set of 1,000.",
        "The 5,000 pairs are split into 10 folds and 3 groups.",
        "It has 12 layers, of which 4 are frozen.",
        "We use 3 GPUs: 24 GB, 40 GB and 80 GB.",
        "We train for 100 epochs with 3 seeds (10, 20 and 30).",
        "The budget of 100 is met by 40 of the users, 30 of the items, and 50 of the sellers.",
        "We tested 50 models: 20 are small, and the others are large.",
        "Of 120 cases (60 in 2019), 40 were severe.",
        "The 2019 survey had 3 questions: 1 on cost, 5 on time and 7 on risk.",
    ),
    "NUM005": (
        "Of the 150 faults, 42\\% are lexical and 35\\% are syntactic.",
        "We see that 80\\% of the users are male, 60\\% are students and 40\\% are new.",
        "Of the users, 80\\% liked Alpha, 60\\% liked Beta and 40\\% liked Gamma.",
        "Respondents could choose multiple options: of the 40 answers, 60\\% are on cost, 50\\% are on time and 30\\% are on risk.",
        "The split is 80\\%, 10\\% and 10\\%.",
        "Accuracy is 80\\% on Alpha, 85\\% on Beta and 90\\% on Gamma.",
        "We mask 15\\% of the tokens; of these, 80\\% are masks, 10\\% are random and 10\\% are kept.",
    ),
    "NUM008": (
        "The model answered 45 of 60 questions (75\\%).",
        "It answered 2 of 3 (67\\%), 2 of 3 (66\\%) or 2 of 3 (66.7\\%).",
        "On 8/22 we ran it (38.4\\% finished).",
        "We used 5 of 6 models (95\\% CI).",
        "In 3 of 7 (see 50\\% below) cases.",
        "One of 4 (25\\%).",
    ),
    "CMP001": (
        "It takes 40 ms, faster than the baseline (55 ms).",
        "It scores 81.2\\%, better than Beta (79.0\\%).",
        "It scores 81.2\\%, which is no higher than Beta (83.4\\%).",
        "It scores 81.2\\%, higher than in 2019 (90\\% of users).",
        "Its 40 layers are more than enough (80 ms).",
        "It takes 0.9 s, higher than that of Beta (700 ms).",
        "We set 0.5 and 0.7, higher than usual.",
        "Its latency is 3 ms lower than that of Beta (1 ms).",
        "It drops 0.12 below the baseline of 0.05.",
    ),
    "UNI001": (
        "The run takes 2 h, compared to 35 min for Beta.",
        "The run takes 2 h, compared to only 3 min for Beta.",
        "The run takes 2 min, a 60-fold speed-up compared to 2 h for Beta.",
        "It needs 3.1 GB, more than Beta (900 MB).",
        "The latency is 8.4 ms, versus 9.9 ms before.",
        "It needs 12 GB and runs for 10 s, less than Beta.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "text", "flagged"), [(code, *case) for code, cases in FOUND.items() for case in cases]
)
def test_found(code: str, text: str, flagged: str) -> None:
    assert flagged_by(code, text) == [flagged]


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, cases in SILENT.items() for text in cases])
def test_silent(code: str, text: str) -> None:
    assert flagged_by(code, text) == []


@pytest.mark.parametrize(
    ("code", "text", "fixed"),
    [
        ("NUM003", "It rises from 62.0 to 74.3, a relative gain of 24.8\\%.", "It rises from 62.0 to 74.3, a relative gain of 19.8\\%."),
        ("NUM004", "They are 1,200 papers: 700 old ones, 300 new ones and 100 odd ones.", "They are 1,100 papers: 700 old ones, 300 new ones and 100 odd ones."),
        ("NUM008", "It solved 8/22 (38.4\\%).", "It solved 8/22 (36.4\\%)."),
        ("CMP001", "It takes 40 ms, slower than Beta (55 ms).", "It takes 40 ms, faster than Beta (55 ms)."),
    ],
)  # fmt: skip
def test_fix_is_right_and_final(code: str, text: str, fixed: str) -> None:
    finding = analyse(manuscript_of({"main.tex": text}), Configuration(select=(code,))).findings[0]
    assert apply_edits(text, finding.fixes[0].edits) == fixed
    assert flagged_by(code, fixed) == []


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 400), st.integers(1, 400), st.integers(0, 2))
def test_every_true_fraction_is_silent(k: int, more: int, decimals: int) -> None:
    n = k + more
    assert flagged_by("NUM008", f"It solved {k} of {n} tasks ({100 * k / n:.{decimals}f}\\%).") == []


@settings(max_examples=60, deadline=None)
@given(st.decimals("1.0", "99.0", places=1), st.decimals("1.0", "99.0", places=1))
def test_every_true_change_is_silent(first: object, second: object) -> None:
    a, b = float(str(first)), float(str(second))
    for change in (f"a relative change of {abs(b - a) / a * 100:.1f}\\%", f"a change of {abs(b - a):.1f} points"):
        assert flagged_by("NUM003", f"The score goes from {first} to {second}, {change}.") == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(5, 190), min_size=3, max_size=5), st.integers(1, 50))
def test_sums(parts: list[int], off: int) -> None:
    listed = (
        ", ".join(f"{part} of kind {'ABCDE'[i]}" for i, part in enumerate(parts[:-1])) + f" and {parts[-1]} of kind Z"
    )
    assert flagged_by("NUM004", f"We read {sum(parts)} papers: {listed}.") == []
    wrong = sum(parts) + min(off, sum(parts) // 2)
    assert flagged_by("NUM004", f"We read {wrong} papers: {listed}.") == [str(wrong)]
