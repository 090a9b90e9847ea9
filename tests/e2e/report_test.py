# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune report: one page with every record, whatever texts they hold, that a browser draws without an error."""

import copy
import csv
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from harness import TunedLogTest

# Ends a script, begins a comment, is markup, changes the direction of text.
HOSTILE = "</script><script>document.title='run'</script><!-- <b>&amp; \"' {{data}} \u202e"
HOSTILE_NAME = HOSTILE[:-1]  # A name with a character that shows nothing is refused.
VOID = {"meta", "link", "br", "img", "input", "hr"}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# Appended to a copy of the page: uses every control, then says what it saw.
CLICKS = """<script>
const errors = [];
addEventListener('error', event => errors.push(String(event.message)));
const byId = id => document.getElementById(id);
const choose = (id, value) => { byId(id).value = value; byId(id).dispatchEvent(new Event('change')); };
for (const option of [...byId('group').options]) {
  choose('group', option.value);
  choose('convergence-by', 'convergence:seconds');
  for (const id of ['landscape-of', 'samples-of']) for (const other of [...byId(id).options]) choose(id, other.value);
  for (const button of document.querySelectorAll('th button')) { button.click(); button.click(); }
  for (const line of [...document.querySelectorAll('#best tbody tr')]) line.click();
}
const inked = [...document.querySelectorAll('.plot')].filter(plot =>
    [...plot.querySelectorAll('svg circle, svg rect, svg path')].some(mark => mark.getBoundingClientRect().width > 0)).map(plot => plot.id);
const point = document.querySelector('#landscape [data-record]');
point.dispatchEvent(new Event('pointerover', {bubbles: true}));
const lightness = colour => Math.max(...colour.match(/[0-9.]+/g).slice(0, 3).map(Number)) / 255;
parent.postMessage({errors, inked, tip: point.textContent, title: document.title, best: document.querySelectorAll('#best tbody tr').length,
                    changes: document.querySelectorAll('#changes tbody tr').length, width: innerWidth,
                    wide: document.documentElement.scrollWidth > innerWidth, device: byId('summary').textContent,
                    paper: lightness(getComputedStyle(document.body).backgroundColor),
                    ink: lightness(getComputedStyle(document.body).color)}, '*');
</script></body>"""

# Shows the page in frames, as a headless window is no narrower than 500, and keeps what each says.
WIDTHS = (360, 1200)
FRAMES = """<script>
const results = [];
addEventListener('message', event => {
  results.push(event.data);
  document.getElementById('results').textContent = JSON.stringify(results).replaceAll('<', '\\\\u003c');
});
</script><script type="application/json" id="results"></script>""" + "".join(
    f'<iframe src="report.html" width="{width}" height="900"></iframe>' for width in WIDTHS)


LONG = 10300  # Records: more than a page shows.


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in order and ids are unique; keeps the data, the scripts and references."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.labels, self.scripts, self.references, self.faults = [], set(), set(), [], [], []
        self.data = self.title = ""
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append((tag, attributes))
        if "id" in attributes:
            if attributes["id"] in self.ids:
                self.faults.append(f"twice: {attributes['id']}")
            self.ids.add(attributes["id"])
        self.labels.update(filter(None, [attributes.get("for"), attributes.get("aria-labelledby")]))
        self.references += [attributes[name] for name in ("src", "href") if name in attributes]

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, text):
        tag, attributes = self.open[-1] if self.open else ("", {})
        if tag == "script" and attributes.get("id") == "data":
            self.data += text
        elif tag == "script":
            self.scripts.append(text)
        elif tag == "title":
            self.title += text


class ReportTest(TunedLogTest):
    TUNED = [["matmul", "32x32x32", "--trials", "5"], ["matmul", "48x16x8", "--trials", "3"]]

    def setUp(self):
        super().setUp()
        self.page = f"{self.folder}/report.html"

    def import_copy(self, name, change):
        """A log with copies of our records; `change` gets each, and its number."""
        records = copy.deepcopy(self.exported())
        for i, record in enumerate(records):
            record["uuid"] += f"-{name}"
            change(record, i)
        with open(f"{self.folder}/{name}.jsonl", "w") as out:
            out.writelines(json.dumps(record) + "\n" for record in records)
        self.tune_ok("records", "import", out.name, "--log", f"{self.folder}/{name}.db")
        return f"{self.folder}/{name}.db"

    @staticmethod
    def make_gpu(record, number, factor=1.0):
        """As if of a GPU with a hostile name; the first record failed, with a hostile message."""
        record["device"].update(kind="cuda", name=HOSTILE_NAME, arch="sm_90", multiprocessors=132, clock_khz=1980000,
                                shared_bytes_per_block=232448, shared_bytes_per_multiprocessor=233472)
        record["worker"] = HOSTILE
        measured = record["measurement"]
        timing = measured["timing"]
        for key in ("median_ns", "low_ns", "high_ns"):
            timing[key] = 1e5 * (number + 1) * factor
        timing["samples_ns"] = [timing["median_ns"]] * 3
        measured["conditions"]["baseline"] = {"library": "cuBLAS 13", "reason": "", "median_ns": 5e4, "low_ns": 4e4,
                                              "high_ns": 6e4, "drift": 0.0}
        if number == 0:
            measured.update(outcome="launch_failed", message=HOSTILE)
            timing.update(samples_ns=[], median_ns=0, low_ns=0, high_ns=0, regime="")

    def report(self, *args, log=None):
        return self.tune_ok("report", "--log", log or self.log, "-o", self.page, *args)

    def parsed(self):
        with open(self.page, encoding="utf-8") as file:
            page = Page(file.read())
        self.assertEqual(page.faults, [])
        self.assertEqual(page.labels - page.ids, set(), "labels of nothing")
        self.assertEqual(page.references, [], "the page asks for other files")
        self.assertEqual(len(page.scripts), 1)
        return page, json.loads(page.data)

    def test_the_page_has_every_record_and_asks_for_nothing(self):
        said = self.report().stdout
        self.assertRegex(said, r"\Awrote .*report\.html: 8 records in 2 rankings, \d+ KiB\n\Z")
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("<!DOCTYPE html>\n"))
        self.assertIn("default-src 'none'", text)
        page, data = self.parsed()
        self.assertEqual(page.title, "mmtune: tuning.db")
        records = [record for group in data["groups"] for record in group["records"]]
        exported = self.exported()
        self.assertEqual({record["uuid"] for record in records}, {record["uuid"] for record in exported})
        by_uuid = {record["uuid"]: record for record in exported}
        for record in records:
            original = by_uuid[record["uuid"]]
            self.assertEqual(record["params"], original["schedule"]["params"])
            self.assertEqual(record["ns"], original["measurement"]["timing"]["median_ns"])
            self.assertEqual(record["samples"], len(original["measurement"]["timing"]["samples_ns"]))
            xml.etree.ElementTree.fromstring(record["histogram"])
        for group in data["groups"]:
            drawn = {name.split(":")[0] for name in group["plots"]}
            self.assertEqual(drawn, {"convergence", "landscape", "phases"}, "no roofline without ceilings")
            for name, plot in group["plots"].items():
                drawing = xml.etree.ElementTree.fromstring(plot)
                shown = {int(point.get("data-record")) for point in drawing.iter() if point.get("data-record")}
                records = {record["id"] for record in group["records"]}
                if name.startswith("landscape:"):  # Families have parameters of their own.
                    self.assertLessEqual(shown, records, name)
                else:
                    self.assertEqual(shown, set() if name == "phases" else records, name)
            self.assertIn("model, seed 1", group["plots"]["convergence"])
        self.assertTrue(all(group["ceilings"] is None for group in data["groups"]), "the SIMT device has no ceilings")
        self.assertIsNone(data["comparison"])

    def test_filters(self):
        self.report("--problem", "48x16x8")
        self.assertEqual([group["problem"] for group in self.parsed()[1]["groups"]], ["48x16x8 f32"])

    def test_hostile_texts_stay_texts(self):
        log = self.import_copy("gpu", self.make_gpu)
        hostile = f"{self.folder}/<b>{{{{data}}}}.db"
        os.rename(log, hostile)
        self.report(log=hostile)
        page, data = self.parsed()
        self.assertEqual(page.title, "mmtune: <b>{{data}}.db")
        group = next(group for group in data["groups"] if group["problem"].startswith("32x32x32"))
        self.assertIn("</script><script>", group["device"])
        failed = [record for record in group["records"] if record["outcome"] == "launch_failed"]
        self.assertIn("</script>", failed[0]["message"])
        self.assertEqual(group["baseline"]["library"], "cuBLAS 13")
        self.assertEqual(group["ceilings"]["dram"], 3350)
        self.assertGreater(group["ceilings"]["peak"], 60000)
        with open(self.page, encoding="utf-8") as file:
            self.assertNotIn("\u202e", file.read())

    def test_a_long_log_gives_its_fastest_schedules_and_a_sample(self):
        one = next(record for record in self.exported() if record["problem"]["m"] == 48)

        def lines(name, factor):
            with open(f"{self.folder}/{name}.jsonl", "w") as out:
                for number in range(LONG):
                    record = copy.deepcopy(one)
                    record["uuid"] = f"{name}-{number}"
                    record["job"] = f"job-{number % 7}"
                    record["schedule"]["params"]["variant"] = number
                    timing = record["measurement"]["timing"]
                    for key in ("median_ns", "low_ns", "high_ns"):
                        timing[key] = (1e5 + abs(number - 5000)) * factor
                    timing["samples_ns"] = [timing["median_ns"]] * len(timing["samples_ns"])
                    out.write(json.dumps(record) + "\n")
            self.tune_ok("records", "import", out.name, "--log", f"{self.folder}/{name}.db")
            return f"{self.folder}/{name}.db"

        log, other = lines("long", 1), lines("other", 2)
        said = self.report(log=log).stdout
        self.assertIn("10,000 of 10,300 records are shown", said)
        _, data = self.parsed()
        self.assertIn("10,000 of 10,300 records are shown", data["left_out"])
        group, = data["groups"]
        self.assertEqual((group["total"], group["outcomes"]), (LONG, {"ok": LONG}))
        shown = {record["params"]["variant"]: record for record in group["records"]}
        self.assertEqual(len(shown), 10000)
        self.assertTrue(set(range(4000, 6000)) <= set(shown), "the fastest are there")
        self.assertLessEqual(sum(name.startswith("landscape:") for name in group["plots"]), 3, "the page stays small")
        plot = self.tune_ok("report", "--log", log, "-o", "-", "--csv").stdout
        points = {int(row["label"].split("variant=")[1].split()[0]): row for row in csv.DictReader(io.StringIO(plot))}
        for number, best in {4999: 1e5 + 1, 5000: 1e5, LONG - 1: 1e5}.items():  # The last one is of the job of 5000.
            self.assertEqual(float(points[number]["trial"]), number // 7 + 1)
            self.assertAlmostEqual(float(points[number]["GFLOP/s"]), group["flops"] / best, delta=1e-6)
        said = self.report("--force", "--against", other, log=log).stdout
        self.assertIn("against other.db: 0 broken, 0 slower, 0 same, 10000 faster, 0 mended\n", said)

    def test_comparison_with_another_log(self):
        log = self.import_copy("new", lambda record, i: self.make_gpu(record, i, 1.2 if i == 1 else 0.8 if i == 2 else 1))
        other = self.import_copy("old", lambda record, i: self.make_gpu(record, i))
        said = self.report("--against", other, log=log).stdout
        self.assertIn("against old.db: 0 broken, 1 slower, 5 same, 1 faster, 0 mended\n", said)
        groups = self.parsed()[1]["comparison"]["groups"]
        worst = groups[0]["changes"][0]
        self.assertEqual(worst["change"], "slower")
        self.assertAlmostEqual(worst["ns"] / worst["other_ns"], 1.2)
        self.assert_one_line_error(self.tune("report", "--log", self.log, "--against", other, "-o", "-"), 1, "in common")

    def test_single_plots(self):
        one = ["--log", self.log, "--problem", "48x16x8", "-o", "-"]
        for plot in ("convergence", "convergence:seconds", "landscape", "landscape:bm,bn", "samples", "phases"):
            drawing = xml.etree.ElementTree.fromstring(self.tune_ok("report", *one, "--svg", "--plot", plot).stdout)
            self.assertEqual(drawing.tag, "{http://www.w3.org/2000/svg}svg")
            rows = list(csv.DictReader(io.StringIO(self.tune_ok("report", *one, "--csv", "--plot", plot).stdout)))
            self.assertGreater(len(rows), 0, plot)
            self.assertTrue(all(None not in row and None not in row.values() for row in rows), plot)
        rows = list(csv.DictReader(io.StringIO(self.tune_ok("report", *one, "--csv").stdout)))
        records = [r for r in self.exported() if r["problem"]["m"] == 48]
        self.assertEqual([float(row["trial"]) for row in rows], list(range(1, len(records) + 1)))
        self.assertAlmostEqual(float(rows[-1]["GFLOP/s"]), max(r["gflops"] for r in records), delta=1e-6)
        path = f"{self.folder}/plot.svg"
        self.assertIn("wrote ", self.tune_ok("report", *one[:-1], path, "--svg").stdout)
        refused = lambda words, *args, code=2: self.assert_one_line_error(self.tune("report", *args), code, words)
        refused("--force", *one[:-1], path, "--svg")
        refused("excludes", *one, "--svg", "--csv")
        refused("--svg or --csv", *one, "--plot", "samples")
        refused("no plot 'spiral'", *one, "--svg", "--plot", "spiral")
        refused("are not known: a roofline", *one, "--svg", "--plot", "roofline")
        refused("'none'", *one, "--svg", "--plot", "landscape:bm,none")
        refused("give --problem", "--log", self.log, "-o", "-", "--svg")
        refused("--against", *one, "--svg", "--against", self.log)
        refused("cold operands", *one, "--svg", "--regime", "cold", code=1)

    def test_bad_input_is_one_line(self):
        report = lambda *args: self.tune("report", *args)
        self.assert_one_line_error(report("--log", f"{self.folder}/none.db", "-o", self.page), 3, "no tuning log")
        self.assert_one_line_error(report("--log", self.log), 2, "-o FILE is required")
        self.assert_one_line_error(report("--log", self.log, "-o", f"{self.folder}/no/r.html"), 2, "r.html")
        self.assert_one_line_error(report("--log", self.log, "-o", self.log, "--force"), 2, "log")
        self.assert_one_line_error(report("--log", self.log, "-o", self.page, "--problem", "9x9x9"), 1, "no record")
        self.assert_one_line_error(report("--log", self.log, "-o", self.page, "--problem", "9y9"), 2, "9y9")
        self.assert_one_line_error(report("--log", self.log, "-o", self.page, "--against", "/none.db"), 3, "--against")
        self.assertFalse(os.path.exists(self.page))
        with open(self.page, "w") as file:
            file.write("kept")
        self.assert_one_line_error(report("--log", self.log, "-o", self.page), 2, "--force")
        with open(self.page) as file:
            self.assertEqual(file.read(), "kept")
        self.report("--force")
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if "report" in name), ["report.html"])

    @unittest.skipUnless(CHROMIUM, "no Chromium here: install the package chromium")
    def test_a_browser_draws_it_without_an_error(self):
        log = self.import_copy("new", lambda record, i: self.make_gpu(record, i, 1.2))
        other = self.import_copy("old", self.make_gpu)
        self.report("--against", other, log=log)
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count("</body>"), 1)
        with open(self.page, "w", encoding="utf-8") as file:
            file.write(text.replace("</body>", CLICKS))
        frames = f"{self.folder}/frames.html"
        with open(frames, "w", encoding="utf-8") as file:
            file.write(FRAMES)
        for dark in (0, 1):
            # Its own policy forbids the page all network; the browser's own calls home are turned off.
            result = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                                     "--disable-background-networking", "--no-first-run", "--enable-logging=stderr",
                                     f"--user-data-dir={self.folder}/browser", "--virtual-time-budget=2000",
                                     f"--blink-settings=preferredColorScheme={1 - dark}",
                                     "--dump-dom", f"file://{frames}"],
                                    env=self.environment, capture_output=True, text=True, timeout=120, errors="replace")
            self.assertEqual(re.findall(r"CONSOLE.*", result.stderr), [], "the script's errors")
            found = re.search(r'<script type="application/json" id="results">(.+?)</script>', result.stdout, re.S)
            self.assertTrue(found, result.stdout[-2000:] + result.stderr)
            pages = json.loads(found.group(1))
            self.assertEqual(sorted(seen["width"] for seen in pages), sorted(WIDTHS))
            for seen in pages:
                self.assertEqual(seen["errors"], [])
                self.assertEqual(seen["title"], "mmtune: new.db")
                self.assertEqual(set(seen["inked"]),
                                 {"convergence", "landscape", "roofline", "samples", "phases", "comparison"})
                self.assertRegex(seen["tip"], r"\nrecord \d+\Z")
                self.assertGreater(seen["best"], 0)
                self.assertGreater(seen["changes"], 0)
                self.assertIn("</script><script>", seen["device"])
                self.assertFalse(seen["wide"], f"wider than {seen['width']}")
                light, unlit = ("ink", "paper") if dark else ("paper", "ink")
                self.assertGreater(seen[light], 0.8, (dark, seen))
                self.assertLess(seen[unlit], 0.2, (dark, seen))


if __name__ == "__main__":
    unittest.main()
