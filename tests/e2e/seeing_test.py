# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a running service shows: metrics, log lines in JSON that one trace id runs through, a status that goes on."""

import json
import os
import pty
import re
import select
import signal
import socket
import unittest
import urllib.request

from harness import BIN, FAST, EndToEndTest, wait_until

JOB = ["matmul", "40x40x40", "--strategy", "random", *FAST]
TRACE = "0af7651916cd43dd8448eb211c80319c"
FIXED = {"time", "level", "message", "component"}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class SeeingTest(EndToEndTest):
    def scrape(self, server):
        """{"name{labels}": value}, and {name: type}; of the state now, for which a busy server may need a second try."""
        return wait_until(lambda: (lambda found: found[0]["mmtune_up_to_date"] == 1 and found)(self.scrape_once(server)), 60,
                          "metrics that are up to date")

    def scrape_once(self, server):
        line = self.wait_for_line(server, " metrics ")
        url = f"http://{line.split('address=')[1].strip()}/metrics"
        with urllib.request.urlopen(url, timeout=20) as answer:
            self.assertIn("text/plain", answer.headers["Content-Type"])
            text = answer.read().decode()
        samples = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in samples.items()}, dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M))

    def test_metrics_of_a_job(self):
        server, address = self.start_server("--metrics", "127.0.0.1:0")
        self.listen(server)
        samples, types = self.scrape(server)
        with open(f"{ROOT}/docs/operating.md") as page:
            table = dict(re.findall(r"^\| `(mmtune_\w+)` \| (\w+) \|", page.read(), re.M))
        self.assertEqual({name: kind for name, kind in types.items() if not name.startswith("exposer_")}, table)
        self.assertEqual(samples['mmtune_workers{state="ready"}'], 0)
        worker = self.start_worker(address, "a")
        self.tune_ok(*JOB, "--trials", "5", "--finalists", "0", "--server", address)
        samples, _ = self.scrape(server)
        self.assertEqual(samples["mmtune_jobs_submitted_total"], 1)
        self.assertEqual(samples['mmtune_jobs_ended_total{state="done"}'], 1)
        self.assertEqual(samples['mmtune_jobs{state="running"}'], 0)
        outcomes = sum(value for name, value in samples.items() if name.startswith("mmtune_outcomes_total"))
        self.assertEqual(outcomes, 5)
        self.assertGreaterEqual(samples['mmtune_leases_ended_total{state="reported"}'], 5)
        self.assertGreater(samples["mmtune_commit_duration_seconds_count"], 5)
        self.assertEqual(samples['mmtune_workers{state="ready"}'], 1)
        self.assertEqual(samples["mmtune_leases"], 0)
        self.stop(worker)
        samples, _ = self.scrape(server)
        self.assertEqual(samples['mmtune_workers{state="ready"}'], 0)
        self.stop(server)

    def test_metrics_and_health_that_cannot_be_served_make_no_log(self):
        taken = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(taken.close)
        port = f"127.0.0.1:{taken.getsockname()[1]}"
        for flags, code, word in ((["--health", "nonsense"], 2, "malformed"),
                                  (["--health", port], 4, port),
                                  (["--metrics", "127.0.0.1:0", "--health", port], 4, port),
                                  (["--metrics", "0.0.0.0:0"], 2, "--metrics-anywhere"),
                                  (["--metrics", "nonsense"], 2, "malformed"),
                                  (["--metrics-anywhere"], 2, "--metrics"),
                                  (["--log-format", "xml"], 2, "json")):
            result = self.run_program("mmtune-server", "--listen", "127.0.0.1:0", "--insecure-loopback", "--log",
                                      self.log, *flags, seconds=60)
            self.assert_one_line_error(result, code, word)
            self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("tuning.db")], [])

    def lines(self, process):
        lines = []
        for line in list(self.said[process.pid]):
            event = json.loads(line)
            self.assertEqual(FIXED - set(event), set(), line)
            self.assertRegex(event["time"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")
            self.assertIn(event["level"], ("debug", "info", "warning", "error"))
            lines.append(event)
        return lines

    def test_one_trace_runs_from_the_job_to_the_children(self):
        server, address = self.start_server("--log-format", "json")
        self.listen(server)
        worker = self.start_worker(address, "a", "--log-format", "json", "-v")
        self.tune_ok(*JOB, "--trials", "3", "--finalists", "0", "--server", address, "--trace-id", TRACE)
        parent = f"00-{TRACE[::-1]}-b7ad6b7169203331-01"
        self.environment["TRACEPARENT"] = parent
        self.tune_ok(*JOB, "--trials", "1", "--finalists", "0", "--server", address, "--remeasure")
        self.environment["TRACEPARENT"] = "nonsense"  # which the standard wants ignored
        self.tune_ok(*JOB, "--trials", "1", "--finalists", "0", "--server", address, "--remeasure")
        info = self.status(address)
        traces = [job["spec"]["trace_id"] for job in reversed(info["jobs"])]
        self.assertEqual(traces[:2], [TRACE, TRACE[::-1]])
        self.assertRegex(traces[2], r"\A[0-9a-f]{32}\Z")
        self.assertIn(TRACE, self.tune_ok("status", "--server", address).stdout)
        self.stop(worker)
        self.stop(server)

        job = next(job["uuid"] for job in info["jobs"] if job["spec"]["trace_id"] == TRACE)
        about = [line for line in self.lines(server) if line.get("trace") == TRACE]
        self.assertEqual({line["job"] for line in about}, {job})
        self.assertEqual({line["component"] for line in about}, {"server"})
        self.assertLessEqual({"job submitted", "job state", "candidate measured"}, {line["message"] for line in about})
        about = [line for line in self.lines(worker) if line.get("trace") == TRACE]
        self.assertEqual({line["job"] for line in about}, {job})
        self.assertEqual({line["component"] for line in about}, {"worker", "worker/compile", "worker/measure"})
        self.assertEqual({line["worker"] for line in about}, {info["workers"][0]["worker_id"]})
        for component, requests in (("worker/compile", {"compile", "verify"}),
                                    ("worker/measure", {"load", "check", "time"})):
            answered = [line for line in about if line["component"] == component]
            self.assertEqual({line["request"] for line in answered}, requests)
            self.assertEqual(len({line["candidate"] for line in answered}), 3)
        self.assertEqual(len([line for line in about if line["message"] == "measured"]), 3)

    def test_a_trace_id_that_is_none_is_refused(self):
        self.assert_one_line_error(self.tune(*JOB, "--trace-id", "0af7", "--log", self.log), 2, "0af7", "32 hexadecimal")
        self.assertFalse(os.path.exists(self.log))

    def test_what_a_program_says_when_it_ends_is_json_too(self):
        result = self.run_program("mmtune-worker", "--server", "127.0.0.1:1", "--device", "simt", "--give-up-after", "1",
                                  "--spool", f"{self.folder}/spool", "--log-format", "json", seconds=60)
        self.assertEqual(result.returncode, 4)
        events = [json.loads(line) for line in result.stderr.splitlines()]
        self.assertEqual(events[-1]["message"], "failed")
        self.assertIn("127.0.0.1:1", events[-1]["why"])

    def test_a_status_that_goes_on(self):
        server, address = self.start_server()
        watch = self.start("tune", "status", "--server", address, "--watch", "0.2")
        seen = [watch.stdout.readline() for _ in range(20)]
        self.assertGreaterEqual(len([line for line in seen if line.startswith("mmtune ")]), 2, seen)
        self.assertNotIn("\x1b", "".join(seen))
        watch.send_signal(signal.SIGINT)
        self.assertEqual(watch.wait(60), 130)

        watch = self.start("tune", "status", "--server", address, "--watch", "0.2", "--json")
        self.assertEqual([json.loads(watch.stdout.readline())["jobs"] for _ in range(3)], [[], [], []])
        server.kill()
        server.wait()
        wait_until(lambda: "error" in json.loads(watch.stdout.readline()), 60, "the server's silence")
        watch.send_signal(signal.SIGTERM)
        self.assertEqual(watch.wait(60), 130)
        self.assert_one_line_error(self.tune("status", "--server", address, "--watch"), 4, address)
        for bad in ("0", "nan", "often"):
            self.assert_one_line_error(self.tune("status", "--server", address, "--watch", bad), 2, "--watch")

    def test_on_a_terminal_it_stays_in_its_place(self):
        _, address = self.start_server()
        pid, terminal = pty.fork()
        if pid == 0:
            tune = os.path.join(BIN, "tune")
            os.execve(tune, [tune, "status", "--server", address, "--watch"], dict(self.environment, TERM="xterm"))
        seen = b""
        while seen.count(b"mmtune ") < 2:
            self.assertTrue(select.select([terminal], [], [], 60)[0], seen)
            seen += os.read(terminal, 4096)
        os.write(terminal, b"\x03")
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(status), 130)
        self.assertGreaterEqual(seen.count(b"\x1b[H"), 2)
        self.assertIn(b"\x1b[K\r\n", seen)


if __name__ == "__main__":
    unittest.main()
