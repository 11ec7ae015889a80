"""Every simulator with a call to make: what workers, faults and versions must not change."""

from functools import partial

from cardstats import blackjack, mahjong, three_card

# A chunk of the slowest is then 3,000 games, so that 20,000 are several chunks of each.
HANDS_A_CHUNK = 24_000
GAMES = 20_000

SIMULATORS = {
    "three cards, one player": partial(three_card.simulate, by="top_card"),
    "three cards, five players": partial(
        three_card.simulate, players=5, rules=three_card.TEEN_PATTI
    ),
    "showdown": partial(three_card.simulate_showdown, players=3, rules=three_card.ZHA_JIN_HUA_235),
    "disagreement": partial(three_card.simulate_disagreement, players=4),
    "mahjong, shanten": partial(mahjong.simulate, size=13, rules=mahjong.RIICHI),
    "mahjong, form": partial(mahjong.simulate, by="form", rules=mahjong.SICHUAN),
    "blackjack, fixed total": partial(blackjack.simulate, policy=blackjack.stand_on(15)),
    "blackjack, best play": partial(
        blackjack.simulate, policy=blackjack.optimal_policy(), rules=blackjack.Rules(decks=6)
    ),
}
