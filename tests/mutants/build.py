"""The copy of the tree, its build, and a fault planted in it."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys

from places import BUILD, COUNTING, ROOT, TREE

# The sanitised build runs all tests, too: what it sees in a changed file, as an index beyond an array, is noticed.
CHECKED = "-UNDEBUG -fsanitize=undefined -fno-sanitize-recover=undefined"
ADDRESSES = "-fsanitize=address"
LIBRARIES = ("sim", "anim", "ragdoll", "scenes", "viewer")


def run(command, **more):
    return subprocess.run(command, check=True, stdout=sys.stderr, **more)


def copy_tree():
    """Brings the copy to the state of the tree; what is the same keeps its time, so that it is not built again."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            stdout=subprocess.PIPE, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:  # an unpacked archive
        names = [os.path.relpath(os.path.join(where, name), ROOT) for where, _, files in os.walk(ROOT) for name in files
                 if not os.path.relpath(where, ROOT).startswith("build")]
    wanted = {name for name in names if os.path.isfile(os.path.join(ROOT, name))}
    for name in wanted:
        source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
        with open(source, "rb") as file:
            content = file.read()
        if os.path.exists(target):
            with open(target, "rb") as file:
                if file.read() == content:
                    continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)
    for where, _, files in os.walk(TREE):
        for name in files:
            path = os.path.join(where, name)
            if os.path.relpath(path, TREE) not in wanted:
                os.remove(path)


def build_copy(jobs, tests):
    """The product and those of its tests that are asked for, by kind or by name."""
    run(["cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSTAGGER_TESTS=ON",
         "-DSTAGGER_SHARED_FOLDERS=ON", "-DCMAKE_SKIP_BUILD_RPATH=ON", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON",
         "-DSTAGGER_WERROR=OFF"])
    targets = ["stagger", "stagger-view", "check_balance", "digest", "drawings"]
    for kind in ("unit", "property"):
        names = sorted(os.listdir(os.path.join(TREE, "tests", kind)))
        short = [name[5:-2] for name in names if re.fullmatch(r"test_\w+\.c", name)]
        targets += [kind + "_" + name for name in short if kind in tests or kind + "/" + name in tests]
    environment = dict(os.environ, LD_LIBRARY_PATH=BUILD)
    run(["cmake", "--build", BUILD, "-j", str(jobs), "--target"] + targets, env=environment)


def build_counting(jobs):
    """The product that counts its lines. All folders are one library, under all their names, so that a child that ends by
    _exit writes the counts of all of them."""
    run(["cmake", "-S", TREE, "-B", COUNTING, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Counting", "-DSTAGGER_TESTS=OFF",
         "-DSTAGGER_SHARED_FOLDERS=ON", "-DCMAKE_SKIP_BUILD_RPATH=ON", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON",
         "-DCMAKE_C_FLAGS_COUNTING=-O1 -DNDEBUG --coverage", "-DCMAKE_SHARED_LINKER_FLAGS=--coverage",
         "-DCMAKE_EXE_LINKER_FLAGS=--coverage"])
    folders = ["libstagger_%s.so" % name for name in LIBRARIES]
    for name in folders:  # links to the one library, from an earlier time
        if os.path.islink(os.path.join(COUNTING, name)):
            os.remove(os.path.join(COUNTING, name))
    environment = dict(os.environ, LD_LIBRARY_PATH=COUNTING)
    run(["cmake", "--build", COUNTING, "-j", str(jobs), "--target", "stagger", "stagger-view"], env=environment)
    objects, libraries, compiler = [], [], "cc"
    for name in folders:
        words = link_command(COUNTING, name).split()
        compiler = next(word for word in words if re.search(r"/(cc|c\+\+|gcc|g\+\+)$", word))
        objects += [word for word in words if word.endswith(".o")]
        libraries += [word for word in words if re.match(r"-l|/.*\.(so|a)$", word) and word not in libraries]
    end = os.path.join(TREE, "tests", "coverage_exit.c")
    run([compiler, "-shared", "-fPIC", "--coverage", "-Wl,--wrap=_exit", "-o", "libstagger_whole.so", "-x", "c", end, "-x", "none"]
        + objects + libraries, cwd=COUNTING)
    for stray in glob.glob(os.path.join(COUNTING, "*coverage_exit.gcno")):
        os.remove(stray)
    for name in folders:
        os.remove(os.path.join(COUNTING, name))
        os.symlink("libstagger_whole.so", os.path.join(COUNTING, name))


def link_command(folder, target):
    shown = subprocess.run(["ninja", "-C", folder, "-t", "commands", "-s", target], stdout=subprocess.PIPE, check=True)
    return shown.stdout.decode().strip().split("\n")[-1]


def address_checker():
    """What a test's processes need whose product checks addresses: its library, which is to come before all others."""
    shown = subprocess.run(["cc", "-print-file-name=libasan.so"], stdout=subprocess.PIPE, check=True)
    return {"LD_PRELOAD": shown.stdout.decode().strip(),
            "ASAN_OPTIONS": "detect_leaks=0:hard_rss_limit_mb=6000:allocator_may_return_null=1"}


class Commands:
    """How a source is compiled, and what it is part of is linked."""

    def __init__(self):
        with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
            self.compile = {os.path.relpath(entry["file"], TREE): entry for entry in json.load(file)}
        self.link = {name: link_command(BUILD, name) for name in ["libstagger_%s.so" % name for name in LIBRARIES] + ["stagger"]}

    def object_of(self, path):
        entry = self.compile[path]
        return entry["output"] if "output" in entry else re.search(r" -o (\S+)", entry["command"]).group(1)

    def of_source(self, path, text, place, made):
        """The command that compiles another text for a file."""
        source = os.path.join(place, os.path.basename(path))
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        command = self.compile[path]["command"].replace(" -o " + self.object_of(path), " -o " + made)
        return command.replace(self.compile[path]["file"], source)

    def errors(self, path, text, place):
        command = self.of_source(path, text, place, os.path.join(place, "unused.o")) + " -w -fsyntax-only"
        return subprocess.run(command, shell=True, cwd=BUILD, stderr=subprocess.PIPE).stderr.decode()

    def plant(self, path, text, place, more=""):
        """Links what a file is part of with another text for it, compiled with the checks of undefined behaviour, and with
        `more`. None if that does not compile, False if without them it comes to the same machine code."""
        made = os.path.join(place, "object.o")

        def compiles(options):
            command = self.of_source(path, text, place, made) + " -w " + options
            return subprocess.run(command, shell=True, cwd=BUILD, stderr=subprocess.DEVNULL).returncode == 0

        if not compiles(""):
            return None
        original = self.object_of(path)
        with open(made, "rb") as one, open(os.path.join(BUILD, original), "rb") as other:
            if one.read() == other.read():
                return False
        checks = CHECKED + " " + more
        if not compiles(checks):
            return None
        product = next(name for name, command in self.link.items() if " " + original + " " in command)
        command = self.link[product].replace(" " + original + " ", " " + made + " ")
        command = command.replace("-o " + product, checks + " -o " + os.path.join(place, product))
        environment = dict(os.environ, LD_LIBRARY_PATH=BUILD)
        subprocess.run(command, shell=True, cwd=BUILD, check=True, stdout=subprocess.DEVNULL, env=environment)
        return True
