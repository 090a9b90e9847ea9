# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/captures.md: what the programs show on terminals of 80, 120 and 200 columns.

usage: python3 tests/e2e/captures.py docs/captures.md      # of the programs in build/release/bin, or $MMTUNE_BIN

Takes two to three minutes on two cores. Nothing else should run: the tables have times.
"""

import codecs
import datetime
import fcntl
import os
import pty
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

from harness import BIN

FOLDER = "/tmp/alice"  # Short, as it is shown.
MATMUL = "tune matmul 256x256x256 --trials 16 --seed 1 --log tuning.db"
LAYER = "tune matmul 32x48x64:bias,relu --trials 12 --seed 1 --log tuning.db"
QUICK = "tune matmul 32x16x48 --trials 8 --seed 1 --quick --log tuning.db"

PAGE = """\
# Captures

What the commands show on terminals of 80, 120 and 200 columns: the table of `tune matmul`, its panel, `tune status`,
`tune doctor` and `tune records best`. `python3 tests/e2e/captures.py docs/captures.md` made this page on {date}, on a
machine without a GPU and with {cores} cores.
"""


class Screen:
    """The text on a terminal, of which nothing scrolls away. Knows the control sequences that mmtune writes."""

    def __init__(self, columns):
        self.columns, self.lines, self.row, self.column = columns, [""], 0, 0

    def write(self, text):
        for sequence, count, name, control, character in re.findall(r"(\x1b\[(\d*)([A-Za-z]))|([\r\n])|(.)", text):
            if character:
                self.put(character)
            elif control == "\r":
                self.column = 0
            elif control == "\n":
                self.row += 1
                self.lines += [""] * (self.row + 1 - len(self.lines))
            elif name == "A":
                self.row = max(0, self.row - int(count or 1))
            elif name in "JK":
                self.lines[self.row] = self.lines[self.row][:self.column]
                del self.lines[self.row + 1 if name == "J" else len(self.lines):]
            elif name != "m":
                raise ValueError(f"the screen does not know {sequence!r}")

    def put(self, character):
        if self.column == self.columns:
            self.write("\r\n")
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
        self.column += 1

    def text(self):
        return "\n".join(line.rstrip() for line in self.lines).strip("\n") + "\n"


class Terminal:
    """A user's folder, and the commands run in it."""

    def __init__(self, folder):
        self.folder, self.running, self.sections = folder, [], []
        self.environment = {"HOME": folder, "XDG_RUNTIME_DIR": folder, "TERM": "xterm", "LANG": "C.UTF-8",
                            "PATH": f"{os.path.abspath(BIN)}:{os.environ['PATH']}"}

    def run(self, command, columns=80, until=None):
        """Runs the command on a terminal; (what the screen shows when `until` first matches it, and at the end)."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        process = subprocess.Popen(shlex.split(command), cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=slave, stderr=slave)
        os.close(slave)
        screen, seen, text, decoder = Screen(columns), None, "", codecs.getincrementaldecoder("utf-8")()
        while True:
            try:
                text += decoder.decode(os.read(master, 1 << 16))
            except OSError:  # The program has ended.
                break
            whole, text = re.fullmatch(r"(?s)(.*?)((?:\x1b(?:\[\d*)?)?)", text).groups()  # The last sequence may go on.
            screen.write(whole)
            if seen is None and until and re.search(until, screen.text()):
                seen = screen.text()
        os.close(master)
        if process.wait() != 0:
            sys.exit(f"{command}: exit code {process.returncode}\n{screen.text()}")
        return seen, screen.text()

    def start(self, command):
        self.running.append(subprocess.Popen(shlex.split(command), cwd=self.folder, env=self.environment,
                                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return self.running[-1]

    def stop(self):
        for process in reversed(self.running):
            process.send_signal(signal.SIGINT)
            process.wait()

    def show(self, title, columns, command, text):
        self.sections.append(f"\n## {title}, {columns} columns\n\n```text\n$ {command}\n{text}```\n")

    def capture(self, title, columns, command):
        self.show(title, columns, command, self.run(command, columns)[1])


def capture_searches(terminal):
    panel, table = terminal.run(MATMUL, 80, until=r"\b9/16\b")
    terminal.show("The panel of `tune matmul`", 80, MATMUL, panel)
    terminal.show("The table of `tune matmul`", 80, MATMUL, table)
    for columns in (120, 200):
        terminal.capture("The table of `tune matmul`, run again", columns, MATMUL)
    panel, _ = terminal.run(LAYER, 120, until=r"\b8/12\b")
    terminal.show("The panel of `tune matmul`", 120, LAYER, panel)
    terminal.run(QUICK)


def capture_fleet(terminal):
    address = f"unix:{terminal.folder}/mmtune.sock"
    status = f"tune status --server {address}"
    terminal.start(f"mmtune-server --listen {address} --log fleet.db")
    while not os.path.exists(address.removeprefix("unix:")):
        time.sleep(0.1)
    terminal.start(f"mmtune-worker --server {address} --device simt")
    terminal.run(f"tune matmul 32x16x48 --trials 8 --seed 1 --quick --server {address}")
    terminal.start(f"tune matmul 96x64x64 --trials 400 --seed 1 --quick --server {address}")
    for columns in (80, 120, 200):
        while True:
            text = terminal.run(status, columns)[1]
            if "\nleases" in text and re.search(r"running +96x64x64 f32 +[3-9]|running +96x64x64 f32 +\d\d", text):
                break
            time.sleep(0.2)
        terminal.show("`tune status`", columns, status, text)


def main():
    os.mkdir(FOLDER)
    terminal = Terminal(FOLDER)
    try:
        capture_searches(terminal)
        for columns in (80, 120):
            terminal.capture("`tune records best`", columns, "tune records best --log tuning.db")
        for columns in (80, 120):
            terminal.capture("`tune doctor`", columns, "tune doctor --log tuning.db")
        capture_fleet(terminal)
    finally:
        terminal.stop()
        shutil.rmtree(FOLDER)
    page = PAGE.format(date=datetime.date.today(), cores=os.cpu_count())
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(page + "".join(terminal.sections))


if __name__ == "__main__":
    main()
