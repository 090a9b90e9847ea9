#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes one instruction of a kernel's PTX at a time, and reports which changes `tune verify` does not see.

    tests/mutate/ptx_mutants.py                          # every mutant of every kernel of ptx_kernels.json
    tests/mutate/ptx_mutants.py --count 20 --seed 1      # a sample of each kernel's
    tests/mutate/ptx_mutants.py --kernel triton --list   # what would be run

A barrier, wait, commit or fence is taken out; a test of an mbarrier succeeds at once; the guard of an instruction is
dropped, that of a branch negated; an address is moved by 16 bytes. Kernels with "hopper" have operators for mbarriers,
tensor copies, clusters and wgmma as well. A mutant that is verified is harmless if ptx_harmless.tsv says why, else it
was missed.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.abspath(os.path.join(HERE, "../.."))
BIN = os.environ.get("MMTUNE_BIN", os.path.join(SOURCE, "build/release/bin"))
# In the order in which they are tried: `wgmma.fence` is a fence, `cp.async.wait_group` a wait.
REMOVED = [
    ("wait", re.compile(r"(cp\.async(\.bulk)?|wgmma)\.wait_(group|all)|barrier\.cluster\.wait")),
    ("commit", re.compile(r"(cp\.async(\.bulk)?|wgmma)\.commit_group|mbarrier\.arrive|cp\.async\.mbarrier\.arrive")),
    ("fence", re.compile(r"(wgmma\.)?fence\b|membar\.")),
    ("barrier", re.compile(r"bar(rier)?(\.cta|\.warp)?\.(sync|red|arrive)|barrier\.cluster\.arrive")),
]
INSTRUCTION = re.compile(r"^\s*(?:@(!?)(%\w+)\s+)?([a-z][\w.:]*)\s*([^;{]*.*);")
MEMORY = re.compile(r"^(ld|st|cp\.async|ldmatrix|stmatrix|atom|red)\b(?!.*param)")
CLASSIC = ["barrier", "wait", "commit", "fence", "predicate", "address"]
HOPPER = ["phase", "count", "bytes", "stage", "descriptor", "coordinate", "mask", "rank", "scale", "depth", "read",
          "product", "box", "registers", "scope"]
WGMMA = re.compile(r"wgmma\.mma_async\S*\s+\{[^}]*\}, (%?\w+), (%?\w+), (\w+),")
ADDRESS = re.compile(r"\[\s*(%?\w+)\s*(?:\+\s*(-?\d+))?\s*\]")


class Mutant:
    """One changed line."""

    def __init__(self, kernel, kind, line, before, after):
        self.kernel, self.kind, self.line, self.before, self.after = kernel, kind, line, before, after
        self.arguments = None  # Those of the launch, if they are changed in place of a line.

    def key(self):
        return f"{self.kernel}\t{self.line}\t{self.kind}"


def changed(line, operand, change, kind="b32"):
    """The line with an operand that is computed anew: `change` has $ for the new register and @ for the old operand."""
    computed = change.replace("$", "mutant").replace("@", operand)
    at = line.rindex(operand)
    return f"{{ .reg .{kind} mutant; {computed}; {line[:at].strip()}mutant{line[at + len(operand):].strip()} }}"


def hopper_mutants(opcode, operands, line):
    """The kinds and lines of what may be wrong about Hopper's instructions."""
    found = []
    names = re.findall(r"%\w+", operands)
    if re.match(r"mbarrier\.(try|test)_wait\.parity", opcode):
        found.append(("phase", changed(line, names[-1], "xor.b32 $, @, 1")))
    if opcode.startswith("mbarrier.init"):
        found += [("count", changed(line, names[-1], f"add.s32 $, @, {delta}")) for delta in (1, -1)]
    if "expect_tx" in opcode:
        found += [("bytes", changed(line, names[-1], f"add.s32 $, @, {delta}")) for delta in (16, -16)]
    if opcode.startswith("mapa"):
        found.append(("rank", changed(line, names[-1], "xor.b32 $, @, 1")))
    if opcode.startswith("setmaxnreg"):
        value = int(operands)
        found += [("registers", line.replace(str(value), str(value + delta), 1)) for delta in (8, -8)]
        found.append(("registers", "// removed"))
    if re.match(r"(fence|membar|atom|red)\.(.*\.)?(cluster|gpu|gl|sys)\b", opcode) and "mbarrier_init" not in opcode:
        found.append(("scope", line.replace(opcode, re.sub(r"\.(cluster|gpu|gl|sys)\b", ".cta", opcode), 1)))
    if "multicast" in opcode:
        found.append(("mask", changed(line, names[-1], "xor.b16 $, @, 1", "b16")))
    if opcode.startswith("cp.async.bulk.tensor"):
        coordinates = re.search(r"\{(.*?)\}", operands).group(1).split(", ")
        for i in range(len(coordinates)):
            moved = coordinates[:i] + ["mutant"] + coordinates[i + 1:]
            text = line.replace("{" + ", ".join(coordinates) + "}", "{" + ", ".join(moved) + "}")
            found.append(("coordinate", f"{{ .reg .b32 mutant; add.s32 mutant, {coordinates[i]}, 1; {text.strip()} }}"))
    if opcode.startswith(("mbarrier", "cp.async.bulk.tensor")):
        addresses = list(ADDRESS.finditer(line))
        for address in addresses[:1] + addresses[-1:] if len(addresses) > 1 else addresses:
            # The neighbour of an mbarrier is that of another stage; 1024 bytes further are other rows of a tile.
            is_tile = opcode.startswith("cp") and address is addresses[0]
            moved = f"[{address.group(1)}+{int(address.group(2) or 0) + (1024 if is_tile else 8)}]"
            found.append(("stage", line[:address.start()] + moved + line[address.end():]))
    if re.match(r"(cp\.async(\.bulk)?|wgmma)\.wait_group", opcode):
        found.append(("depth", re.sub(r"(\d+)\s*;", lambda number: f"{int(number.group(1)) + 1};", line)))
    if opcode == "cp.async.bulk.wait_group":
        found.append(("read", line.replace("wait_group", "wait_group.read")))
    return found


def wgmma_mutants(line):
    """Descriptors with another address, stride or layout; other sums; no product."""
    match, found = WGMMA.search(line), []
    for descriptor in match.groups()[:2]:
        packed = re.search(rf"mov\.b64 {descriptor}, \{{.*?\}};", line)
        for bit in (0, 32, 62):
            if packed:
                text = f"{packed.group(0)} xor.b64 {descriptor}, {descriptor}, {1 << bit};"
                found.append(("descriptor", line.replace(packed.group(0), text, 1)))
                continue
            text = line.replace(f" {descriptor},", " mutant,", 1)
            found.append(("descriptor", f"{{ .reg .b64 mutant; xor.b64 mutant, {descriptor}, {1 << bit}; {text.strip()} }}"))
    scale = match.group(3)
    text = line[:match.start(3)] + "mutant" + line[match.end(3):]
    text = text.replace("wgmma.mma_async", f"not.pred mutant, {scale}; wgmma.mma_async", 1)
    found.append(("scale", f"{{ .reg .pred mutant; {text.strip()} }}"))
    return found + [("product", "// removed")]


def box_mutants(arguments):
    """Arguments in which a box of a tensor map has half the elements of a dimension."""
    found = []
    for i, argument in enumerate(arguments):
        match = re.search(r":map\[([\d,]+)\]", argument)
        extents = match.group(1).split(",") if match else []
        for dimension, extent in enumerate(extents):
            halved = extents[:dimension] + [str(int(extent) // 2)] + extents[dimension + 1:]
            text = argument.replace(match.group(0), f":map[{','.join(halved)}]")
            found.append((argument, arguments[:i] + [text] + arguments[i + 1:], text))
    return found


def entry_lines(lines, entry):
    """The numbers, from 0, of the lines of a kernel's body; of the whole text without a name."""
    if not entry:
        return range(len(lines))
    begin = next(i for i, line in enumerate(lines) if re.search(rf"\.entry\s+{re.escape(entry)}\b", line))
    end = next((i for i in range(begin + 1, len(lines)) if re.match(r"^}", lines[i])), len(lines))
    return range(begin, end)


def mutants_of(kernel, text, entry="", kinds=None, arguments=None):
    """All mutants of a kernel, in the order of its lines. `arguments` are those of a kernel for Hopper."""
    lines = text.splitlines()
    found = []
    for i in entry_lines(lines, entry):
        line = lines[i]

        def add(kind, after):
            if kinds is None or kind in kinds:
                found.append(Mutant(kernel, kind, i + 1, line, after))

        if arguments and WGMMA.search(line):
            for kind, after in wgmma_mutants(line):
                add(kind, after)
        match = INSTRUCTION.match(line)
        if not match:
            continue
        guard, opcode = match.group(2), match.group(3)
        for kind, after in hopper_mutants(opcode, match.group(4), line) if arguments else []:
            add(kind, after)

        removed = next((kind for kind, form in REMOVED if form.match(opcode)), None)
        if removed:
            # What an instruction writes is needed: a state that nobody reads is a sink.
            add(removed, re.sub(r"^(\s*).*$", r"\1// removed", line))
            continue
        if re.match(r"mbarrier\.(try|test)_wait", opcode):
            done = match.group(4).split(",")[0].strip()
            add("wait", re.sub(r"mbarrier[^;]*;", f"setp.eq.u32 {done}, 0, 0;", line, count=1))
            continue
        if guard and opcode.startswith("bra"):
            add("predicate", line.replace(f"@{match.group(1)}{guard}", f"@{'' if match.group(1) else '!'}{guard}", 1))
        elif guard:
            add("predicate", line.replace(f"@{match.group(1)}{guard}", "", 1))
        if MEMORY.match(opcode):
            for address in ADDRESS.finditer(line):
                moved = f"[{address.group(1)}+{int(address.group(2) or 0) + 16}]"
                add("address", line[:address.start()] + moved + line[address.end():])
    for before, mutated, after in box_mutants(arguments or []):
        found.append(Mutant(kernel, "box", 0, before, after))
        found[-1].arguments = mutated
    return found


def verify(text, arguments, limit):
    """The verdict's JSON; a text where there is none."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as file:
        file.write(text)
    try:
        result = subprocess.run([os.path.join(BIN, "tune"), "verify", file.name, *arguments, "--limit", str(limit), "--json"],
                                capture_output=True, text=True, check=False, cwd=SOURCE)
        return json.loads(result.stdout) if result.stdout else result.stderr.strip()
    finally:
        os.unlink(file.name)


def outcome_of(mutant, text, arguments, limit):
    """caught, refused or verified, and why."""
    lines = text.splitlines()
    if mutant.arguments is None:
        lines[mutant.line - 1] = mutant.after
    verdict = verify("\n".join(lines) + "\n", mutant.arguments or arguments, limit)
    if isinstance(verdict, str):
        return "refused", verdict
    return ("verified", "") if verdict["verified"] else ("caught", verdict["verification"]["finding"])


def read_harmless():
    with open(os.path.join(HERE, "ptx_harmless.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return {"\t".join(row[:3]): row[3] for row in rows}


def cell_of(row):
    return f"{row['caught']} / {row['all']}" if row else "-"


def table_of(counts):
    """A row for each kernel; kernels for Hopper, which have more kinds, are columns of a second table."""
    rows = ["| kernel | " + " | ".join(CLASSIC) + " | missed |", "|---|" + "---:|" * (len(CLASSIC) + 1)]
    wide = {kernel: by_kind for kernel, by_kind in counts.items() if set(by_kind) & set(HOPPER)}
    for kernel, by_kind in counts.items():
        if kernel in wide:
            continue
        cells = [cell_of(by_kind.get(kind)) for kind in CLASSIC]
        rows.append(f"| {kernel} | " + " | ".join(cells) + f" | {sum(row['missed'] for row in by_kind.values())} |")
    if wide:
        rows += ["", "| operator | " + " | ".join(wide) + " |", "|---|" + "---:|" * len(wide)]
        for kind in CLASSIC + HOPPER:
            rows.append(f"| {kind} | " + " | ".join(cell_of(by_kind.get(kind)) for by_kind in wide.values()) + " |")
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", default="", help="only kernels whose name has this")
    parser.add_argument("--kind", default="", help="only mutants of this kind: registers")
    parser.add_argument("--count", type=int, default=0, help="mutants of each kernel; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=20, help="seconds for each run of a mutant")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true", help="print a table in Markdown at the end")
    options = parser.parse_args()
    with open(os.path.join(HERE, "ptx_kernels.json"), encoding="utf-8") as file:
        kernels = [kernel for kernel in json.load(file) if options.kernel in kernel["name"]]
    harmless, counts, missed = read_harmless(), {}, 0
    for kernel in kernels:
        with open(os.path.join(SOURCE, kernel["path"]), encoding="utf-8") as file:
            text = file.read()
        arguments = kernel["arguments"]
        mutants = mutants_of(kernel["name"], text, kernel.get("entry", ""), kernel.get("kinds"),
                             arguments if kernel.get("hopper") else None)
        if options.kind:
            mutants = [mutant for mutant in mutants if mutant.kind == options.kind]
        if options.count and len(mutants) > options.count:
            mutants = sorted(random.Random(options.seed).sample(mutants, options.count), key=lambda mutant: mutant.line)
        if options.list:
            for mutant in mutants:
                print(f"{mutant.kernel}:{mutant.line}: {mutant.kind}: {mutant.before.strip()} -> {mutant.after.strip()}")
            continue
        whole = verify(text, arguments, options.limit)
        if isinstance(whole, str) or not whole["verified"]:
            print(f"{kernel['name']} is not verified as it is: {whole}", file=sys.stderr)
            return 3
        by_kind = counts.setdefault(kernel["name"], {})
        pool = ThreadPoolExecutor(options.jobs)
        outcomes = pool.map(lambda mutant: outcome_of(mutant, text, arguments, options.limit), mutants)
        for mutant, (outcome, why) in zip(mutants, outcomes):
            row = by_kind.setdefault(mutant.kind, {"all": 0, "caught": 0, "missed": 0})
            if outcome == "refused" or (outcome == "verified" and mutant.key() in harmless):
                print(f"{outcome}\t{mutant.kernel}:{mutant.line}\t{mutant.kind}\t{mutant.before.strip()}\t{why}", flush=True)
                continue
            row["all"] += 1
            row["caught" if outcome == "caught" else "missed"] += 1
            missed += outcome == "verified"
            print(f"{'MISSED' if outcome == 'verified' else outcome}\t{mutant.kernel}:{mutant.line}\t{mutant.kind}\t"
                  f"{mutant.before.strip()}\t{mutant.after.strip()}\t{why[:100]}", flush=True)
        pool.shutdown()
    if options.table:
        print(table_of(counts))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
