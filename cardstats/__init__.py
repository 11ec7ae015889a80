"""Exact and simulated probabilities of hands: three-card poker, Mahjong, blackjack."""
