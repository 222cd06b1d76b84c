"""The faults that can be planted: what a line of C can be turned into, and which of them are left out by a rule."""

import csv
import os
import random
import re

FOLDERS = ("sim", "anim", "ragdoll", "scenes")  # of the viewer, much is drawing: only when asked for with --only

SWAPS = {
    "arithmetic": ((" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" += ", " -= "), (" -= ", " += ")),
    "comparison": ((" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == ")),
    "logic": ((" && ", " || "), (" || ", " && ")),
}
# Lines that make texts, or checks that are compiled out.
TALK = re.compile(r"error_|printf|assert|warn|text_|html_|state_section|puts\(|#\s*\w|[a-z_]*help|PARAM")
ASSIGNMENT = re.compile(r"^\s*[A-Za-z_*(][\w\->.\[\] +*()]*? [-+*/|&]?= .*;$")
DECLARATION = re.compile(r"^\s*(static |const |struct |enum |unsigned |register )*[A-Za-z_]\w*(\s+\**|\s*\*+\s*)[A-Za-z_]\w*")
CALL = re.compile(r"^\s*[a-z]\w*\(.*\);$")
CLAMP = re.compile(r"\b(fminf?|fmaxf?|min_[a-z]+|max_[a-z]+|clamp\w*|glm_clamp)\(")
FLOATING = re.compile(r"(?<![\w.])(\d+\.\d*(?:e-?\d+)?f?|\d+e-?\d+f?)(?![\w.])")
INTEGER = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.\"'])")
NEGATIVE = re.compile(r"(?<=[(=,?:] )-(?=[\w(])|(?<=\()-(?=[\w(])|(?<=return )-(?=[\w(])")

# Rules of what is left out, with the number of each in the conclusion.
RELEASE = re.compile(r"^\s*(free|\w*_free|\w*_destroy|\w*_unload|cJSON_Delete|f?close|\w*_close|H5\w*close)\(.*\);$")
CAPACITY = re.compile(r"\b(m|c|re)alloc\(|\breserve\w*\(|\b\w*capacity\b|\broom = ")
CONTINUOUS = re.compile(r"operands to binary % \(have .*‘(const )?(float|double)|"
                        r"operands to binary % \(have .*'(const )?(float|double)")
ROUNDING = 1e-6  # constants up to it are allowances for rounding, which work in any size near it
NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*|\.\d+)(e-?\d+)?f?\b")
IMPURE = re.compile(r"\b(?!(?:strlen|fabsf?)\()\w+\(|\+\+|--|[^=!<>]=[^=]")  # what may not be only a value
# A value that is calculated, if only by a call; a sign and a magnitude are no calculation.
COMPUTED = re.compile(r"\b(?!fabsf?\()[a-z]\w*\(| [-+*/] ")


def blank(text):
    """The text with comments, strings and character constants as spaces, of the same length."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', re.S)
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def arguments(line, start):
    """The arguments of the call whose bracket opens just before `start`, and where it ends; None if not on the line."""
    depth, begin, found = 1, start, []
    for i in range(start, len(line)):
        if line[i] in "([{":
            depth += 1
        elif line[i] in ")]}":
            depth -= 1
            if depth == 0:
                return found + [line[begin:i].strip()], i
        elif line[i] == "," and depth == 1:
            found.append(line[begin:i].strip())
            begin = i + 1
    return None, -1


def faults_of_line(line, code):
    """All (kind, new line) of a line inside a function; `code` is the line without texts and comments."""
    for kind, swaps in SWAPS.items():
        for before, after in swaps:
            for match in re.finditer(re.escape(before), code):
                yield kind, line[: match.start()] + after + line[match.end() :]
    for match in NEGATIVE.finditer(code):
        yield "sign", line[: match.start()] + line[match.end() :]
    for match in FLOATING.finditer(code):
        suffix = "f" if match.group().endswith("f") else ""
        value = float(match.group().rstrip("f"))
        yield "constant", line[: match.start()] + repr(value * 2 if value else 1.0) + suffix + line[match.end() :]
    declares = DECLARATION.match(code) and not re.match(r"\s*(return|else|case|goto)\b", code)
    for match in INTEGER.finditer(code):
        if code[match.start() - 1] == "[" and declares and "=" not in code[: match.start()]:
            continue  # an array's size
        yield "off by one", line[: match.start()] + str(int(match.group()) + 1) + line[match.end() :]
    for match in CLAMP.finditer(code):
        given, end = arguments(code, match.end())
        if not given:
            continue
        for k, argument in enumerate(given[:1] if "clamp" in match.group() else given):
            if re.fullmatch(r"-?[\d.]+f?|[A-Z_]+|-?INFINITY", argument):
                continue  # the limit
            yield "clamp", line[: match.start()] + "(" + argument + ")" + line[end + 1 :]
    if (ASSIGNMENT.match(code) and not declares) or CALL.match(code):
        indent = len(line) - len(line.lstrip())
        yield "statement", line[:indent] + "(void)0;"
    match = re.match(r"\s*(?:\} else )?if \(", code)
    if match:
        given, end = arguments(code, match.end())
        if given:
            yield "condition", line[: match.end()] + "!(" + line[match.end() : end] + ")" + line[end:]


def faults_of_file(tree, path):
    """All faults of a file: (path, line number, kind, line, new line)."""
    with open(os.path.join(tree, path), encoding="utf-8") as file:
        text = file.read()
    lines, codes, inside = text.split("\n"), blank(text).split("\n"), False
    for number, (line, code) in enumerate(zip(lines, codes), 1):
        if code.startswith("}"):
            inside = False
        constant = re.match(r"(static )?const (double|float|int) \w+ = ", code)
        if (inside or constant) and not TALK.search(line):
            for kind, changed in faults_of_line(line, code):
                if not constant or kind in ("constant", "off by one"):
                    yield path, number, kind, line, changed
        if re.match(r"[A-Za-z].*\)\s*\{\s*$", code) or (code.rstrip().endswith(") {") and code[:1] == " " and not inside):
            inside = True


def product_sources(tree, only):
    found = []
    for folder in FOLDERS + (("viewer",) if only and only.startswith("viewer") else ()):
        for where, _, names in os.walk(os.path.join(tree, folder)):
            found += [os.path.relpath(os.path.join(where, name), tree) for name in names if name.endswith(".c")]
    return sorted(path for path in found if not only or path.startswith(only))


def drawn(tree, seed, only):
    """All faults in the order of a seed, each kind as often as the others while there are any."""
    places = {}
    for path in product_sources(tree, only):
        for fault in faults_of_file(tree, path):
            places.setdefault(fault[2], []).append(fault)
    rng = random.Random(seed)
    for kind in sorted(places):
        rng.shuffle(places[kind])
    while places:
        for kind in sorted(places):
            yield places[kind].pop()
            if not places[kind]:
                del places[kind]


# ---- What is left out ----


def swapped(before, after):
    """Where the operator of a comparison stands in both lines, or None where it is not `<` for `<=` or `>` for `>=`."""
    for one, other in ((" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > ")):
        for match in re.finditer(re.escape(one), before):
            if before[: match.start()] + other + before[match.end() :] == after:
                return match
    return None


def left_out(fault, compile_errors, text=""):
    """The rule that leaves a fault out, or None. `compile_errors(text of the line)` gives what the compiler says of it;
    text: that of the file.

    Only what no test of behaviour in this build can notice: memory that is not given back (the sanitised build's leak
    checker looks for it), how much room a growing list takes, an allowance for rounding of twice its size, and whether two
    continuous quantities that are equal to the last bit count as less. Neither of these is a constant, or one is computed
    and the other a constant that it meets by rounding alone: 0.7, which is no binary fraction, but not 0, 1 or 0.25.
    And what no test can notice at all: which of two values that are equal is taken as the lesser or the greater one.
    """
    _, number, kind, before, after = fault
    if kind == "statement" and RELEASE.match(before):
        return "memory that is not given back"
    if kind in ("constant", "off by one", "arithmetic", "clamp") and CAPACITY.search(before):
        return "room of a growing list"
    if kind in ("constant", "off by one") and 0 < least_changed(before, after) <= ROUNDING:  # the latter of its exponent
        return "size of an allowance for rounding"
    match = swapped(before, after) if kind == "comparison" else None
    if match:
        left, right = side(before[: match.start()], -1), side(before[match.end() :], 0)
    if match and takes_either(match, before, text.split("\n")[number : number + 2]):
        zero = {"0", "0.0", "0.0f"} & set(operands(match, before))  # a continuous quantity may be less than it by its sign: -0
        if not zero or not CONTINUOUS.search(compile_errors(before[: match.start()] + " % " + before[match.end() :])):
            return "the lesser or greater of two that are equal"
    if match and (not (is_constant(left) or is_constant(right)) or meets_by_rounding(left, right, text)
                  or meets_by_rounding(right, left, text)):
        # The operator % has no meaning for what is continuous: the compiler says what stands on its sides.
        if CONTINUOUS.search(compile_errors(before[: match.start()] + " % " + before[match.end() :])):
            return "equality of continuous quantities"
    return None


def until(text, ends):
    """The beginning of a text, as far as one of the ends outside of brackets, or a bracket that was opened before it."""
    depth = 0
    for i, letter in enumerate(text):
        if depth == 0 and (letter in ")]}" or text.startswith(ends, i)):
            return text[:i].strip()
        depth += (letter in "([{") - (letter in ")]}")
    return text.strip()


def operands(match, line):
    """What a comparison compares."""
    mirror = str.maketrans("()[]{}", ")(][}{")  # backward, what closes a bracket opens one
    left = until(line[: match.start()][::-1].translate(mirror), (" = "[::-1], "return "[::-1], " ?", " :", ";", " ,", "&&", "||"))
    return left.translate(mirror)[::-1], until(line[match.end() :], (" ? ", "&&", "||", ";"))


def takes_either(match, line, next_lines):
    """Whether a comparison only chooses between the two that it compares, which are equal where < and <= differ: as
    `a < b ? a : b`, or as `if (a < b)` before `a = b;` and no `else`."""
    pair = operands(match, line)
    if "" in pair or any(IMPURE.search(operand) for operand in pair):
        return False
    rest = line[match.end() + len(pair[1]) :]
    if re.match(r"\s*(?:\} else )?if \(", line) and rest == ")" and line[: match.start()].endswith("if (" + pair[0]):
        assigned = next_lines[0].strip().rstrip(";").split(" = ") if next_lines else []
        return sorted(assigned) == sorted(pair) and not next_lines[-1].strip().startswith("else")
    if not rest.startswith(" ? "):
        return False
    first = until(rest[3:], (" : ", ";", ","))
    other = rest[3 + len(first) :]
    if not other.startswith(" : "):
        return False
    second = until(other[3:], (" ? ", ";", ","))
    return not other[3 + len(second) :].startswith(" ? ") and sorted((first, second)) == sorted(pair)


def is_constant(quantity):
    """Whether a side of a comparison has numbers and their names alone: no variable, no call, no letter."""
    ended = until(blank(re.sub(r"\((double|float|int|long)\)", "", quantity)), (",", ";", "{"))
    return not re.search(r"[a-z]", NUMBER.sub("", ended)) and "'" not in quantity


def meets_by_rounding(quantity, constant, text):
    """Whether one is computed and the other a number, or a name that the file gives one, that is no multiple of 1/1024."""
    if not COMPUTED.search(quantity):
        return False
    constant = constant.rstrip(") {")
    name = re.fullmatch(r"(?:\(double\)|\(float\))?([A-Z][A-Z_0-9]+)", constant)
    if name:
        definition = re.search(r"\b%s = ([^,;]+)[,;]" % name.group(1), text)
        constant = definition.group(1) if definition else ""
    if re.fullmatch(r"-?[\d.]+ \* RAD_PER_DEGREE", constant):
        return True
    number = re.fullmatch(r"-?(\d+\.\d*(?:e-?\d+)?|\d+e-?\d+)f?", constant)
    return number is not None and (float(number.group(1)) * 1024) % 1 != 0


def least_changed(before, after):
    """The value of the floating constant that a fault changes, 0 if there is none."""
    for one, other in zip(FLOATING.finditer(before), FLOATING.finditer(after)):
        if one.group() != other.group():
            return float(one.group().rstrip("f"))
    return 0


def leads_beyond(fault):
    """Whether a fault may lead beyond the end of a list, where a plain build reads or writes what happens to be there."""
    _, _, kind, before, _ = fault
    return kind in ("comparison", "off by one", "clamp", "by hand") and re.search(r"\bfor \(|\bwhile \(|\[|\bindex\b|\bcount\b", before)


def side(text, which):
    """One side of a comparison, as far as the next && or || or bracket that encloses it."""
    return re.split(r"&&|\|\||\bif \(|\bfor \(|\bwhile \(|;|\breturn\b|\?|:", text)[which].strip()


def known_equivalents(path):
    """(file, before, after) -> why no test can notice it."""
    if not os.path.exists(path):
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        return {(row["file"], row["before"], row["after"]): row["reason"] for row in csv.DictReader(file)}
