# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A job whose connections are delayed, cut, half open, replayed and reordered hundreds of times, without TLS and with
certificates: nothing is lost, nothing is there twice, nobody is stuck. With MMTUNE_TEST_WHOLE=1 2,000 faults on each
road; MMTUNE_TEST_SEED repeats a seed."""

import os
import re
import shutil
import signal
import sqlite3
import sys
import time
import unittest

from faulty_road import FAULTS, LEAST_UNREAD, FaultyRoad
from harness import FAST, wait_until
from invariants import broken_in_log
from tls_test import Fleet

WHOLE = os.environ.get("MMTUNE_TEST_WHOLE", "0") != "0"
# 200 in all, at least.
ENOUGH = 2000 if WHOLE else 140
ENOUGH_WITH_TLS = 2000 if WHOLE else 60
SECONDS = 3600 if WHOLE else 300
TRIALS = 12
LEASE_SECONDS = 15  # the least there is
SHORT_SLEEP = 2
READER_TRIALS = 30
SEED = int(os.environ.get("MMTUNE_TEST_SEED") or time.time())


def unsent_bytes(address):
    """The most that a socket of the address has to say to a peer who takes no more."""
    port = f":{int(address.rpartition(':')[2]):04X}"
    rows = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):  # gRPC's sockets are of both families
        with open(table, encoding="ascii") as file:
            rows += [line.split() for line in file.readlines()[1:]]
    return max((int(row[4].partition(":")[0], 16) for row in rows if row[1].endswith(port)), default=0)


class FaultyRoadTest(Fleet):
    def start_two(self, address, tls=False):
        return [self.start_worker(address, name, tls=tls) for name in ("a", "b")]

    def tune_once(self, address, number, options):
        size = 16 + number  # a new problem each time: nothing is from the log
        # Without verifications: this is about what is said on the road, and a verification says nothing there.
        tune = self.start("tune", "matmul", f"{size}x16x16", "--trials", str(TRIALS), "--server", address, "--no-verification",
                          *FAST, *options)
        code, out, err = self.finish(tune, SECONDS)
        self.assertEqual(code, 0, f"seed {SEED}\n{out}{err}")
        self.assertIn(f"{TRIALS} schedules", out)
        self.assertIn(", 0 wrong, ", out)

    def go(self, server, address, enough, kinds=(), user=()):
        """Jobs over a bad road until there were enough faults, of all `kinds`; then the log is checked."""
        print(f"seed {SEED} (MMTUNE_TEST_SEED repeats it)", file=sys.stderr)
        road = FaultyRoad(address, SEED)
        self.addCleanup(road.close)
        workers = self.start_two(road.address, tls=bool(user))
        jobs = 0
        deadline = time.monotonic() + SECONDS
        while road.counts.total() < enough or not set(kinds) <= set(road.counts):
            self.assertLess(time.monotonic(), deadline, f"seed {SEED}: only {road.counts} after {jobs} jobs")
            self.tune_once(road.address, jobs, user)
            jobs += 1
        road.heal()
        leases = self.assert_nothing_lost(server, *workers)
        self.assertGreaterEqual(len(leases), jobs * TRIALS)
        self.assertEqual(self.run_folders(), [])

    def test_nothing_is_lost_on_a_bad_road(self):
        server, address = self.start_server()
        self.go(self.listen(server), address, ENOUGH, kinds=FAULTS)

    def test_nothing_is_lost_on_a_bad_road_with_certificates(self):
        self.issue("server", "coordinator", "--host", "127.0.0.1")  # the road's end
        for name in ("a", "b"):
            self.issue("worker", name)
        server, address = self.start_server(guard=self.options("coordinator"))
        self.go(self.listen(server), address, ENOUGH_WITH_TLS, user=self.issue("client", "alice"))

    def test_the_checker_sees_what_is_broken(self):
        """Each rule has a log that breaks it."""
        for _ in range(2):  # the second job's candidates are answered from the log
            self.tune_ok("matmul", "16x16x16", "--trials", "3", "--log", self.log, "--no-verification", *FAST)
        self.assertEqual(self.query("SELECT count(*) FROM candidate"), [(6,)])
        token, = self.query("SELECT token FROM attempt JOIN measurement ON attempt_id = attempt.id")[0]
        self.assertEqual(broken_in_log(self.log, {token[:8]}), [])
        first = "(SELECT min(id) FROM candidate)"
        for broken, said in {
                "DELETE FROM measurement": "acknowledged, and not there",
                f"UPDATE measurement SET canonical = 0 WHERE candidate_id = {first}": "has 0 canonical records",
                f"DROP INDEX measurement_one_canonical; UPDATE measurement SET candidate_id = {first}":
                    "canonical records",
                f"DROP INDEX attempt_one_live; UPDATE attempt SET candidate_id = {first}, state = 'live'": "3 live leases",
                "UPDATE attempt SET state = 'live'": "of it is live",
                f"UPDATE candidate SET state = 'queued' WHERE id = {first}": "is queued, and its job is done",
                f"""UPDATE attempt SET state = 'expired' WHERE candidate_id = {first};
                    UPDATE measurement SET canonical = 0 WHERE candidate_id = {first};
                    INSERT INTO attempt (token, candidate_id, number, worker, device_uuid, state, detail)
                      VALUES ('verdict', {first}, 2, 'server', '', 'reported', '');
                    CREATE TEMP TABLE verdict AS SELECT * FROM measurement WHERE candidate_id = {first};
                    UPDATE verdict SET id = 99, uuid = 'verdict', canonical = 1, worker = 'server', outcome = 'crashed',
                      gflops = NULL, attempt_id = (SELECT id FROM attempt WHERE token = 'verdict');
                    INSERT INTO measurement SELECT * FROM verdict""": "although a worker had reported ok",
                # Only a queued one may be left when the time is over.
                f"UPDATE job SET message = 'seconds: 1'; UPDATE candidate SET state = 'leased' WHERE id = {first}":
                    "is leased, and its job is done",
        }.items():
            with self.subTest(said):
                copy = os.path.join(self.folder, "broken.db")
                shutil.copy(self.log, copy)
                log = sqlite3.connect(copy)
                log.executescript(f"PRAGMA foreign_keys = OFF; {broken};")
                log.close()
                found = broken_in_log(copy, {token[:8]})
                self.assertTrue(any(said in line for line in found), found)

    def test_a_process_that_stays_is_seen(self):
        self.start_server()
        with self.assertRaises(AssertionError):
            self.assert_no_processes(0.2)

    def test_a_temporary_file_is_seen(self):
        tune = self.start("tune", "matmul", "16x16x16", "--trials", "0", "--seconds", "600", "--log", self.log, *FAST)
        wait_until(self.run_folders, 60, "the run's folder")
        tune.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(tune, 60)[0], 130)
        self.assertEqual(self.run_folders(), [])

    def start_tune(self, address, trials):
        return self.start("tune", "matmul", "24x16x16", "--trials", str(trials), "--server", address, "--no-verification", *FAST)

    def reported(self):
        return self.query("SELECT count(*) FROM attempt WHERE state = 'reported'")[0][0]

    def test_a_reader_that_stops_reading_holds_nobody_up(self):
        server, address = self.start_server()
        workers = self.start_two(address)
        road = FaultyRoad(address, SEED, narrow=True)
        self.addCleanup(road.close)
        road.heal()
        reader = self.start_tune(road.address, READER_TRIALS)
        wait_until(lambda: self.reported() > 1, 60, "reports")
        road.mute = True
        reader.send_signal(signal.SIGSTOP)  # or it would take the server for one that is gone
        # The control: the server has more to say than is taken.
        wait_until(lambda: unsent_bytes(address) > LEAST_UNREAD, 60, "events that nobody reads")
        self.tune_once(address, 0, ())
        wait_until(lambda: self.query("SELECT state FROM job ORDER BY id LIMIT 1") == [("done",)], 60, "the reader's job")
        road.mute = False
        reader.send_signal(signal.SIGCONT)
        code, out, err = self.finish(reader, 60)
        self.assertEqual(code, 0, out + err)
        self.assertIn(f"{READER_TRIALS} schedules", out, "it saw the end")
        self.assert_nothing_lost(self.listen(server), *workers)

    def test_a_server_that_sleeps_past_every_lease_takes_none_away(self):
        server, address = self.start_server("--lease-seconds", str(LEASE_SECONDS))
        self.listen(server)
        workers = self.start_two(address)
        tune = self.start_tune(address, 30)
        wait_until(lambda: self.reported() > 3, 60, "reports")
        server.send_signal(signal.SIGSTOP)
        self.assertGreater(self.query("SELECT count(*) FROM attempt WHERE state = 'live'")[0][0], 0)
        time.sleep(LEASE_SECONDS + 1)
        server.send_signal(signal.SIGCONT)
        code, out, err = self.finish(tune)
        self.assertEqual(code, 0, out + err)
        self.assertIn("30 schedules", out)
        self.assertEqual(self.query("SELECT count(*) FROM attempt WHERE state = 'expired'"), [(0,)])
        self.wait_for_line(server, " paused ")
        self.assert_nothing_lost(server, *workers)

    def test_a_worker_that_sleeps_past_its_lease_loses_it_and_nothing_else(self):
        server, address = self.start_server("--lease-seconds", str(LEASE_SECONDS))
        workers = self.start_two(address)
        tune = self.start_tune(address, 30)
        sleeper = workers[0]
        name = re.search(r" worker=(\S+)", self.wait_for_line(sleeper, " registered ", seconds=60)).group(1)

        def expired():
            return self.query("SELECT count(*) FROM attempt WHERE state = 'expired' AND worker = ?", name)[0][0]

        wait_until(lambda: self.reported() > 3, 60, "reports")
        before = expired()
        sleeper.send_signal(signal.SIGSTOP)
        time.sleep(SHORT_SLEEP)
        self.assertEqual(expired(), before, "it sleeps for less than a lease")
        sleeper.send_signal(signal.SIGCONT)
        time.sleep(0.5)
        sleeper.send_signal(signal.SIGSTOP)
        wait_until(lambda: expired() > before, 3 * LEASE_SECONDS, "its lease runs out")
        # The job may need it: where it holds the device, which both share, the other cannot go on.
        sleeper.send_signal(signal.SIGCONT)
        code, out, err = self.finish(tune)
        self.assertEqual(code, 0, out + err)
        self.assert_nothing_lost(server, *workers)
        self.assertIn("30 schedules", out)


if __name__ == "__main__":
    unittest.main()
