# %% [markdown]
# # A backtest without look-ahead
#
# A backtest looks ahead if its decision knew something that was published after the game, or after the price, that it is tested on.
# Three things can: the forecast, the price, and the choice of the model. `api.at(generation=…)` is a client of an earlier moment: its
# answers have what was published by then, and nothing else. So the decision below cannot look ahead, and the finals of today grade
# it.

# %%
import altair as alt
import polars as pl

import sports_model_data as smd

api = smd.connect()
LEAGUES: tuple[smd.Sport, ...] = ("mlb", "nba", "nfl", "nhl")
record = pl.concat(api.releases(sport).releases.with_columns(sport=pl.lit(sport)) for sport in LEAGUES)
slates = record.filter(pl.col("predictions").list.contains("won_on_points")).sort("published_at", "sport")
slates.select("sport", "generation", "published_at", "slate_date")

# %% [markdown]
# The rule: take the model with the best return of the season so far, and bet each of its sides that is worth more than the
# price. Slate, prices and the record of the models are those of the release: `then` is the only client that the rule has.


# %%
def bets_of(sport: smd.Sport, generation: int) -> pl.DataFrame:
    then = api.at(generation=generation)
    slate = then.predictions(sport, "moneyline")  # the games that had not started
    models = then.summary(sport, "moneyline").filter(pl.col("model").is_in(slate.columns), pl.col("model") != "IMPLIED")
    models = models.drop_nulls("ev roi").sort("ev roi", "model", descending=[True, False])
    if models.is_empty():
        return pl.DataFrame()
    best = models["model"][0]
    sides = []
    for side, probability in (("home", pl.col(best)), ("away", 1 - pl.col(best))):
        price = pl.col(f"{side}_money_line")
        decimal = pl.when(price > 0).then(1 + price / 100).otherwise(1 + 100 / -price)
        named = {"sport": pl.lit(sport), "generation": pl.lit(generation), "model": pl.lit(best), "side": pl.lit(side)}
        value = probability * decimal - 1
        sides.append(slate.select("game_id", **named, decimal=decimal, value=value).filter(pl.col("value") > 0))
    return pl.concat(sides)


decided = pl.concat(
    [bets_of(sport, generation) for sport, generation in slates.select("sport", "generation").iter_rows()], how="diagonal"
)
# A game that several releases had is decided by the first of them.
decided = decided.unique(["sport", "game_id"], keep="first", maintain_order=True)
decided.head(5)

# %% [markdown]
# Only now the finals: those of today, by `game_id`, which stays when a game is moved.

# %%
finals = pl.concat(
    api.results(sport, "moneyline").filter("graded").select(pl.lit(sport).alias("sport"), "game_id", "won_on_points")
    for sport in LEAGUES
)
won = (pl.col("won_on_points") == 1) == (pl.col("side") == "home")
graded = decided.join(finals, on=["sport", "game_id"]).with_columns(
    profit=pl.when(won).then(pl.col("decimal") - 1).otherwise(-1.0)
)
graded.group_by("sport", "model", maintain_order=True).agg(bets=pl.len(), units=pl.col("profit").sum().round(2))

# %% [markdown]
# The same choice with the record of today would look ahead: its best model has seen the games that it is tested on.

# %%
for sport in LEAGUES:
    earlier, newest = slates.filter(sport=sport)["generation"].min(), slates.filter(sport=sport)["generation"].max()
    if earlier is not None:
        games = [api.at(generation=number).tracking(sport, "moneyline").graded_games for number in (earlier, newest)]
        print(f"{sport}: {games[0]} graded games were known at generation {earlier}, {games[1]} at {newest}")

# %% [markdown]
# The releases above are the newest ones; on a demo, nba and nfl have sixty live days. For longer tests, each row of results has its
# forecast's origin: `live` was published before the game started, and the record proves the time; `walk_forward` was computed later
# from earlier games alone, by the publisher's word. The two are never mixed.

# %%
games = api.results("nba", "moneyline", "all").filter("graded")
start = pl.col("date").dt.combine(pl.col("time_est")).dt.replace_time_zone("America/New_York")
live = games.filter(forecast_source="live").with_columns(start=start.dt.convert_time_zone("UTC"))
assert (live["forecast_published_at"] < live["start"]).all()
games.group_by("season", "forecast_source").agg(games=pl.len()).sort("season", "forecast_source")

# %% [markdown]
# Bet the home side at its opening price if BLEND's probability is worth more than 3 % at that price. The opening price is the first
# that was posted, so that the close is no part of the decision.

# %%
price = pl.col("open_home_money_line")
decimal = pl.when(price > 0).then(1 + price / 100).otherwise(1 + 100 / -price)
bets = (
    games.filter(forecast_source="walk_forward")
    .filter(pl.col("BLEND") * decimal - 1 > 0.03)
    .with_columns(profit=pl.when(pl.col("won_on_points") == 1).then(decimal - 1).otherwise(-1.0))
    .with_columns(bet=pl.int_range(1, pl.len() + 1), total=pl.col("profit").cum_sum())
)
mean, half = bets["profit"].mean(), 1.96 * bets["profit"].std() / bets.height**0.5
print(f"{bets.height} bets: {mean:+.3f} units a bet, between {mean - half:+.3f} and {mean + half:+.3f}")

# %%
alt.Chart(bets.select("bet", "total", "season"), title="home sides at their opening price").mark_line().encode(
    alt.X("bet:Q", title="bet"), alt.Y("total:Q", title="units so far"), alt.Color("season:N", title=None)
).properties(width=480, height=240)
