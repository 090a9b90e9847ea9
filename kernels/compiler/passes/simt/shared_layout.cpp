// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/shared_layout.h"

#include <limits>

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr uint64_t kMinAlignment = 16;

/// Size of a scalar, vector or array on the host; nothing for other types, whose padding would
/// depend on a data layout.
std::optional<uint64_t> allocationBytes(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    std::optional<uint64_t> element = allocationBytes(array.getElementType());
    if (!element) return std::nullopt;
    return *element * array.getNumElements();
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable() || vector.getRank() != 1) return std::nullopt;
    std::optional<uint64_t> element = allocationBytes(vector.getElementType());
    if (!element) return std::nullopt;
    return llvm::PowerOf2Ceil(*element * vector.getNumElements());
  }
  if (type.isIntOrFloat()) return llvm::PowerOf2Ceil(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
  if (isa<LLVM::LLVMPointerType>(type)) return 8;
  return std::nullopt;
}

bool hasInitialValue(LLVM::GlobalOp global) {
  Region& initializer = global.getInitializerRegion();
  if (initializer.empty()) return global.getValueOrNull() != nullptr;
  Value value = initializer.front().getTerminator()->getOperand(0);
  return !isa_and_nonnull<LLVM::UndefOp, LLVM::PoisonOp>(value.getDefiningOp());
}

}  // namespace

FailureOr<SimtSharedLayout> SimtSharedLayout::create(gpu::GPUModuleOp module, uint32_t redZone) {
  SimtSharedLayout layout;
  uint64_t end = 0;
  SmallVector<StringRef> dynamicGlobals;
  uint64_t used = 0;  // The end of the last global.
  auto addGap = [&](uint64_t until) {
    if (used != 0 && used < until)
      layout.betweenGlobals.push_back({static_cast<uint32_t>(used), static_cast<uint32_t>(until)});
  };
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != kSharedAddressSpace) continue;
    if (hasInitialValue(global)) return global.emitError("shared memory cannot have an initial value");
    std::optional<uint64_t> size = allocationBytes(global.getGlobalType());
    if (!size)
      return global.emitError("type ") << global.getGlobalType()
                                       << " in shared memory is not supported on the SIMT device";
    if (*size == 0) {
      dynamicGlobals.push_back(global.getSymName());
      continue;
    }
    end = llvm::alignTo(end, std::max(kMinAlignment, global.getAlignment().value_or(1)));
    layout.offsets[global.getSymName()] = end;
    addGap(end);
    used = end + *size;
    end = used + redZone;
    if (end > std::numeric_limits<int32_t>::max()) return global.emitError("static shared memory exceeds 2 GiB");
  }
  layout.bytes = llvm::alignTo(end, simt::kDynamicSharedAlignment);
  addGap(layout.bytes);
  for (StringRef name : dynamicGlobals) layout.offsets[name] = layout.bytes;
  return layout;
}

std::optional<uint32_t> SimtSharedLayout::offsetOf(StringRef global) const {
  auto it = offsets.find(global);
  if (it == offsets.end()) return std::nullopt;
  return it->second;
}

}  // namespace mmtune
