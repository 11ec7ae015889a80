"""What three cards are, lane by lane: the small kernels that array and dealing kernels share.

A block of hands passes through stages, each one loop over bytes that LLVM turns into 32 lanes:
cards are sorted, then sorted cards become a category, a strength or points. Rules come in as
scalars. The kernels on single hands may be inlined in loops of one's own.

Two things keep the lanes. Every intermediate is cast back to uint8, because numba widens mixed
small integers to int64; and a stage's scratch is one buffer with rows at constant offsets,
because LLVM gives up, silently, when it would have to check more than eight pairs for overlap.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import kernel
from cardstats._random import LANES
from cardstats.three_card.rules import LOWEST_TOP_CARD, Category, PointCodes, RuleCodes

# Rows of a block's scratch, each LANES bytes wide. `sort_*` fills the first three.
LOW, MIDDLE, HIGH = (np.uint64(LANES * row) for row in range(3))
CATEGORY, UPPER, LOWER, SUITS = (np.uint64(LANES * row) for row in range(3, 7))
SCRATCH_BYTES = 7 * LANES

_u8 = np.uint8
_u16 = np.uint16
_u32 = np.uint32
_u64 = np.uint64

_HIGH_CARD, _PAIR, _STRAIGHT, _FLUSH, _STRAIGHT_FLUSH, _TRIPS = (_u8(code) for code in Category)
_TWO, _THREE, _FIVE, _ACE = _u8(0), _u8(1), _u8(3), _u8(12)  # rank codes


@kernel
def _min(a: np.uint8, b: np.uint8) -> np.uint8:
    return a if a < b else b


@kernel
def _max(a: np.uint8, b: np.uint8) -> np.uint8:
    return a if a > b else b


@kernel
def sort_cards(a: np.uint8, b: np.uint8, c: np.uint8) -> tuple[np.uint8, np.uint8, np.uint8]:
    """Three cards in ascending order, without a branch."""
    low, high = _min(a, b), _max(a, b)
    return _min(low, c), _min(_max(low, c), high), _max(high, c)


@kernel
def is_fault(low: np.uint8, middle: np.uint8, high: np.uint8) -> np.uint8:
    """Return 1 for sorted cards that are no hand: one comes twice, or is no card."""
    twice = _u8(_u8(low == middle) | _u8(middle == high))
    return _u8(twice | _u8(high > _u8(51)))


@kernel
def sort_rows(
    flat: NDArray[np.uint8], start: int, size: int, scratch: NDArray[np.uint8]
) -> np.bool_:
    """Sort the cards of `size` hands that lie row by row; True if one of them is no hand."""
    fault = _u8(0)
    first = _u64(3) * _u64(start)
    for lane in range(_u64(size)):
        # The literal stride on a flat array is what lets LLVM deinterleave; hands[i, j] hides it.
        at = _u64(first + _u64(3) * lane)
        low, middle, high = sort_cards(flat[at], flat[at + _u64(1)], flat[at + _u64(2)])
        scratch[LOW + lane] = low
        scratch[MIDDLE + lane] = middle
        scratch[HIGH + lane] = high
        fault = _u8(fault | is_fault(low, middle, high))
    return np.bool_(fault != _u8(0))


@kernel
def sort_columns(
    flat: NDArray[np.uint8], hands: int, start: int, size: int, scratch: NDArray[np.uint8]
) -> np.bool_:
    """Sort the cards of `size` hands whose first, second and third cards lie together."""
    fault = _u8(0)
    first, second = _u64(start), _u64(start) + _u64(hands)
    third = second + _u64(hands)
    for lane in range(_u64(size)):
        low, middle, high = sort_cards(flat[first + lane], flat[second + lane], flat[third + lane])
        scratch[LOW + lane] = low
        scratch[MIDDLE + lane] = middle
        scratch[HIGH + lane] = high
        fault = _u8(fault | is_fault(low, middle, high))
    return np.bool_(fault != _u8(0))


@kernel
def category_of(low: np.uint8, middle: np.uint8, high: np.uint8, a23: np.uint8) -> np.uint8:
    """Category code of three sorted cards; `a23` is 1 where A-2-3 is a straight."""
    bottom, centre, top = _u8(low >> _u8(2)), _u8(middle >> _u8(2)), _u8(high >> _u8(2))
    straight = _is_straight(bottom, centre, top, a23)
    flush = _is_flush(low, middle, high)
    equal = _u8(_u8(top == centre) + _u8(centre == bottom))
    # Straight 2, flush 3, both 4; one equality 1, two 5: sums, because a branch would lose lanes.
    suited = _u8(_u8(_u8(straight + straight) + _u8(flush * _u8(3))) - _u8(straight & flush))
    return _u8(suited + _u8(equal + _u8(_u8(equal > _u8(1)) * _u8(3))))


@kernel
def _is_straight(bottom: np.uint8, centre: np.uint8, top: np.uint8, a23: np.uint8) -> np.uint8:
    run = _u8(_u8(_u8(top - centre) == _u8(1)) & _u8(_u8(centre - bottom) == _u8(1)))
    return _u8(run | _u8(_is_a23(bottom, centre, top) & a23))


@kernel
def _is_flush(low: np.uint8, middle: np.uint8, high: np.uint8) -> np.uint8:
    return _u8(_u8(_u8(_u8(low ^ middle) | _u8(low ^ high)) & _u8(3)) == _u8(0))


@kernel
def _is_a23(bottom: np.uint8, centre: np.uint8, top: np.uint8) -> np.uint8:
    return _u8(_u8(_u8(top == _ACE) & _u8(centre == _THREE)) & _u8(bottom == _TWO))


@kernel
def categories(scratch: NDArray[np.uint8], size: int, a23: np.uint8) -> None:
    """Fill the CATEGORY row from the sorted cards."""
    for lane in range(_u64(size)):
        scratch[CATEGORY + lane] = category_of(
            scratch[LOW + lane], scratch[MIDDLE + lane], scratch[HIGH + lane], a23
        )


@kernel
def top_cards(scratch: NDArray[np.uint8], size: int) -> None:
    """Turn the CATEGORY row into rows of the table by top card: 0…9 for 5…A high, then 9 + code."""
    for lane in range(_u64(size)):
        code = scratch[CATEGORY + lane]
        top = _u8(_u8(scratch[HIGH + lane] >> _u8(2)) - _u8(LOWEST_TOP_CARD))
        scratch[CATEGORY + lane] = top if code == _HIGH_CARD else _u8(code + _u8(9))


@kernel
def rank_strength(
    low: np.uint8, middle: np.uint8, high: np.uint8, rules: RuleCodes
) -> tuple[np.uint8, np.uint8]:
    """Upper and lower byte of a hand's strength by rank.

    Four nibbles: the category's place in the order, then up to three ranks, the first of which
    is the height of a straight and the rank of a pair or of three of a kind.
    """
    bottom, centre, top = _u8(low >> _u8(2)), _u8(middle >> _u8(2)), _u8(high >> _u8(2))
    straight = _is_straight(bottom, centre, top, rules.a23) != _u8(0)
    flush = _is_flush(low, middle, high) != _u8(0)
    trips = top == bottom
    some_equal = _u8(_u8(top == centre) | _u8(centre == bottom)) != _u8(0)

    place = rules.pair if some_equal else rules.high_card
    place = rules.three_of_a_kind if trips else place
    place = rules.straight if straight else place
    suited = rules.straight_flush if straight else rules.flush
    place = suited if flush else place

    height = rules.akq_height if top == _ACE else top
    height = rules.a23_height if bottom == _TWO and top == _ACE else height
    first = height if straight else top
    # The middle of three sorted cards is always of the pair.
    first = centre if some_equal else first
    first = _u8(13) if trips and top == rules.highest_trips else first

    kicker = top if centre == bottom else bottom
    second = kicker if some_equal else centre
    third = _u8(0) if some_equal else bottom
    lower = _u8(_u8(second << _u8(4)) | third)
    # The first rank of a straight and of three of a kind says it all.
    return _u8(place | first), _u8(0) if straight or trips else lower


@kernel
def strengths(scratch: NDArray[np.uint8], size: int, rules: RuleCodes) -> None:
    """Fill the rows UPPER and LOWER from the sorted cards."""
    for lane in range(_u64(size)):
        upper, lower = rank_strength(
            scratch[LOW + lane], scratch[MIDDLE + lane], scratch[HIGH + lane], rules
        )
        scratch[UPPER + lane] = upper
        scratch[LOWER + lane] = lower


@kernel
def suits_of(low: np.uint8, middle: np.uint8, high: np.uint8, rules: RuleCodes) -> np.uint8:
    """Suits that are compared, in that order, two bits each: of no card, the first, or all."""
    bottom, centre, top = _u8(low >> _u8(2)), _u8(middle >> _u8(2)), _u8(high >> _u8(2))
    # The pair goes before its kicker, and A-2-3 from its three: then the highest card is last.
    a23 = _u8(_is_a23(bottom, centre, top) & rules.a23)
    last = _u8(_u8(_u8(centre == bottom) & _u8(top != centre)) | a23) != _u8(0)
    first = middle if last else high
    second = low if last else middle
    third = high if last else low
    upper = _u8(_u8(_u8(first & _u8(3)) << _u8(4)) | _u8(_u8(second & _u8(3)) << _u8(2)))
    return _u8(_u8(upper | _u8(third & _u8(3))) & rules.suit_mask)


@kernel
def suits(scratch: NDArray[np.uint8], size: int, rules: RuleCodes) -> None:
    """Fill the row SUITS from the sorted cards."""
    for lane in range(_u64(size)):
        scratch[SUITS + lane] = suits_of(
            scratch[LOW + lane], scratch[MIDDLE + lane], scratch[HIGH + lane], rules
        )


@kernel
def point_parts(scratch: NDArray[np.uint8], size: int, a23: np.uint8) -> None:
    """Fill CATEGORY, UPPER with what is multiplied, and LOWER with the pair's kicker."""
    for lane in range(_u64(size)):
        low, middle, high = scratch[LOW + lane], scratch[MIDDLE + lane], scratch[HIGH + lane]
        bottom, centre, top = _u8(low >> _u8(2)), _u8(middle >> _u8(2)), _u8(high >> _u8(2))
        code = category_of(low, middle, high, a23)
        ranks = _u8(_u8(_u8(bottom + centre) + top) + _u8(6))  # rank code 0 is a two
        kicker = _u8((top if centre == bottom else bottom) + _u8(2))
        extra = kicker if code == _PAIR else _u8(0)
        scratch[CATEGORY + lane] = code
        scratch[UPPER + lane] = _u8(ranks - extra)
        scratch[LOWER + lane] = extra


@kernel
def multiply_points(
    scratch: NDArray[np.uint8],
    size: int,
    points: PointCodes,
    out: NDArray[np.uint32],
    start: int,
) -> None:
    """Write the points of a block from its `point_parts`."""
    first = _u64(start)
    for lane in range(_u64(size)):
        code = scratch[CATEGORY + lane]
        times = points.pair if code == _PAIR else points.high_card
        times = points.straight if code == _STRAIGHT else times
        times = points.flush if code == _FLUSH else times
        times = points.straight_flush if code == _STRAIGHT_FLUSH else times
        times = points.three_of_a_kind if code == _TRIPS else times
        base = _u32(_u32(scratch[UPPER + lane]) * times)
        out[first + lane] = _u32(base + _u32(scratch[LOWER + lane]))


@kernel
def join_32(scratch: NDArray[np.uint8], size: int, out: NDArray[np.uint32], start: int) -> None:
    """Write the strengths of a block with its suits."""
    first = _u64(start)
    for lane in range(_u64(size)):
        upper, lower = _u32(scratch[UPPER + lane]), _u32(scratch[LOWER + lane])
        ranks = _u32(_u32(upper << _u32(8)) | lower)
        out[first + lane] = _u32(_u32(ranks << _u32(8)) | _u32(scratch[SUITS + lane]))


@kernel
def decide(
    scratch: NDArray[np.uint8],
    size: int,
    rules: RuleCodes,
    points: PointCodes,
    out: NDArray[np.uint32],
    start: int,
) -> None:
    """Write what decides between hands, from the sorted cards: points, or strength with suits."""
    if rules.by_points != _u8(0):
        point_parts(scratch, size, rules.a23)
        multiply_points(scratch, size, points, out, start)
    else:
        strengths(scratch, size, rules)
        suits(scratch, size, rules)
        join_32(scratch, size, out, start)


# --- 2-3-5, whose worth depends on the other hands --------------------------------------------


@kernel
def provokes_235(strength: np.uint32, rules: RuleCodes) -> np.uint8:
    """Return 1 for a hand that 2-3-5 would beat: three of a kind, or three aces."""
    upper = _u8(strength >> _u32(16))
    trips = _u8(upper & _u8(0xF0)) == rules.three_of_a_kind
    height = _u8(13) if rules.highest_trips == _ACE else _ACE
    aces = upper == _u8(rules.three_of_a_kind | height)
    return _u8(aces) if rules.special_235 == _u8(2) else _u8(trips)


@kernel
def raise_235(strength: np.uint32, rules: RuleCodes) -> np.uint32:
    """Put a high-card 2-3-5 above every three of a kind; leave other hands as they are."""
    ranks = _u16(strength >> _u32(8))
    high_card = _u32(_u32(rules.high_card | _FIVE) << _u32(8))
    plain = _u16(high_card | _u32(_THREE << _u8(4)))
    top = _u32(_u32(rules.three_of_a_kind | _u8(15)) << _u32(16))
    return _u32(top | _u32(strength & _u32(0xFFFF))) if ranks == plain else strength
