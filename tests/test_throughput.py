"""Throughput: how rates read, as text, Markdown and data."""

import json
from dataclasses import replace

import pytest

from cardstats.throughput import Rate, Throughput, rate_text, times_text

COPY = Rate(job="reading", job_zh="读", label="copy", label_zh="复制", kind="limit", hands=3e9)
OWN = replace(COPY, label="own", label_zh="本库", kind="cardstats", hands=2.4e9, of_limit=0.8)
PEER = replace(
    COPY, label="peer", label_zh="对照", kind="peer", hands=1e5, of_limit=3e-5, times=24_321.0,
    answers="2 of 9 differ", answers_zh="9 个中 2 个不同",
)  # fmt: skip
OTHER = replace(OWN, job="dealing", job_zh="发牌", label="deal", label_zh="发", of_limit=None)


@pytest.fixture
def result():
    return Throughput((COPY, OWN, PEER, OTHER), "t", "题", ("peer: wrong",), ("对照：错",))


@pytest.mark.parametrize(
    ("hands", "text"),
    [(0.994, "1.0"), (1, "1.0"), (9.96, "10"), (99.6, "100"), (994, "990"), (996, "1.0 k"),
     (123_456, "120 k"), (999_499, "1.0 M"), (45e6, "45 M"), (4.08e9, "4.1 G"), (2e12, "2000 G")],
)  # fmt: skip
def test_rates_have_two_digits(hands, text):
    assert rate_text(hands) == text


@pytest.mark.parametrize(
    ("times", "text"),
    [(0.849, "0.85 ×"), (0.04, "0.04 ×"), (9.96, "10 ×"), (1.55, "1.6 ×"), (123_456, "120,000 ×")],
)
def test_ratios_have_two_digits(times, text):
    assert times_text(times) == text


def test_the_text_puts_rows_under_their_job(result):
    lines = str(result).splitlines()
    assert lines[3:7] == [
        "reading",
        "\u2003copy      3.0 G",
        "\u2003own       2.4 G      80 %",
        "\u2003peer      100 k     < 1 %   24,000 ×  2 of 9 differ",
    ]
    assert lines[7:9] == ["dealing", "\u2003deal      2.4 G"]
    assert lines[-1] == "peer: wrong"


def test_it_speaks_chinese(result):
    text = result.to_text("zh")
    for word in ("题", "方法", "读", "本库", "9 个中 2 个不同", "发牌", "对照：错"):
        assert word in text
    assert "peer" not in text


def test_markdown_has_a_row_a_line(result):
    table = [line for line in result.to_markdown().splitlines() if line.startswith("|")]
    assert len(table) == 2 + 2 + 4  # head and rule, jobs, rows
    assert {line.count("|") for line in table} == {6}


def test_data_are_unrounded(result):
    assert json.loads(json.dumps(result.to_dict()))["rows"][2]["times"] == 24_321.0
    assert result.to_csv().splitlines()[3].startswith("peer,对照,reading,peer,100000.0,3e-05,24321")
    frame = result.to_dataframe()
    assert frame.loc["own", "of_limit"] == 0.8
    assert result.index("本库") == 1


def test_jobs_keep_their_rows(result):
    assert [[row.label for row in job] for job in result.jobs()] == [
        ["copy", "own", "peer"],
        ["deal"],
    ]


def test_a_label_names_one_row():
    with pytest.raises(ValueError, match="own"):
        Throughput((OWN, OWN))


def test_the_rows_of_a_job_follow_each_other():
    with pytest.raises(ValueError, match="rows: those of 'reading' do not follow each other"):
        Throughput((COPY, OTHER, PEER))


@pytest.mark.parametrize("hands", [0.0, -1.0, float("nan"), float("inf")])
def test_a_rate_is_a_positive_number(hands):
    with pytest.raises(ValueError, match="rows: 'own' does"):
        Throughput((replace(OWN, hands=hands),))


def test_a_rate_near_nothing_is_said_to_be_less_than_one_per_cent():
    shares = [0.00999, 0.01, 0.0949, 0.999, 1.4]
    rows = [replace(OWN, label=f"{share}", label_zh=f"{share}", of_limit=share) for share in shares]
    text = str(Throughput(tuple(rows)))
    for said in ("< 1 %", " 1 %", " 9 %", "100 %", "140 %"):
        assert said in text
