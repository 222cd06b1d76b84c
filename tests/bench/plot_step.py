#!/usr/bin/env python3
"""Draws what a step costs beside bare ODE, from the CSV of `./dev bench step`:

    ./dev bench step >step.csv && python3 tests/bench/plot_step.py step.csv scenes/step_cost.svg

Instructions where they were counted, else the median time. All bars of a situation are shares of what bare ODE takes
for it with its exact stepper.
"""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "stagger"
import matplotlib.pyplot as plt

SITUATIONS = ["standing", "walking", "running", "hit", "fallen"]
# Label, the CSV's benchmark after its situation, variant, colour.
BARS = [
    ("bare ODE, dWorldStep", "", "bare", "#9aa5b1"),
    ("exact, all bounds", "", "full", "#6b7fa3"),
    ("exact", "_exact", "full", "#1d3557"),
    ("bare ODE, QuickStep, 50 iterations", "_iterative", "bare", "#c3ccd5"),
    ("iterative", "_iterative", "full", "#3a7ca5"),
    ("reduced", "_reduced", "full", "#e07a3f"),
]


def read_costs(path):
    """(benchmark, variant) -> instructions, or us where any is not counted."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["variant"] in ("bare", "full")]
    column = "instructions" if all(row["instructions"] for row in rows) else "median"
    return {(row["benchmark"], row["variant"]): float(row[column]) for row in rows}, column


def benchmark(situation, mode):
    return ("step" if situation == "hit" else "step_" + situation) + mode


def draw(costs, column, path):
    figure, axes = plt.subplots(figsize=(9, 3.6), layout="constrained")
    width = 0.8 / len(BARS)
    for i, (label, mode, variant, color) in enumerate(BARS):
        shares = [costs[benchmark(s, mode), variant] / costs[benchmark(s, ""), "bare"] for s in SITUATIONS]
        places = [k - 0.4 + (i + 0.5) * width for k in range(len(SITUATIONS))]
        bars = axes.bar(places, shares, 0.94 * width, color=color, label=label)
        axes.bar_label(bars, fmt="%.2f", fontsize=7, padding=1)
    axes.set_xticks(range(len(SITUATIONS)), SITUATIONS)
    axes.set_ylabel(("instructions" if column == "instructions" else "time") + " of a step, bare ODE = 1")
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(y=0.12)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncol=3, frameon=False, fontsize=8)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    draw(*read_costs(sys.argv[1]), sys.argv[2])
