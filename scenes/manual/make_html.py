"""Makes one page of HTML from what `./dev docs` and `./dev gallery` have prepared.

make_html.py manual FOLDER OUT.html    the pages beside this file; FOLDER/PAGE/NAME.png: pictures that their commands drew
make_html.py gallery FOLDER OUT.html    FOLDER/NAME.json, NAME.png and NAME.txt: metrics, sheet and purpose of
                                       scenes; FOLDER/reference.md: the reference, for units; FOLDER/NAME.film.png:
                                       films, which stay there, since they are too large for a page

It needs the program cmark-gfm for the manual.
"""

import base64
import html
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
pre { background: #f4f4f2; padding: .7rem; overflow-x: auto; font-size: .85rem; line-height: 1.35 }
pre code.language-text { color: #666 }
code { font-size: .9em }
table { border-collapse: collapse; font-size: .9rem } td, th { border: 1px solid #ddd; padding: .2rem .6rem; text-align: left }
img { max-width: 100%; border: 1px solid #ddd } h1 { border-top: 2px solid #888; padding-top: 1rem; margin-top: 3rem }
nav { columns: 3 } nav a { display: block } .pass { color: #27632a } .fail { color: #a11 } figure { margin: 1rem 0 }
"""

# Metrics that the gallery shows at once, where they apply; all others are folded away.
FIRST_METRICS = (
    "fell",
    "distance",
    "hits",
    "recovery_strategy",
    "recovery_time",
    "rms_pose_error",
    "peak_assist_force",
    "peak_torque",
    "mean_power",
)


def picture(path):
    """An element that holds the PNG file itself."""
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<figure><img alt="{html.escape(path.stem)}" src="data:image/png;base64,{data}"></figure>\n'


def write_page(path, title, links, body):
    """links: (name, text) of the parts."""
    menu = "".join(f'<a href="#{name}">{html.escape(text)}</a>' for name, text in links)
    path.write_text(
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n<nav>{menu}</nav>\n{body}</html>\n"
    )


# ---- The manual ----


def page_order():
    """Names of the pages with what they are about, as the README lists them."""
    return re.findall(r"^- \[\w+\]\((\w+)\.md\): (.*)$", (HERE / "README.md").read_text(), re.MULTILINE)


def page_body(name, pictures):
    """A page as HTML, with each picture behind the commands that draw it."""
    command = ["cmark-gfm", "--extension", "table", str(HERE / f"{name}.md")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = re.sub(r'href="(\.\./[^"]*)"', r'class="tree" title="\1 in the source tree"', text)
    text = text.replace("<h1>", f'<h1 id="{name}">', 1)

    def with_pictures(block):
        drawn = [pictures / name / file for file in re.findall(r"(?:--png |savefig\(&quot;)([\w.]+)", block.group(0))]
        return block.group(0) + "".join(picture(path) for path in drawn if path.exists())

    return re.sub(r"<pre>.*?</pre>\n", with_pictures, text, flags=re.DOTALL)


def write_manual(pictures, out):
    pages = page_order()
    write_page(out, "Stagger: the manual", pages, "".join(page_body(name, pictures) for name, _ in pages))


# ---- The gallery ----


def shown(value):
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else html.escape(str(value))


def read_units(folder):
    """Units of metrics by name, from the reference's table."""
    table = (folder / "reference.md").read_text().split("\n## Metrics\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]*?) *\|", table, re.MULTILINE))


def metric_table(characters, names, units):
    """A row for each metric that applies to a character, a column for each character."""
    values = {name: [metrics.get(name) for metrics in characters.values()] for name in names}
    rows = [[name, units.get(name, "")] + row for name, row in values.items() if any(value not in (None, "") for value in row)]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in ("", "", *characters))
    cells = "".join("<tr>" + "".join(f"<td>{shown(value)}</td>" for value in row) + "</tr>\n" for row in rows)
    return f"<table><tr>{head}</tr>\n{cells}</table>\n"


def film(path, page):
    """The film of a scene, an animated PNG beside the page, loaded when it is scrolled to."""
    if not path.exists():
        return ""
    source = html.escape(os.path.relpath(path, page.parent))
    return f'<figure><img loading="lazy" width="768" height="432" alt="film" src="{source}"></figure>\n'


def scene_body(folder, name, units, page):
    result = json.loads((folder / f"{name}.json").read_text())
    characters = result["characters"]
    names = list(dict.fromkeys(metric for metrics in characters.values() for metric in metrics))
    purpose = (folder / f"{name}.txt").read_text().strip()
    expectations = "".join(
        f'<li class="{"pass" if expect["ok"] else "fail"}">{html.escape(expect["text"])}: is {shown(expect["value"])}</li>\n'
        for expect in result["expect"]
    )
    sheet = folder / f"{name}.png"
    return (
        f'<h1 id="{name}">{name}</h1>\n<p>{html.escape(purpose)}</p>\n'
        f"<pre><code>stagger run {name}\nstagger-view {name}</code></pre>\n"
        f"{film(folder / f'{name}.film.png', page)}{picture(sheet) if sheet.exists() else ''}"
        f"<p>{html.escape(result['status'])}, {result['duration']:g} s, seed {result['seed']}</p>\n"
        f"{metric_table(characters, FIRST_METRICS, units)}<ul>{expectations}</ul>\n"
        f"<details><summary>all metrics</summary>{metric_table(characters, names, units)}</details>\n"
    )


def write_gallery(folder, out):
    names = sorted(path.stem for path in folder.glob("*.json"))
    units = read_units(folder)
    body = "".join(scene_body(folder, name, units, out) for name in names)
    write_page(out, "Stagger: the gallery", [(name, name) for name in names], body)


if __name__ == "__main__":
    writers = {"manual": write_manual, "gallery": write_gallery}
    if len(sys.argv) != 4 or sys.argv[1] not in writers:
        sys.exit(__doc__)
    writers[sys.argv[1]](pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
