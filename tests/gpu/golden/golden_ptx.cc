// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/gpu/golden/golden_ptx.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace mmtune {
namespace {

/// Architectures that current toolkits still assemble for.
constexpr int kOldestTarget = 75;

std::string Header(const std::string& target, int sm) {
  return absl::StrCat(".version ",
                      sm >= 100  ? "8.6"
                      : sm == 89 ? "8.4"
                                 : "8.0",
                      "\n.target ", target, "\n.address_size 64\n");
}

/// Words between shared memory and the address in `pointer`, by all threads of the block.
std::string CopyShared(const char* label, const char* pointer, uint32_t bytes, bool to_shared) {
  const char* move = to_shared ? "ld.global.u32 %word, [%at];\n st.shared.u32 [%to], %word;\n"
                               : "ld.shared.u32 %word, [%to];\n st.global.u32 [%at], %word;\n";
  return absl::StrCat(" shl.b32 %offset, %thread, 2;\n", label, ":\n setp.ge.u32 %done, %offset, ", bytes,
                      ";\n @%done bra ", label, "_end;\n cvt.u64.u32 %at, %offset;\n add.u64 %at, %at, ", pointer,
                      ";\n add.u32 %to, %base, %offset;\n ", move, " shl.b32 %step, %threads, 2;\n",
                      " add.u32 %offset, %offset, %step;\n bra ", label, ";\n", label, "_end:\n bar.sync 0;\n");
}

std::string SharedMemory(uint32_t bytes) {
  return absl::StrCat(" .shared .align 1024 .b8 memory[", std::max(bytes, 16u), "];\n",
                      " .reg .pred %done, %outside;\n",
                      " .reg .b32 %offset, %step, %to, %word, %base, %thread, %threads, %lane, %a;\n",
                      " .reg .b64 %at, %in, %out, %before, %after, %row;\n", " mov.u32 %base, memory;\n",
                      " mov.u32 %thread, %tid.x;\n mov.u32 %threads, %ntid.x;\n");
}

std::string Parameter(const char* name) {
  return absl::StrCat(" ld.param.u64 %", name, ", [", name, "];\n cvta.to.global.u64 %", name, ", %", name, ";\n");
}

/// The words [0, count) of this thread's row, of memory at `pointer`.
std::string MoveWords(const char* pointer, const char* prefix, size_t count, bool load) {
  std::string text = absl::StrCat(" mad.wide.u32 %row, %thread, ", 4 * count, ", ", pointer, ";\n");
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, load ? absl::StrCat(" ld.global.u32 ", prefix, i, ", [%row+", 4 * i, "];\n")
                                : absl::StrCat(" st.global.u32 [%row+", 4 * i, "], ", prefix, i, ";\n"));
  }
  return text;
}

std::string Descriptors(const GoldenOp& golden) {
  std::string text = " .reg .b64 %d<4>, %start;\n cvt.u64.u32 %start, %base;\n shr.u64 %start, %start, 4;\n";
  for (size_t i = 0; i < golden.descriptors.size(); ++i) {
    const uint32_t word = golden.descriptors[i];
    absl::StrAppend(&text, " mov.b64 %d", i, ", {%i", word, ",%i", word + 1, "};\n add.u64 %d", i, ", %d", i,
                    ", %start;\n");
  }
  return text;
}

std::string Coordinates(const GoldenTensorCopy& golden) {
  std::string text;
  for (size_t i = 0; i < golden.at.size(); ++i) absl::StrAppend(&text, i == 0 ? "{" : ", ", golden.at[i]);
  return text + "}";
}

std::string Load(const GoldenTensorCopy& golden) {
  return absl::StrCat(" mbarrier.init.shared.b64 [%base], 1;\n fence.proxy.async;\n",
                      " mbarrier.arrive.expect_tx.shared.b64 %state, [%base], ", GoldenBoxBytes(golden), ";\n",
                      " cp.async.bulk.tensor.", golden.at.size(),
                      "d.shared::cluster.global.mbarrier::complete_tx::bytes [%box], [%map, ", Coordinates(golden),
                      "], [%base];\n",
                      "wait:\n mbarrier.try_wait.parity.shared.b64 %done, [%base], 0;\n @!%done bra wait;\n",
                      " mbarrier.inval.shared.b64 [%base];\n");
}

std::string Store(const GoldenTensorCopy& golden) {
  const std::string operation = golden.operation == "store" ? "cp" : "cp.reduce";
  const std::string reduction = golden.operation == "store" ? "" : "." + golden.operation;
  return absl::StrCat(" fence.proxy.async;\n ", operation, ".async.bulk.tensor.", golden.at.size(),
                      "d.global.shared::cta", reduction, ".bulk_group [%map, ", Coordinates(golden), "], [%box];\n",
                      " cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;\n");
}

}  // namespace

std::string GoldenTarget(const GoldenOp& golden) {
  const bool is_special = golden.op.kind == simt::WarpOpKind::kWgmma || golden.sm >= 100;
  return absl::StrCat("sm_", std::max(golden.sm, kOldestTarget), is_special ? "a" : "");
}

std::string GoldenPtx(const GoldenOp& golden) {
  std::string text = Header(GoldenTarget(golden), golden.sm);
  absl::StrAppend(&text, ".visible .entry ", kGoldenKernel,
                  "(.param .u64 in, .param .u64 out, .param .u64 before, .param .u64 after)\n{\n",
                  SharedMemory(golden.shared_bytes), " .reg .b32 %i<", golden.op.inputs + 1, ">, %o<",
                  golden.op.outputs + 1, ">;\n", Parameter("in"), Parameter("out"), Parameter("before"),
                  Parameter("after"));
  absl::StrAppend(&text, CopyShared("fill", "%before", golden.shared_bytes, /*to_shared=*/true));
  if (golden.sm >= 90) absl::StrAppend(&text, " fence.proxy.async;\n bar.sync 0;\n");
  absl::StrAppend(&text, " and.b32 %lane, %thread, 31;\n shl.b32 %word, 1, %lane;\n and.b32 %word, %word, ",
                  golden.mask, ";\n setp.eq.u32 %outside, %word, 0;\n @%outside bra skip;\n");
  absl::StrAppend(&text, MoveWords("%in", "%i", golden.op.inputs, /*load=*/true));
  if (golden.has_address) absl::StrAppend(&text, " add.u32 %a, %base, %i0;\n");
  if (!golden.descriptors.empty()) absl::StrAppend(&text, Descriptors(golden));
  absl::StrAppend(&text, " {\n ", golden.ptx, "\n }\n", MoveWords("%out", "%o", golden.op.outputs, /*load=*/false),
                  "skip:\n bar.sync 0;\n", CopyShared("keep", "%after", golden.shared_bytes, /*to_shared=*/false),
                  " ret;\n}\n");
  return text;
}

std::string GoldenPtx(const GoldenTensorCopy& golden) {
  return absl::StrCat(Header("sm_90", 90), ".visible .entry ", kGoldenKernel,
                      "(.param .align 64 .b8 map[128], .param .u64 before, .param .u64 after)\n{\n",
                      SharedMemory(golden.shared_bytes), " .reg .b64 %map, %state;\n .reg .b32 %box;\n",
                      " mov.b64 %map, map;\n cvta.param.u64 %map, %map;\n", Parameter("before"), Parameter("after"),
                      CopyShared("fill", "%before", golden.shared_bytes, /*to_shared=*/true), " add.u32 %box, %base, ",
                      kGoldenBoxOffset, ";\n", golden.operation == "load" ? Load(golden) : Store(golden),
                      CopyShared("keep", "%after", golden.shared_bytes, /*to_shared=*/false), " ret;\n}\n");
}

uint32_t GoldenBoxBytes(const GoldenTensorCopy& golden) {
  auto bytes = static_cast<uint32_t>(TensorElementBytes(golden.map.data_type));
  for (uint32_t side : golden.map.box) bytes *= side;
  return bytes;
}

}  // namespace mmtune
