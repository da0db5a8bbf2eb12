# %% [markdown]
# # From a model to a public record in twenty lines
#
# A model is fitted on past games, and published to a record of your own: history, today's slate and last night's finals. From then on
# everybody sees how it does. `smd.publisher()` is the door of the record, `RECORD_URL` the address of its service
# ([publish from Python](publish-from-python.md)); the games are the demo's.

# %%
import os
import time

import polars as pl
from sklearn.linear_model import LogisticRegression

import sports_model_data as smd

demo = smd.connect()  # SPORTS_URL and SPORTS_API_KEY: the games
pub = smd.publisher()  # SPORTS_PUBLISH_URL and SPORTS_PUBLISH_TOKEN: the record

# %% [markdown]
# The model: the chance of the home team by the openers. It learns from the first season, and forecasts the later ones: no game has
# taught its own forecast.

# %%
OPENERS = ["open_home_point_spread", "open_home_money_line", "open_away_money_line"]
games = demo.results("nba", "moneyline", "all").drop_nulls(OPENERS)
first = games.filter(pl.col("graded"), pl.col("season") == games["season"].min())
later = games.filter(pl.col("season") > games["season"].min())

fitted = LogisticRegression(max_iter=1000).fit(first.select(OPENERS), first["won_on_points"])
later = later.with_columns(opener=pl.Series(fitted.predict_proba(later.select(OPENERS))[:, 1]).round(4))
later.select("date", "away_team", "home_team", *OPENERS, "opener").tail(3)

# %% [markdown]
# The past: games with prices and finals, the model's chances beside them, and its declaration. Last night's finals are left out, as if
# it were evening. A dry run shows what would change, and what looks wrong.

# %%
KEY = ["date", "time_est", "away_team", "home_team", "match_id"]
played = later.filter(pl.col("home_score").is_not_null())
last_night = played.filter(pl.col("date") == played["date"].max())
finals = [
    pl.when(pl.col("date") < played["date"].max()).then(pl.col(score)).alias(score) for score in ("away_score", "home_score")
]

history = {
    "games": played.select(*KEY, "season", "game_type", *OPENERS, "home_money_line", "away_money_line", *finals),
    "probabilities": {"moneyline": played.select(*KEY, "season", "opener")},
    "models": {"opener": smd.model("Logistic regression on the openers", public=True)},
}
rehearsed = pub.publish("nba", **history, dry_run=True)
rehearsed.seasons.select("season", "market", "games", "added", "changed")

# %%
published = pub.publish("nba", **history)
published.records.filter(market="moneyline")

# %% [markdown]
# Today's slate, with the odds of now. The record has each forecast with its time, which is before the start of the game: from here on
# it can be proven, and not be changed.

# %%
tonight = later.filter(pl.col("date") == later["date"].max(), pl.col("home_score").is_null())
forecast = pub.publish("nba", predictions={"moneyline": tonight.select(*KEY, "opener")}, odds=demo.odds("nba"))
forecast.slate.group_by("market", "change", maintain_order=True).len()

# %% [markdown]
# Last night's finals, each for its game on record:

# %%
settled = pub.settle("nba", last_night.select(*KEY, "away_score", "home_score"))
print(settled)

# %% [markdown]
# A mistake publishes nothing, and the error has the row of the frame:

# %%
try:
    pub.settle("nba", last_night.select(*KEY, "away_score", home_score=-pl.col("home_score")))
except smd.ReleaseRefused as refused:
    print(refused.problems.select("frame", "row", "column", "value", "expected").head(2))

# %% [markdown]
# What everybody sees, without a key: the record, the calibration, and a card to share.

# %%
time.sleep(2)  # a service has a release within a second or so
record = smd.connect(os.environ["RECORD_URL"], key="")
curve = record.calibration("nba", "moneyline", played["season"].min())
print(curve.scores.filter(model="opener")["verdict_in_words"][0])
print(record.public_leagues()[0].cards["won_on_points"]["opener"])

# %%
curve.plot("opener")
