"""Joins numbered PNG pictures to an animated PNG, which every browser plays and which needs no codec.

make_film.py OUT.png SECONDS FRAME.png...    SECONDS: how long a picture is shown

The pictures have one size, as those of `stagger-view --png 'frame_%03d.png'`. Their compressed bytes are taken as they
are, so that the same pictures give the same film. The format is that of the PNG specification, third edition: acTL counts the frames,
fcTL stands before each, and fdAT is IDAT with a number.
"""

import pathlib
import struct
import sys
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def read_chunks(path):
    """The chunks of a PNG file: (name, bytes)."""
    data = pathlib.Path(path).read_bytes()
    if not data.startswith(SIGNATURE):
        sys.exit(f"{path}: is no PNG picture")
    at = len(SIGNATURE)
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        yield name, data[at + 8 : at + 8 + size]
        at += 12 + size


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def film(paths, seconds):
    """The animated PNG of the pictures, endless."""
    parts, number, header = [], 0, None
    for path in paths:
        chunks = list(read_chunks(path))
        own = dict(chunks)[b"IHDR"]
        if header is None:
            header = own
            before = [chunk(name, data) for name, data in chunks[1:] if name not in (b"IDAT", b"IEND")]
            parts = [chunk(b"IHDR", header), chunk(b"acTL", struct.pack(">II", len(paths), 0)), *before]
        if own != header:
            sys.exit(f"{path}: has another size or kind of pixels than {paths[0]}")
        size = struct.unpack(">II", header[:8])
        times = round(1000 * seconds), 1000
        parts.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, *size, 0, 0, *times, 0, 0)))
        number += 1
        for data in (data for name, data in chunks if name == b"IDAT"):
            is_first = path == paths[0]
            parts.append(chunk(b"IDAT", data) if is_first else chunk(b"fdAT", struct.pack(">I", number) + data))
            number += not is_first
    return SIGNATURE + b"".join(parts) + chunk(b"IEND", b"")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[1]).write_bytes(film(sys.argv[3:], float(sys.argv[2])))
