// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies and mbarriers.
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;

/// `cp.async.ca.shared.global [dst], [src], bytes[, source bytes or predicate to ignore the source][, cache policy]`
void copyAsync(Emitter& e) {
  const size_t hint = e.has("L2::cache_hint");
  if (!e.expectOperands(3 + hint, 4 + hint)) return;
  const int64_t bytes = e.literal(2);
  Value sourceBytes;
  if (e.operandCount() == 4 + hint) {
    const Operand& operand = e.operand(3);
    const bool isPredicate = e.isPredicate(operand);
    sourceBytes = isPredicate
                      ? LLVM::SelectOp::create(e.b, e.read(operand, typeNamed("pred")), e.integer(0), e.integer(bytes))
                            .getResult()
                      : e.read(operand, typeNamed("b32"));
  }
  const bool isSize = bytes == 4 || bytes == 8 || bytes == 16;
  if (!isSize || (e.has("cg") && bytes != 16)) return e.fail("cp.async copies 4, 8 or 16 bytes, by .cg only 16");
  auto cache = e.has("ca") ? NVVM::LoadCacheModifierKind::CA : NVVM::LoadCacheModifierKind::CG;
  NVVM::CpAsyncOp::create(e.b, e.pointer(0, kSharedSpace), e.pointer(1, kGlobal), static_cast<uint32_t>(bytes), cache,
                          sourceBytes);
}

void commitCopies(Emitter& e) { NVVM::CpAsyncCommitGroupOp::create(e.b); }

void waitForGroups(Emitter& e) {
  if (e.expectOperands(1)) NVVM::CpAsyncWaitGroupOp::create(e.b, static_cast<uint32_t>(e.literal(0)));
}

void waitForCopies(Emitter& e) {
  LLVM::CallIntrinsicOp::create(e.b, e.b.getStringAttr("llvm.nvvm.cp.async.wait.all"), ValueRange());
}

constexpr Operation kOperations[] = {
    {"cp.async.{ca,cg}.{shared,shared::cta}.global[.L2::cache_hint][.{L2::64B,L2::128B,L2::256B}]", copyAsync},
    {"cp.async.commit_group", commitCopies},
    {"cp.async.wait_group", waitForGroups},
    {"cp.async.wait_all", waitForCopies},
};

}  // namespace

ArrayRef<Operation> asyncOperations() { return kOperations; }

}  // namespace mmtune::ptx
