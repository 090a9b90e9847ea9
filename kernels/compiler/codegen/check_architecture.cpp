// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source: PTX ISA 9.0, and what the NVPTX backend of LLVM 22 selects and ptxas 13.0 assembles; check_architecture_test
// compares the table with both.
#include "kernels/compiler/codegen/llvm_codegen.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "kernels/compiler/codegen/device_image.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CHECKARCHITECTUREPASS
#include "kernels/compiler/codegen/Passes.h.inc"

namespace {

using NVVM::MMATypes;

constexpr std::string_view kHopper = "sm_90a", kBlackwell = "sm_100a", kConsumerBlackwell = "sm_120a",
                           kBlackwells = "sm_100a, sm_120a", kWarpgroups = "sm_90a, sm_100a, sm_120a";

bool isCluster(Value pointer) {
  auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
  return type && type.getAddressSpace() == static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster);
}
bool isShared(Value pointer) {
  auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
  return type && type.getAddressSpace() == static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
}

bool isRelaxed(Operation* op) {
  auto relaxed = op->getAttrOfType<BoolAttr>("relaxed");
  return relaxed && relaxed.getValue();
}
bool isOfCluster(Operation* op) {
  auto scope = op->getAttrOfType<NVVM::MemScopeKindAttr>("scope");
  auto sync = op->getAttrOfType<StringAttr>("syncscope");
  return (scope && scope.getValue() == NVVM::MemScopeKind::CLUSTER) || (sync && sync.getValue() == "cluster") ||
         llvm::any_of(op->getOperands(), isCluster);
}
bool hasCount(Operation* op) { return op->getNumOperands() > 1; }
bool isOfFloats(Operation* op) { return op->getResult(0).getType().isF32(); }
bool isWide(Operation* op) { return op->getOperand(1).getType().isInteger(128); }
bool isAlias(Operation* op) { return cast<NVVM::FenceProxyOp>(op).getKind() == NVVM::ProxyKind::alias; }

bool isOfBlocksGroup(Operation* op) {
  using Mode = NVVM::TMALoadMode;
  auto isNew = [](Mode mode) { return mode != Mode::TILE && mode != Mode::IM2COL; };
  if (auto load = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
    return load.getGroup() || isNew(load.getMode());
  if (auto prefetch = dyn_cast<NVVM::CpAsyncBulkTensorPrefetchOp>(op)) return isNew(prefetch.getMode());
  auto store = dyn_cast<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(op);
  return store && store.getMode() == NVVM::TMAStoreMode::TILE_SCATTER4;
}
bool isIntoSharedMemory(Operation* op) { return isShared(op->getOperand(0)); }
bool hasByteMask(Operation* op) {
  return static_cast<bool>(cast<NVVM::CpAsyncBulkSharedCTAToGlobalOp>(op).getByteMask());
}

bool isRoundedToNearest(NVVM::ConvertFloatToTF32Op op) { return op.getRnd() != NVVM::FPRoundingMode::RNA; }
bool isSaturatedTf32(Operation* op) {
  return cast<NVVM::ConvertFloatToTF32Op>(op).getSat() != NVVM::SaturationMode::NONE;
}
bool isRoundedTf32(Operation* op) { return isRoundedToNearest(cast<NVVM::ConvertFloatToTF32Op>(op)); }
bool isRoundedAndSaturatedTf32(Operation* op) { return isRoundedTf32(op) && isSaturatedTf32(op); }

bool isE8M0(Operation* op) {
  auto type = op->getAttrOfType<TypeAttr>("dstTy");
  return type && isa<Float8E8M0FNUType>(type.getValue());
}
bool isRandom(Operation* op) {
  auto rounding = op->getAttrOfType<NVVM::FPRoundingModeAttr>("rnd");
  return rounding && rounding.getValue() == NVVM::FPRoundingMode::RS;
}
bool isSaturated(Operation* op) {
  auto saturation = op->getAttrOfType<NVVM::SaturationModeAttr>("sat");
  return saturation && saturation.getValue() != NVVM::SaturationMode::NONE;
}

bool isOfBytes(Operation* op) {
  auto type = op->getAttrOfType<NVVM::LdStMatrixEltTypeAttr>("eltType");
  return type && type.getValue() != NVVM::LdStMatrixEltType::B16;
}

/// True for the shapes and types of mma.sync that sm_75 has.
bool isOfTuring(Operation* op) {
  auto mma = cast<NVVM::MmaOp>(op);
  const MMATypes type = mma.getMultiplicandAPtxType().value_or(MMATypes::f16);
  const int k = mma.getShape().getK();
  if (mma.getShape().getM() == 8)
    return (type == MMATypes::f16 && !mma.getOperandA()[0].getType().isF64()) ||
           ((type == MMATypes::s8 || type == MMATypes::u8) && k == 16) ||
           ((type == MMATypes::s4 || type == MMATypes::u4) && k == 32);
  return type == MMATypes::f16 && k == 8;
}
bool isOfBitsByAnd(Operation* op) { return cast<NVVM::MmaOp>(op).getB1Op() == NVVM::MMAB1Op::and_popc; }

bool isOrdered(Operation* op) { return op->hasAttr("orderedMetadata"); }

bool isWmmaOfAmpere(Operation* op) {
  auto isNew = [](MMATypes type) { return type == MMATypes::tf32 || type == MMATypes::bf16 || type == MMATypes::f64; };
  return llvm::TypeSwitch<Operation*, bool>(op)
      .Case<NVVM::WMMALoadOp>([&](auto load) { return isNew(load.getEltype()) || load.getK() < 16; })
      .Case<NVVM::WMMAMmaOp>([&](auto mma) { return isNew(mma.getEltypeA()); })
      .Case<NVVM::WMMAStoreOp>([&](auto store) { return isNew(store.getEltype()) || store.getK() < 16; })
      .Default([](Operation*) { return false; });
}

struct Row {
  std::string_view begin;  ///< Prefix of the operation's name.
  ArchitectureRequirement need;
  bool (*when)(Operation*) = nullptr;  ///< Null means always.
};

/// The first row that matches an operation has its requirements.
constexpr Row kRows[] = {
    {"nvvm.read.ptx.sreg.cluster", {90, 78}},
    {"nvvm.read.ptx.sreg.nclusterid", {90, 78}},
    {"nvvm.read.ptx.sreg.aggr.smem.size", {90, 81}},
    {"nvvm.redux.sync", {100, 86, kBlackwell}, isOfFloats},
    {"nvvm.redux.sync", {80, 70}},
    {"nvvm.mbarrier.expect_tx", {90, 80}},
    {"nvvm.mbarrier.complete_tx", {90, 80}},
    {"nvvm.mbarrier.", {90, 86}, isRelaxed},
    {"nvvm.mbarrier.", {90, 80}, isOfCluster},
    {"nvvm.mbarrier.try_wait", {90, 80}},
    {"nvvm.mbarrier.arrive.expect_tx", {90, 80}},
    {"nvvm.mbarrier.arrive_drop.expect_tx", {90, 80}},
    {"nvvm.mbarrier.arrive.nocomplete", {80, 70}},
    {"nvvm.mbarrier.arrive_drop.nocomplete", {80, 70}},
    {"nvvm.mbarrier.arrive_drop", {90, 80}},
    {"nvvm.mbarrier.arrive", {90, 80}, hasCount},
    {"nvvm.mbarrier.", {80, 70}},
    {"nvvm.cluster.", {90, 78}},
    {"nvvm.memory.barrier", {90, 78}, isOfCluster},
    {"nvvm.fence.sc.cluster", {90, 78}},
    {"nvvm.fence.mbarrier.init", {90, 80}},
    {"nvvm.fence.sync_restrict", {90, 86}},
    {"nvvm.fence.proxy.sync_restrict", {90, 86}},
    {"nvvm.fence.proxy.acquire", {90, 83}},
    {"nvvm.fence.proxy.release", {90, 83}},
    {"nvvm.fence.proxy", {75, 75}, isAlias},
    {"nvvm.fence.proxy", {90, 80}},
    {"nvvm.setmaxregister", {90, 80, kWarpgroups}},
    {"nvvm.elect.sync", {90, 80}},
    {"nvvm.cp.async.bulk.", {100, 86, kBlackwell}, isOfBlocksGroup},
    {"nvvm.cp.async.bulk.tensor.shared.cluster.global", {90, 86}, isIntoSharedMemory},
    {"nvvm.cp.async.bulk.shared.cluster.global", {90, 86}, isIntoSharedMemory},
    {"nvvm.cp.async.bulk.global.shared.cta", {100, 86}, hasByteMask},
    {"nvvm.cp.async.bulk", {90, 80}},
    {"nvvm.cp.async.", {80, 70}},
    {"nvvm.convert.float.to.tf32", {100, 86}, isRoundedAndSaturatedTf32},
    {"nvvm.convert.float.to.tf32", {90, 78}, isRoundedTf32},
    {"nvvm.convert.float.to.tf32", {80, 81}, isSaturatedTf32},
    {"nvvm.convert.float.to.tf32", {80, 70}},
    {"nvvm.convert.f32x2.to.f4x2", {100, 86, kBlackwells}},
    {"nvvm.convert.f32x2.to.f6x2", {100, 86, kBlackwells}},
    {"nvvm.convert.f32x2.to.f8x2", {100, 86, kBlackwells}, isE8M0},
    {"nvvm.convert.f32x2.to.f8x2", {89, 81}},
    {"nvvm.convert.f16x2.to.f8x2", {89, 81}},
    {"nvvm.convert.bf16x2.to.f8x2", {100, 86, kBlackwells}},
    {"nvvm.convert.f8x2.to.f16x2", {89, 81}},
    {"nvvm.convert.f8x2.to.bf16x2", {100, 86, kBlackwells}},
    {"nvvm.convert.f6x2.to.f16x2", {100, 86, kBlackwells}},
    {"nvvm.convert.f4x2.to.f16x2", {100, 86, kBlackwells}},
    {"nvvm.convert.f32x4.", {100, 87, kBlackwell}},
    {"nvvm.convert.f32x2.", {100, 87, kBlackwell}, isRandom},
    {"nvvm.convert.f32x2.", {80, 81}, isSaturated},
    {"nvvm.convert.f32x2.", {80, 70}},
    {"nvvm.mma.sync", {75, 65}, isOfTuring},
    {"nvvm.mma.sync", {80, 71}, isOfBitsByAnd},
    {"nvvm.mma.sync", {80, 70}},
    {"nvvm.mma.sp.sync", {80, 85}, isOrdered},
    {"nvvm.mma.sp.sync", {80, 71}},
    {"nvvm.mma.block_scale", {120, 87, kConsumerBlackwell}},
    {"nvvm.mma.sp.block_scale", {120, 87, kConsumerBlackwell}},
    {"nvvm.wmma.", {80, 70}, isWmmaOfAmpere},
    {"nvvm.ldmatrix", {100, 86, kBlackwells}, isOfBytes},
    {"nvvm.ldmatrix", {75, 65}},
    {"nvvm.stmatrix", {100, 86, kBlackwells}, isOfBytes},
    {"nvvm.stmatrix", {90, 78}},
    {"nvvm.prefetch", {90, 80}},
    {"nvvm.wgmma.", {90, 80, kHopper}},
    {"nvvm.griddepcontrol", {90, 78}},
    {"nvvm.mapa", {90, 78}},
    {"nvvm.st.bulk", {100, 86}},
    {"nvvm.clusterlaunchcontrol.", {100, 86}},
    {"nvvm.tcgen05.mma_smem_desc", {}},
    {"nvvm.tcgen05.", {100, 86, kBlackwell}},
    {"llvm.cmpxchg", {90, 84}, isWide},
    {"llvm.", {90, 78}, isOfCluster},
};

int computeCapability(std::string_view arch) {
  int number = 0;
  const std::string portable = PortableArchitecture(arch);
  return absl::SimpleAtoi(portable.substr(portable.find('_') + 1), &number) ? number : 0;
}

struct CheckArchitecture : impl::CheckArchitecturePassBase<CheckArchitecture> {
  using CheckArchitecturePassBase::CheckArchitecturePassBase;

  void runOnOperation() override {
    bool refused = false;
    const std::string of = architectureOf(getOperation(), arch.getValue());
    getOperation().walk([&](Operation* op) {
      const ArchitectureRequirement need = requirementOf(op);
      if (isSatisfied(need, of)) return;
      refused = true;
      InFlightDiagnostic error = op->emitError("'") << op->getName() << "' is an instruction of ";
      if (need.chips.empty())
        error << "sm_" << need.compute_capability << " and newer";
      else
        error << std::string(need.chips) << " alone";
      error << ", and this is compiled for " << of;
    });
    if (refused) signalPassFailure();
  }
};

}  // namespace

ArchitectureRequirement requirementOf(Operation* op) {
  const StringRef name = op->getName().getStringRef();
  for (const Row& row : kRows)
    if (name.starts_with(StringRef(row.begin)) && (!row.when || row.when(op))) return row.need;
  return {};
}

bool isSatisfied(const ArchitectureRequirement& need, std::string_view arch) {
  if (need.chips.empty()) return computeCapability(arch) >= need.compute_capability;
  const std::vector<std::string> chips = absl::StrSplit(ToAbsl(need.chips), ", ");
  return llvm::is_contained(chips, arch);
}

}  // namespace mmtune
