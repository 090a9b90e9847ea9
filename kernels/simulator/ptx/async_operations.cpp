// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies, by threads and by tensor maps, and mbarriers.
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;

/// Returns the pointer of an address in shared memory: in that of the cluster's blocks where the opcode says so.
Value shared(Emitter& e, size_t index) {
  return e.has("shared::cluster") ? e.pointer(index, kClusterSpace) : sharedPointer(e, index);
}
Value sharedOfBlock(Emitter& e, size_t index) { return e.pointer(index, kSharedSpace); }

/// `cp.async.ca.shared.global [dst], [src], bytes[, source bytes or predicate to ignore the source][, cache policy]`
void copyAsync(Emitter& e) {
  const size_t hint = e.has("L2::cache_hint");
  if (!e.expectOperands(3 + hint, 4 + hint)) return;
  const int64_t bytes = e.literal(2);
  Value sourceBytes;
  if (e.operandCount() == 4 + hint) {
    e.expectRange(3, 0, bytes);
    const Operand& operand = e.operand(3);
    sourceBytes = e.isPredicate(operand)
                      ? LLVM::SelectOp::create(e.b, e.read(operand, typeNamed("pred")), e.integer(0), e.integer(bytes))
                            .getResult()
                      : e.read(operand, b32());
  }
  const bool isSize = bytes == 4 || bytes == 8 || bytes == 16;
  if (!isSize || (e.has("cg") && bytes != 16)) return e.fail("cp.async copies 4, 8 or 16 bytes, by .cg only 16");
  auto cache = e.has("ca") ? NVVM::LoadCacheModifierKind::CA : NVVM::LoadCacheModifierKind::CG;
  NVVM::CpAsyncOp::create(e.b, shared(e, 0), e.pointer(1, kGlobal), static_cast<uint32_t>(bytes), cache, sourceBytes);
}

void commitCopies(Emitter& e) {
  if (e.expectOperands(0)) NVVM::CpAsyncCommitGroupOp::create(e.b);
}

void waitForGroups(Emitter& e) {
  if (e.expectOperands(1)) NVVM::CpAsyncWaitGroupOp::create(e.b, static_cast<uint32_t>(e.literal(0)));
}

void waitForCopies(Emitter& e) {
  if (!e.expectOperands(0)) return;
  LLVM::CallIntrinsicOp::create(e.b, e.b.getStringAttr("llvm.nvvm.cp.async.wait.all"), ValueRange());
}

void arriveAfterCopies(Emitter& e) {
  if (e.expectOperands(1)) NVVM::CpAsyncMBarrierArriveOp::create(e.b, shared(e, 0), e.has("noinc"));
}

/// Returns the pointer of the map of `[map, {coordinates}]`.
Value tensorMap(Emitter& e, size_t index) { return e.pointer(index, kGeneric, /*hasCoordinates=*/true); }

/// Returns the coordinates of `[map, {coordinates}]`.
SmallVector<Value> coordinates(Emitter& e, size_t index) {
  SmallVector<Value> values;
  const Operand& address = e.operand(index);
  const StringRef rank = e.wordAmong({"1d", "2d", "3d", "4d", "5d"});
  ArrayRef<Operand> items = address.items;
  if (items.size() != static_cast<size_t>(rank.front() - '0'))
    e.fail("a copy of ." + rank + " takes " + rank.take_front() + " coordinates, got " + Twine(items.size()));
  for (const Operand& item : items) values.push_back(e.read(item, b32()));
  return values;
}

/// Checks the number of operands of a copy with `count` ones, the mask of a multicast and a cache policy. Returns the
/// mask; null where the copy has none.
Value multicastMask(Emitter& e, size_t count) {
  const bool isMulticast = e.has("multicast::cluster");
  if (!e.expectOperands(count + isMulticast, count + isMulticast + e.has("L2::cache_hint")) || !isMulticast) return {};
  return e.read(count, typeNamed("b16"));
}

/// `cp.async.bulk.tensor.2d... [dst], [map, {x, y}], [mbarrier][, mask of blocks]`
void loadTensor(Emitter& e) {
  Value mask = multicastMask(e, 3);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      e.b, shared(e, 0), tensorMap(e, 1), coordinates(e, 1), shared(e, 2), ValueRange(), mask, Value(),
      NVVM::TMALoadMode::TILE, false, NVVM::CTAGroupKindAttr(), Value());
}

/// `cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [map, {x, y}], [src]`
void storeTensor(Emitter& e) {
  if (!e.expectOperands(2, 2 + e.has("L2::cache_hint"))) return;
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(e.b, tensorMap(e, 0), shared(e, 1), coordinates(e, 0), Value(),
                                                     NVVM::TMAStoreMode::TILE, Value());
}

void reduceTensor(Emitter& e) {
  if (!e.expectOperands(2, 2 + e.has("L2::cache_hint"))) return;
  const StringRef name = e.wordAmong({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  NVVM::CpAsyncBulkTensorReduceOp::create(e.b, tensorMap(e, 0), shared(e, 1), *NVVM::symbolizeTMAReduxKind(name),
                                          NVVM::TMAStoreMode::TILE, coordinates(e, 0), Value());
}

/// `cp.async.bulk.shared::cta.global... [dst], [src], bytes, [mbarrier][, mask of blocks]`
void loadBulk(Emitter& e) {
  Value mask = multicastMask(e, 4);
  NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(e.b, shared(e, 0), e.pointer(1, kGlobal), shared(e, 3),
                                                   e.read(2, b32()), mask, Value());
}

/// `cp.async.bulk.shared::cluster.shared::cta... [dst], [src], bytes, [mbarrier]`
void sendBulk(Emitter& e) {
  if (!e.expectOperands(4)) return;
  NVVM::CpAsyncBulkSharedCTAToSharedClusterOp::create(e.b, shared(e, 0), sharedOfBlock(e, 1), shared(e, 3),
                                                      e.read(2, b32()));
}

void storeBulk(Emitter& e) {
  if (!e.expectOperands(3, 3 + e.has("L2::cache_hint"))) return;
  NVVM::CpAsyncBulkSharedCTAToGlobalOp::create(e.b, e.pointer(0, kGlobal), shared(e, 1), e.read(2, b32()), Value(),
                                               Value());
}

void commitBulk(Emitter& e) {
  if (e.expectOperands(0)) NVVM::CpAsyncBulkCommitGroupOp::create(e.b);
}

void waitForBulk(Emitter& e) {
  if (!e.expectOperands(1)) return;
  NVVM::CpAsyncBulkWaitGroupOp::create(e.b, static_cast<uint32_t>(e.literal(0)),
                                       e.has("read") ? e.b.getUnitAttr() : UnitAttr());
}

void initBarrier(Emitter& e) {
  if (e.expectOperands(2)) NVVM::MBarrierInitOp::create(e.b, shared(e, 0), e.read(1, b32()), Value());
}

void invalidateBarrier(Emitter& e) {
  if (e.expectOperands(1)) NVVM::MBarrierInvalOp::create(e.b, shared(e, 0));
}

void expectBytes(Emitter& e) {
  if (e.expectOperands(2)) NVVM::MBarrierExpectTxOp::create(e.b, shared(e, 0), e.read(1, b32()));
}

void completeBytes(Emitter& e) {
  if (e.expectOperands(2)) NVVM::MBarrierCompleteTxOp::create(e.b, shared(e, 0), e.read(1, b32()));
}

/// Writes the state of the phase in which a thread has arrived. One at the barrier of another block has none.
void writeState(Emitter& e, Value state) {
  if (e.operand(0).kind == Operand::Kind::kSink) return;
  if (e.has("shared::cluster")) return e.fail("an arrival at a barrier of .shared::cluster has no state but '_'");
  e.write(0, state, b64());
}

/// `mbarrier.arrive.b64 state, [barrier][, count]`
void arrive(Emitter& e) {
  if (!e.expectOperands(2, 3)) return;
  Value count = e.operandCount() == 3 ? e.read(2, b32()) : e.integer(1);
  Type state = e.b.getI64Type();
  if (e.words()[1] == "arrive_drop")
    writeState(e, NVVM::MBarrierArriveDropOp::create(e.b, state, shared(e, 1), count).getRes());
  else
    writeState(e, NVVM::MBarrierArriveOp::create(e.b, state, shared(e, 1), count).getRes());
}

/// `mbarrier.arrive.expect_tx.b64 state, [barrier], bytes`
void arriveExpecting(Emitter& e) {
  if (!e.expectOperands(3)) return;
  Type state = e.b.getI64Type();
  Value pointer = shared(e, 1), bytes = e.read(2, b32());
  if (e.words()[1] == "arrive_drop")
    writeState(e, NVVM::MBarrierArriveDropExpectTxOp::create(e.b, state, pointer, bytes).getRes());
  else
    writeState(
        e, NVVM::MBarrierArriveExpectTxOp::create(e.b, state, pointer, bytes, NVVM::MemScopeKind::CTA, false, Value())
               .getRes());
}

/// `mbarrier.try_wait.parity.b64 p, [barrier], parity[, time]`, by state without .parity. It waits for other threads
/// once, whatever the time.
void testBarrier(Emitter& e) {
  if (!e.expectOperands(3, e.words()[1] == "try_wait" ? 4 : 3)) return;
  Value phase = e.read(2, e.has("parity") ? b32() : b64());
  auto test = NVVM::MBarrierTestWaitOp::create(e.b, e.b.getI1Type(), shared(e, 1), phase);
  e.write(0, test.getRes(), typeNamed("pred"));
}

/// A prefetch changes no value.
template <size_t operands>
void lowerPrefetch(Emitter& e) {
  e.expectOperands(operands, operands + e.has("L2::cache_hint"));
}

#define SCOPE ".{cta,cluster}"
#define SHARED "[.{shared,shared::cta}]"
#define ANY_SHARED "[.{shared,shared::cta,shared::cluster}]"
#define TO_SHARED ".{shared::cluster,shared::cta}.global"
#define RANKS ".{1d,2d,3d,4d,5d}"

constexpr Operation kOperations[] = {
    {"cp.async.{ca,cg}.{shared,shared::cta}.global[.L2::cache_hint][.{L2::64B,L2::128B,L2::256B}]", copyAsync},
    {"cp.async.commit_group", commitCopies},
    {"cp.async.wait_group", waitForGroups},
    {"cp.async.wait_all", waitForCopies},
    {"cp.async.mbarrier.arrive[.noinc]" SHARED ".b64", arriveAfterCopies},

    {"cp.async.bulk.tensor" RANKS TO_SHARED
     "[.tile].mbarrier::complete_tx::bytes[.multicast::cluster][.L2::cache_hint]",
     loadTensor},
    {"cp.async.bulk.tensor" RANKS ".global.shared::cta[.tile].bulk_group[.L2::cache_hint]", storeTensor},
    {"cp.reduce.async.bulk.tensor" RANKS
     ".global.shared::cta.{add,min,max,inc,dec,and,or,xor}[.tile].bulk_group[.L2::cache_hint]",
     reduceTensor},
    {"cp.async.bulk" TO_SHARED ".mbarrier::complete_tx::bytes[.multicast::cluster][.L2::cache_hint]", loadBulk},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", sendBulk},
    {"cp.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint]", storeBulk},
    {"cp.async.bulk.prefetch.tensor" RANKS ".L2.global[.tile][.L2::cache_hint]", lowerPrefetch<1>},
    {"cp.async.bulk.prefetch.L2.global[.L2::cache_hint]", lowerPrefetch<2>},
    {"cp.async.bulk.commit_group", commitBulk},
    {"cp.async.bulk.wait_group[.read]", waitForBulk},

    {"mbarrier.init" SHARED ".b64", initBarrier},
    {"mbarrier.inval" SHARED ".b64", invalidateBarrier},
    {"mbarrier.expect_tx" ANY_SHARED ".b64", expectBytes},
    {"mbarrier.expect_tx.relaxed" SCOPE ANY_SHARED ".b64", expectBytes},
    {"mbarrier.complete_tx" ANY_SHARED ".b64", completeBytes},
    {"mbarrier.complete_tx.relaxed" SCOPE ANY_SHARED ".b64", completeBytes},
    {"mbarrier.{arrive,arrive_drop}" ANY_SHARED ".b64", arrive},
    {"mbarrier.{arrive,arrive_drop}.{relaxed,release}" SCOPE ANY_SHARED ".b64", arrive},
    {"mbarrier.{arrive,arrive_drop}.expect_tx" ANY_SHARED ".b64", arriveExpecting},
    {"mbarrier.{arrive,arrive_drop}.expect_tx.{relaxed,release}" SCOPE ANY_SHARED ".b64", arriveExpecting},
    {"mbarrier.{test_wait,try_wait}[.parity]" SHARED ".b64", testBarrier},
    {"mbarrier.{test_wait,try_wait}[.parity].{relaxed,acquire}" SCOPE SHARED ".b64", testBarrier},
};

}  // namespace

ArrayRef<Operation> asyncOperations() { return kOperations; }

}  // namespace mmtune::ptx
