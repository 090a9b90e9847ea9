// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of asynchronous copies and mbarriers. tests/kernels/simulator/ops/golden has vectors of copies by tensor
// maps.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/kernels/simulator/ptx/block_programs.h"

namespace mmtune::ptx {
namespace {

// The mbarrier lies at mem+2048; %r9 is its address, %r8 that of shared::cluster, %rd8 the generic one. %p1 is true for
// thread 0.
constexpr char kBegin[] =
    "add.u32 %r9, %r1, 2048; mapa.shared::cluster.u32 %r8, %r9, 0; cvt.u64.u32 %rd8, %r9; cvta.shared.u64 %rd8, %rd8; "
    "setp.eq.u32 %p1, %r0, 0; ";

/// Returns the address of the mbarrier for the space of the opcode, in brackets.
std::string barrierOf(const Opcode& opcode) {
  if (opcode.has("shared::cluster")) return "[%r8]";
  return opcode.has("shared") || opcode.has("shared::cta") ? "[%r9]" : "[%rd8]";
}

constexpr char kInit[] = "@%p1 mbarrier.init.shared.b64 [%r9], 64; bar.sync 0; ";
constexpr char kWait[] = "wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r9], 0; @!%p2 bra wait; ";
/// After the wait each thread reads what one of the other warp has stored before it arrived.
constexpr char kStore[] = "st.shared.u32 [%r2], %r0; ";
constexpr char kRead[] =
    "xor.b32 %r3, %r0, 32; mad.lo.u32 %r3, %r3, 4, %r1; ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd2], %r4; ";

std::vector<uint32_t> exchanged() {
  return perThread([](uint32_t t) { return t ^ 32; });
}

std::vector<Program> barrierPrograms(const Opcode& opcode) {
  const std::string op = opcode.text(), bar = barrierOf(opcode), &kind = opcode.words[1];
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [%r9]; ";
  auto whole = [&](const std::string& body) { return Program{kBegin + body, exchanged()}; };
  auto stuck = [&](const std::string& body) { return Program{kBegin + body, {}, 64, 1, {}, "deadlock"}; };
  if (kind == "init")
    return {whole("@%p1 " + op + " " + bar + ", 64; bar.sync 0; " + std::string(kStore) + arrive + kWait + kRead)};
  if (kind == "inval")
    return {whole(std::string(kInit) + kStore + arrive + kWait + kRead + "bar.sync 0; @%p1 " + op + " " + bar + ";")};
  if (kind == "test_wait" || kind == "try_wait") {
    const bool byParity = opcode.has("parity");
    const std::string state = "mbarrier.arrive.shared.b64 %rd7, [%r9]; ";
    return {whole(std::string(kInit) + kStore + state + "wait: " + op + " %p2, " + bar + (byParity ? ", 0" : ", %rd7") +
                  "; @!%p2 bra wait; " + kRead)};
  }
  const std::string complete = "@%p1 mbarrier.complete_tx.shared.b64 [%r9], 16; ";
  const std::string expect = "@%p1 mbarrier.expect_tx.shared.b64 [%r9], 16; ";
  if (kind == "expect_tx") {
    const std::string begin = std::string(kInit) + kStore + "@%p1 " + op + " " + bar + ", 16; ";
    return {whole(begin + complete + arrive + kWait + kRead), stuck(begin + arrive + kWait + kRead)};
  }
  if (kind == "complete_tx")
    return {whole(std::string(kInit) + kStore + expect + "@%p1 " + op + " " + bar + ", 16; " + arrive + kWait + kRead)};
  // arrive and arrive_drop, with bytes or without.
  const bool drops = kind == "arrive_drop", expects = opcode.has("expect_tx");
  const std::string bytes = expects ? ", 16" : "";
  const std::string own = op + " _, " + bar + bytes + "; ";
  const std::string bytesCome = expects ? "mbarrier.complete_tx.shared.b64 [%r9], 16; " : "";
  std::vector<Program> programs;
  if (!drops) {
    programs.push_back(whole(std::string(kInit) + kStore + own + bytesCome + kWait + kRead));
    if (expects) programs.push_back(stuck(std::string(kInit) + own + kWait));
    if (!expects && !opcode.has("shared::cluster")) {
      // An arrival may count for several, and returns a state.
      const std::string twice = op + " %rd7, " + bar + ", 2; ";
      programs.push_back(whole("@%p1 mbarrier.init.shared.b64 [%r9], 128; bar.sync 0; " + std::string(kStore) + twice +
                               "wait: mbarrier.try_wait.shared.b64 %p2, [%r9], %rd7; @!%p2 bra wait; " + kRead));
    }
    return programs;
  }
  // Half of the threads drop out, so that the others alone end the second phase.
  const std::string body = std::string(kInit) + kStore + "setp.lt.u32 %p3, %r0, 32; @%p3 bra drop; " + arrive +
                           "bra wait; drop: " + own + bytesCome + kWait + "@!%p3 " + arrive +
                           "more: mbarrier.try_wait.parity.shared.b64 %p2, [%r9], 1; @!%p2 bra more; " + kRead;
  programs.push_back(whole(body));
  programs.push_back(stuck(absl::StrReplaceAll(body, {{"arrive_drop", "arrive"}})));
  return programs;
}

/// cp.async of 16 bytes, of which the second half is filled with zeros.
std::vector<Program> copyPrograms(const Opcode& opcode) {
  const std::string op = opcode.text(), policy = opcode.has("L2::cache_hint") ? ", %rd9" : "";
  Program program{absl::StrCat("mov.b64 %rd9, 0; mad.lo.u32 %r9, %r0, 16, %r1; ", op, " [%r9], [%rd3], 16, 8", policy,
                               "; ", op, " [%r9+1024], [%rd3+16], 16", policy,
                               "; cp.async.commit_group; cp.async.wait_group 0; "
                               "ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r9]; ld.shared.u32 %r24, [%r9+1036]; "
                               "add.u32 %r20, %r20, %r21; st.global.u32 [%rd2], %r20; or.b32 %r22, %r22, %r23; "
                               "st.global.u32 [%rd2+256], %r22; st.global.u32 [%rd2+512], %r24;"),
                  {}};
  program.in.resize(64 * 16);
  for (uint32_t i = 0; i < program.in.size(); ++i) program.in[i] = 3 * i + 1;
  program.expected.resize(192);
  for (uint32_t t = 0; t < 64; ++t) {
    program.expected[t] = program.in[16 * t] + program.in[16 * t + 1];
    program.expected[128 + t] = program.in[16 * t + 7];
  }
  std::vector<Program> programs = {program};
  program.body = absl::StrReplaceAll(program.body, {{"cp.async.wait_group 0;", ""}});
  program.finding = "async";
  programs.push_back(program);
  return programs;
}

/// The copies of a thread arrive at an mbarrier: as one of its arrivals (.noinc), or beside these.
std::vector<Program> copyArrivals(const Opcode& opcode) {
  const bool counts = opcode.has("noinc");
  Program program{
      absl::StrCat(kBegin, kInit, "cp.async.ca.shared.global [%r2], [%rd3], 4; ", opcode.text(), " ", barrierOf(opcode),
                   "; ", counts ? "" : "mbarrier.arrive.shared.b64 _, [%r9]; ", kWait, kRead),
      {}};
  program.in.resize(64 * 16);
  for (uint32_t i = 0; i < program.in.size(); ++i) program.in[i] = 5 * i;
  program.expected = perThread([&](uint32_t t) { return program.in[16 * (t ^ 32)]; });
  return {program};
}

/// Bulk copies of the first words of `in` to shared memory, or of shared memory to `out`.
std::vector<Program> bulkPrograms(const Opcode& opcode) {
  const std::string op = opcode.text(), policy = opcode.has("L2::cache_hint") ? ", %rd9" : "";
  if (opcode.has("bulk_group"))
    return {{absl::StrCat(
                 "setp.eq.u32 %p1, %r0, 0; mov.b64 %rd9, 0; st.shared.u32 [%r2], %r0; fence.proxy.async; bar.sync 0; "
                 "@!%p1 bra done; ",
                 op, " [%rd0], [%r1], 256", policy, "; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; done:"),
             perThread([](uint32_t t) { return t; })}};
  if (opcode.has("multicast::cluster")) return {};  // ptx/cluster_test has it.
  const bool isOfCluster = opcode.words[4] == "shared::cta";
  const std::string source = isOfCluster ? "[%r9+512]" : "[%rd3]";
  const std::string copy = absl::StrCat("@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 256; @%p1 ", op,
                                        " [%r1], ", source, ", 256, [%r9]", policy, "; ");
  Program program{absl::StrCat(kBegin,
                               "mov.b64 %rd9, 0; mad.lo.u32 %r10, %r0, 4, %r9; st.shared.u32 [%r10+512], %r0; "
                               "@%p1 mbarrier.init.shared.b64 [%r9], 1; fence.proxy.async; bar.sync 0; ",
                               copy, kWait, kRead),
                  exchanged()};
  if (isOfCluster) return {program};
  program.in.resize(64);
  for (uint32_t i = 0; i < 64; ++i) program.in[i] = 7 * i;
  program.expected = perThread([](uint32_t t) { return 7 * (t ^ 32); });
  return {program};
}

}  // namespace

std::vector<Program> asyncPrograms(const Opcode& opcode) {
  if (opcode.name() == "mbarrier") return barrierPrograms(opcode);
  if (opcode.has("mbarrier")) return copyArrivals(opcode);
  if (opcode.has("ca") || opcode.has("cg")) return copyPrograms(opcode);
  if (opcode.has("prefetch")) {
    const std::string policy = opcode.has("L2::cache_hint") ? ", %rd9" : "";
    const std::string& rank = opcode.has("tensor") ? opcode.words[5] : "";
    std::string coordinates = ", {%r0";
    for (int i = 1; !rank.empty() && i < rank[0] - '0'; ++i) coordinates += ", %r0";
    return {{absl::StrCat("mov.b64 %rd9, 0; ", opcode.text(), " [%rd3", rank.empty() ? "], 256" : coordinates + "}]",
                          policy, "; st.global.u32 [%rd2], %r0;"),
             perThread([](uint32_t t) { return t; })}};
  }
  if (opcode.has("tensor") || !opcode.has("bulk") || opcode.has("commit_group") || opcode.has("wait_group")) return {};
  return bulkPrograms(opcode);
}

}  // namespace mmtune::ptx
