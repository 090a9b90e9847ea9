// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/emitter.h"

#include <algorithm>

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Words of the buffer that most calls share, half of them for operands.
constexpr size_t kCommonWords = 32;
/// A cache line.
constexpr unsigned kBufferAlignment = 64;

LLVM::GEPOp bytesFrom(ImplicitLocOpBuilder& builder, Value pointer, int32_t bytes) {
  return LLVM::GEPOp::create(builder, pointer.getType(), builder.getI8Type(), pointer, ArrayRef<LLVM::GEPArg>{bytes},
                             LLVM::GEPNoWrapFlags::inbounds);
}

/// Returns what SimtFunction::registersAtEntry() does. ptxas chooses as many as the limits of the kernel allow, but no
/// more than the largest increase asks for.
std::optional<int64_t> findRegistersAtEntry(LLVM::LLVMFuncOp kernel) {
  constexpr int64_t kOfMultiprocessor = 65536, kUnit = 8, kMost = 255;
  auto number = [&](StringRef attribute) {
    auto value = kernel->getAttrOfType<IntegerAttr>(attribute);
    return value ? value.getInt() : 0;
  };
  int64_t limit = number(NVVM::NVVMDialect::getMaxnregAttrName());
  if (limit == 0) {
    auto threads = kernel->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getReqntidAttrName());
    if (!threads) threads = kernel->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getMaxntidAttrName());
    int64_t resident = number(NVVM::NVVMDialect::getMinctasmAttrName());
    if (!threads || resident <= 0) return std::nullopt;
    for (int32_t extent : threads.asArrayRef()) resident *= std::max(extent, 1);
    limit = kOfMultiprocessor / resident / kUnit * kUnit;
  }
  int64_t largest = 0;
  kernel->walk([&](NVVM::SetMaxRegisterOp op) {
    if (op.getAction() == NVVM::SetMaxRegisterAction::increase) largest = std::max<int64_t>(largest, op.getRegCount());
  });
  return std::min({limit, kMost, largest == 0 ? kMost : largest});
}

}  // namespace

ImplicitLocOpBuilder SimtFunction::atEntry() {
  return ImplicitLocOpBuilder::atBlockBegin(function.getLoc(), &function.getBody().front());
}

SimtFunction::SimtFunction(LLVM::LLVMFuncOp function, SimtModuleState& module)
    : function(function), module(module), entryRegisters(findRegistersAtEntry(function)) {}

Value SimtFunction::contextField(size_t offset, Type type) {
  Value& field = fields[offset];
  if (!field) {
    ImplicitLocOpBuilder builder = atEntry();
    Value address = bytesFrom(builder, context(), static_cast<int32_t>(offset));
    field = LLVM::LoadOp::create(builder, type, address, /*alignment=*/0, /*isVolatile=*/false,
                                 /*isNonTemporal=*/false, /*isInvariant=*/true);
  }
  return field;
}

LLVM::LLVMFuncOp SimtFunction::runtimeFunction(StringRef name, Type result, TypeRange parameters) {
  if (auto declared = module.symbols.lookup<LLVM::LLVMFuncOp>(name)) return declared;
  OpBuilder builder(module.symbols.getOp()->getRegion(0));
  auto type = LLVM::LLVMFunctionType::get(result ? result : LLVM::LLVMVoidType::get(builder.getContext()),
                                          llvm::to_vector(parameters));
  auto declaration = LLVM::LLVMFuncOp::create(builder, function.getLoc(), name, type);
  declaration.setNoUnwind(true);
  if (module.sites)  // Keep equal calls in two branches apart: they are two program points.
    declaration.setPassthroughAttr(builder.getStrArrayAttr({"nomerge"}));
  module.symbols.insert(declaration);
  module.runtimeFunctions.insert(declaration);
  return declaration;
}

Value SimtFunction::grow(Buffer& buffer, size_t words) {
  auto count = static_cast<int64_t>(words);
  if (!buffer.words) {
    ImplicitLocOpBuilder builder = atEntry();
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    buffer.size = LLVM::ConstantOp::create(builder, builder.getI32Type(), count);
    buffer.words = LLVM::AllocaOp::create(builder, pointer, builder.getI32Type(), buffer.size, kBufferAlignment);
  } else if (count > cast<IntegerAttr>(buffer.size.getValue()).getInt()) {
    buffer.size.setValueAttr(IntegerAttr::get(buffer.size.getType(), count));
  }
  return buffer.words;
}

SimtFunction::Words SimtFunction::words(size_t in, size_t out) {
  if (std::max(in, out) > kCommonWords / 2) return {grow(wideIn, in), grow(wideOut, out)};
  bool first = !common.words;
  Value begin = grow(common, kCommonWords);
  if (first) {
    ImplicitLocOpBuilder builder(function.getLoc(), function.getContext());
    builder.setInsertionPointAfterValue(begin);
    commonOut = bytesFrom(builder, begin, 4 * kCommonWords / 2);
  }
  return {begin, commonOut};
}

Value SimtEmitter::i32(int64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                  builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value SimtEmitter::site() {
  SimtSites* sites = function.state().sites;
  return i32(sites ? sites->siteOf(op) : 0);
}

Value SimtEmitter::generic(Value pointer) {
  return LLVM::AddrSpaceCastOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()), pointer);
}

Value SimtEmitter::call(StringRef name, ArrayRef<Value> arguments, Type result) {
  SmallVector<Value> operands{function.context()};
  for (Value argument : arguments)
    operands.push_back(isa<LLVM::LLVMPointerType>(argument.getType()) ? generic(argument) : argument);
  LLVM::LLVMFuncOp callee = function.runtimeFunction(name, result, ValueRange(operands).getTypes());
  auto call = LLVM::CallOp::create(builder, callee, operands);
  return result ? call.getResult() : Value();
}

void SimtEmitter::guard(Value predicate) {
  if (!predicate) return;
  Block* before = op->getBlock();
  Block* guarded = before->splitBlock(op);
  Block* after = guarded->splitBlock(std::next(Block::iterator(op)));
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, predicate, guarded, after);
  builder.setInsertionPointToEnd(guarded);
  LLVM::BrOp::create(builder, after);
  builder.setInsertionPoint(op);
}

LogicalResult unsupportedOnSimt(Operation* op, const Twine& what) {
  return op->emitError(what) << " is not supported on the SIMT device";
}

}  // namespace mmtune
