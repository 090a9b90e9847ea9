// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/simt/wide_intrinsics.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

bool isZero(Value value) { return matchPattern(value, m_Zero()); }

/// 32-bit registers of a lane, or 64-bit ones of f64, that hold its part of a matrix.
size_t fragmentRegisters(int64_t elements, NVVM::MMATypes type) {
  int64_t elementBits = type == NVVM::MMATypes::f64                                ? 64
                        : type == NVVM::MMATypes::tf32                             ? 32
                        : type == NVVM::MMATypes::s8 || type == NVVM::MMATypes::u8 ? 8
                                                                                   : 16;
  return elements * elementBits / (32 * (type == NVVM::MMATypes::f64 ? 64 : 32));
}

/// mma.m16n8k16.row.col[.satfinite].<types>: of D and C for f16, of A or of A and B for others.
Operation* raiseMma(LLVM::CallIntrinsicOp call, StringRef name, ImplicitLocOpBuilder& builder) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  int64_t m = 0, n = 0, k = 0;
  StringRef shape = parts[0];
  if (!shape.consume_front("m") || shape.consumeInteger(10, m) || !shape.consume_front("n") ||
      shape.consumeInteger(10, n) || !shape.consume_front("k") || shape.getAsInteger(10, k) || parts.size() < 4 ||
      parts[1] != "row" || parts[2] != "col" || call->getNumResults() != 1)
    return nullptr;
  SmallVector<StringRef> types(llvm::drop_begin(parts, 3));
  auto overflow = NVVM::MMAIntOverflow::wrapped;
  if (types.front() == "satfinite") {
    overflow = NVVM::MMAIntOverflow::satfinite;
    types.erase(types.begin());
  }
  std::optional<NVVM::MMATypes> a, b;
  if (types.size() == 2 && types[0].starts_with("f") && types[1].starts_with("f"))
    a = b = NVVM::MMATypes::f16;
  else if (types.size() == 1 || types.size() == 2)
    a = NVVM::symbolizeMMATypes(types.front()), b = NVVM::symbolizeMMATypes(types.back());
  if (!a || !b) return nullptr;
  ValueRange args = call.getArgs();
  size_t ofA = fragmentRegisters(m * k, *a), ofB = fragmentRegisters(k * n, *b);
  if (args.size() <= ofA + ofB) return nullptr;
  bool integers = *a == NVVM::MMATypes::s8 || *a == NVVM::MMATypes::u8;
  return NVVM::MmaOp::create(builder, call->getResult(0).getType(), args.take_front(ofA), args.slice(ofA, ofB),
                             args.drop_front(ofA + ofB), ArrayRef<int64_t>{m, n, k}, std::nullopt,
                             integers ? std::optional(overflow) : std::nullopt, std::array{*a, *b},
                             std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
}

/// tensor.g2s.tile.2d(shared, mbarrier, map, coordinates, mask, hint, flags of both, group).
Operation* raiseTensorLoad(ValueRange args, unsigned rank, ImplicitLocOpBuilder& builder) {
  if (args.size() != rank + 8 || !isZero(args[rank + 5]) || !isZero(args[rank + 7])) return nullptr;
  return NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(builder, args[0], args[2], args.slice(3, rank), args[1],
                                                                ValueRange(), Value(), Value(), NVVM::TMALoadMode::TILE,
                                                                false, NVVM::CTAGroupKindAttr(), Value());
}

/// tensor.s2g.tile.2d(shared, map, coordinates, hint, its flag).
Operation* raiseTensorStore(ValueRange args, unsigned rank, ImplicitLocOpBuilder& builder) {
  if (args.size() != rank + 4) return nullptr;
  return NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(builder, args[1], args[0], args.slice(2, rank), Value(),
                                                            NVVM::TMAStoreMode::TILE, Value());
}

Operation* raiseBulk(StringRef name, ValueRange args, ImplicitLocOpBuilder& builder) {
  unsigned rank = 0;
  StringRef tensor = name;
  bool load = tensor.consume_front("tensor.g2s.tile.");
  if (load || tensor.consume_front("tensor.s2g.tile.")) {
    if (!tensor.consume_back("d") || tensor.getAsInteger(10, rank)) return nullptr;
    return load ? raiseTensorLoad(args, rank, builder) : raiseTensorStore(args, rank, builder);
  }
  if (name == "global.to.shared.cluster" && args.size() == 8 && isZero(args[6]))
    return NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(builder, args[0], args[2], args[1], args[3], Value(),
                                                            Value());
  if (name == "shared.cta.to.global" && args.size() == 5)
    return NVVM::CpAsyncBulkSharedCTAToGlobalOp::create(builder, args[0], args[1], args[2], Value(), Value());
  return nullptr;
}

}  // namespace

Operation* raiseWideIntrinsic(LLVM::CallIntrinsicOp call, ImplicitLocOpBuilder& builder) {
  StringRef name = call.getIntrin();
  if (name.consume_front("llvm.nvvm.mma.")) return raiseMma(call, name, builder);
  if (name.consume_front("llvm.nvvm.cp.async.bulk.")) return raiseBulk(name, call.getArgs(), builder);
  if (name == "llvm.nvvm.fence.proxy.async" || name.starts_with("llvm.nvvm.fence.proxy.async.shared"))
    return NVVM::FenceProxyOp::create(builder, NVVM::ProxyKind::async, NVVM::SharedSpaceAttr());
  return nullptr;
}

}  // namespace mmtune
