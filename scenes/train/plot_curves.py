#!/usr/bin/env python3
"""Draws the learning curves of `stagger train --curve`, the same training under several seeds:

    for seed in 1 2 3 4 5 6; do
      stagger train planners/field --seed $seed -o rules_$seed.yaml --baseline direct_$seed.yaml --curve curve_$seed.csv
    done
    python3 scenes/train/plot_curves.py curve_?.csv scenes/planners/learning_curves.svg

One column for the fields that are reached untouched, one for the reward of a decision; each seed a thin line, their mean
a thick one.
"""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "stagger"
import matplotlib.pyplot as plt

# The CSV's table, label, colour.
TABLES = [("rules", "rules and table", "#1d3557"), ("direct", "table over the whole state", "#e07a3f")]
PANELS = [("success", 100, "goals reached untouched, % of 20 fields"), ("reward", 1, "reward of a decision")]


def read_curve(path):
    """Table -> list of points, each a column -> number."""
    curves = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            point = {column: float(value) for column, value in row.items() if column != "table"}
            curves.setdefault(row["table"], []).append(point)
    return curves


def draw(panel, column, scale, curves):
    for table, label, colour in TABLES:
        seeds = [curve[table] for curve in curves if table in curve]
        for points in seeds:
            panel.plot([p["decisions"] / 1000 for p in points], [scale * p[column] for p in points],
                       color=colour, linewidth=0.6, alpha=0.5)
        means = [[sum(p[c] for p in points) / len(points) for c in ("decisions", column)] for points in zip(*seeds)]
        panel.plot([d / 1000 for d, _ in means], [scale * v for _, v in means], color=colour, linewidth=2, label=label)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    curves = [read_curve(path) for path in sys.argv[1:-1]]
    figure, panels = plt.subplots(1, len(PANELS), figsize=(9, 3.6), constrained_layout=True)
    for panel, (column, scale, label) in zip(panels, PANELS):
        draw(panel, column, scale, curves)
        panel.set_xlabel("decisions, thousands")
        panel.set_ylabel(label)
        panel.set_xlim(left=0)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylim(0, 103)
    panels[0].legend(frameon=False)
    figure.savefig(sys.argv[-1], metadata={"Date": None})


if __name__ == "__main__":
    main()
