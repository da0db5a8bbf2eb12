# %% [markdown]
# # What would have happened at these prices?
#
# A strategy picks a side of each game by a rule. The replay has each bet at the price that was recorded, never at a price of
# today. One unit is staked on each; a push returns the stake.

# %%
import altair as alt
import polars as pl

import sports_model_data as smd

api = smd.connect()
season = api.seasons("nfl", "spread").seasons[1]
board = api.strategies("nfl", "spread", season, accounting="recorded_v2").sort("roi", descending=True, nulls_last=True)
board.select("id", "record", "roi", "roi_low", "roi_high", "stakes", "profit_units").head(5)

# %% [markdown]
# The interval of the best return matters more than its rank: of sixteen rules one is always best.

# %%
best = board["id"][0]
bets = api.replay("nfl", "spread", best, season, accounting="recorded_v2")
bets.select("date", "away_team", "home_team", "side", "line", "price", "outcome", "profit", "total").head(5)

# %%
alt.Chart(bets.with_columns(bet=pl.int_range(1, pl.len() + 1)).select("bet", "total"), title=f"nfl {season}: {best}").mark_line(
    interpolate="step-after"
).encode(alt.X("bet:Q", title="bet"), alt.Y("total:Q", title="units so far")).properties(width=480, height=240)

# %% [markdown]
# The profit of a bet follows from its price: 100/110 of a unit at −110, and 1.20 at +120. Bets of one price add up:

# %%
won = pl.when(pl.col("price") > 0).then(pl.col("price") / 100).otherwise(100 / -pl.col("price"))
profit = pl.when(pl.col("outcome") == "win").then(won).when(pl.col("outcome") == "push").then(0).otherwise(-1)
checked = bets.with_columns(expected=profit)
assert (checked["expected"] - checked["profit"]).abs().max() < 1e-5
assert abs(bets["profit"].sum() - bets["total"][-1]) < 1e-3
checked.group_by("outcome").agg(pl.len().alias("bets"), pl.col("profit").sum().round(2)).sort("outcome")
