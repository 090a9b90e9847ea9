# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which mutants there are, and a sample of them."""
import contextlib
import io
import os
import random
import re
from dataclasses import dataclass

RULES = ["universal.rules", "c_like.rules", "cpp.rules", os.path.join(os.path.dirname(__file__), "mmtune.rules")]
# Texts for people are no behaviour; declarations and includes are not code.
LINES_LEFT_ALONE = [
    r"^\s*//", r"^\s*#", r"^\s*Log(Debug|Info|Warning|Error)\(", r"^\s*(namespace|using|template|class|struct|enum) ",
    r"static_assert", r"^\s*(public|private|protected):",
]
RULES_LEFT_OUT = re.compile(r"\\1(break|continue);|^\"\.\+\" ==>")


@dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    before: str
    after: str

    @property
    def key(self):
        return self.file, self.line, self.before, self.after

    def place(self):
        return f"{self.file}:{self.line}"


TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|[A-Za-z_]\w*|\d[\w\'.]*|->|::|<<=|>>=|<=>|\+\+|--|&&|\|\||<<|>>|'
                   r"[-+*/%<>=!&|]=|\S")
WORD = re.compile(r"[A-Za-z_]")
# A word changes into a word by a rule for that word, not because a part of it looks like another one.
WORDS = {"min", "max", "begin", "end", "rbegin", "rend", "true", "false", "push_front", "push_back", "lower_bound",
         "upper_bound", "front", "back", "try_emplace", "insert_or_assign", "any_of", "all_of", "none_of",
         "min_element", "max_element", "front_inserter", "back_inserter", "while", "if"}


def tokens(line):
    return [(match.group(), match.start(), match.end()) for match in TOKEN.finditer(line)]


def change(before, after):
    """The tokens in which two lines differ."""
    old, new = tokens(before), tokens(after)
    start = 0
    while start < min(len(old), len(new)) and old[start][0] == new[start][0]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end][0] == new[-1 - end][0]:
        end += 1
    return old[start:len(old) - end], new[start:len(new) - end]


def is_binary(line, token):
    """The sources are formatted: an operator of two operands has spaces around it; a template's bracket, a pointer and
    a reference have not."""
    _, start, end = token
    return line[start - 1:start] == " " and line[end:end + 1] in (" ", "")


def is_worth_a_build(before, after):
    """Whether it may compile, and be more than another text for people."""
    old, new = change(before, after)
    if all(text.startswith('"') for text, _, _ in old + new) or not after.strip():
        return False
    if any(before.count(bracket) - before.count(other) != after.count(bracket) - after.count(other)
           for bracket, other in ("()", "[]", "{}")):
        return False
    if after.startswith("/*"):
        return before.endswith(";") and not re.match(r"(return|const|constexpr|auto|using|static)\b", before)
    if before.startswith("for (") and "," in (text for text, _, _ in old):
        return False
    if re.search(r"[<>=!]==", after):
        return False
    if len(old) == 1 and WORD.match(old[0][0]) and "".join(text for text, _, _ in new) != "{}":
        return old[0][0] in WORDS and len(new) == 1 and new[0][0] in WORDS
    for token in old:
        if token[0] in ("++", "--") and new[0][0] not in ("++", "--"):
            return False
        if token[0] in ("<<", ">>", "->", "::"):
            return len(old) > 1
        if token[0] in ("<", ">", "<=", ">=", "&", "*", "&&") and len(old) == 1:
            return is_binary(before, token)
    return True


def mutants_of(root, file):
    from universalmutator import mutator

    with open(os.path.join(root, file), encoding="utf-8") as source:
        lines = source.readlines()
    with contextlib.redirect_stdout(io.StringIO()):
        found = mutator.mutants_regexp(lines, ruleFiles=RULES, ignorePatterns=LINES_LEFT_ALONE)
    mutants = {}
    for number, text, (rule, _), _ in found:
        mutant = Mutant(file, number, lines[number - 1].strip(), text.strip())
        if not RULES_LEFT_OUT.search(rule) and is_worth_a_build(mutant.before, mutant.after):
            mutants[mutant.key] = mutant
    return list(mutants.values())


def order(mutants, seed):
    """All of them in the order in which a sample takes them."""
    drawn = sorted(mutants, key=lambda mutant: mutant.key)
    random.Random(seed).shuffle(drawn)
    return drawn


def apply(root, mutant):
    path = os.path.join(root, mutant.file)
    with open(path, encoding="utf-8") as source:
        lines = source.readlines()
    line = lines[mutant.line - 1]
    assert line.strip() == mutant.before, f"{mutant.place()} is not what it was: {line!r}"
    lines[mutant.line - 1] = line.replace(mutant.before, mutant.after)
    with open(path, "w", encoding="utf-8") as source:
        source.writelines(lines)
