import base64, html.parser, json, re, struct, sys, xml.etree.ElementTree as xml

VOID = {"meta", "img", "br", "link", "input", "hr"}
text = open(sys.argv[1], encoding="utf-8").read()
problems = []

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids = [], []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href") and not value.startswith(("data:", "#")):
                problems.append(f"{tag} {name} leads outside: {value[:60]}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            problems.append(f"</{tag}> closes nothing, line {self.getpos()[0]}")

page = Page()
page.feed(text)
page.close()
if page.open:
    problems.append(f"not closed: {page.open}")
if len(set(page.ids)) != len(page.ids):
    problems.append(f"ids twice: {sorted(page.ids)}")
if re.search(r"https?://", text):
    problems.append("an address: " + re.search(r".{30}https?://.{30}", text, re.S).group())
for picture in re.findall(r"<svg.*?</svg>", text, re.S):
    try:
        xml.fromstring(picture.replace("&#160;", " "))
    except xml.ParseError as error:
        problems.append(f"SVG: {error}: {picture[:80]}")
if re.search(r"\bnan\b|\binf\b", re.sub(r"<script.*?</script>|<pre>.*?</pre>", "", text, flags=re.S)):
    problems.append("nan or inf in the page")
data = json.loads(re.search(r'<script type="application/json" id="stagger-data">(.*?)</script>', text, re.S).group(1))

def arrays(value, path=""):
    if isinstance(value, dict) and "data" in value and "shape" in value:
        yield path, value
    elif isinstance(value, (dict, list)):
        for key, item in (value.items() if isinstance(value, dict) else enumerate(value)):
            yield from arrays(item, f"{path}/{key}")

for path, array in arrays(data):
    count = 1
    for size in array["shape"]:
        count *= size
    if len(base64.b64decode(array["data"], validate=True)) != count * {"f32": 4, "i32": 4, "i16": 2}[array["type"]]:
        problems.append(f"{path}: not {array['shape']} of {array['type']}")
if data["format"] != "stagger-report" or data["version"] != 1:
    problems.append("no report's data")
for problem in problems[:10]:
    print("PROBLEM", problem)
print("kind", data["kind"], "title", data["title"], "traces", len(data["traces"]))
if "study" in data:
    print("done", data["study"]["done"], "of", data["study"]["trials"], "rows", len(data["study"]["rows"]["status"]))
print("pictures", text.count("<svg"), "images", text.count("<img"))
