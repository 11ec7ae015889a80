"""Which language a plot can be drawn in, and a font that holds its characters.

Knows locales and matplotlib's fonts; knows nothing of results.
"""

from __future__ import annotations

import locale
import os
import warnings
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

from cardstats._checks import check_choice
from cardstats._table import Lang

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Labels = Literal["auto", "en", "zh"]

# In order of preference. matplotlib before 3.11 sees only the first face of a collection, which
# of Noto's is the Japanese one.
_CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Microsoft YaHei",
    "PingFang SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "SimHei",
    "Heiti SC",
    "Arial Unicode MS",
    "Noto Sans CJK TC",
    "Noto Sans CJK JP",
    "PingFang HK",
    "Heiti TC",
)


def language(labels: Labels) -> Lang:
    """Decide on a language that can be drawn here."""
    check_choice("labels", labels, get_args(Labels))
    if labels == "en" or (labels == "auto" and not _chinese_locale()):
        return "en"
    if chinese_font():
        return "zh"
    if labels == "zh":
        _warn_of_no_font()
    return "en"


def with_font(ax: Axes) -> Axes:
    """Give all texts of an Axes a font that holds them, if one is Chinese.

    Settings made in an `rc_context` do not reach tick labels, which are made while drawing. The
    usual fonts stay behind the Chinese one, for the signs that it may lack (SimHei: the minus).
    """
    from matplotlib import rcParams
    from matplotlib.text import Text

    texts = [text for text in ax.findobj(Text) if isinstance(text, Text)]
    if not any(_is_chinese(character) for text in texts for character in text.get_text()):
        return ax
    font = chinese_font()
    if font is None:
        _warn_of_no_font()
        return ax
    families = [font, *rcParams["font.family"]]
    ax.tick_params(which="both", labelfontfamily=families)
    for text in texts:
        text.set_fontfamily(families)
    return ax


def chinese_font() -> str | None:
    """Find an installed font that holds Chinese characters."""
    installed = _installed_fonts()
    return next((name for name in _CHINESE_FONTS if name in installed), None)


def _is_chinese(character: str) -> bool:
    """Tell whether a character is Chinese, or punctuation of that width."""
    return "\u2e80" <= character <= "\uffef"


def _chinese_locale() -> bool:
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    # Windows sets none of them, and calls the language by its English name.
    name = next(filter(None, names), None) or locale.getlocale()[0] or ""
    return name.lower().startswith(("zh", "chinese"))


def _installed_fonts() -> set[str]:
    from matplotlib.font_manager import fontManager

    return {font.name for font in fontManager.ttflist}


@cache
def _warn_of_no_font() -> None:
    from matplotlib import get_cachedir

    warnings.warn(
        "no font with Chinese characters is installed: install one, for example Noto Sans CJK "
        "(Debian and Ubuntu: apt install fonts-noto-cjk), delete matplotlib's list of fonts, "
        f"fontlist*.json in {get_cachedir()}, and start Python anew",
        UserWarning,
        stacklevel=4,
    )
