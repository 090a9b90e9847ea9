# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An installed mmtune: its programs find each other, and another CMake project links compiled models, where it was
installed and where it was moved to."""

import os
import shutil
import subprocess
import tempfile
import textwrap
import unittest

from harness import BIN, FAST, RUN_SECONDS, EndToEndTest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.dirname(os.path.abspath(BIN))
EXAMPLES = os.path.join(ROOT, "docs/examples")
SIMT = ["--device", "simt"]


class InstallTest(EndToEndTest):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="mmtune-install-")
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        cls.installed = os.path.join(cls.scratch, "installed")
        made = subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.installed], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        cls.moved = os.path.join(cls.scratch, "moved", "elsewhere")
        os.mkdir(os.path.dirname(cls.moved))

    def setUp(self):
        super().setUp()
        self.source = os.path.join(self.folder, "source")
        self.environment.pop("LD_LIBRARY_PATH", None)

    def move(self, here, there):
        os.rename(here, there)
        self.addCleanup(os.rename, there, here)

    def command(self, *command):
        return subprocess.run(command, env=self.environment, text=True, timeout=RUN_SECONDS, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)

    def ok(self, *command):
        result = self.command(*command)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}")
        return result.stdout

    def configure(self, source, build, prefix, *options):
        return ["cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", *options]

    def project(self, *lines, languages="C"):
        """A consumer with a copy of the example's model and program in self.source."""
        shutil.copytree(EXAMPLES, self.source)
        with open(os.path.join(self.source, "CMakeLists.txt"), "w") as file:
            print("cmake_minimum_required(VERSION 3.25)", f"project(consumer LANGUAGES {languages})",
                  "find_package(mmtune REQUIRED)", *lines, sep="\n", file=file)

    def build_and_run_example(self, prefix, *options):
        build = tempfile.mkdtemp(dir=self.folder)
        self.ok(*self.configure(EXAMPLES, build, prefix, *options))
        self.ok("cmake", "--build", build)
        self.assertRegex(self.ok(os.path.join(build, "two_layer_example")), "^512 results are right; 2 kernels ran on simt")

    def test_the_example_builds_and_runs_where_it_is_installed_and_where_it_was_moved(self):
        self.build_and_run_example(self.installed)
        self.move(self.installed, self.moved)
        self.build_and_run_example(self.moved)
        self.build_and_run_example(self.moved, "-DBUILD_SHARED_LIBS=ON")

    def test_the_example_of_the_cpp_api_tunes_and_compiles_where_it_was_moved(self):
        self.move(self.installed, self.moved)
        build, library = os.path.join(self.folder, "build"), os.path.join(self.folder, "libtwo_layer.so")
        self.ok(*self.configure(os.path.join(EXAMPLES, "tuner"), build, self.moved))
        self.ok("cmake", "--build", build)
        run = [os.path.join(build, "tune_and_compile"), os.path.join(EXAMPLES, "two_layer.mlir"), library, self.log]
        said = self.ok(*run)
        self.assertRegex(said, r"GFLOP/s by fma .*\n(.*\n)*.*32x16x48; uses .*\nbuilt .*libtwo_layer.so\n")
        self.assertIn("4 of 4 schedules", said)
        self.assertRegex(self.ok("python3", os.path.join(EXAMPLES, "two_layer.py"), library), "^512 results are right")
        refused = self.command(*run[:3], os.path.join(self.folder, "no", "folder", "x.db"))
        self.assertEqual(refused.returncode, 3, refused.stdout)

    def test_installed_programs_and_the_runtime_library_need_no_llvm(self):
        self.move(self.installed, self.moved)
        installed = [os.path.join(self.moved, "bin", name) for name in os.listdir(os.path.join(self.moved, "bin"))]
        for path in [*installed, os.path.join(self.moved, "lib", "libmmtune_runtime.so")]:
            loaded = self.ok("ldd", path)
            self.assertNotRegex(loaded, r"libLLVM|libMLIR|not found", path)
        self.assertIn(f"libmmtune_llvm.so => {self.moved}/", self.ok("ldd", os.path.join(self.moved, "bin", "mmtune-worker")))

    def test_moved_programs_find_each_other_and_the_runtime_library(self):
        self.move(self.installed, self.moved)
        tune = os.path.join(self.moved, "bin", "tune")
        self.ok(tune, "matmul", "32x16x48", "--trials", "1", "--finalists", "1", "--log", self.log, *FAST)
        library = os.path.join(self.folder, "libtwo_layer.so")
        self.ok(tune, "compile", os.path.join(EXAMPLES, "two_layer.mlir"), "--log", self.log, *SIMT, "-o", library)
        ran = self.ok("python3", os.path.join(EXAMPLES, "two_layer.py"), library)
        self.assertRegex(ran, "^512 results are right on simt")
        for program in sorted(os.listdir(os.path.join(self.moved, "bin"))):
            self.ok(os.path.join(self.moved, "bin", program), "--version")

    def test_manual_pages_and_completions_lie_where_man_and_shells_look(self):
        for program in ["tune", "mmtune-server", "mmtune-worker", "mmtune-compile"]:
            for file, begin in [(f"man/man1/{program}.1", f".TH {program.upper()} 1 "),
                                (f"bash-completion/completions/{program}", f"# bash completion of {program}\n"),
                                (f"zsh/site-functions/_{program}", f"#compdef {program}\n"),
                                (f"fish/vendor_completions.d/{program}.fish", f"# fish completion of {program}\n")]:
                with open(os.path.join(self.installed, "share", file)) as text:
                    self.assertTrue(text.read().startswith(begin), file)

    def test_nothing_installed_names_the_build(self):
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.installed) for name in names]
        self.assertGreater(len(files), 10)
        for path in files:
            if path.endswith(".cmake"):
                with open(path) as file:
                    self.assertNotIn(ROOT, file.read(), path)
            elif os.path.basename(os.path.dirname(path)) in ["bin", "lib"]:
                self.assertNotIn(ROOT, self.ok("readelf", "--dynamic", path), path)

    def test_a_spec_is_used_and_the_model_compiled_anew_when_it_changes(self):
        self.project("mmtune_add_model(two_layer two_layer.mlir SHARED DEVICE simt SPEC spec.json OPTIONS -O 3)",
                     "add_executable(consumer two_layer.c)", "target_link_libraries(consumer two_layer)")
        tune = os.path.join(self.installed, "bin", "tune")
        for problem in [["32x48x64", "--epilogue", "bias,relu"], ["32x16x48"]]:
            self.ok(tune, "matmul", *problem, "--trials", "1", "--finalists", "1", "--log", self.log, *FAST)
            # The first spec lacks the second product.
            self.ok(tune, "records", "spec", "--log", self.log, "--force", "-o", os.path.join(self.source, "spec.json"))
            build = os.path.join(self.folder, "build")
            if not os.path.exists(build):
                self.ok(*self.configure(self.source, build, self.installed))
                self.assertIn("32x16x48; uses", self.ok("cmake", "--build", build))
            else:
                again = self.ok("cmake", "--build", build)
                self.assertIn("Compiling model two_layer", again)
                self.assertNotIn("; uses", again)
            self.assertIn("512 results are right", self.ok(os.path.join(build, "consumer")))
            self.assertIn("no work to do", self.ok("cmake", "--build", build))
        os.utime(os.path.join(self.source, "two_layer.mlir"))
        self.assertIn("Compiling model two_layer", self.ok("cmake", "--build", build))

    def test_a_project_of_cpp_alone_links_a_model(self):
        self.project("mmtune_add_model(two_layer two_layer.mlir DEVICE simt ARCH sm_80)",
                     "add_executable(consumer main.cc)", "target_link_libraries(consumer two_layer)", languages="CXX")
        with open(os.path.join(self.source, "main.cc"), "w") as file:
            file.write(textwrap.dedent("""\
                #include <cstdio>
                #include "libtwo_layer.h"
                #include "mmtune_runtime.h"
                int main() {
                  std::puts(mmtune_version());
                  return _mlir_ciface_forward == nullptr;
                }
                """))
        build = os.path.join(self.folder, "build")
        self.ok(*self.configure(self.source, build, self.installed))
        self.ok("cmake", "--build", build)
        self.assertRegex(self.ok(os.path.join(build, "consumer")), r"^\d+\.\d+\.\d+\n$")

    def test_what_mmtune_add_model_does_not_understand_is_refused(self):
        for arguments, words in [("", "give ARCH (sm_75, sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120, sm_120a) or DEVICE simt"),
                                 ("DEVICE simt SHRED", "SHRED"), ("DEVICE simt SPEC", "without a value"),
                                 ("DEVICE simt STATIC SHARED", "STATIC or SHARED")]:
            shutil.rmtree(self.source, ignore_errors=True)
            self.project(f"mmtune_add_model(two_layer two_layer.mlir {arguments})")
            build = tempfile.mkdtemp(dir=self.folder)
            refused = self.command(*self.configure(self.source, build, self.installed))
            self.assertNotEqual(refused.returncode, 0, arguments)
            self.assertIn(words, " ".join(refused.stdout.split()))


if __name__ == "__main__":
    unittest.main()
