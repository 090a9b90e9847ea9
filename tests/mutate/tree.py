# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A private copy of the tree, its build, and the test programs beside a source, as CMake and Ninja know them."""
import json
import os
import re
import shlex
import shutil
import subprocess

FOLDERS = ("server/", "db/", "worker/", "search/", "proto/", "kernels/families/", "kernels/perf_model/")


class SetupError(Exception):
    pass


def call(*command, cwd, what):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        raise SetupError(f"{what}: {shlex.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Program:
    """A test program: how ctest runs it, and where its sources lie."""

    def __init__(self, target, command, environment, folder, sources):
        self.target, self.sources = target, sources
        self.name = os.path.basename(target)
        self.command, self.environment = command, environment
        self.folder = folder


class Tree:
    def __init__(self, origin, folder, jobs):
        self.origin, self.root, self.jobs = origin, os.path.join(folder, "tree"), jobs
        self.build_folder = os.path.join(self.root, "build/release")

    def prepare(self):
        """Makes the copy what the working tree is; what has not changed keeps its time, and so is not built again."""
        listed = call("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=self.origin,
                      what="the tree's files").split("\0")
        files = {name for name in listed if name and os.path.isfile(os.path.join(self.origin, name))}
        for name in files:
            source, copy = os.path.join(self.origin, name), os.path.join(self.root, name)
            if os.path.isfile(copy) and read(copy) == read(source):
                continue
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy(source, copy)
        for folder, folders, names in os.walk(self.root):
            if folder == self.root:
                folders[:] = [name for name in folders if name != "build"]
            for name in names:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.root) not in files:
                    os.remove(path)
        call("cmake", "--preset", "release", "-DMMTUNE_BUILD_TESTS=ON", "--log-level=WARNING", cwd=self.root,
             what="configuring the copy")
        with open(os.path.join(self.build_folder, "compile_commands.json"), encoding="utf-8") as commands:
            entries = json.load(commands)
        self.objects = {}
        for entry in entries:
            source = os.path.relpath(os.path.join(entry["directory"], entry["file"]), self.root)
            command = shlex.split(entry["command"])
            self.objects.setdefault(source, command[command.index("-o") + 1])
        self.sources_of = {output: source for source, output in self.objects.items()}
        self.programs_, self.inputs = None, {}

    def sources(self):
        return sorted(source for source in self.objects if source.startswith(FOLDERS))

    def restore(self, file):
        shutil.copy(os.path.join(self.origin, file), os.path.join(self.root, file))

    def build(self, targets, limit=None):
        """Whether it built; the end of its output."""
        command = ["ninja", "-C", self.build_folder, f"-j{self.jobs}", *targets]
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        return done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    def object_bytes(self, file):
        return read(os.path.join(self.build_folder, self.objects[file]))

    def tests(self):
        """The commands without arguments that CTest runs, with their environment. (ctest itself lists only what is built.)
        """
        for folder, _, names in os.walk(os.path.join(self.build_folder, "tests")):
            if "CTestTestfile.cmake" not in names:
                continue
            text = read(os.path.join(folder, "CTestTestfile.cmake")).decode()
            for name, command in re.findall(r'^add_test\((\S+) "([^"]+)"\)$', text, re.MULTILINE):
                properties = re.search(rf"^set_tests_properties\({re.escape(name)} PROPERTIES (.*)", text, re.MULTILINE)
                environment = re.search(r'ENVIRONMENT "([^"]*)"', properties.group(1)) if properties else None
                pairs = environment.group(1).split(";") if environment else []
                yield command, dict(pair.split("=", 1) for pair in pairs)

    def programs(self):
        """The test programs of the build, each once: whole programs, not single tests of one."""
        if self.programs_ is None:
            self.programs_ = []
            for command, environment in self.tests():
                target = os.path.relpath(command, self.build_folder)
                if not target.startswith("bin/") or target in self.inputs:
                    continue
                listed = call("ninja", "-t", "inputs", target, cwd=self.build_folder, what="Ninja's graph")
                self.inputs[target] = set(listed.split("\n"))
                linked = call("ninja", "-t", "query", target, cwd=self.build_folder, what="Ninja's graph").split()
                sources = sorted({self.sources_of[name] for name in linked if name in self.sources_of})
                own = [source for source in sources if f"/{os.path.basename(target)}.dir/" in self.objects[source]]
                folder = os.path.dirname(own[0]) if own else ""
                self.programs_.append(Program(target, command, environment, folder, sources))
        return self.programs_

    def includes(self, sources):
        """Headers that tests include themselves, and those they include by way of headers of tests."""
        direct, indirect, seen = set(), set(), set()
        waiting = [(source, direct) for source in sources]
        while waiting:
            file, into = waiting.pop()
            path = os.path.join(self.root, file)
            if file in seen or not os.path.isfile(path):
                continue
            seen.add(file)
            for header in re.findall(r'^#include "([^"]+)"', read(path).decode(), re.MULTILINE):
                into.add(header)
                if header.startswith("tests/"):
                    waiting.append((header, indirect))
        return direct, indirect

    def header_of(self, file):
        """x/convert.h for x/convert_conditions.cc."""
        stem = os.path.splitext(file)[0]
        while stem and not os.path.isfile(os.path.join(self.root, stem + ".h")):
            cut = stem.rfind("_")
            if cut <= stem.rfind("/"):
                return None
            stem = stem[:cut]
        return stem + ".h"

    def users(self, header, known=frozenset()):
        """The headers of the sources of its folder that include a header, and of those that include these: where only they
        know it, their tests are its tests."""
        folder = os.path.dirname(header)
        line = f'#include "{header}"\n'.encode()
        names = [f"{folder}/{name}" for name in os.listdir(os.path.join(self.root, folder))]
        including = [name for name in names if name.endswith((".h", ".cc", ".cpp")) and
                     line in read(os.path.join(self.root, name))]
        found = {self.header_of(name) for name in including} - {header, None} - known
        for user in found:
            known = known | found | self.users(user, known | found)
        return known

    def beside(self, file, most):
        """The test programs that link the file's object and lie in the folder of tests that mirrors its own (or in the
        nearest one above that has such): first the one with a test of its name, then those that include its header,
        then those that include the header of who uses it; where there is none of these, any, those that use its folder
        first. Of equals, those that most often say the first word of its name: `fma` for fma_compute.cpp."""
        linking = [program for program in self.programs() if self.objects[file] in self.inputs[program.target]]
        folder = "tests/" + os.path.dirname(file)
        while "/" in folder and not any(program.folder.startswith(folder) for program in linking):
            folder = os.path.dirname(folder)
        stem = os.path.splitext(os.path.basename(file))[0]
        word = rf"\b{stem.partition('_')[0]}\b".encode()
        header = self.header_of(file)
        users = self.users(header) if header else set()
        ranked = []
        for program in linking:
            if not program.folder.startswith(folder):
                continue
            direct, indirect = self.includes(program.sources)
            ranks = [any(os.path.basename(source) == f"{stem}_test.cc" for source in program.sources),
                     header in direct, header in indirect, bool((direct | indirect) & users),
                     any(os.path.dirname(name) == os.path.dirname(file) for name in direct), True]
            said = sum(len(re.findall(word, read(os.path.join(self.root, source)))) for source in program.sources)
            ranked.append((ranks.index(True), len(program.folder), -said, -len(program.sources), program.name, program))
        ranked.sort(key=lambda entry: entry[:5])
        near = [entry for entry in ranked if entry[0] < 4] or ranked
        return [entry[-1] for entry in near[:most]]
