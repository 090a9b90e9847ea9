// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/kernel_builder.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "proto/types/device_info.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr unsigned kGlobalSpace = 1;
constexpr unsigned kSharedSpace = 3;
constexpr llvm::StringLiteral kSharedName = "dynamic_shared_memory";
constexpr uint64_t kSharedAlignment = 1024;

// Operands stay below 2^31, so no operation wraps; saying so lets addresses fold into offsets.
constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

unsigned sizeOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  unsigned elements = vector ? vector.getNumElements() : 1;
  return elements * getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8;
}

bool isIntegers(Value x) { return getElementTypeOrSelf(x.getType()).isInteger(); }

LLVM::LoopAnnotationAttr dontUnroll(MLIRContext* context) {
  auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
}

/// Returns `loc`, or a location of this name where it is unknown. Counters of branches report it.
Location branchAt(Location loc, llvm::StringRef name) {
  return isa<UnknownLoc>(loc) ? Location(NameLoc::get(StringAttr::get(loc.getContext(), name))) : loc;
}

}  // namespace

Type elementType(Builder& builder, DataType type) {
  const DataTypeTraits& traits = TraitsOf(type);
  if (traits.is_integer) return builder.getIntegerType(static_cast<unsigned>(8 * traits.bytes));
  return parseType(traits.name, builder.getContext());
}

KernelBuilder::KernelBuilder(gpu::GPUModuleOp module, int computeCapability)
    : module(module), computeCapability(computeCapability), loc(module.getLoc()), builder(module.getContext()) {}

KernelBuilder::ScopedName::ScopedName(KernelBuilder& builder, llvm::StringRef name)
    : builder(builder), outer(builder.loc) {
  builder.loc = NameLoc::get(builder.builder.getStringAttr(name), UnknownLoc::get(outer.getContext()));
}

KernelBuilder::Values KernelBuilder::beginKernel(const KernelSignature& signature) {
  builder.setInsertionPointToEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  llvm::SmallVector<Type> parameters(signature.buffers.size(), pointer);
  parameters.append(signature.integers, i32());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), parameters);
  auto function = LLVM::LLVMFuncOp::create(builder, loc, signature.name, type);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), builder.getDenseI32ArrayAttr(signature.threads));
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr(signature.minBlocks));
  if (llvm::any_of(signature.cluster, [](int32_t blocks) { return blocks != 1; }))
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(), builder.getDenseI32ArrayAttr(signature.cluster));
  constexpr int64_t kMapAlignment = 64;
  auto mapType = LLVM::LLVMArrayType::get(i64(), 16);
  for (auto [i, access] : llvm::enumerate(signature.buffers)) {
    if (access == BufferUse::kTensorMap) {
      function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(mapType));
      function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(kMapAlignment));
      function.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
      continue;
    }
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(16));
    if (access == BufferUse::kRead)
      function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
    if (access == BufferUse::kWrite)
      function.setArgAttr(i, LLVM::LLVMDialect::getWriteOnlyAttrName(), builder.getUnitAttr());
  }
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  auto global = LLVM::LLVMPointerType::get(builder.getContext(), kGlobalSpace);
  Values values;
  for (auto [access, argument] : llvm::zip(signature.buffers, function.getArguments())) {
    const bool isMap = access == BufferUse::kTensorMap;
    values.push_back(isMap ? Value(argument) : LLVM::AddrSpaceCastOp::create(builder, loc, global, argument));
  }
  llvm::append_range(values, function.getArguments().take_back(signature.integers));
  return values;
}

LLVM::LLVMFuncOp KernelBuilder::kernel() {
  Operation* around = builder.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<LLVM::LLVMFuncOp>(around);
  return function ? function : around->getParentOfType<LLVM::LLVMFuncOp>();
}

void KernelBuilder::finishKernel() { LLVM::ReturnOp::create(builder, loc, ValueRange()); }

Value KernelBuilder::sharedMemory() {
  auto global = module.lookupSymbol<LLVM::GlobalOp>(kSharedName);
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/false, LLVM::Linkage::External, kSharedName,
                                    Attribute(), kSharedAlignment, kSharedSpace);
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Type KernelBuilder::vectorOf(Type type, int64_t n) { return n == 1 ? type : Type(VectorType::get({n}, type)); }

Value KernelBuilder::integer(Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

Value KernelBuilder::zero(Type type) { return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)); }

Value KernelBuilder::add(Value x, Value y) { return builder.createOrFold<arith::AddIOp>(loc, x, y, kNoWrap); }

Value KernelBuilder::add(Value x, int64_t y) { return y == 0 ? x : add(x, integer(x.getType(), y)); }

Value KernelBuilder::sub(Value x, Value y) { return builder.createOrFold<arith::SubIOp>(loc, x, y, kNoWrap); }

Value KernelBuilder::mul(Value x, Value y) { return builder.createOrFold<arith::MulIOp>(loc, x, y, kNoWrap); }

Value KernelBuilder::mul(Value x, int64_t y) { return y == 1 ? x : mul(x, integer(x.getType(), y)); }

Value KernelBuilder::div(Value x, Value y) { return builder.createOrFold<arith::DivUIOp>(loc, x, y); }

Value KernelBuilder::div(Value x, int64_t y) { return y == 1 ? x : div(x, integer(x.getType(), y)); }

Value KernelBuilder::rem(Value x, Value y) { return builder.createOrFold<arith::RemUIOp>(loc, x, y); }

Value KernelBuilder::rem(Value x, int64_t y) {
  return y == 1 ? integer(x.getType(), 0) : rem(x, integer(x.getType(), y));
}

Value KernelBuilder::min(Value x, Value y) { return builder.createOrFold<arith::MinSIOp>(loc, x, y); }

Value KernelBuilder::select(Value condition, Value x, Value y) {
  if (isTrue(condition)) return x;
  return builder.createOrFold<arith::SelectOp>(loc, condition, x, y);
}

Value KernelBuilder::extendToI64(Value x) { return builder.createOrFold<arith::ExtUIOp>(loc, i64(), x); }

Value KernelBuilder::exclusiveOr(Value x, Value y) { return builder.createOrFold<arith::XOrIOp>(loc, x, y); }

Value KernelBuilder::less(Value x, Value y) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, x, y);
}

Value KernelBuilder::less(Value x, int64_t y) { return less(x, integer(x.getType(), y)); }

Value KernelBuilder::greater(Value x, int64_t y) { return less(integer(x.getType(), y), x); }

Value KernelBuilder::equal(Value x, int64_t y) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, x, integer(x.getType(), y));
}

Value KernelBuilder::logicalAnd(Value x, Value y) {
  if (isTrue(x)) return y;
  if (isTrue(y)) return x;
  return builder.createOrFold<arith::AndIOp>(loc, x, y);
}

Value KernelBuilder::trueConstant() { return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)); }

bool KernelBuilder::isTrue(Value condition) { return !condition || matchPattern(condition, m_One()); }

Value KernelBuilder::offset(Value pointer, Value elements, Type type) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), type ? type : f32(), pointer,
                             ArrayRef<LLVM::GEPArg>{elements});
}

Value KernelBuilder::offset(Value pointer, int64_t elements, Type type) {
  if (elements == 0) return pointer;
  if (llvm::isInt<32>(elements))
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), type ? type : f32(), pointer,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(elements)});
  return offset(pointer, integer(i64(), elements), type);
}

Value KernelBuilder::load(Value pointer, int64_t n) { return load(f32(), pointer, n); }

Value KernelBuilder::load(Type type, Value pointer, int64_t n) {
  if (n != 1) type = VectorType::get({n}, type);
  return LLVM::LoadOp::create(builder, loc, type, pointer, sizeOf(type));
}

void KernelBuilder::store(Value value, Value pointer) {
  LLVM::StoreOp::create(builder, loc, value, pointer, sizeOf(value.getType()));
}

void KernelBuilder::atomicAdd(Value value, Value pointer) {
  int64_t width = widthOf(value);
  if (width == 1) {
    LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::fadd, pointer, value, LLVM::AtomicOrdering::monotonic,
                              "device");
    return;
  }
  int64_t most = HasVectorAtomics(computeCapability) ? kMostFloatsOfAtomic : 1;
  if (width > most || !llvm::isPowerOf2_64(width)) {
    for (int64_t i = 0, n = 0; i < width; i += n) {
      n = std::min(most, static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(width - i))));
      Value part = slice(value, i, n);
      atomicAdd(part, offset(pointer, i));
    }
    return;
  }
  // LLVM has no intrinsic for it, and an `atomicrmw` of a vector would update the whole vector atomically.
  Values operands = {pointer};
  for (int64_t i = 0; i < width; ++i) operands.push_back(element(value, i));
  StringRef text = width == 2 ? "red.relaxed.gpu.global.add.v2.f32 [$0], {$1, $2};"
                              : "red.relaxed.gpu.global.add.v4.f32 [$0], {$1, $2, $3, $4};";
  NVVM::InlinePtxOp::create(builder, loc, TypeRange(), operands, ValueRange(), text, Value());
}

Value KernelBuilder::atomicIncrement(Value pointer) {
  // LLVM's NVPTX backend ignores the ordering of atomics: fences provide it.
  return LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add, pointer, constant(1),
                                   LLVM::AtomicOrdering::monotonic, "device");
}

void KernelBuilder::fence() { LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel, "device"); }

Value KernelBuilder::element(Value vector, int64_t index) {
  if (!isa<VectorType>(vector.getType())) return vector;
  return vector::ExtractOp::create(builder, loc, vector, index);
}

Value KernelBuilder::slice(Value vector, int64_t first, int64_t n) {
  if (vector.getType() == floats(n)) return vector;
  if (n == 1) return element(vector, first);
  Values elements;
  for (int64_t i = first; i < first + n; ++i) elements.push_back(element(vector, i));
  return concatenate(elements);
}

Value KernelBuilder::concatenate(const Values& elements) {
  if (elements.size() == 1) return elements.front();
  auto type = VectorType::get({static_cast<int64_t>(elements.size())}, elements.front().getType());
  return vector::FromElementsOp::create(builder, loc, type, elements);
}

int64_t KernelBuilder::widthOf(Value vector) {
  auto type = dyn_cast<VectorType>(vector.getType());
  return type ? type.getNumElements() : 1;
}

Value KernelBuilder::convert(Value x, Type type) {
  unsigned from = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from == to) return x;
  if (auto vector = dyn_cast<VectorType>(x.getType())) type = vector.clone(type);
  if (isIntegers(x)) return arith::ExtSIOp::create(builder, loc, type, x);
  if (from < to) return arith::ExtFOp::create(builder, loc, type, x);
  return arith::TruncFOp::create(builder, loc, type, x);
}

KernelBuilder::Values KernelBuilder::unpackBf16(Value word) {
  // bf16 is the upper half of a float.
  Value low = arith::ShLIOp::create(builder, loc, word, constant(16));
  Value high = arith::AndIOp::create(builder, loc, word, constant(-65536));
  return {bitcast(low, f32()), bitcast(high, f32())};
}

Value KernelBuilder::bitcast(Value x, Type type) { return LLVM::BitcastOp::create(builder, loc, type, x); }

Value KernelBuilder::multiplyAdd(Value x, Value y, Value z) {
  auto type = dyn_cast<VectorType>(y.getType());
  if (type && x.getType() != type) x = vector::BroadcastOp::create(builder, loc, type, x);
  if (isIntegers(z)) return arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, x, y), z);
  if (!type) return LLVM::FMAOp::create(builder, loc, x, y, z);
  return vector::FMAOp::create(builder, loc, x, y, z);
}

Value KernelBuilder::splat(Type type, float value) {
  TypedAttr attribute = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type)) attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value KernelBuilder::addAccumulators(Value x, Value y) {
  if (isIntegers(x)) return arith::AddIOp::create(builder, loc, x, y);
  return addFloats(x, y);
}

Value KernelBuilder::addFloats(Value x, Value y) { return arith::AddFOp::create(builder, loc, x, y); }

Value KernelBuilder::subtractFloats(Value x, Value y) { return arith::SubFOp::create(builder, loc, x, y); }

Value KernelBuilder::multiplyFloats(Value x, Value y) { return arith::MulFOp::create(builder, loc, x, y); }

Value KernelBuilder::maxFloats(Value x, Value y) { return arith::MaximumFOp::create(builder, loc, x, y); }

Value KernelBuilder::minFloats(Value x, Value y) { return arith::MinimumFOp::create(builder, loc, x, y); }

Value KernelBuilder::onBits(Value x, int32_t operand, llvm::function_ref<Value(Value, Value)> operation) {
  Type words = i32();
  TypedAttr attribute = builder.getI32IntegerAttr(operand);
  if (auto type = dyn_cast<VectorType>(x.getType())) {
    words = type.clone(words);
    attribute = DenseElementsAttr::get(cast<ShapedType>(words), operand);
  }
  Value bits = arith::BitcastOp::create(builder, loc, words, x);
  Value result = operation(bits, arith::ConstantOp::create(builder, loc, attribute));
  return arith::BitcastOp::create(builder, loc, x.getType(), result);
}

Value KernelBuilder::absolute(Value x) {
  constexpr int32_t kAllButTheSign = 0x7fffffff;
  return onBits(x, kAllButTheSign,
                [this](Value bits, Value mask) -> Value { return arith::AndIOp::create(builder, loc, bits, mask); });
}

Value KernelBuilder::lessFloats(Value x, float limit) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, splat(x.getType(), limit));
}

Value KernelBuilder::shiftBitsOfFloats(Value x, int64_t places) {
  return onBits(x, static_cast<int32_t>(places), [this](Value bits, Value distance) -> Value {
    return arith::ShLIOp::create(builder, loc, bits, distance);
  });
}

KernelBuilder::Values KernelBuilder::loop(Value count, int64_t step, Values carried,
                                          llvm::function_ref<Values(Value, Values)> body, Unrolling unrolling) {
  Value begin = integer(count.getType(), 0), distance = integer(count.getType(), step);
  auto loop = scf::ForOp::create(builder, branchAt(loc, "go round a loop"), begin, count, distance, carried);
  // LLVM reads the attribute by this name; with the prefix of a dialect it is ignored.
  if (unrolling == Unrolling::kNone) loop->setAttr("loop_annotation", dontUnroll(builder.getContext()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Values next = body(loop.getInductionVar(), Values(loop.getRegionIterArgs()));
  if (!carried.empty()) scf::YieldOp::create(builder, loc, next);
  return Values(loop.getResults());
}

void KernelBuilder::when(Value condition, llvm::function_ref<void()> body) {
  if (isTrue(condition)) return body();
  auto branch = scf::IfOp::create(builder, branchAt(loc, "test a condition"), condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

KernelBuilder::Values KernelBuilder::whenElse(Value condition, llvm::function_ref<Values()> body,
                                              const Values& others) {
  if (isTrue(condition)) return body();
  auto branch = scf::IfOp::create(builder, branchAt(loc, "test a condition"), TypeRange(ValueRange(others)), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Values values = body();
  scf::YieldOp::create(builder, loc, values);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, others);
  return Values(branch.getResults());
}

Value KernelBuilder::threadX() { return NVVM::ThreadIdXOp::create(builder, loc, i32()); }
Value KernelBuilder::threadY() { return NVVM::ThreadIdYOp::create(builder, loc, i32()); }
Value KernelBuilder::blockX() { return NVVM::BlockIdXOp::create(builder, loc, i32()); }
Value KernelBuilder::blockZ() { return NVVM::BlockIdZOp::create(builder, loc, i32()); }
Value KernelBuilder::gridX() { return NVVM::GridDimXOp::create(builder, loc, i32()); }
void KernelBuilder::barrier() { NVVM::Barrier0Op::create(builder, loc); }
void KernelBuilder::warpBarrier() { NVVM::SyncWarpOp::create(builder, loc, constant(-1)); }

Value KernelBuilder::shuffleXor(Value x, int64_t lanes) {
  Value all = constant(-1), mask = constant(lanes), lastLane = constant(31);
  return NVVM::ShflOp::create(builder, loc, f32(), all, x, mask, lastLane, NVVM::ShflKind::bfly, UnitAttr());
}

void KernelBuilder::copyAsync(Value shared, Value global, int64_t bytes, Value condition) {
  Value readBytes;
  if (!isTrue(condition)) {
    Value all = constant(bytes), none = constant(0);
    readBytes = select(condition, all, none);
  }
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(builder, loc, shared, global, static_cast<uint32_t>(bytes), cache, readBytes);
}

void KernelBuilder::commitCopies() { NVVM::CpAsyncCommitGroupOp::create(builder, loc); }

void KernelBuilder::waitCopies(int64_t groups) {
  NVVM::CpAsyncWaitGroupOp::create(builder, loc, static_cast<uint32_t>(groups));
}

KernelBuilder::Values KernelBuilder::loadMatrices(Value pointer, int64_t count, bool transposed) {
  Type words = i32();
  if (count > 1) words = LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(count, i32()));
  auto layout = transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  auto shape = NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8);
  Value loaded = NVVM::LdMatrixOp::create(builder, loc, words, pointer, static_cast<uint32_t>(count), layout, shape,
                                          NVVM::LdStMatrixEltType::B16);
  if (count == 1) return {loaded};
  return structFields(loaded, count);
}

KernelBuilder::Values KernelBuilder::multiplyMatrices(DataType type, ArrayRef<Value> a, ArrayRef<Value> b,
                                                      ArrayRef<Value> c) {
  auto operands = [&](ArrayRef<Value> words) {
    Values values(words);
    if (type == DataType::kF16)
      for (Value& value : values) value = bitcast(value, VectorType::get({2}, builder.getF16Type()));
    return values;
  };
  NVVM::MMATypes element = type == DataType::kF32 ? NVVM::MMATypes::tf32 : *NVVM::symbolizeMMATypes(DataTypeName(type));
  std::array<int64_t, 3> shape = {16, 8, static_cast<int64_t>(8 * a.size()) / DataTypeBytes(type)};
  if (type == DataType::kF64) shape = {8, 8, 4};
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (type == DataType::kS8) overflow = NVVM::MMAIntOverflow::wrapped;
  SmallVector<Type> sums(c.size(), c.front().getType());
  auto result = LLVM::LLVMStructType::getLiteral(builder.getContext(), sums);
  Values wordsA = operands(a), wordsB = operands(b);
  auto product = NVVM::MmaOp::create(builder, loc, result, wordsA, wordsB, c, shape, std::nullopt, overflow,
                                     std::array<NVVM::MMATypes, 2>{element, element},
                                     std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
  return structFields(product, static_cast<int64_t>(c.size()));
}

Value KernelBuilder::packAlternateBytes(Value x, Value y, int64_t first) {
  Type bytes = VectorType::get({4}, builder.getI8Type());
  Value bytesX = bitcast(x, bytes), bytesY = bitcast(y, bytes);
  Value picked = vector::ShuffleOp::create(builder, loc, bytesX, bytesY,
                                           ArrayRef<int64_t>{first, first + 2, first + 4, first + 6});
  return bitcast(picked, i32());
}

Value KernelBuilder::roundToTf32(Value word) {
  auto rounding = computeCapability >= 90 ? NVVM::FPRoundingMode::RN : NVVM::FPRoundingMode::RNA;
  return NVVM::ConvertFloatToTF32Op::create(builder, loc, i32(), bitcast(word, f32()), rounding);
}

KernelBuilder::Values KernelBuilder::structFields(Value structure, int64_t count) {
  Values values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(LLVM::ExtractValueOp::create(builder, loc, structure, ArrayRef<int64_t>{i}));
  return values;
}

}  // namespace mmtune
