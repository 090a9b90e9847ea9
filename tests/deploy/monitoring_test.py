# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The dashboard and the alert rules ask for metrics that the server has, by labels that these have. The table of
docs/operating.md says which: metrics_test compares it with the server."""

import json
import re
import unittest

from tools import DEPLOY, read, run


def table():
    """name -> (type, labels)"""
    page = read(DEPLOY, "..", "docs", "operating.md")
    rows = re.findall(r"^\| `(mmtune_\w+)` \| (\w+) \| ([^|]*) \|", page, re.MULTILINE)
    return {name: (kind, set(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}


# Labels that Prometheus adds.
ADDED = {"instance", "job", "le"}


def wrong(expression, known):
    """What is wrong with the metrics and labels of an expression, in words."""
    found = []
    for name, selector in re.findall(r"(mmtune_\w+)(\{[^}]*\})?", expression):
        base = re.sub(r"_(bucket|count|sum)$", "", name)
        if name not in known and known.get(base, ("",))[0] != "histogram":
            found.append(f"no metric {name}")
            continue
        labels = set(re.findall(r"(\w+) *(?:=~|!~|!=|=)", selector))
        labels |= {label for group in re.findall(r"by \(([^)]*)\)", expression) for label in re.split(r", *", group)}
        known_labels = ADDED.union(*(known[n][1] for n in re.findall(r"mmtune_\w+", expression) if n in known))
        found += [f"no label {label} in {expression}" for label in labels - known_labels]
    if known.get(re.sub(r".*?(mmtune_\w+).*", r"\1", expression), ("",))[0] == "counter" and "rate(" not in expression:
        found.append(f"a counter without its rate: {expression}")
    return found


class MonitoringTest(unittest.TestCase):
    def setUp(self):
        self.known = table()
        self.assertGreater(len(self.known), 15)

    def test_the_dashboard_asks_for_what_there_is(self):
        dashboard = json.loads(read(DEPLOY, "grafana", "mmtune.json"))
        panels = dashboard["panels"]
        self.assertGreater(len(panels), 10)
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        variables = {variable["name"] for variable in dashboard["templating"]["list"]}
        for panel in panels:
            self.assertTrue(panel["targets"], panel["title"])
            for target in panel["targets"]:
                self.assertRegex(target["expr"], "mmtune_")
                self.assertEqual(wrong(target["expr"], self.known), [], panel["title"])
                self.assertLessEqual(set(re.findall(r"\$\{?(\w+)", target["expr"])), variables)
        grid = [panel["gridPos"] for panel in panels]
        for i, a in enumerate(grid):
            for b in grid[:i]:
                apart = (a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"] or a["y"] + a["h"] <= b["y"] or
                         b["y"] + b["h"] <= a["y"])
                self.assertTrue(apart, (a, b))

    def test_the_rules_ask_for_what_there_is(self):
        rules = read(DEPLOY, "prometheus", "mmtune-rules.yml")
        expressions = re.findall(r"^ +expr: (.*)$", rules, re.MULTILINE)
        self.assertEqual(len(expressions), len(re.findall(r"^ +- alert: Mmtune\w+$", rules, re.MULTILINE)))
        self.assertGreater(len(expressions), 5)
        for expression in expressions:
            self.assertEqual(wrong(expression, self.known), [])
            self.assertEqual(expression.count("("), expression.count(")"), expression)
        scrape = read(DEPLOY, "prometheus", "scrape.yml")
        self.assertIn("mmtune-rules.yml", scrape)
        job = re.search(r"job_name: (\w+)", scrape).group(1)
        self.assertIn(f'up{{job="{job}"}}', rules)

    def test_what_is_not_there_is_noticed(self):
        self.assertEqual(wrong('sum(mmtune_jobs{state="x"})', self.known), [])
        for bad in ["sum(mmtune_jbos)", 'mmtune_jobs{stat="x"}', "sum by (outcom) (mmtune_jobs)",
                    "mmtune_jobs_bucket", "sum(mmtune_outcomes_total)"]:
            self.assertNotEqual(wrong(bad, self.known), [], bad)

    def test_kubernetes_scrapes_the_port_that_is_served(self):
        manifest = read(DEPLOY, "kubernetes", "server.yaml")
        port = re.search(r'prometheus.io/port: "(\d+)"', manifest).group(1)
        self.assertIn(f"--metrics=0.0.0.0:{port}", manifest)
        self.assertRegex(manifest, rf"- name: metrics\n +containerPort: {port}\n")
        self.assertIn("- port: metrics", read(DEPLOY, "kubernetes", "network.yaml"))


if __name__ == "__main__":
    run()
