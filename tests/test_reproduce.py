"""The report: whole, readable, the same again, and quick to say that a published figure is wrong.

Prose may change. Held here are the files, the tables, the figures in them, and the verdicts.
"""

import base64
import re
from dataclasses import replace
from decimal import Decimal
from io import BytesIO

import pytest
from PIL import Image
from report_pages import make, markdown_tables, rows_of, says

from cardstats import Tally, compare, mahjong, published, three_card
from cardstats._table import count_text, display_width, p_text, percent_text
from cardstats.reproduce import PARTS, reproduce
from cardstats.three_card import Category
from cardstats.three_card.rules import row_labels

CHINESE = re.compile(r"[\u3400-\u9fff]")
ENGLISH = re.compile(r"[A-Za-z]{4,}")


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    return {lang: make(tmp_path_factory.mktemp(lang), lang) for lang in ("en", "zh")}


@pytest.fixture(params=["en", "zh"])
def made(request, reports):
    return reports[request.param]


# --- The whole report -------------------------------------------------------------------------


def test_the_files_are_those_that_the_report_names(made):
    assert len(made.figures) == len(set(made.figures)) >= 5
    assert {path.name for path in made.out.iterdir()} == {
        *("report.md", "index.html"),
        *made.figures,
    }


def test_the_figures_are_pictures(made):
    for name in made.figures:
        with Image.open(made.out / name) as image:
            assert image.format == "PNG"
            width, height = image.size
            colours = image.convert("RGB").getcolors(maxcolors=width * height)
        assert 400 <= width <= 3000, name
        assert 300 <= height <= 3000, name
        assert len(colours) > 20, f"{name} is blank"


def test_the_page_is_whole_in_itself(made):
    page = made.page
    images = [attributes["src"] for tag, attributes in page.tags if tag == "img"]
    assert len(images) == len(made.figures)
    for source, name in zip(images, made.figures, strict=True):
        head, _, data = source.partition(",")
        assert head == "data:image/png;base64"
        content = base64.b64decode(data, validate=True)
        assert content == (made.out / name).read_bytes()
        with Image.open(BytesIO(content)) as image:
            assert image.format == "PNG"
    for tag, attributes in page.tags:
        assert tag not in {"script", "link", "iframe", "object", "embed", "base"}
        assert not {"href", "srcset", "data", "action"} & set(attributes)
        assert not [name for name in attributes if name.startswith("on")]
    without_images = re.sub(r'src="data:[^"]*"', "", made.html)
    assert not re.findall(r"https?:|file:|//|url\(|@import|<script", without_images, re.IGNORECASE)


def test_the_page_tells_browsers_what_it_is(made):
    assert made.html.lower().startswith("<!doctype html>")
    attributes = {tag: attributes for tag, attributes in made.page.tags if tag != "meta"}
    assert attributes["html"]["lang"].startswith(made.lang)
    metas = [attributes for tag, attributes in made.page.tags if tag == "meta"]
    assert {"charset": "utf-8"} in metas
    assert "viewport" in {meta.get("name") for meta in metas}
    tags = [tag for tag, _ in made.page.tags]
    assert [tags.count(tag) for tag in ("title", "h1", "body")] == [1, 1, 1]
    assert all(attributes["alt"] for tag, attributes in made.page.tags if tag == "img")


def test_page_markdown_and_text_hold_the_same_tables(made):
    tables = markdown_tables(made.markdown)
    assert len(tables) >= 5
    pages = made.page.tables
    assert [[title, [list(map(str.strip, row)) for row in rows]] for title, rows in pages] == tables
    lines = [line.split() for line in made.shown.splitlines()]
    for title, rows in tables:
        assert title
        for label, *cells in rows:
            words = " ".join(cells).split()  # where it is narrow, a label is shortened
            assert any(line[-len(words) :] == words for line in lines), (title, label)


def test_page_and_markdown_have_the_same_headings(made):
    headings = re.findall(r"^#+ (.*)$", made.markdown, flags=re.MULTILINE)
    texts = made.page.texts
    assert [text for tag, text in texts if tag in {"h1", "h2", "h3"}] == headings
    assert [text for tag, text in texts if tag == "title"] == headings[:1]
    shown = made.shown.splitlines()
    assert all(heading in shown for heading in headings[1:])


def test_what_is_shown_fits_a_terminal(made):
    wide = [line for line in made.shown.splitlines() if display_width(line) > 80]
    assert not wide


def test_a_report_keeps_to_its_language(made):
    rules = [*three_card.RULES, *mahjong.RULES]
    dragons = "中發白"  # where an English reason tells what numbers mean
    known = ["cardstats", *rules, *published.SEED_000_WORDS, dragons]
    for tag, text in made.page.texts:
        if tag == "style":
            continue
        for name in sorted(known, key=len, reverse=True):
            text = text.replace(name, "")
        strange = (ENGLISH if made.lang == "zh" else CHINESE).findall(text)
        assert not strange, (tag, text)


# --- The figures in it ------------------------------------------------------------------------


def test_everything_published_agrees(made):
    assert says(made, 30, 30), "hands"
    assert says(made, 6, 6), "winners"
    assert says(made, 15, 15), "percentages"
    assert says(made, 10, 10), "verdicts"
    assert says(made, 4, 4), "groupings"
    assert says(made, 2, 2), "the round of blackjack"
    words = [cell for cells in rows_of(made) for cell in cells]
    assert not {"NO", "否"} & set(words)
    assert words.count("是" if made.lang == "zh" else "yes") == 30 + 15 + 10 + 2 + 2


def published_fit(counts):
    return compare(
        Tally.from_counts(counts, players=published.SEED_000_COUNTS.players),
        three_card.exact_categories(),
    )


def tells_fit(made, fit):
    """Whether a paragraph gives this chi-square and this p."""
    found = [text for tag, text in made.page.texts if tag == "p"]
    numbers = [re.findall(r"[\d.]+(?:e-\d+)?", text) for text in found]
    return any({f"{fit.chi2:.2f}", p_text(fit.p_value)} <= set(line) for line in numbers)


def test_the_published_counts_are_tested_as_hands_that_share_a_deck(made):
    counts = published.SEED_000_COUNTS.counts
    assert tells_fit(made, published_fit(counts))
    as_if_alone = compare(Tally.from_counts(counts), three_card.exact_categories())
    assert not tells_fit(made, as_if_alone)


@pytest.mark.parametrize("by", ["category", "top_card"])
def test_exact_probabilities_are_shown(made, by):
    exact = three_card.exact_categories(by=by)
    labels = exact.labels_zh if made.lang == "zh" else exact.labels
    for label, probability in zip(labels, exact.probabilities, strict=True):
        assert any(percent_text(probability) in cells for cells in rows_of(made, label)), label


def test_published_figures_are_shown(made):
    labels = dict(zip(*row_labels("category"), strict=True))
    labels |= dict(zip(*row_labels("top_card"), strict=True))
    figures = [
        *((label, count_text(count)) for label, count in published.SEED_000_COUNTS.counts.items()),
        *((label, str(value)) for label, value in published.SEED_001_PERCENTAGES.percent.items()),
    ]
    for label, figure in figures:
        shown = labels[label] if made.lang == "zh" else label
        assert any(figure in cells for cells in rows_of(made, shown)), (label, figure)


# --- Options ----------------------------------------------------------------------------------


def test_the_same_seed_makes_the_same_report_with_any_workers(reports, tmp_path):
    again = make(tmp_path, workers=2)
    assert again.shown == reports["en"].shown
    assert again.markdown == reports["en"].markdown
    assert again.html == reports["en"].html


def test_the_best_of_six_comes_alone_when_asked_for(tmp_path):
    made = make(tmp_path, "zh", only="best-of-six")
    [[title, _]] = markdown_tables(made.markdown)
    assert CHINESE.search(title)
    assert not ENGLISH.search(title.replace(three_card.ZHA_JIN_HUA.name, ""))
    assert len(made.figures) == 1
    best = three_card.exact_best(players=6)
    for label, probability in zip(best.labels_zh, best.probabilities, strict=True):
        [cells] = rows_of(made, label)
        assert percent_text(probability) in cells


@pytest.mark.parametrize(
    "options",
    [
        {"only": "chess"},
        {"only": ""},
        {"lang": "fr"},
        {"games": 0},
        {"games": -5},
        {"games": 2.5},
        {"workers": 0},
        {"workers": -1},
        {"rng": -1},
        {"rng": "three"},
    ],
    ids=str,
)
def test_bad_options_are_refused_before_anything_is_written(tmp_path, options):
    shown = []
    [name] = options
    with pytest.raises((ValueError, TypeError), match=rf"^{name}: "):
        reproduce(out=tmp_path / "report", **{"games": 1, **options}, show=shown.append)
    assert not shown
    assert not list(tmp_path.iterdir())


def test_an_unknown_part_is_told_which_there_are(tmp_path):
    with pytest.raises(ValueError, match="chess") as caught:
        reproduce(out=tmp_path, only="chess")
    assert all(part in str(caught.value) for part in PARTS)


@pytest.mark.parametrize("below", ["", "report"], ids=["a file", "below a file"])
def test_a_file_in_the_way_is_named_and_kept(tmp_path, below):
    file = tmp_path / "taken"
    file.write_text("mine", encoding="utf-8")
    shown = []
    with pytest.raises((OSError, ValueError), match="taken"):
        reproduce(out=file / below, games=1, show=shown.append)
    assert not shown
    assert file.read_text(encoding="utf-8") == "mine"


# --- What was published -----------------------------------------------------------------------


def test_published_counts_are_all_hands_of_all_games():
    seed = published.SEED_000_COUNTS
    assert sum(seed.counts.values()) == seed.games * seed.players
    assert {Category.from_label(label) for label in seed.counts} == set(Category)


def test_published_words_name_each_category_once():
    words = published.SEED_000_WORDS
    assert sorted(words.values()) == sorted(category.label for category in Category)


def test_printed_games_could_have_been_dealt():
    for game in published.SEED_000_GAMES:
        hands = [three_card.parse(hand.cards) for hand in game.hands]
        dealt = [card for hand in hands for card in hand.tolist()]
        assert len(hands) == published.SEED_000_COUNTS.players
        assert len(set(dealt)) == len(dealt) == 3 * len(hands)
        assert 1 <= game.winner <= len(hands)
        assert all(hand.points > 0 for hand in game.hands)
        assert all(hand.word in published.SEED_000_WORDS for hand in game.hands)


def test_published_percentages_are_of_everything():
    percent = published.SEED_001_PERCENTAGES.percent
    assert set(percent) == set(row_labels("top_card")[0])
    half_a_digit = sum(
        Decimal((0, (5,), value.as_tuple().exponent - 1)) for value in percent.values()
    )
    assert abs(sum(percent.values()) - 100) <= half_a_digit


# --- Planted errors ---------------------------------------------------------------------------

WRONG_COUNTS = {
    **published.SEED_000_COUNTS.counts,
    "pair": published.SEED_000_COUNTS.counts["pair"] + 2000,
    "high card": published.SEED_000_COUNTS.counts["high card"] - 2000,
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A report on published figures that are wrong: one of each kind."""
    first, *middle, last = published.SEED_000_GAMES
    one, two, *others = first.hands
    first = replace(first, hands=(replace(one, points=23), replace(two, word="Pair"), *others))
    last = replace(last, winner=4)
    counts, percentages = published.SEED_000_COUNTS, published.SEED_001_PERCENTAGES
    percent = {**percentages.percent, "high card 7": Decimal("2.444")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published, "SEED_000_GAMES", (first, *middle, last))
        patch.setattr(published, "SEED_000_COUNTS", replace(counts, counts=WRONG_COUNTS))
        patch.setattr(published, "SEED_001_PERCENTAGES", replace(percentages, percent=percent))
        return make(tmp_path_factory.mktemp("planted"), rng=4)


def test_a_wrong_percentage_is_found(planted):
    assert says(planted, 14, 15)
    verdicts = ["NO" in cells for cells in rows_of(planted, "high card 7") if "2.444" in cells]
    assert verdicts == [True]


def test_wrong_points_and_a_wrong_word_are_found(planted):
    assert says(planted, 28, 30)
    seats = [cells for cells in rows_of(planted) if {"Leaflet", "Pair"} & set(cells)]
    assert ["NO" in cells for cells in seats[:3]] == [True, True, False]


def test_nothing_else_is_called_wrong(planted):
    assert sum("NO" in cells for cells in rows_of(planted)) == 3


def test_a_wrong_winner_is_found(planted):
    assert says(planted, 5, 6)


def test_wrong_counts_are_found(planted):
    fit = published_fit(WRONG_COUNTS)
    assert fit.p_value < 1e-6
    assert tells_fit(planted, fit)


def test_another_seed_deals_other_hands(reports, planted):
    rows = zip(rows_of(reports["en"]), rows_of(planted), strict=True)
    assert sum(one != other for one, other in rows) > 20
