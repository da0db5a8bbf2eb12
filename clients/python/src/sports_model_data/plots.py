"""Charts by altair, which is the extra `plot`."""

from collections.abc import Sequence
from typing import Any

import polars as pl


def reliability(blocks: pl.DataFrame, models: Sequence[str], title: str) -> Any:
    """Draws the steps of reliability diagrams with their bands; a panel for each source of forecasts."""
    try:
        import altair as alt
    except ImportError:
        raise ImportError("charts need altair: pip install 'sports-model-data[plot]'") from None
    chosen = blocks.filter(pl.col("model").is_in(list(models))) if models else blocks
    ends = pl.concat([chosen.with_columns(p=pl.col(end)) for end in ("p_min", "p_max")]).sort("forecast_source", "model", "p")
    data = alt.Chart(ends.with_columns(pl.col("forecast_source").cast(pl.String)))
    probability = alt.X("p:Q", title="probability of the model", scale=alt.Scale(zero=False))
    colour = alt.Color("model:N", title=None)
    band = data.mark_area(opacity=0.12).encode(probability, alt.Y("band_low:Q"), alt.Y2("band_high"), colour)
    steps = data.mark_line().encode(probability, alt.Y("rate:Q", title="share of games that came so"), colour)
    diagonal = data.mark_line(color="grey", strokeDash=[4, 4]).encode(probability, alt.Y("p:Q"))
    return (band + diagonal + steps).properties(width=320, height=280).facet("forecast_source:N", title=title)
