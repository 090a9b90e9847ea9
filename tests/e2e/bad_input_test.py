# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Everything that can be wrong with the input: one line, its own exit code, nothing lost, no hang."""

import os
import socket
import sqlite3
import unittest

from harness import FAST, EndToEndTest

MATMUL = ["matmul", "16x16x16", "--trials", "1", *FAST]


class BadInputTest(EndToEndTest):
    def refuse(self, code, *args, words=()):
        self.assert_one_line_error(self.tune(*args, seconds=60), code, *words)

    def test_sizes(self):
        for shape in ["0x16x16", "-1x16x16", "16x16", "16x16x16x16", "axbxc", "16x16x1.5", "99999999999999999999x1x1",
                      "4611686018427387904x4x1", ""]:
            with self.subTest(shape=shape):
                self.refuse(2, "matmul", shape, "--log", self.log)
        self.assertFalse(os.path.exists(self.log))

    def test_sizes_past_the_memory_of_the_device(self):
        self.refuse(2, "matmul", "1000000x1000000x1000", "--log", self.log, "--device", "simt",
                    words=["1000000x1000000x1000", "smaller problem"])
        self.assert_no_processes()

    def test_words(self):
        for extra in [["--dtype", "f99"], ["--device", "tpu"], ["--strategy", "guess"], ["--arch", "sm_1"],
                      ["--trials", "-1"], ["--trials", "0"], ["--seconds", "nan"], ["--frob"],
                      ["--server", "127.0.0.1:1"]]:
            with self.subTest(extra=extra):
                self.refuse(2, "matmul", "16x16x16", "--log", self.log, *extra)

    def test_what_is_refused_leaves_no_log(self):
        new = f"{self.folder}/new/new.db"
        os.mkdir(f"{self.folder}/new")
        bad = f"{self.folder}/bad.jsonl"
        with open(bad, "w") as file:
            file.write("{}\n")
        for words in (["matmul", "32x32x32", "--only", "fma bm=7", "--device", "simt"],
                      ["matmul", "32x32x32", "--only", "fma nosuch=7", "--device", "simt"],
                      ["matmul", "32x32x32", "--only", "nosuch bm=7", "--device", "simt"],
                      ["matmul", "32x32x32", "--numerics", "fast", "--device", "simt"],
                      ["matmul", "32x32x32", "--numerics", "same-as=1", "--device", "simt"],
                      ["matmul", "32x32x32", "--numerics", "same-as=no order", "--device", "simt"],
                      ["matmul", "200000x200000x200000", "--device", "simt"],
                      ["matmul", "32x32x32", "--device", "cuda:77"], ["ladder", "32x32x32", "--device", "cuda:77"],
                      ["records", "import", bad], ["records", "import", "/dev/zero"]):
            with self.subTest(words=words):
                result = self.tune(*words, "--log", new, seconds=60)
                self.assertNotEqual(result.returncode, 0, result.stdout)
                self.assertEqual(os.listdir(f"{self.folder}/new"), [])

    def test_no_cuda_device(self):
        if os.path.exists("/dev/nvidiactl"):
            self.skipTest("this machine has a CUDA device")
        self.refuse(5, "matmul", "16x16x16", "--device", "cuda", "--log", self.log, words=["CUDA"])
        self.assert_no_processes()

    def test_an_unreachable_server(self):
        self.refuse(4, "matmul", "16x16x16", "--server", "127.0.0.1:1", words=["no mmtune server answers"])
        self.refuse(4, "status", "--server", f"unix:{self.folder}/nobody.sock")

    def test_a_server_on_another_host(self):
        # Refused before anything is sent.
        self.refuse(2, "matmul", "16x16x16", "--server", "gpu-box:7077", words=["--tls-ca", "ssh"])
        self.refuse(2, "status", "--server", "gpu-box:7077", words=["--tls-ca"])

    def test_a_server_that_is_none(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            self.refuse(4, "matmul", "16x16x16", "--server", "127.0.0.1:%d" % silent.getsockname()[1])

    def test_a_foreign_file(self):
        with open(self.log, "w") as log:
            log.write("this is not a database\n" * 100)
        self.refuse(3, *MATMUL, "--log", self.log, words=[self.log])
        self.refuse(3, "records", "list", "--log", self.log)
        with open(self.log) as log:
            self.assertEqual(log.read(), "this is not a database\n" * 100)

    def test_a_foreign_database(self):
        connection = sqlite3.connect(self.log)
        connection.execute("CREATE TABLE other (x)")
        connection.commit()
        connection.close()
        self.refuse(3, *MATMUL, "--log", self.log)
        self.assertEqual(self.query("SELECT name FROM sqlite_master"), [("other",)])

    def test_a_newer_log(self):
        self.tune_ok(*MATMUL, "--log", self.log)
        connection = sqlite3.connect(self.log)
        connection.execute("PRAGMA user_version = 9999")
        connection.commit()
        connection.close()
        self.refuse(9, *MATMUL, "--log", self.log)
        self.refuse(9, "records", "list", "--log", self.log)

    def test_a_corrupt_log(self):
        self.tune_ok(*MATMUL, "--log", self.log)
        size = os.path.getsize(self.log)
        with open(self.log, "r+b") as log:
            log.seek(4096)
            log.write(bytes(range(256)) * ((size - 4096) // 256))
        self.refuse(3, *MATMUL, "--log", self.log)

    def test_a_log_that_cannot_be_written(self):
        self.refuse(3, *MATMUL, "--log", f"{self.folder}/nowhere/tuning.db", words=[f"{self.folder}/nowhere"])
        self.refuse(3, *MATMUL, "--log", self.folder)
        if os.geteuid() != 0:
            os.mkdir(f"{self.folder}/locked", 0o500)
            self.refuse(3, *MATMUL, "--log", f"{self.folder}/locked/tuning.db")

    def test_a_second_server_on_one_log(self):
        server, address = self.start_server()
        second = self.run_program("mmtune-server", "--listen", "127.0.0.1:0", "--insecure-loopback", "--log", self.log,
                                  seconds=60)
        self.assert_one_line_error(second, 3, self.log, str(server.pid))
        self.tune_ok("status", "--server", address)
        server.terminate()
        self.assertEqual(self.finish(server, 30)[0], 0)

    def test_addresses_a_server_refuses(self):
        for listen in ["0.0.0.0:0", "127.0.0.1:0", "nonsense", "127.0.0.1:99999"]:
            result = self.run_program("mmtune-server", "--listen", listen, "--log", self.log, seconds=60)
            self.assert_one_line_error(result, 2)
        self.assertEqual(self.run_program("mmtune-server", seconds=60).returncode, 2)

    def test_options_of_the_daemons(self):
        worker = ["--server", f"unix:{self.folder}/none.sock"]
        for words in [["--server", ""], [*worker, "--spool", ""], [*worker, "--compile-jobs", "99999999999999999999"],
                      [*worker, "--compile-jobs", "0x4"], [*worker, "--give-up-after", "nan"]]:
            with self.subTest(words=words):
                self.assert_one_line_error(self.run_program("mmtune-worker", *words, seconds=60), 2, words[-2])
        for words in [["--log", ""], ["--log", self.log, "--listen", ""]]:
            with self.subTest(words=words):
                self.assert_one_line_error(self.run_program("mmtune-server", *words, seconds=60), 2, words[-2])

    def test_options_of_the_compiler(self):
        model = f"{self.folder}/model.mlir"
        with open(model, "w") as file:
            file.write("func.func @f(%a: memref<4xf32>) { return }\n")
        for words in [["--repeat", "99999999999999999999"], ["--repeat", "0x2"], ["--check", "--tolerance", "nan"],
                      ["-O", "9"], ["--spec", ""], ["--arg", ""], ["--arch", ""]]:
            with self.subTest(words=words):
                result = self.run_program("mmtune-compile", model, "--device", "simt", "--run", "f", *words, seconds=60)
                self.assert_one_line_error(result, 2, words[-2])

    def test_records_import(self):
        self.refuse(2, "records", "import", f"{self.folder}/absent", "--log", self.log)
        hostile = f"{self.folder}/hostile.jsonl"
        with open(hostile, "w") as file:
            file.write('{"not": "a record"}\n')
        self.refuse(2, "records", "import", hostile, "--log", self.log, words=["line 1"])


if __name__ == "__main__":
    unittest.main()
