# %% [markdown]
# # Is this model better than the market?
#
# The market has a probability of its own: `IMPLIED`, from both prices without the margin. A model is better if its probabilities
# were closer to what happened, game by game, on the same games. The smaller Brier score is the better one; whether a difference is
# more than chance is the verdict of `/calibration`. Several models are compared at once, so that the p-values are corrected
# (`p_holm`).

# %%
import polars as pl

import sports_model_data as smd

api = smd.connect()
season = api.seasons("nba", "moneyline").seasons[1]  # the newest is not over
curve = api.calibration("nba", "moneyline", season)

# %%
columns = ["model", "games", "brier", "market_implied_brier", "market_brier_difference", "market_brier_p_holm", "verdict"]
scores = curve.scores.filter(forecast_source="walk_forward").select(columns).sort("market_brier_difference")
scores

# %% [markdown]
# A difference below zero is for the model. The verdict in words for BLEND:

# %%
print(curve.scores.filter(model="BLEND")["verdict_in_words"][0])

# %% [markdown]
# On the diagonal a probability is right: of the games given 60 %, 60 % came so. Steps outside of the band are more than chance.

# %%
curve.plot("BLEND", "LOGR")

# %% [markdown]
# The same from the games themselves: a frame of results is enough to compute the score.

# %%
games = api.results("nba", "moneyline", season).filter("graded", pl.col("IMPLIED").is_not_null())
own = games.select(
    games=pl.len(),
    BLEND=((pl.col("BLEND") - pl.col("won_on_points")) ** 2).mean(),
    IMPLIED=((pl.col("IMPLIED") - pl.col("won_on_points")) ** 2).mean(),
)
assert abs(own["IMPLIED"][0] - scores["market_implied_brier"][0]) < 1e-9
own
