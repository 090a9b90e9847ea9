# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command lines of all programs: help, names that mean one thing, settings, completion, manual pages."""

import collections
import csv
import json
import os
import pty
import re
import select
import shutil
import subprocess
import unittest

from harness import RUN_SECONDS, EndToEndTest

PROGRAMS = ["tune", "mmtune-server", "mmtune-worker", "mmtune-compile"]
USAGE = 2
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class CommandLineTest(EndToEndTest):
    def text(self, program, *args):
        result = self.run_program(program, *args)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def commands(self):
        """Every program, and every command of tune with commands of its own expanded."""
        found = [(program,) for program in PROGRAMS]
        for words in found:  # it grows
            section = None
            for line in self.text(*words, "--help").splitlines():
                heading = re.match(r"(\w[\w ]*):$", line)
                section = heading.group(1) if heading else section
                command = re.match(r"  ([a-z]+) +\w", line)
                if command and words[0] == "tune" and section in ("Tuning", "Results", "Fleet", "This host"):
                    found.append((*words, command.group(1)))
        self.assertIn(("tune", "records", "list"), found)
        self.assertGreater(len(found), 30)
        return found

    @staticmethod
    def sections(help_text):
        """The lines of options, by heading."""
        sections = collections.defaultdict(list)
        heading = None
        for line in help_text.splitlines():
            found = re.match(r"(\w[\w ]*):$", line)
            heading = found.group(1) if found else None if line and not line.startswith(" ") else heading
            if heading and re.match(r"  -", line):
                sections[heading].append(line)
        return sections

    def test_help_has_groups_of_which_the_first_is_short_and_lines_that_fit(self):
        groups = {"Options", "Problem", "Search", "Measuring", "Fleet", "Output", "Rare"}
        for words in self.commands():
            for columns in ("80", "200"):
                self.environment["COLUMNS"] = columns
                for flag in ("--help", "--help-all"):
                    text = self.text(*words, flag)
                    longest = max(text.splitlines(), key=len)
                    self.assertLessEqual(len(longest), min(int(columns), 100), f"{words} {flag}: {longest}")
            sections = self.sections(text)
            self.assertLessEqual(set(sections), groups | {"For a shell"}, words)
            self.assertLessEqual(len(sections["Options"]), 10, f"{words}: {sections['Options']}")
        self.assertEqual(set(self.sections(self.text("tune", "matmul", "--help-all"))), groups)
        self.assertNotIn("Rare", self.sections(self.text("tune", "matmul", "--help")))

    def test_a_name_means_the_same_in_all_programs(self):
        """The same value is expected behind it, and it is a setting everywhere or nowhere."""
        self.environment["COLUMNS"] = "100"
        meanings = collections.defaultdict(lambda: collections.defaultdict(list))
        for words in self.commands():
            for lines in self.sections(self.text(*words, "--help-all")).values():
                for line in lines:
                    names, kind = re.match(r"  ((?:-\w, )?--?[\w-]+)(?: (\S+))?(?:  |$)", line).groups()
                    meanings[names.split(", ")[-1]][(names, kind)].append(" ".join(words))
        self.assertGreater(len(meanings), 80)
        for name, kinds in meanings.items():
            self.assertEqual(len(kinds), 1, f"{name}: {dict(kinds)}")
        settings = collections.defaultdict(set)
        for program in PROGRAMS:
            page = self.text(program, "--generate", "man").replace("\\-", "-")
            for name, rest in re.findall(r"^\.TP\n\\fB.*?(--[\w-]+)\\fR(.*?)(?=^\.)", page, re.MULTILINE | re.DOTALL):
                settings[name].add("(environment: MMTUNE_" in rest)
        self.assertEqual({name for name, marks in settings.items() if len(marks) > 1}, set())
        of_tune = {row["setting"] for row in json.loads(self.text("tune", "config", "--json"))["settings"]}
        self.assertEqual({name[2:] for name, marks in settings.items() if marks == {True}}, of_tune)

    def test_every_program_has_the_same_version_and_exit_codes(self):
        versions = {self.text(program, "--version") for program in [*PROGRAMS, "mmtune-opt"]}
        self.assertEqual(len(versions), 1, versions)
        self.assertRegex(versions.pop(), r"\Ammtune \d+\.\d+\.\d+ \((commit [0-9a-f]{7,}|no commit: .*)\)\n\Z")
        tables = {self.text(program, "--help").split("Exit codes:\n")[1] for program in PROGRAMS}
        self.assertEqual(len(tables), 1)
        codes = {}
        for line in tables.pop().splitlines():
            code, meaning = line[:7].strip(), line[7:].strip()
            code = code or list(codes)[-1]
            codes[code] = f"{codes.get(code, '')} {meaning}".strip()
        self.assertEqual(list(codes), ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "130", "141"])
        with open(os.path.join(ROOT, "docs/cli.md")) as page:
            self.assertEqual(dict(re.findall(r"^\| (\d+) \| (.*) \|$", page.read(), re.MULTILINE)), codes)

    def test_an_exit_code_means_the_same_for_two_programs(self):
        none = os.path.join(self.folder, "none/tuning.db")
        for code, commands in {
                USAGE: [("tune", "matmul", "4x5"), ("mmtune-server", "--log"), ("mmtune-worker", "--frob"),
                        ("mmtune-compile", "none.mlir")],
                3: [("tune", "records", "list", "--log", none), ("mmtune-server", "--log", none, "--insecure-loopback")],
                4: [("tune", "status", "--server", "unix:/none"),
                    ("mmtune-worker", "--server", "unix:/none", "--give-up-after", "1", "--device", "simt")],
                5: [("tune", "matmul", "4x5x6", "--device", "cuda:77", "--log", self.log),
                    ("mmtune-worker", "--server", "unix:/none", "--device", "cuda:77")]}.items():
            for command in commands:
                result = self.run_program(*command)
                self.assertEqual(result.returncode, code, f"{command}: {result.stderr}")

    def test_input_that_is_no_module_is_bad_input(self):
        """Of mmtune-opt and mmtune-compile alike; what a pass refuses is another failure."""
        texts = {"empty": "", "bad": "func.func @f(",
                 "refused": "func.func @f(%a: memref<4xf32>) {\n  gpu.barrier\n  return\n}\n"}
        for name, text in texts.items():
            with open(os.path.join(self.folder, f"{name}.mlir"), "w") as file:
                file.write(text)
        module = os.path.join(self.folder, "{}.mlir").format
        to_gpu = "--mmtune-to-gpu=device=simt arch=sm_80"
        library = ["--device", "simt", "-o", os.path.join(self.folder, "l.so")]
        for code, command in [(0, ("mmtune-opt", module("empty"))), (USAGE, ("mmtune-opt", "--nosuch")),
                              (USAGE, ("mmtune-opt", module("none"))), (USAGE, ("mmtune-opt", module("bad"))),
                              (USAGE, ("mmtune-opt", "--pass-pipeline=nosuch", module("empty"))),
                              (USAGE, ("mmtune-opt", module("empty"), "-o", module("none/x"))),
                              (1, ("mmtune-opt", to_gpu, module("refused"))),
                              (USAGE, ("mmtune-compile", module("empty"), *library)),
                              (USAGE, ("mmtune-compile", module("bad"), *library)),
                              (1, ("mmtune-compile", module("refused"), *library)),
                              (USAGE, ("tune", "compile", module("empty"), *library)),
                              (1, ("tune", "compile", module("refused"), *library))]:
            result = self.run_program(*command)
            self.assertEqual(result.returncode, code, f"{command}: {result.stderr}")

    def test_compile_speaks_with_the_name_of_the_command(self):
        none = os.path.join(self.folder, "none.mlir")
        self.assert_one_line_error(self.tune("compile", none, "-o", "l.so"), USAGE, f"tune: cannot read {none}: No such file")
        result = self.run_program("mmtune-compile", none, "-o", "l.so")
        self.assertEqual(result.stderr, f"mmtune-compile: error: cannot read {none}: No such file or directory\n")
        with open(none, "w") as file:
            file.write("module {\n}\n")
        for words in (["-o", os.path.join(self.folder, "l.so"), "--device", "simt"], ["-o", "l.so"], ["--arch", "sm_90"]):
            said = self.tune("compile", none, *words)
            self.assertEqual(said.returncode, USAGE, said.stderr)
            self.assertTrue(all(line.startswith("tune: ") for line in said.stderr.splitlines()), said.stderr)

    def test_mistyped_words_are_answered_with_the_meant_ones(self):
        for words, meant in [(["matmull"], "'matmul'"), (["records", "lits"], "'list'"),
                             (["matmul", "4x5x6", "--trails", "3"], "'--trials'"),
                             (["matmul", "4x5x6", "--strategy", "modle"], "'model'"),
                             (["matmul", "4x5x6", "--dtype", "bf17"], "'bf16'"), (["matmul", "4x5x6:bf17:relu"], "'bf16'"),
                             (["compile", "m.mlir", "--emit", "cubni"], "'cubin'"),
                             (["matmul", "4x5x6", "--device", "smit"], "'simt'"),
                             (["report", "--svg", "--plot", "lanscape"], "'landscape'"),
                             (["compile", "m.mlir", "--ouptut", "x"], "'--output'")]:
            self.assert_one_line_error(self.tune(*words), USAGE, f"did you mean {meant}?")
        for program, option in [("mmtune-server", "--listne"), ("mmtune-server", "--portt"), ("mmtune-worker", "--sever")]:
            result = self.run_program(program, option, "x")
            self.assertEqual((result.returncode, result.stderr.count("\n")), (USAGE, 1), result.stderr)
            self.assertIn("did you mean", result.stderr)

    def config(self, text):
        folder = os.path.join(self.environment["XDG_CONFIG_HOME"], "mmtune")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "config.json"), "w") as file:
            file.write(text)
        return file.name

    def setting(self, name):
        rows = json.loads(self.text("tune", "config", "--json"))["settings"]
        row = next(row for row in rows if row["setting"] == name)
        return row["value"], row["from"]

    def test_config_says_what_holds_and_from_where(self):
        self.assertEqual(self.setting("trials"), ("", "default"))
        self.assertEqual(self.setting("device"), ("auto", "default"))
        self.assertEqual(self.setting("log"), (f"{self.environment['XDG_DATA_HOME']}/mmtune/tuning.db", "default"))
        self.assertIn("does not exist", self.text("tune", "config"))
        file = self.config(json.dumps({"log": self.log, "trials": 3, "device": "simt"}))
        self.environment["MMTUNE_TRIALS"] = "2"
        self.assertEqual(self.setting("log"), (self.log, file))
        self.assertEqual(self.setting("trials"), ("2", "MMTUNE_TRIALS"))
        table = self.text("tune", "config")
        self.assertIn(f"file: {file}\n", table)
        self.assertRegex(table, r"trials +2 +MMTUNE_TRIALS")

    def test_what_a_user_repeats_is_a_setting(self):
        names = [row["setting"] for row in json.loads(self.text("tune", "config", "--json"))["settings"]]
        self.assertLessEqual({"color", "device", "dtype", "log", "regime", "seed", "server", "trials"}, set(names))
        self.assertEqual([self.setting(name)[0] for name in ("color", "dtype", "regime", "seed")],
                         ["auto", "f32", "warm", "1"])
        job = ["--quick", "--trials", "1", "--device", "simt", "--log", self.log, "--quiet", "--json"]
        self.environment.update(MMTUNE_COLOR="always", MMTUNE_DTYPE="half", MMTUNE_REGIME="cold", MMTUNE_SEED="9")
        tuned = json.loads(self.text("tune", "matmul", "16x16x16", *job))
        self.assertEqual((tuned["problem"]["dtype"], tuned["seed"]), ("f16", 9))
        self.assertEqual(tuned["best"][0]["measurement"]["timing"]["regime"], "cold")
        self.assertIn("\x1b[1m", self.text("tune", "records", "best", "16x16x16", "--log", self.log))
        self.assertIn("16x16x16 f16", self.text("tune", "records", "list", "--log", self.log))
        # The problem's own word goes before the setting, as the option does.
        for words in (["16x16x16:bf16"], ["16x16x16", "--dtype", "bf16"]):
            self.assertEqual(json.loads(self.text("tune", "matmul", *words, *job))["problem"]["dtype"], "bf16")
        self.assertIn("bf16", self.text("tune", "records", "best", "--problem=16x16x16:bf16", "--log", self.log))
        self.environment["MMTUNE_DTYPE"] = "bf17"
        refused = self.tune("config")
        self.assertEqual(refused.returncode, USAGE)
        self.assertRegex(refused.stderr, r"MMTUNE_DTYPE: 'dtype': unknown data type 'bf17'.*did you mean 'bf16'")

    def test_config_names_settings_that_commands_refuse(self):
        self.environment["MMTUNE_DEVICE"] = "smit"
        file = self.config(json.dumps({"log": "tuning.db", "quiet": "yes"}))
        refused = self.tune("config")
        self.assertEqual(refused.returncode, USAGE)
        self.assertRegex(refused.stdout, r"device +smit +MMTUNE_DEVICE")
        self.assertIn("MMTUNE_DEVICE: 'device': unknown device 'smit'", refused.stderr)
        self.assertIn(f"{file}: 'log' is not an absolute path: 'tuning.db'", refused.stderr)
        self.assertIn(f"{file}: 'quiet' must be true or false, not 'yes'", refused.stderr)
        self.assertEqual(refused.stderr.count("\n"), 1)

    def test_help_all_names_what_is_generated_for_shells(self):
        self.assertNotIn("--generate", self.text("tune", "--help"))
        for program in ("tune", "mmtune-server", "mmtune-worker", "mmtune-compile"):
            self.assertRegex(self.text(program, "--help-all"), r"--generate KIND +Print the manual page \(man\)")

    def test_a_forgotten_epilogue_is_answered_with_the_problem_of_the_log(self):
        self.text("tune", "matmul", "16x16x16:bias", "--quick", "--trials", "1", "--device", "simt", "--log", self.log,
                  "--quiet")
        verify = self.tune("verify", "matmul", "16x16x16", "--best", "--log", self.log)
        explain = self.tune("explain", "16x16x16", "--log", self.log)
        for result in (verify, explain):
            self.assertIn("did you mean 16x16x16 epilogue=bias f32, which it has?", result.stderr)

    def test_the_table_is_written_as_csv(self):
        job = ["matmul", "16x16x16", "--quick", "--trials", "3", "--device", "simt", "--log", self.log, "--quiet"]
        table = self.text("tune", *job, "--csv").splitlines()
        self.assertEqual(table[0], self.text("tune", "records", "list", "--log", self.log, "--csv").splitlines()[0])
        self.assertEqual(len(table), 4)
        self.assert_one_line_error(self.tune(*job, "--csv", "--json"), USAGE, "--csv")
        self.assert_one_line_error(self.tune(*job, "--csv", "--markdown"), USAGE, "--csv")

    def test_every_table_has_every_format(self):
        formats = {"--json", "--csv", "--markdown", "--color"}
        tables = {"matmul", "model", "ladder", "records list", "records best", "records show", "explain", "profile matmul",
                  "verify matmul", "verify kernel", "replay", "status", "jobs list", "workers list", "certs init",
                  "certs issue", "certs revoke", "certs show", "doctor", "config"}
        found = set()
        for words in self.commands():
            names = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", self.text(*words, "--help-all"), re.MULTILINE))
            of_tables = formats & names
            if words[-1] == "report":  # its --csv is a plot
                continue
            if words[-1] in ("compile", "mmtune-compile"):
                self.assertEqual(of_tables, formats - {"--color"})
            elif of_tables:
                self.assertEqual(of_tables, formats, words)
                found.add(" ".join(words[1:]))
        self.assertEqual(found, tables)

    def test_formats_have_the_table_and_nothing_else(self):
        schedule = ["--schedule", "direct bx=16 by=16 tm=1 tn=1", "--device", "simt"]
        authority = os.path.join(self.folder, "authority")
        self.text("tune", "certs", "init", "--ca", authority)
        self.text("tune", "matmul", "16x16x16", "--quick", "--trials", "2", "--device", "simt", "--log", self.log, "--quiet")
        for words, columns in [(["config"], ["setting", "value", "from", "variable"]),
                               (["certs", "show", f"{authority}/ca.crt"], ["name", "role", "serial", "not_before", "not_after"]),
                               (["verify", "matmul", "16x16x16", *schedule, "--stress", "1"],
                                ["problem", "schedule", "verdict", "why"]),
                               (["explain", "16x16x16", "--log", self.log], ["part", "time"]),
                               (["records", "show", "1", "--log", self.log], ["id", "uuid", "job"])]:
            with self.subTest(words=words):
                rows = list(csv.reader(self.text("tune", *words, "--csv").split("\n\n")[0].splitlines()))
                self.assertEqual(rows[0][:len(columns)], columns)
                self.assertEqual({len(row) for row in rows}, {len(rows[0])})
                self.assertGreater(len(rows), 1)
                self.assertIn("\n|---|", self.text("tune", *words, "--markdown"))
                json.loads(self.text("tune", *words, "--json"))
                self.assert_one_line_error(self.tune(*words, "--json", "--csv"), USAGE, "--json excludes --csv")

    def test_a_problem_needs_no_option_before_it(self):
        job = ["matmul", "16x16x16:bias", "--quick", "--trials", "1", "--device", "simt", "--log", self.log, "--quiet"]
        self.text("tune", *job)
        for command in ("best", "list"):
            named = self.text("tune", "records", command, "--problem", "16x16x16:bias", "--log", self.log, "--csv")
            self.assertEqual(self.text("tune", "records", command, "16x16x16:bias", "--log", self.log, "--csv"), named)
        self.assertIn("did you mean 16x16x16 epilogue=bias f32, which it has?",
                      self.text("tune", "records", "best", "16x16x16", "--log", self.log))
        self.assert_one_line_error(self.tune("records", "best", "16x16", "--log", self.log), USAGE, "16x16")
        self.assert_one_line_error(self.tune("records", "best", "--dtype", "f16", "--log", self.log), USAGE,
                                   "--dtype requires --problem")

    def test_settings_are_used_by_commands_and_options_go_before_them(self):
        self.config(json.dumps({"log": self.log, "trials": 3, "device": "simt", "quiet": True}))
        job = ["matmul", "16x16x16", "--quick", "--measure-seconds", "0.02", "--json"]
        self.assertEqual(json.loads(self.text("tune", *job))["done"], 3)
        self.environment["MMTUNE_TRIALS"] = "2"
        self.assertEqual(json.loads(self.text("tune", *job))["done"], 2)
        self.assertEqual(json.loads(self.text("tune", *job, "--trials", "1"))["done"], 1)
        self.assertEqual(self.text("tune", "records", "list", "--csv").count("\n"), 4)
        self.environment["MMTUNE_TRIALS"] = "many"
        self.assert_one_line_error(self.tune(*job), USAGE, "MMTUNE_TRIALS: give a whole number")

    def test_unknown_keys_are_named_with_the_file_and_what_is_meant(self):
        file = self.config('{"sever": "a:1"}')
        self.assert_one_line_error(self.tune("records", "list", "--log", self.log), USAGE, file, "'sever'", "'server'")
        self.assertIn("Usage", self.text("tune", "--help"))
        self.config("nonsense")
        self.assert_one_line_error(self.tune("records", "list", "--log", self.log), USAGE, file)

    def test_shells_accept_the_completion_scripts(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell):
                if not shutil.which(shell):
                    self.skipTest(f"no {shell}")
                for program in PROGRAMS:
                    script = os.path.join(self.folder, f"{program}.{shell}")
                    with open(script, "w") as file:
                        file.write(self.text(program, "--generate", shell))
                    checked = subprocess.run([shell, "-n", script], env=self.environment, capture_output=True, text=True)
                    self.assertEqual((checked.returncode, checked.stderr), (0, ""), script)

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash_completes_commands_options_and_values(self):
        script = os.path.join(self.folder, "tune.bash")
        with open(script, "w") as file:
            file.write(self.text("tune", "--generate", "bash"))

        def complete(*words):
            """The completions of the last word."""
            ask = (f"compopt() {{ :; }}; . {script}; COMP_WORDS=({' '.join(repr(word) for word in words)}); "
                   "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tune; printf '%s\\n' \"${COMPREPLY[@]}\"")
            done = subprocess.run(["bash", "-c", ask], cwd=self.folder, env=self.environment, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout.split()

        self.assertEqual(complete("tune", "mat"), ["matmul"])
        self.assertEqual(complete("tune", "records", "li"), ["list"])
        self.assertEqual(complete("tune", "matmul", "--tri"), ["--trials"])
        self.assertEqual(complete("tune", "matmul", "--regime", ""), ["warm", "cold"])
        self.assertEqual(complete("tune", "matmul", "--regime", "=", "c"), ["cold"])
        self.assertEqual(complete("tune", "matmul", "--log", "tune.b"), ["tune.bash"])
        self.assertEqual(complete("tune", "certs", "issue", "wor"), ["worker"])
        self.assertEqual(complete("tune", "help", "mat"), ["matmul"])

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_completes_commands_options_and_values(self):
        script = os.path.join(self.folder, "tune.fish")
        with open(script, "w") as file:
            file.write(self.text("tune", "--generate", "fish"))

        def complete(line):
            done = subprocess.run(["fish", "-c", f"source {script}; complete -C {line!r}"], env=self.environment,
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return [row.split("\t")[0] for row in done.stdout.splitlines()]

        self.assertEqual(complete("tune mat"), ["matmul"])
        self.assertEqual(complete("tune records li"), ["list"])
        self.assertEqual(complete("tune matmul --tri"), ["--trials"])
        self.assertEqual(sorted(complete("tune matmul --regime ")), ["cold", "warm"])
        self.assertEqual(complete("tune help mat"), ["matmul"])

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_completes_commands_options_and_values(self):
        functions, answer = os.path.join(self.folder, "functions"), os.path.join(self.folder, "answer")
        os.mkdir(functions)
        with open(os.path.join(functions, "_tune"), "w") as file:
            file.write(self.text("tune", "--generate", "zsh"))
        with open(os.path.join(self.folder, ".zshrc"), "w") as file:
            file.write(f"""fpath=({functions} $fpath)
autoload -Uz compinit && compinit -D -u
answer() {{ print -r -- "$BUFFER" > {answer}; exit }}
zle -N answer
bindkey '^I' complete-word '^X' answer
zle-line-init() {{ print ready }}
zle -N zle-line-init
""")

        def complete(line):
            """What becomes of a line when the tabulator is pressed. zsh completes on a terminal only."""
            child, terminal = pty.fork()
            if child == 0:
                os.execvpe("zsh", ["zsh", "-d", "-i"], self.environment | {"ZDOTDIR": self.folder, "TERM": "xterm"})
            try:
                shown, typed = b"", False
                while select.select([terminal], [], [], RUN_SECONDS)[0]:
                    shown += os.read(terminal, 65536)
                    if not typed and b"ready" in shown:
                        os.write(terminal, line.encode() + b"\t\x18")
                        typed = True
            except OSError:  # zsh has ended.
                pass
            finally:
                os.close(terminal)
                os.waitpid(child, 0)
            with open(answer) as file:
                text = file.read().removesuffix("\n")
            os.remove(answer)
            return text

        self.assertEqual(complete("tune mat"), "tune matmul ")
        self.assertEqual(complete("tune records li"), "tune records list ")
        self.assertEqual(complete("tune matmul 4x5x6 --tri"), "tune matmul 4x5x6 --trials=")
        self.assertEqual(complete("tune matmul --regime w"), "tune matmul --regime warm ")
        self.assertEqual(complete("tune matmul --regime=c"), "tune matmul --regime=cold ")
        self.assertEqual(complete("tune certs issue wor"), "tune certs issue worker ")
        self.assertEqual(complete("tune help mat"), "tune help matmul ")
        self.assertEqual(complete(f"tune matmul --log {self.folder}/.zsh"), f"tune matmul --log {self.folder}/.zshrc ")

    def test_manual_pages_are_well_formed(self):
        tried = 0
        for program in PROGRAMS:
            page = os.path.join(self.folder, f"{program}.1")
            with open(page, "w") as file:
                file.write(self.text(program, "--generate", "man"))
            for check in (["mandoc", "-T", "lint", "-W", "warning", page], ["groff", "-man", "-Tutf8", "-ww", "-z", page]):
                if shutil.which(check[0]):
                    done = subprocess.run(check, capture_output=True, text=True)
                    self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""), program)
                    tried += 1
        if not tried:
            self.skipTest("neither mandoc nor groff")

    def test_doctor_and_certs_print_json(self):
        checks = json.loads(self.tune("doctor", "--log", self.log, "--json").stdout)["checks"]
        self.assertFalse([check for check in checks if "mmtune-worker: " in json.dumps(check)], "who was asked is no matter")
        self.assertIn("disk", {check["check"] for check in checks})
        self.assertLessEqual({check["health"] for check in checks}, {"ok", "note", "bad"})
        authority, folder = os.path.join(self.folder, "ca"), os.path.join(self.folder, "alice")
        made = json.loads(self.text("tune", "certs", "init", "--ca", authority, "--json"))
        self.assertEqual(made["ca"], f"{authority}/ca.crt")
        issued = json.loads(self.text("tune", "certs", "issue", "client", "alice", "--ca", authority, "--folder", folder,
                                      "--json"))
        shown = json.loads(self.text("tune", "certs", "show", issued["cert"], "--json"))
        self.assertEqual((shown["role"], shown["not_after"]), ("client", issued["not_after"]))


if __name__ == "__main__":
    unittest.main()
