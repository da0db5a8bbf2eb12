#!/usr/bin/env python3
"""Odds mathematics as the PyPI package odds-tools has it, over a grid of prices, as one JSON document."""

import json

from odds_tools import american_to_decimal, expected_value, fair_probabilities, implied_probability

PRICES = [-100000, -10000, -1000, -450, -250, -200, -150, -120, -115, -110, -105, -101, -100]
PRICES += [-price for price in PRICES]
PROBABILITIES = [0.0, 0.01, 0.25, 0.4762, 0.5, 0.523810, 0.6, 0.875, 0.99, 1.0]


def main():
    decimal = {price: american_to_decimal(price) for price in PRICES}
    print(json.dumps({
        "break_even": [[price, implied_probability(odds)] for price, odds in decimal.items()],
        "no_vig": [
            [over, under, fair_probabilities([decimal[over], decimal[under]], "multiplicative")[0]]
            for over in PRICES for under in PRICES
        ],
        "expected_value": [
            [probability, price, expected_value(odds, probability)] for probability in PROBABILITIES for price, odds in decimal.items()
        ],
    }))  # fmt: skip


if __name__ == "__main__":
    main()
