"""Studies: a scene that is run for all combinations of some parameters, many times each, and the table of results."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _library as lib
from ._library import Error
from ._program import run_program

_FIXED = ("trial", "cell", "repeat", "seed")  # the columns before those of the axes, of which `status` is the next


class Study:
    """The results of a study in a folder, as `stagger sweep` or `Study.run` makes it.

    study["man.fell"]: a column of the table, (trials,): float64, with NaN where a metric does not apply; or text, as
    "status" is. `len(study)`: the number of trials.
    """

    def __init__(self, folder: Union[str, os.PathLike]) -> None:
        self.folder = Path(os.fsdecode(lib.text("a folder", folder)))
        rows = self._table("trials.csv")
        if not rows:
            raise Error(f"{self.folder / 'trials.csv'} is empty")
        self.columns: Tuple[str, ...] = tuple(rows[0])
        if self.columns[:4] != _FIXED or "status" not in self.columns:
            raise Error(f"{self.folder / 'trials.csv'} is no table of a study")
        self.axes = self.columns[len(_FIXED) : self.columns.index("status")]
        self._columns = {name: _column([row[i] for row in rows[1:]]) for i, name in enumerate(self.columns)}

    @classmethod
    def run(
        cls,
        study: Union[str, os.PathLike, Mapping[str, Any]],
        folder: Union[str, os.PathLike],
        jobs: int = 0,
        limit: Optional[int] = None,
        resume: bool = False,
    ) -> "Study":
        """Runs the trials of a study, each in a process, and returns their results, which stay in the folder.

        study: a name ("push_table"), a path, a text in YAML (anything with a line break), or a dict of the same keys.
        jobs: worker processes; 0: one for each processor. limit: so many trials only; `resume` goes on in the folder.
        The table is the same for any number of jobs. A trial that crashes has a row, whose "status" says so."""
        options = ["--quiet", "--out", os.fsdecode(lib.text("a folder", folder))]
        if lib.whole("jobs", jobs):
            options += ["--jobs", jobs]
        if limit is not None:
            options += ["--limit", lib.whole("limit", limit, 1)]
        if resume:
            options += ["--resume"]
        text = json.dumps(study, default=lib.setting) if isinstance(study, Mapping) else study
        if isinstance(study, Mapping) or (isinstance(text, str) and "\n" in text):
            with tempfile.TemporaryDirectory() as place:
                path = Path(place) / "study.yaml"
                path.write_text(text)
                run_program("stagger", ["sweep", path, *options], (0, 3))
        else:
            run_program("stagger", ["sweep", os.fsdecode(lib.text("a study", study)), *options], (0, 3))
        return cls(folder)

    def _table(self, name: str) -> List[List[str]]:
        try:
            with open(self.folder / name, newline="", encoding="utf-8") as file:
                return list(csv.reader(file))
        except OSError as cause:
            raise Error(f"{self.folder} has no results of a study: {cause}") from None

    def __repr__(self) -> str:
        return f"<stagger.Study {self.folder}, {len(self)} trials, axes {', '.join(self.axes)}>"

    def __len__(self) -> int:
        return len(self._columns["trial"])

    def __getitem__(self, column: str) -> np.ndarray:
        if column not in self._columns:
            raise Error(f"the study has no column {column!r}: there are {', '.join(self.columns)}")
        return self._columns[column]

    def values(self, axis: str) -> np.ndarray:
        """The values of an axis, in their order."""
        if axis not in self.axes:
            raise Error(f"the study has no axis {axis!r}: there are {', '.join(self.axes)}")
        column = self[axis]
        first = np.sort(np.unique(column, return_index=True)[1])
        return column[first]

    def grid(self, column: str) -> np.ndarray:
        """A column of numbers by its axes: (values of the first axis, of the second, ..., repeats), NaN for trials that
        were not run. Its axes must be crossed."""
        numbers = self[column]
        if numbers.dtype.kind != "f":
            raise Error(f"{column} is text: a grid has numbers")
        shape = [len(self.values(axis)) for axis in self.axes]
        cells = len(np.unique(self["cell"]))
        if cells > 1 and np.prod(shape) >= 2 * cells:  # the first cells of crossed axes are more than half of them
            values = " x ".join(map(str, shape))
            raise Error(f"the axes are not crossed, or too few trials were run: {values} values in {cells} cells")
        places = [np.argmax(self[axis][:, None] == self.values(axis), axis=1) for axis in self.axes]
        repeat = self["repeat"].astype(int)
        grid = np.full((*shape, repeat.max() + 1), np.nan)
        grid[(*places, repeat)] = numbers
        return grid

    def unit(self, metric: str) -> str:
        """The unit of a metric: "deg"; "" if it has none, or is none."""
        self[metric]
        header, *rows = self._table("summary.csv")
        name, unit = header.index("metric"), header.index("unit")
        return next((row[unit] for row in rows if row[name] == metric), "")

    def summary(self) -> List[Dict[str, str]]:
        """The rows of summary.csv: shares and medians with their intervals, for all trials and each cell, as text."""
        header, *rows = self._table("summary.csv")
        return [dict(zip(header, row)) for row in rows]

    def to_dataframe(self) -> Any:
        """The table as pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns)


def _column(texts: List[str]) -> np.ndarray:
    """Numbers, with NaN for what is empty, or else texts."""
    try:
        return np.array([float(text) if text else np.nan for text in texts])
    except ValueError:
        return np.array(texts, dtype=str)
