// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of control flow, barriers of blocks and fences.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/kernels/simulator/ptx/block_programs.h"

namespace mmtune::ptx {
namespace {

/// The thread's word of `out` becomes that of the other warp, which this one stored before `meet`.
std::string exchange(const std::string& meet) {
  return "st.shared.u32 [%r2], %r0; " + meet +
         " xor.b32 %r3, %r0, 32; mad.lo.u32 %r3, %r3, 4, %r1; ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd2], %r4;";
}
std::vector<uint32_t> exchanged() {
  return perThread([](uint32_t t) { return t ^ 32; });
}

/// An instruction that changes nothing.
std::vector<Program> unchanged(const std::string& instruction) {
  return {{instruction + " st.global.u32 [%rd2], %r0;", perThread([](uint32_t t) { return t; })}};
}

std::vector<Program> barrierPrograms(const Opcode& opcode) {
  const std::string op = opcode.text();
  if (opcode.has("sync") && opcode.has("warp"))
    return {{"st.shared.u32 [%r2], %r0; " + op +
                 " 0xffffffff; xor.b32 %r3, %r2, 64; ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd2], %r4;",
             perThread([](uint32_t t) { return t ^ 16; })}};
  if (opcode.has("sync")) {
    std::vector<Program> programs = {{exchange(op + " 0;"), exchanged()},
                                     {exchange(op + " 1, 64;"), exchanged()},
                                     {exchange("mov.u32 %r9, 5; " + op + " %r9;"), exchanged()}};
    // Of two barriers that are not the same each orders its own threads only.
    programs.push_back({exchange(op + " 0; setp.lt.u32 %p1, %r0, 32; @%p1 st.shared.u32 [%r2], 9; @%p1 " + op +
                                 " 1, 32; @!%p1 " + op + " 2, 32;"),
                        {}});
    programs.back().finding = "race";
    return programs;
  }
  if (opcode.has("arrive")) {
    const std::string sync = absl::StrReplaceAll(op, {{"arrive", "sync"}});
    const std::string first = "mov.u32 %r4, 7; setp.lt.u32 %p1, %r0, 32; @!%p1 bra second; st.shared.u32 [%r2], %r0; ";
    const std::string second = " bra done; second: " + sync +
                               " 1, 64; xor.b32 %r3, %r0, 32; mad.lo.u32 %r3, %r3, 4, %r1; ld.shared.u32 %r4, [%r3]; "
                               "done: st.global.u32 [%rd2], %r4;";
    return {{first + op + " 1, 64;" + second, perThread([](uint32_t t) { return t < 32 ? 7 : t - 32; })},
            {first + second, {}, 64, 1, {}, "deadlock"}};
  }
  // Reductions of predicates: of a third of the threads, and of all or none.
  const std::string set =
      "rem.u32 %r3, %r0, 3; setp.eq.u32 %p1, %r3, 0; setp.lt.u32 %p2, %r0, 64; setp.gt.u32 %p3, %r0, 63; ";
  const std::string store = " st.global.u32 [%rd2], %r4; st.global.u32 [%rd2+256], %r5;";
  auto both = [](uint32_t first, uint32_t second) {
    std::vector<uint32_t> words(128, first);
    std::fill(words.begin() + 64, words.end(), second);
    return words;
  };
  if (opcode.has("popc"))
    return {{set + op + " %r4, 0, %p1; " + op + " %r5, 1, 64, !%p1;" + store, both(22, 42)},
            {set + op + " %r4, 0, %p2; " + op + " %r5, 1, 64, %p3;" + store, both(64, 0)}};
  const std::string select = " selp.u32 %r4, 1, 0, %p4; selp.u32 %r5, 1, 0, %p5;" + store;
  if (opcode.has("and")) return {{set + op + " %p4, 0, %p1; " + op + " %p5, 1, 64, %p2;" + select, both(0, 1)}};
  return {{set + op + " %p4, 0, %p1; " + op + " %p5, 1, 64, !%p2;" + select, both(1, 0)}};
}

/// Block 0 writes a word, and then a flag for which block 1 waits. Fences between them make the word visible, if their
/// scope has both blocks.
std::vector<Program> fencePrograms(const Opcode& opcode) {
  const std::string op = opcode.text();
  if (absl::StrContains(op, "sync_restrict")) return unchanged(op + ";");
  const bool isOfBlock = opcode.has("cta");
  std::string writer = op, reader = op;
  if (opcode.has("acquire")) writer = absl::StrReplaceAll(op, {{"acquire", "acq_rel"}});
  if (opcode.has("release")) reader = absl::StrReplaceAll(op, {{"release", "acq_rel"}});
  Program program{
      absl::StrCat("mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 1; @%p1 bra wait; "
                   "st.global.u32 [%rd0+64], 7; ",
                   writer,
                   "; st.relaxed.gpu.global.u32 [%rd0+128], 1; bra done; "
                   "wait: ld.relaxed.gpu.global.u32 %r4, [%rd0+128]; setp.ne.u32 %p2, %r4, 1; @%p2 bra wait; ",
                   reader, "; ld.global.u32 %r4, [%rd0+64]; st.global.u32 [%rd0], %r4; done:"),
      {7},
      1,
      2};
  if (isOfBlock) program.finding = "global-race";
  Program without = program;
  without.body = absl::StrReplaceAll(program.body, {{writer + ";", ""}, {reader + ";", ""}});
  without.finding = "global-race";
  return {program, without};
}

/// Ordinary accesses before a fence of the asynchronous proxy, and a bulk copy behind it.
std::vector<Program> proxyFencePrograms(const Opcode& opcode) {
  const std::string op = opcode.text();
  const std::string first = "setp.eq.u32 %p1, %r0, 0; ";
  std::string body;
  if (opcode.has("global"))
    body = first + "@%p1 mbarrier.init.shared.b64 [%r1+2048], 1; st.global.u32 [%rd2+512], %r0; " + op +
           "; bar.sync 0; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r1+2048], 256; @%p1 "
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0+512], 256, [%r1+2048]; "
           "wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r1+2048], 0; @!%p2 bra wait; "
           "ld.shared.u32 %r4, [%r2]; st.global.u32 [%rd2], %r4;";
  else
    body = first + "st.shared.u32 [%r2], %r0; " + op +
           "; bar.sync 0; @!%p1 bra done; cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 256; "
           "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; done:";
  Program without{absl::StrReplaceAll(body, {{op + ";", ""}}), {}, 64, 1, {}, "proxy"};
  std::vector<Program> programs = {{body, perThread([](uint32_t t) { return t; })}};
  if (!opcode.has("global")) programs.push_back(without);
  return programs;
}

std::vector<Program> flowPrograms(const Opcode& opcode) {
  const std::string op = opcode.text();
  if (opcode.name() == "bra")
    return {{"setp.lt.u32 %p1, %r0, 5; mov.u32 %r4, 1; @%p1 " + op +
                 " less; mov.u32 %r4, 2; less: st.global.u32 [%rd2], %r4;",
             perThread([](uint32_t t) { return t < 5 ? 1 : 2; })}};
  if (opcode.name() == "brx")
    return {{"and.b32 %r3, %r0, 3; targets: .branchtargets a, b, a, c; " + op +
                 " %r3, targets; a: mov.u32 %r4, 10; bra done; b: mov.u32 %r4, 20; bra done; c: mov.u32 %r4, 30; "
                 "done: st.global.u32 [%rd2], %r4;",
             perThread([](uint32_t t) { return t % 4 == 1   ? 20
                                               : t % 4 == 3 ? 30
                                                            : 10; })}};
  if (opcode.name() == "call")
    return {{"{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r0; " + op +
                 " (y), triple, (x); ld.param.b32 %r4, [y]; } st.global.u32 [%rd2], %r4;",
             perThread([](uint32_t t) { return 3 * t; })}};
  if (opcode.name() == "ret" || opcode.name() == "exit")
    return {{"setp.lt.u32 %p1, %r0, 5; @%p1 " + op + "; st.global.u32 [%rd2], 1;",
             perThread([](uint32_t t) { return t < 5 ? 0 : 1; })}};
  return {};
}

}  // namespace

std::vector<Program> controlPrograms(const Opcode& opcode) {
  const std::string& name = opcode.name();
  const std::string op = opcode.text();
  if (opcode.has("cluster") && name == "barrier") {
    // The other half of the barrier follows, or comes before.
    return unchanged(opcode.has("arrive") ? op + "; barrier.cluster.wait;" : "barrier.cluster.arrive; " + op + ";");
  }
  if (name == "bar" || name == "barrier") return barrierPrograms(opcode);
  if (name == "membar") return fencePrograms(opcode);
  if (name == "fence") {
    if (opcode.has("proxy")) return proxyFencePrograms(opcode);
    if (opcode.has("mbarrier_init")) return unchanged(op + ";");
    return fencePrograms(opcode);
  }
  if (name == "trap" || name == "brkpt")
    return {{"setp.eq.u32 %p1, %r0, 5; @%p1 " + op + ";", {}, 64, 1, {}, "thread (5,0,0)"}};
  if (name == "nanosleep") return unchanged(op + " 20; mov.u32 %r9, 7; " + op + " %r9;");
  if (name == "griddepcontrol") return unchanged(op + ";");
  if (name == "pmevent") return unchanged(op + " 7;");
  return flowPrograms(opcode);
}

}  // namespace mmtune::ptx
