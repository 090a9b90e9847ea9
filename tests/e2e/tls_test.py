# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Server, workers and users with certificates: a job done over two addresses and two network namespaces; whoever has the
wrong certificate is refused in one line, on both sides; what expires is renewed without a restart."""

import hashlib
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import unittest

from harness import BIN, FAST, EndToEndTest, wait_until
from invariants import acknowledged_leases, broken_in_log, sees_a_loss

CERTIFICATE, FORBIDDEN, USAGE = 6, 7, 2
WHOLE = os.environ.get("MMTUNE_TEST_WHOLE", "0") != "0"
SEED = int(os.environ.get("MMTUNE_TEST_SEED") or time.time())
JOB = ["matmul", "40x40x40", "--strategy", "random", *FAST]


class Fleet(EndToEndTest):
    def setUp(self):
        super().setUp()
        self.tune_ok("certs", "init", "--ca", f"{self.folder}/ca")
        self.issue("server", "coordinator", "--host", "127.0.0.2")

    def issue(self, role, name, *args, ca="ca"):
        """Makes "<folder>/<name>"; the options that use it."""
        self.tune_ok("certs", "issue", role, name, "--ca", f"{self.folder}/{ca}", "--folder", f"{self.folder}/{name}",
                     "--force", *args)
        return self.options(name)

    def issue_expiring(self, role, name, *args):
        """Makes one that is valid for a second; what waits until it is over, if that is still to come."""
        self.issue(role, name, "--valid", "1s", *args)
        over = time.time() + 2.5  # its times are whole seconds
        return lambda: self.await_time(over)

    @staticmethod
    def await_time(then):
        """By the clock that certificates are valid by, which may be stepped meanwhile."""
        while time.time() < then:
            time.sleep(min(0.5, max(0.01, then - time.time())))

    def options(self, name, ca="ca"):
        files = f"{self.folder}/{name}/{name}"
        return ["--tls-ca", f"{self.folder}/{ca}/ca.crt", "--tls-cert", f"{files}.crt", "--tls-key", f"{files}.key"]

    def assert_nothing_lost(self, server, *workers):
        """Ends them all: what the workers were told is kept is in the log, and the checker would see if it were not. The
        leases whose measurements they reported."""
        leases = set()
        for worker in workers:
            self.stop(worker)
            text = "".join(self.said[worker.pid])
            self.assertNotIn("reports_left", text)
            leases |= acknowledged_leases(text)
        self.stop(server)
        self.assertTrue(leases)
        self.assertEqual(broken_in_log(self.log, leases), [])
        self.assertTrue(sees_a_loss(self.log, leases))
        self.assert_no_processes()
        return leases

    def start_fleet_server(self, *args):
        server, address = self.start_server(*args, guard=self.options("coordinator"), host="127.0.0.2")
        return self.listen(server), address

    def start_worker(self, address, name, *args, tls=True):
        return super().start_worker(address, name, *(self.options(name) if tls else ()), *args)

    def status(self, address, user="alice"):
        return super().status(address, *self.options(user))

    def assert_done(self, result, trials):
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assert_table(result.stdout)
        self.assertIn(f"{trials} schedules", result.stdout)


class TlsTest(Fleet):
    def test_a_job_over_two_addresses(self):
        user = self.issue("client", "alice")
        self.issue("worker", "gpu-a")
        server, address = self.start_fleet_server()
        worker = self.start_worker(address, "gpu-a")
        self.assertTrue(address.startswith("127.0.0.2:"), address)
        self.assert_done(self.tune(*JOB, "--trials", "2", "--server", address, *user), 2)
        info = self.status(address)
        self.assertEqual(info["jobs"][0]["spec"]["owner"], "alice")
        self.assertRegex(info["workers"][0]["worker_id"], r"\Agpu-a/")
        text = self.tune_ok("status", "--server", address, *user).stdout
        # 90 days less what has passed since; a clock that is set back in between may leave all of them.
        self.assertRegex(text, r"certificate of the server: (89|90) d\b")
        self.assertRegex(text.split("workers\n", 1)[1], r"\b(89|90) d\b")

        # The same from the environment, and from a configuration file; who has the log is found by its lock file.
        files = dict(zip(("ca", "cert", "key"), user[1::2]))
        for name, path in files.items():
            self.environment[f"MMTUNE_TLS_{name.upper()}"] = path
        self.tune_ok("status", "--server", address)
        for name in files:
            del self.environment[f"MMTUNE_TLS_{name.upper()}"]
        os.mkdir(f"{self.folder}/config")
        os.mkdir(f"{self.folder}/config/mmtune")
        with open(f"{self.folder}/config/mmtune/config.json", "w") as config:
            json.dump({"tls": files}, config)
        self.tune_ok("status", "--server", address)
        self.assert_done(self.tune(*JOB, "--trials", "3", "--log", self.log), 3)
        with open(f"{self.folder}/config/mmtune/config.json", "w") as config:
            json.dump({"tls": files, "colour": "red"}, config)
        self.assert_one_line_error(self.tune("status", "--server", address), USAGE, "config.json", "colour")

        self.stop(worker)
        self.stop(server)
        self.assert_no_processes()

    def refuse(self, code, address, *words, options=(), program="tune", command=("status",)):
        result = self.run_program(program, *command, "--server", address, *options, seconds=60)
        if program == "tune":
            return self.assert_one_line_error(result, code, *words)
        self.assertEqual(result.returncode, code, result.stderr)
        last = result.stderr.splitlines()[-1]
        self.assertTrue(last.startswith("mmtune-worker: "), result.stderr)
        for word in words:
            self.assertIn(word, last)

    def test_every_wrong_certificate_is_refused_in_a_line_on_both_sides(self):
        self.tune_ok("certs", "init", "--ca", f"{self.folder}/other")
        revoked = f"{self.folder}/ca/revoked"
        with open(revoked, "w"):
            pass
        server, address = self.start_fleet_server("--tls-revoked", revoked)
        worker = {"program": "mmtune-worker", "command": ("--device", "simt", "--spool", f"{self.folder}/spool")}
        good = self.issue("client", "alice")
        self.issue("worker", "gpu-a")
        await_expiry = self.issue_expiring("client", "late")

        # None: not sent at all where the user said nothing; the server says who hung on.
        self.refuse(CERTIFICATE, address, "hangs up", "--tls-cert", options=())
        self.wait_for_line(server, "refused", "a peer without TLS", "Handshake failed")
        said = subprocess.run(["openssl", "s_client", "-connect", address, "-alpn", "h2"],
                              input="GET / HTTP/1.0\r\n\r\n", capture_output=True, text=True, timeout=30, check=False)
        self.assertNotIn("HTTP/", said.stdout)
        self.wait_for_line(server, "refused", "a peer without a certificate")

        # Of another authority, whether the user trusts ours or not.
        self.issue("client", "mallory", ca="other")
        self.refuse(CERTIFICATE, address, "mallory.crt", "not issued by our authority", options=self.options("mallory"))
        self.refuse(CERTIFICATE, address, "not to be trusted", options=self.options("mallory", ca="other"))
        with open(f"{self.folder}/both.crt", "w") as both:
            for ca in ("ca", "other"):
                with open(f"{self.folder}/{ca}/ca.crt") as part:
                    both.write(part.read())
        trusting = ["--tls-ca", f"{self.folder}/both.crt", *self.options("mallory")[2:]]
        self.refuse(CERTIFICATE, address, "hangs up", "mallory.crt", options=trusting)
        self.wait_for_line(server, "refused", "client mallory", "not issued by our authority")
        self.issue("worker", "gpu-m", ca="other")
        self.refuse(CERTIFICATE, address, "hangs up", **worker,
                    options=["--tls-ca", f"{self.folder}/both.crt", *self.options("gpu-m")[2:]])

        # Of another role.
        self.refuse(FORBIDDEN, address, "role worker", options=self.options("gpu-a"))
        self.wait_for_line(server, "refused", "worker gpu-a", "GetServerInfo")
        self.refuse(FORBIDDEN, address, "role client", **worker, options=good)
        self.wait_for_line(server, "refused", "client alice", "Register")
        self.refuse(CERTIFICATE, address, "for this use", options=self.options("coordinator"))

        # Expired, by the clock of this host; and by that of the server alone.
        await_expiry()
        self.refuse(CERTIFICATE, address, "late.crt", "expired at", options=self.options("late"))
        self.refuse(CERTIFICATE, address, "late.crt", "expired at", **worker, options=self.options("late"))

        # Revoked by an entry on the list, while the server runs.
        self.tune_ok("status", "--server", address, *good)
        self.tune_ok("certs", "revoke", f"{self.folder}/alice/alice.crt", "--ca", f"{self.folder}/ca")
        self.tune_ok("certs", "revoke", f"{self.folder}/gpu-a/gpu-a.crt", "--ca", f"{self.folder}/ca")
        wait_until(lambda: self.tune("status", "--server", address, *good).returncode != 0, 60, "it is refused")
        self.refuse(CERTIFICATE, address, "alice.crt", "revoked", options=good)
        self.wait_for_line(server, "refused", "client alice", "revoked")
        self.refuse(CERTIFICATE, address, "gpu-a.crt", "revoked", **worker, options=self.options("gpu-a"))

        # A key that others can read.
        self.issue("client", "bob")
        os.chmod(f"{self.folder}/bob/bob.key", 0o644)
        self.refuse(USAGE, address, "bob.key", "chmod 600", options=self.options("bob"))
        self.refuse(USAGE, address, "bob.key", "chmod 600", **worker, options=self.options("bob"))
        self.assertEqual(server.poll(), None)

    def test_an_authority_that_is_taken_out_is_refused_on_open_connections(self):
        self.tune_ok("certs", "init", "--ca", f"{self.folder}/other")

        def trust(file, *authorities):
            texts = []
            for ca in authorities:
                with open(f"{self.folder}/{ca}/ca.crt") as part:
                    texts.append(part.read())
            with open(f"{file}.new", "w") as new:
                new.write("".join(texts))
            os.rename(f"{file}.new", file)

        trusted, both = f"{self.folder}/trusted.crt", f"{self.folder}/both.crt"
        for file in (trusted, both):
            trust(file, "ca", "other")
        server, address = self.start_server(guard=["--tls-ca", trusted, *self.options("coordinator")[2:]], host="127.0.0.2")
        self.listen(server)
        alice, eve = self.issue("client", "alice"), self.issue("client", "eve", ca="other")
        watch = ["status", "--server", address, "--watch", "0.2", "--json"]
        ours = self.start("tune", *watch, *alice)
        theirs = self.start("tune", *watch, "--tls-ca", both, *eve[2:])
        for one in (ours, theirs):
            self.assertEqual(json.loads(one.stdout.readline())["jobs"], [])
        trust(trusted, "ca")
        _, err = theirs.communicate(timeout=60)  # a connection lives for 10 min
        self.assertEqual(theirs.returncode, CERTIFICATE)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn("eve.crt", err)
        self.wait_for_line(server, "refused", "client eve", "not issued by our authority")
        for _ in range(3):
            self.assertEqual(json.loads(ours.stdout.readline())["jobs"], [])
        self.assertIsNone(ours.poll())

    def make_root(self):
        """An authority that is not of tune certs: "<folder>/root.crt" and ".key"."""
        root = f"{self.folder}/root"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-subj", "/CN=root", "-days", "2", "-keyout", f"{root}.key", "-out", f"{root}.crt"], check=True,
                       capture_output=True, timeout=60)
        return root

    def issue_by_openssl(self, name, issuer, extensions):
        """"<folder>/<name>", where ".key" and ".crt" are."""
        path = f"{self.folder}/{name}"
        with open(f"{path}.ext", "w") as file:
            file.write(extensions)
        openssl = lambda *words: subprocess.run(["openssl", *words], check=True, capture_output=True, timeout=60)
        openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                f"/CN={name}", "-keyout", f"{path}.key", "-out", f"{path}.csr")
        openssl("x509", "-req", "-in", f"{path}.csr", "-CA", f"{issuer}.crt", "-CAkey", f"{issuer}.key",
                "-set_serial", str(len(name)), "-days", "2", "-extfile", f"{path}.ext", "-out", f"{path}.crt")
        os.chmod(f"{path}.key", 0o600)
        return path

    def test_an_authority_between_ours_and_the_certificate(self):
        root = self.make_root()
        between = self.issue_by_openssl("between", root, "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n")
        options = []
        for name, extensions in (("server", "extendedKeyUsage=serverAuth\nsubjectAltName=IP:127.0.0.2\n"),
                                 ("alice", "extendedKeyUsage=clientAuth\nsubjectAltName=URI:mmtune:client/alice\n")):
            path = self.issue_by_openssl(name, between, extensions)
            with open(f"{path}.crt", "a") as chain, open(f"{between}.crt") as behind:
                chain.write(behind.read())
            options.append(["--tls-ca", f"{root}.crt", "--tls-cert", f"{path}.crt", "--tls-key", f"{path}.key"])
        _, address = self.start_server(guard=options[0], host="127.0.0.2")
        self.tune_ok("status", "--server", address, *options[1])

    def test_a_certificate_must_name_its_use(self):
        root = self.make_root()
        server_names, client_names = "subjectAltName=IP:127.0.0.2\n", "subjectAltName=URI:mmtune:client/alice\n"
        uses = {"none": "", "any": "extendedKeyUsage=anyExtendedKeyUsage\n", "code": "extendedKeyUsage=codeSigning\n",
                "server": "extendedKeyUsage=serverAuth\n", "client": "extendedKeyUsage=clientAuth\n"}
        paths = {}
        for use, extension in uses.items():
            for role, names in (("for-server", server_names), ("for-client", client_names)):
                paths[role, use] = self.issue_by_openssl(f"{role}-{use}", root, extension + names)
        options = lambda path: ["--tls-ca", f"{root}.crt", "--tls-cert", f"{path}.crt", "--tls-key", f"{path}.key"]

        for use in ("none", "any", "code", "client"):
            with self.subTest(server=use):
                result = self.run_program("mmtune-server", "--listen", "127.0.0.2:0", "--log", self.log,
                                          *options(paths["for-server", use]), seconds=60)
                self.assert_one_line_error(result, CERTIFICATE, "for this use" if use != "none" else "key usage is missing")
        server, address = self.start_server(guard=options(paths["for-server", "server"]), host="127.0.0.2")
        self.listen(server)
        user = options(paths["for-client", "client"])
        self.tune_ok("status", "--server", address, *user)

        host, _, port = address.rpartition(":")
        for use in uses:
            with self.subTest(client=use):
                # Ours refuses its own certificate; the server that of somebody else's program.
                if use != "client":
                    result = self.tune("status", "--server", address, *options(paths["for-client", use]), seconds=60)
                    self.assert_one_line_error(result, CERTIFICATE, "for this use" if use != "none" else "key usage is missing")
                context = ssl.create_default_context(cafile=f"{root}.crt")
                context.set_alpn_protocols(["h2"])
                context.load_cert_chain(paths["for-client", use] + ".crt", paths["for-client", use] + ".key")
                said = b""
                with socket.create_connection((host, int(port)), 20) as plain:
                    try:
                        with context.wrap_socket(plain, server_hostname=host) as connection:
                            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
                            said = connection.recv(9)  # the settings of HTTP/2
                    except OSError:
                        pass
                self.assertEqual(len(said) > 0, use == "client", said)

        for use in uses:
            with self.subTest(impostor=use):
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(paths["for-server", use] + ".crt", paths["for-server", use] + ".key")
                context.set_alpn_protocols(["h2"])
                with socket.create_server(("127.0.0.2", 0)) as impostor:
                    heard = []

                    def accept():
                        while True:
                            try:
                                plain, _ = impostor.accept()
                                with context.wrap_socket(plain, server_side=True) as connection:
                                    heard.append(connection.recv(100))
                            except ssl.SSLError:
                                continue
                            except OSError:
                                return
                    thread = threading.Thread(target=accept, daemon=True)
                    thread.start()
                    result = self.tune("status", "--server", f"127.0.0.2:{impostor.getsockname()[1]}", *user, seconds=60)
                    self.assertNotEqual(result.returncode, 0)
                    if use != "server":
                        self.assert_one_line_error(result, CERTIFICATE, "is not to be trusted")
                        self.assertEqual([data for data in heard if data], [])
                    else:
                        self.assertTrue(any(heard), result.stderr)
                    impostor.shutdown(socket.SHUT_RDWR)

    def test_who_listens_is_checked_too(self):
        user = self.issue("client", "alice")
        # The certificate of a worker is not that of a server, and a server's is for its hosts.
        self.issue("worker", "gpu-a")
        for name, code, word in (("gpu-a", CERTIFICATE, "for this use"), ("absent", USAGE, "--tls-cert")):
            result = self.run_program("mmtune-server", "--listen", "127.0.0.2:0", "--log", self.log,
                                      *self.options(name), seconds=60)
            self.assert_one_line_error(result, code, word)
        self.assertFalse(os.path.exists(self.log))
        server, address = self.start_server(guard=self.options("coordinator"), host="127.0.0.3")
        self.assert_one_line_error(self.tune("status", "--server", address, *user), CERTIFICATE, "other hosts")
        self.listen(server).terminate()
        server.wait(40)
        plain, address = self.start_server()
        self.assert_one_line_error(self.tune("status", "--server", address, *user), CERTIFICATE, "does not speak TLS")
        self.assertIn("without_tls", self.wait_for_line(self.listen(plain), "without_tls"))

    def test_a_renewed_certificate_that_cannot_be_used_is_not_taken(self):
        user = self.issue("client", "alice")
        await_expiry = self.issue_expiring("server", "late", "--host", "127.0.0.2")
        server, address = self.start_fleet_server()
        files = f"{self.folder}/coordinator/coordinator"
        os.mkdir(f"{self.folder}/good")
        for end in ("crt", "key"):
            shutil.copy(f"{files}.{end}", f"{self.folder}/good/")

        def replace(end, text):
            with open(f"{files}.new", "w") as file:
                file.write(text)
            os.chmod(f"{files}.new", 0o600)
            os.rename(f"{files}.new", f"{files}.{end}")

        def pair(path):
            with open(f"{path}.crt") as cert, open(f"{path}.key") as key:
                return {"crt": cert.read(), "key": key.read()}

        def unusable():
            return [line for line in self.said[server.pid] if "certificate_unusable" in line]

        watched = SEED % 3
        print(f"seed {SEED} (MMTUNE_TEST_SEED repeats it)", file=sys.stderr)
        await_expiry()
        expired, good = pair(f"{self.folder}/late/late"), pair(f"{self.folder}/good/coordinator")
        # Files are replaced one by one: where that takes long, what is there in between is a line, too.
        for number, (changes, word) in enumerate(((((("key", expired["key"]),)), "is not the key"),
                                                  ((("key", good["key"]), ("crt", "garbage")), "no certificate"),
                                                  ((("key", expired["key"]), ("crt", expired["crt"])), "expired at"))):
            before = len(unusable())
            for end, text in changes:
                replace(end, text)
            wait_until(lambda: any(word in line for line in unusable()[before:]), 60, word)
            if WHOLE or number == watched:
                said = len(unusable())
                time.sleep(2.5)  # gRPC would have taken it by now; and the line is not said again
                self.assertEqual(len(unusable()), said)
            status = self.tune_ok("status", "--server", address, *user).stdout
            self.assertIn("its renewed certificate cannot be used: ", status)
            self.assertIn(word, status)
            self.assertRegex(status, r"certificate of the server: (89|90) d\b")
        doctor = self.tune("doctor", "--server", address, *user)
        self.assertEqual(doctor.returncode, 1)
        self.assertRegex(doctor.stdout, r"renewal +BAD .*expired at")

        self.issue("server", "coordinator", "--host", "127.0.0.2", "--valid", "5d")
        self.wait_for_line(server, "certificate_renewed")
        wait_until(lambda: re.search(r"certificate of the server: [45] d\b",
                                     self.tune_ok("status", "--server", address, *user).stdout), 60, "the renewed certificate")
        self.assertNotIn("cannot be used", self.tune_ok("status", "--server", address, *user).stdout)

    def make_short_authority(self):
        """One that ends as soon as it has issued for a server and a client; when that is, and its folder."""
        for seconds in (2, 8, 32):  # a slow machine takes seconds to start a program
            name = f"short-{seconds}"
            self.tune_ok("certs", "init", "--ca", f"{self.folder}/{name}", "--valid", f"{seconds}s")
            over = time.time() + seconds + 1.5
            issued = [self.tune("certs", "issue", role, f"short-{role}", "--ca", f"{self.folder}/{name}", "--folder",
                                f"{self.folder}/short-{role}", "--force", *args)
                      for role, args in (("server", ["--host", "127.0.0.2"]), ("client", []))]
            if all(result.returncode == 0 for result in issued):
                return over, name
        self.fail(issued)

    def test_what_cannot_be_used_at_the_start_is_a_line(self):
        """An authority that has expired; something else than a file."""
        over, short = self.make_short_authority()
        start = ["--listen", "127.0.0.2:0", "--log", self.log]
        os.mkfifo(f"{self.folder}/fifo", 0o600)
        for what, words in ((f"{self.folder}/fifo", "FIFO"), (self.folder, "directory"), ("/dev/zero", "device")):
            for at, option in enumerate(("--tls-ca", "--tls-cert", "--tls-key")):
                options = self.options("coordinator")
                options[2 * at + 1] = what
                if what == self.folder:
                    os.chmod(what, 0o700)
                result = self.run_program("mmtune-server", *start, *options, seconds=60)
                open_to_all = what == "/dev/zero" and option == "--tls-key"
                self.assert_one_line_error(result, USAGE, option, "other users" if open_to_all else words)
        self.await_time(over)
        server = self.options("short-server", ca=short)
        self.assert_one_line_error(self.run_program("mmtune-server", *start, *server, seconds=60), CERTIFICATE,
                                   "the authority", "tune certs init")
        self.assert_one_line_error(self.tune("status", "--server", "127.0.0.2:1", *self.options("short-client", ca=short)),
                                   CERTIFICATE, "the authority")
        self.assertFalse(os.path.exists(self.log))

    def test_an_id_that_is_too_long_with_the_certificates_name(self):
        self.issue("worker", "gpu-" + "a" * 60)
        _, address = self.start_fleet_server()
        spool = f"{self.folder}/spool"
        os.mkdir(spool, 0o700)
        digest = hashlib.sha256(address.encode()).hexdigest()[:8]
        with open(f"{spool}/worker-{digest}-{'h' * 70}.spool", "w"):
            pass
        result = self.run_program("mmtune-worker", "--server", address, "--device", "simt", "--spool", spool,
                                  *self.options("gpu-" + "a" * 60), seconds=60)
        self.assertEqual(result.returncode, USAGE, result.stderr)
        self.assertIn("135 characters", result.stderr.splitlines()[-1])
        self.assertIn("--spool", result.stderr.splitlines()[-1])

    def test_what_expires_in_the_middle_of_a_job_is_renewed_without_a_restart(self):
        # Each is issued when it is needed: a slow machine takes seconds to start a program.
        self.issue("client", "alice")
        self.issue("server", "coordinator", "--host", "127.0.0.2", "--valid", "20s")
        over = time.time() + 21.5
        server, address = self.start_fleet_server()
        self.issue("worker", "gpu-a", "--valid", "12s")
        worker = self.start_worker(address, "gpu-a")
        # The control: a certificate that nobody renews ends its worker.
        self.issue("worker", "gpu-b", "--valid", "12s")
        lost = self.start_worker(address, "gpu-b", "--give-up-after", "4")
        user = self.issue("client", "carol", "--valid", "16s")
        tune = self.start("tune", *JOB, "--trials", "0", "--seconds", "600", "--server", address, *user)
        # Before its own ends, however long the others take to see theirs expire.
        self.issue("server", "coordinator", "--host", "127.0.0.2")
        line = self.wait_for_line(server, "refused", "worker gpu-a", "expired at", seconds=60)
        self.assertEqual(line.count("\n"), 1)
        self.wait_for_line(worker, "certificate_trouble", "expired at", seconds=60)
        self.assertIsNone(worker.poll())

        def measured():
            return sum(int(one["measured"]) for one in self.status(address)["workers"] if "gpu-a/" in one["worker_id"])

        before = measured()
        # While the connection of the user, too, was made with a certificate that expires before the job ends.
        for role, name in (("worker", "gpu-a"), ("client", "carol")):
            self.issue(role, name)
        wait_until(lambda: measured() > before, 60, "the worker is back")
        # A new connection sees the server's second certificate, before the first has ended and after it.
        wait_until(lambda: float(self.status(address)["certificate_seconds_left"]) > 3600, 60, "the server's new one")
        self.await_time(over)
        # What the user does then is done with the renewed one: Ctrl-C cancels the job.
        tune.send_signal(2)
        code, out, err = self.finish(tune)
        self.assertEqual(code, 130, out + err)
        self.assert_table(out)
        wait_until(lambda: self.status(address)["jobs"][0]["state"] == "cancelled", 60, "it is cancelled")
        self.assertEqual(lost.wait(60), CERTIFICATE)
        self.assert_nothing_lost(server, worker)

    def test_the_coordinator_is_restarted(self):
        user = self.issue("client", "alice")
        self.issue("worker", "gpu-a")
        server, address = self.start_fleet_server()
        worker = self.start_worker(address, "gpu-a")
        tune = self.start("tune", *JOB, "--trials", "12", "--server", address, *user)
        wait_until(lambda: any(int(one["measured"]) > 1 for one in self.status(address)["workers"]), 60, "some measured")
        server.send_signal(signal.SIGTERM)
        server.wait(20)
        self.assertEqual(self.query("SELECT state FROM job"), [("running",)])
        # A port may be bound again at once; what was connected to it is gone.
        restart = ["--listen", address, "--log", self.log]
        again = self.listen(self.start("mmtune-server", *restart, *self.options("coordinator")))
        code, out, err = self.finish(tune)
        self.assertEqual(code, 0, out + err)
        self.assertIn("12 schedules", out)
        self.assertIsNone(worker.poll())

        # The control: one with the certificate of another authority gets neither worker nor user.
        again.kill()
        again.wait(10)
        self.tune_ok("certs", "init", "--ca", f"{self.folder}/other")
        self.issue("server", "stranger", "--host", "127.0.0.2", ca="other")
        stranger = self.listen(self.start("mmtune-server", *restart, *self.options("stranger", ca="other")))
        self.wait_for_line(stranger, "listening")
        self.assert_one_line_error(self.tune("status", "--server", address, *user), CERTIFICATE, "not to be trusted")
        self.issue("client", "eve", ca="other")
        self.wait_for_line(worker, "certificate verify failed", seconds=60)
        theirs = self.tune_ok("status", "--server", address, "--json", *self.options("eve", ca="other")).stdout
        self.assertEqual(json.loads(theirs)["workers"], [])

        # Half of a certificate makes no connection, once it was looked at; when it is whole again, one is made.
        with open(f"{self.folder}/gpu-a/gpu-a.crt", "r+") as file:
            whole = file.read()
            file.truncate(len(whole) // 2)

        def refused():
            return sum("Invalid cert chain" in line for line in self.said[worker.pid])

        wait_until(refused, 60, "it finds half of it")
        self.stop(stranger)
        last = self.listen(self.start("mmtune-server", *restart, *self.options("coordinator")))
        self.wait_for_line(last, "listening")
        tried = refused()
        wait_until(lambda: refused() > tried, 60, "it tries again")
        self.assertEqual(self.status(address)["workers"], [])
        self.assertIsNone(worker.poll())
        with open(f"{self.folder}/gpu-a/gpu-a.crt", "w") as file:
            file.write(whole)
        wait_until(lambda: any(one["live"] for one in self.status(address)["workers"]), 60, "the worker is back")
        self.assert_nothing_lost(last, worker)


class NamespaceTest(Fleet):
    """The server in one network namespace, the worker and the user in another."""

    def setUp(self):
        super().setUp()
        self.spaces = [f"mmt{os.getpid()}{side}" for side in "ab"]
        if os.geteuid() != 0 or not shutil.which("ip"):
            self.skipTest("network namespaces need root and the program ip")
        for space in self.spaces:
            made = subprocess.run(["ip", "netns", "add", space], capture_output=True, text=True, check=False)
            if made.returncode != 0:
                self.skipTest(f"no network namespace can be made here: {made.stderr.strip()}")
            self.addCleanup(subprocess.run, ["ip", "netns", "del", space], check=False)
        first, second = self.spaces
        for line in (f"link add v{first} netns {first} type veth peer name v{second} netns {second}",
                     f"-n {first} addr add 10.77.0.1/24 dev v{first}", f"-n {second} addr add 10.77.0.2/24 dev v{second}",
                     f"-n {first} link set v{first} up", f"-n {second} link set v{second} up"):
            made = subprocess.run(["ip", *line.split()], capture_output=True, text=True, check=False)
            if made.returncode != 0:
                self.skipTest(f"no link between network namespaces can be made here: {made.stderr.strip()}")

    def start_in(self, space, program, *args):
        process = subprocess.Popen(["ip", "netns", "exec", space, os.path.join(BIN, program), *args],
                                   env=self.environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, errors="replace")
        self.addCleanup(self.end, process)
        return process

    def test_a_job_from_one_namespace_to_the_other(self):
        self.issue("server", "coordinator", "--host", "10.77.0.1")
        self.issue("client", "alice")
        self.issue("worker", "gpu-a")
        server = self.listen(self.start_in(self.spaces[0], "mmtune-server", "--listen", "0.0.0.0:7077", "--log", self.log,
                                           *self.options("coordinator")))
        self.assertIn("listening on 0.0.0.0:7077", server.stdout.readline())
        self.listen(self.start_in(self.spaces[1], "mmtune-worker", "--server", "10.77.0.1:7077", "--device", "simt",
                                  "--spool", f"{self.folder}/spool", *self.options("gpu-a")))
        tune = self.start_in(self.spaces[1], "tune", *JOB, "--trials", "2", "--server", "10.77.0.1:7077",
                             *self.options("alice"))
        code, out, err = self.finish(tune)
        self.assertEqual(code, 0, out + err)
        self.assertIn("2 schedules", out)


if __name__ == "__main__":
    unittest.main()
