"""Runs the notebooks and renders them: render.py FOLDER [PAGE]

Needs SPORTS_URL and SPORTS_API_KEY, and an empty record with its door and service, as .ci/with_door opens it. Charts become SVG
files in FOLDER. With PAGE, a page of all notebooks with their outputs and pictures is written there; without it they only have to
run.
"""

import ast
import contextlib
import io
import re
import sys
from pathlib import Path

import altair as alt
import polars as pl

HERE = Path(__file__).parent
NAMES = ("better_than_the_market", "at_these_prices", "backtest", "from_a_model_to_a_record")
HEAD = """# Notebooks

This page is for people with a notebook: three questions, and a record of one's own, with the
[Python package](../clients/python/README.md). The sources are plain Python with cells in `clients/python/notebooks`, and CI runs them. The pictures and figures are of the demo's
simulated data; your demo has other games. Write the page anew with `just notebooks`.
"""


def value_of(code: str, session: dict[str, object]) -> tuple[str, object]:
    """Runs a cell; returns its printed text and the value of its last expression."""
    tree = ast.parse(code)
    printed = io.StringIO()
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None  # type: ignore[attr-defined]
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), session)  # noqa: S102
        value = eval(compile(last, "cell", "eval"), session) if last else None  # noqa: S307
    return printed.getvalue(), value


def rendered(name: str, folder: Path) -> list[str]:
    """Returns the Markdown of a notebook that was run."""
    session: dict[str, object] = {}
    parts: list[str] = []
    cells = re.split(r"^# %%(.*)\n", (HERE / f"{name}.py").read_text(), flags=re.MULTILINE)[1:]
    for kind, cell in zip(cells[::2], cells[1::2], strict=True):
        if "[markdown]" in kind:
            text = re.sub(r"^# ?", "", cell, flags=re.MULTILINE).strip()
            parts.append(re.sub(r"^# ", "## ", text))
            continue
        parts.append(f"```python\n{cell.strip()}\n```")
        printed, value = value_of(cell, session)
        if isinstance(value, alt.TopLevelMixin):
            picture = folder / f"{name}.svg"
            value.save(str(picture))
            parts.append(f"![The chart of the cell above](images/{picture.name})")
        elif value is not None or printed:
            parts.append(f"```text\n{printed}{'' if value is None else value}".rstrip() + "\n```")
    return parts


def main() -> None:
    """Runs all notebooks."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with pl.Config(
        tbl_cols=-1, tbl_width_chars=120, tbl_hide_column_data_types=True, tbl_hide_dataframe_shape=True, ascii_tables=True
    ):
        parts = [part for name in NAMES for part in rendered(name, folder)]
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text("\n\n".join([HEAD.rstrip(), *parts]) + "\n")
    print(f"{len(NAMES)} notebooks ran")


main()
