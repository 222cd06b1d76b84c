#!/bin/bash
# Films and the page of the gallery: a film contains the pictures' own bytes, and the page names what is there. Pictures
# of 3 x 2 pixels stand for those of scenes. Usage: SOURCE=source-folder gallery.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
command -v python3 >/dev/null || exit 77

cat >pictures.py <<'PYTHON'
import struct, sys, zlib

def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

def write(path, width, grey, parts):
    pixels = zlib.compress(b"".join(b"\0" + bytes([grey, grey, grey]) * width for _ in range(2)))
    cut = len(pixels) // parts
    data = [pixels[i * cut : None if i == parts - 1 else (i + 1) * cut] for i in range(parts)]
    header = struct.pack(">IIBBBBB", width, 2, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"gAMA", struct.pack(">I", 45455)))
        file.write(b"".join(chunk(b"IDAT", part) for part in data) + chunk(b"IEND", b""))

for index, parts in enumerate((1, 3, 2)):
    write(f"f{index}.png", 3, 80 * index, parts)
write("wide.png", 4, 0, 1)
PYTHON
python3 pictures.py
python3 "$SOURCE/scenes/manual/make_film.py" film.png 0.1 f0.png f1.png f2.png || fail "no film is made"

cat >look.py <<'PYTHON'
import struct, zlib
data = open("film.png", "rb").read()
at, names, numbers, frames = 8, [], [], []
while at < len(data):
    size, name = struct.unpack_from(">I4s", data, at)
    body, at = data[at + 8 : at + 8 + size], at + 12 + size
    assert struct.unpack_from(">I", data, at - 4)[0] == zlib.crc32(name + body), name
    names.append(name.decode())
    if name == b"acTL":
        assert struct.unpack(">II", body) == (3, 0)
    if name == b"fcTL":
        number, width, height, x, y, delay, per = struct.unpack(">IIIIIHH", body[:24])
        assert (width, height, x, y, delay / per) == (3, 2, 0, 0, 0.1)
        frames.append(b"")
    if name in (b"fcTL", b"fdAT"):
        numbers.append(struct.unpack(">I", body[:4])[0])
    if name in (b"IDAT", b"fdAT"):
        frames[-1] += body[4 if name == b"fdAT" else 0 :]
assert names == "IHDR acTL gAMA fcTL IDAT fcTL fdAT fdAT fdAT fcTL fdAT fdAT IEND".split(), names
assert numbers == list(range(8)), numbers
assert [zlib.decompress(frame)[1] for frame in frames] == [0, 80, 160]
PYTHON
python3 look.py || fail "the film is not that of its pictures"
python3 "$SOURCE/scenes/manual/make_film.py" film.png 0.1 f0.png wide.png 2>err && fail "pictures of two sizes are a film"
has err "wide.png: has another size"
echo text >text.png
python3 "$SOURCE/scenes/manual/make_film.py" film.png 0.1 text.png 2>err && fail "a text is a film"
has err "text.png: is no PNG picture"

# The page: each scene with its film, which is loaded when it is seen.
mkdir gallery
run 0 reference
cp out gallery/reference.md
cp film.png gallery/doll.film.png
cp f0.png gallery/doll.png
echo "A doll <falls>." >gallery/doll.txt
echo '{"status": "complete", "duration": 2, "seed": 1, "characters": {"doll": {"fell": 1}}, "expect": []}' >gallery/doll.json
python3 "$SOURCE/scenes/manual/make_html.py" gallery gallery page.html || fail "no page is made"
has page.html 'src="gallery/doll.film.png"'
has page.html 'src="data:image/png;base64,'
has page.html 'A doll &lt;falls&gt;.'
[ "$failed" -eq 0 ]
