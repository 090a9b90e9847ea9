# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which mutants are worth a build, and that a table goes on where it was stopped. Needs nothing installed."""
import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import mutants
import ptx_mutants
from mutants import Mutant, is_worth_a_build

loader = importlib.machinery.SourceFileLoader("run", os.path.join(HERE, "run"))
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)


class WorthABuildTest(unittest.TestCase):
    def test_changes_of_behaviour_are(self):
        for before, after in [
            ("queue.push_front(id);", "queue.push_back(id);"),
            ("constexpr double kUnitRoundoff = 0x1p-24;", "constexpr double kUnitRoundoff = 0x1p-(24-1);"),
            ("if (fdatasync(fd_) != 0) return Errno();", "if ((fd_ < 0 ? -1 : 0) != 0) return Errno();"),
            ("return a || b >= wanted;", "return a || b > wanted;"),
            ("return a || b >= wanted;", "return a && b >= wanted;"),
            ("text += 'x';", "/*text += 'x';*/"),
            ("return value;", "return {};"),
            ("i++;", "i--;"),
        ]:
            self.assertTrue(is_worth_a_build(before, after), (before, after))

    def test_what_does_not_compile_or_is_a_text_is_not(self):
        for before, after in [
            ("std::vector<int> x;", "std::vector>int> x;"),
            ("std::istreambuf_iterator<char> x;", "std::istreambuf_iterator<=char> x;"),
            ("const X& x = y;", "const X| x = y;"),
            ("int64_t x = 0;", "int(64+1)_t x = 0;"),
            ("--timings_;", "--timaxgs_;"),
            ("if (a == b) {", "if (a == b {"),
            ("if (a <= b) {", "if (a <== b) {"),
            ('Fail("a - b");', 'Fail("a + b");'),
            ('Fail("why");', 'Fail("");'),
            ("int64_t x = 0;", ""),
            ("return x;", "/*return x;*/"),
            ("out << x;", "out >> x;"),
            ("++i;", "+*i;"),
        ]:
            self.assertFalse(is_worth_a_build(before, after), (before, after))

    def test_a_seed_gives_one_order(self):
        some = [Mutant("a.cc", line, "x", after) for line in range(20) for after in "yz"]
        self.assertEqual(mutants.order(some, 1), mutants.order(list(reversed(some)), 1))
        self.assertNotEqual(mutants.order(some, 1), mutants.order(some, 2))


class Judged:
    """A judge that has its verdicts by line."""

    def __init__(self, verdicts):
        self.verdicts, self.asked = verdicts, []

    def judge(self, mutant):
        self.asked.append(mutant.line)
        return self.verdicts[mutant.line], "why"


class TableTest(unittest.TestCase):
    def test_goes_on_and_replaces_what_does_not_count(self):
        drawn = [Mutant("a.cc", line, "x | y", "x & y") for line in range(6)]
        verdicts = ["caught", "invalid", "caught", "equivalent", "missed", "caught"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.tsv")
            tried, counted = run.judge_sample(drawn, 2, run.Table(path), Judged(verdicts))
            self.assertEqual([mutant.line for mutant in counted], [0, 2])
            with open(path, "a", encoding="utf-8") as table:
                table.write("a.cc\t4\tx | y")  # cut short
            judge = Judged(verdicts)
            tried, counted = run.judge_sample(drawn, 3, run.Table(path), judge)
            self.assertEqual([mutant.line for mutant in counted], [0, 2, 4])
            self.assertEqual(judge.asked, [3, 4])
            self.assertEqual(len(tried), 5)
            self.assertEqual([row["verdict"] for row in run.Table(path).rows.values()], verdicts[:5])


class PtxMutantsTest(unittest.TestCase):
    PTX = """.visible .entry first() {
	bar.sync 	0;
}
.visible .entry k() {
	@%p1 bra 	$done;
	@!%p2 st.shared.v4.b32 	[%r1+8], {%r2, %r3, %r4, %r5};
	cp.async.cg.shared.global [ %r1 + 0 ], [ %rd1 + 0 ], 0x10, %r2;
	cp.async.wait_group 	0x0;
	fence.proxy.async.shared::cta;
	ld.param.b64 	%rd1, [k_param_0];
	mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r1], %r2;
	ret;
}
"""

    def test_each_kind_is_made_of_the_kernel_alone(self):
        found = ptx_mutants.mutants_of("k", self.PTX, "k")
        self.assertEqual([(mutant.line, mutant.kind, mutant.after.strip()) for mutant in found],
                         [(5, "predicate", "@!%p1 bra \t$done;"),
                          (6, "predicate", "st.shared.v4.b32 \t[%r1+8], {%r2, %r3, %r4, %r5};"),
                          (6, "address", "@!%p2 st.shared.v4.b32 \t[%r1+24], {%r2, %r3, %r4, %r5};"),
                          (7, "address", "cp.async.cg.shared.global [%r1+16], [ %rd1 + 0 ], 0x10, %r2;"),
                          (7, "address", "cp.async.cg.shared.global [ %r1 + 0 ], [%rd1+16], 0x10, %r2;"),
                          (8, "wait", "// removed"),
                          (9, "fence", "// removed"),
                          (11, "wait", "setp.eq.u32 %p3, 0, 0;")])
        self.assertEqual([mutant.line for mutant in ptx_mutants.mutants_of("k", self.PTX, "", ["barrier"])], [2])

    def test_table_counts_what_was_caught(self):
        counts = {"k": {"fence": {"all": 3, "caught": 2, "missed": 1}}}
        self.assertIn("| k | - | - | - | 2 / 3 | - | - | 1 |", ptx_mutants.table_of(counts))


if __name__ == "__main__":
    unittest.main()
