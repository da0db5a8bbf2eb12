# %% [markdown]
# # A backtest without look-ahead
#
# A backtest looks ahead if a forecast knew the game, or a price, that it is tested on. The API marks the origin of each forecast:
# `live` was published before the game started, and the record proves the time; `walk_forward` was computed later from earlier games
# alone, by the publisher's word. The two are never mixed here. A state of the data as of a former day cannot be requested yet, so
# that this notebook uses what is recorded with each game: its forecast, the time of publication, and the opening prices.

# %%
import altair as alt
import polars as pl

import sports_model_data as smd

api = smd.connect()
games = api.results("nba", "moneyline", "all").filter("graded")
games.group_by("season", "forecast_source").agg(games=pl.len()).sort("season", "forecast_source")

# %% [markdown]
# Every live forecast was published before its game. Starts are Eastern; times of publication are UTC.

# %%
start = pl.col("date").dt.combine(pl.col("time_est")).dt.replace_time_zone("America/New_York")
live = games.filter(forecast_source="live").with_columns(start=start.dt.convert_time_zone("UTC"))
assert (live["forecast_published_at"] < live["start"]).all()
live.select("game_id", "forecast_published_at", "start", "BLEND").head(5)

# %% [markdown]
# The rule: bet the home side at its opening price if BLEND's probability is worth more than 3 % at that price. The opening price is
# the first that was posted, so that the close is no part of the decision.

# %%
price = pl.col("open_home_money_line")
decimal = pl.when(price > 0).then(1 + price / 100).otherwise(1 + 100 / -price)
value = pl.col("BLEND") * decimal - 1
bets = (
    games.filter(forecast_source="walk_forward")
    .filter(value > 0.03)
    .with_columns(profit=pl.when(pl.col("won_on_points") == 1).then(decimal - 1).otherwise(-1.0))
    .with_columns(bet=pl.int_range(1, pl.len() + 1), total=pl.col("profit").cum_sum())
)
bets.group_by("season", maintain_order=True).agg(
    bets=pl.len(), units=pl.col("profit").sum().round(2), roi=pl.col("profit").mean().round(4)
)

# %% [markdown]
# The mean return has a wide interval; this is the 95 % interval of the mean of independent bets.

# %%
mean, half = bets["profit"].mean(), 1.96 * bets["profit"].std() / bets.height**0.5
print(f"{bets.height} bets: {mean:+.3f} units a bet, between {mean - half:+.3f} and {mean + half:+.3f}")

# %%
alt.Chart(bets.select("bet", "total", "season"), title="home sides at their opening price").mark_line().encode(
    alt.X("bet:Q", title="bet"), alt.Y("total:Q", title="units so far"), alt.Color("season:N", title=None)
).properties(width=480, height=240)
