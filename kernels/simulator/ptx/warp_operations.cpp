// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that the lanes of a warp execute together: shuffles, votes, reductions, and matrices.
#include "kernels/compiler/passes/simt/warp_operations.h"
#include "kernels/simulator/ptx/function_lowering.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;

ScalarType pred() { return typeNamed("pred"); }

Type structOf(Emitter& e, ArrayRef<Type> types) { return LLVM::LLVMStructType::getLiteral(e.context(), types); }
Value part(Emitter& e, Value whole, int64_t index) {
  return LLVM::ExtractValueOp::create(e.b, whole, ArrayRef<int64_t>{index});
}

/// Writes `d` or `d|p`.
void writePair(Emitter& e, Value first, Value second) {
  const Operand& destination = e.operand(0);
  if (destination.kind != Operand::Kind::kPair) return e.write(destination, first, b32());
  if (destination.items[0].kind == Operand::Kind::kSink && e.words().front() == "shfl")
    e.fail("the destination is '_', which only the predicate behind it can be");
  e.write(destination.items[0], first, b32());
  e.write(destination.items[1], second, pred());
}

/// `shfl.sync.mode.b32 d[|p], a, b, c, mask`
void shuffle(Emitter& e) {
  if (!e.expectOperands(5)) return;
  const NVVM::ShflKind kind = *NVVM::symbolizeShflKind(e.words()[2]);
  auto shuffled = NVVM::ShflOp::create(e.b, structOf(e, {e.b.getI32Type(), e.b.getI1Type()}), e.read(4, u32()),
                                       e.read(1, b32()), e.read(2, b32()), e.read(3, b32()), kind, e.b.getUnitAttr());
  writePair(e, part(e, shuffled, 0), part(e, shuffled, 1));
}

void vote(Emitter& e) {
  if (!e.expectOperands(3)) return;
  const NVVM::VoteSyncKind kind = *NVVM::symbolizeVoteSyncKind(e.words()[2]);
  e.write(NVVM::VoteSyncOp::create(e.b, e.type().valueType(e.context()), e.read(2, u32()), e.readPredicate(1), kind));
}

void match(Emitter& e) {
  if (!e.expectOperands(3)) return;
  const bool isAll = e.has("all");
  const NVVM::MatchSyncKind kind = isAll ? NVVM::MatchSyncKind::all : NVVM::MatchSyncKind::any;
  Type word = e.b.getI32Type();
  Type result = isAll ? structOf(e, {word, e.b.getI1Type()}) : word;
  Value matched = NVVM::MatchSyncOp::create(e.b, result, e.read(2, u32()), e.read(1, e.type()), kind);
  if (isAll) return writePair(e, part(e, matched, 0), part(e, matched, 1));
  e.write(0, matched, u32());
}

void reduce(Emitter& e) {
  if (!e.expectOperands(3)) return;
  std::string name = e.words()[2].str();
  const ScalarType type = e.type();
  if (name == "min" || name == "max") name = (type.isFloat() ? "f" : type.isSigned() ? "" : "u") + name;
  const NVVM::ReduxKind kind = *NVVM::symbolizeReduxKind(name);
  e.write(NVVM::ReduxOp::create(e.b, type.valueType(e.context()), e.read(1, type), kind, e.read(2, u32()), e.has("abs"),
                                e.has("NaN")));
}

/// Lanes need not execute activemask together, so that the own lane alone is a right answer, and the least that a
/// kernel may count on.
void activeMask(Emitter& e) {
  if (!e.expectOperands(1)) return;
  e.write(LLVM::ShlOp::create(e.b, e.integer(1), specialRegister("%laneid", e.b)));
}

/// `elect.sync d|p, mask`
void elect(Emitter& e) {
  if (!e.expectOperands(2)) return;
  if (e.operand(0).kind != Operand::Kind::kPair) return e.fail("the destination of elect.sync is d|p, or _|p");
  Type result = structOf(e, {e.b.getI32Type(), e.b.getI1Type()});
  Value leader = e.intrinsic("llvm.nvvm.elect.sync", result, {e.read(1, u32())});
  writePair(e, part(e, leader, 0), part(e, leader, 1));
}

unsigned tilesOf(Emitter& e) { return e.wordAmong({"x1", "x2", "x4"}).back() - '0'; }
NVVM::MMALayout tileLayout(Emitter& e) { return e.has("trans") ? NVVM::MMALayout::col : NVVM::MMALayout::row; }

void loadMatrix(Emitter& e) {
  if (!e.expectOperands(2)) return;
  const unsigned count = tilesOf(e);
  ArrayRef<Operand> items = e.list(0);
  if (items.size() != count) return e.fail("the destination needs " + Twine(count) + " registers");
  Type word = e.b.getI32Type();
  Type result = count == 1 ? word : structOf(e, SmallVector<Type>(count, word));
  Value tiles =
      NVVM::LdMatrixOp::create(e.b, result, sharedPointer(e, 1), count, tileLayout(e),
                               NVVM::LdStMatrixShapeAttr::get(e.context(), 8, 8), NVVM::LdStMatrixEltType::B16);
  for (unsigned i = 0; i < count; ++i) e.write(items[i], count == 1 ? tiles : part(e, tiles, i), b32());
}

void storeMatrix(Emitter& e) {
  if (!e.expectOperands(2)) return;
  const unsigned count = tilesOf(e);
  ArrayRef<Operand> items = e.list(1);
  if (items.size() != count) return e.fail("the source needs " + Twine(count) + " registers");
  SmallVector<Value> tiles;
  for (const Operand& item : items) tiles.push_back(e.read(item, b32()));
  NVVM::StMatrixOp::create(e.b, sharedPointer(e, 0), tiles, tileLayout(e),
                           NVVM::LdStMatrixShapeAttr::get(e.context(), 8, 8), NVVM::LdStMatrixEltType::B16);
}

/// Returns the type of a register of a fragment, as NVVM has it.
Type fragmentType(Emitter& e, const ScalarType& type) {
  if (type.name == "f16") return typeNamed("f16x2").valueType(e.context());
  if (type.name == "f32" || type.name == "f64") return type.valueType(e.context());
  return e.b.getI32Type();
}

/// Returns the type of the instruction's registers of a fragment: that of accumulators, and .b32 of packed elements.
ScalarType fragmentRegister(const ScalarType& type) { return type.bits() >= 32 ? type : b32(); }

SmallVector<Value> readFragment(Emitter& e, size_t index, const ScalarType& type) {
  SmallVector<Value> values;
  Type register_ = fragmentType(e, type);
  for (const Operand& item : e.list(index)) values.push_back(e.cast(e.read(item, fragmentRegister(type)), register_));
  return values;
}

/// mma.sync: D = A * B + C with types D, A, B, C.
void multiplyMatrices(Emitter& e) {
  if (!e.expectOperands(4)) return;
  int64_t m = 0, n = 0, k = 0;
  StringRef shape = e.words()[3];
  (void)(shape.consume_front("m"), shape.consumeInteger(10, m), shape.consume_front("n"), shape.consumeInteger(10, n),
         shape.consume_front("k"), shape.consumeInteger(10, k));
  const ScalarType d = e.type(0), a = e.type(1), b = e.type(2), c = e.type(3);
  // Registers of 32 bits of each fragment, 64 bits for f64.
  auto registers = [&](int64_t elements, const ScalarType& type) {
    return static_cast<size_t>(elements * type.bits() / 32 / std::max(32u, type.bits() == 64 ? 64u : 32u));
  };
  const size_t sizes[] = {registers(m * n, d), registers(m * k, a), registers(k * n, b), registers(m * n, c)};
  for (size_t i = 0; i < 4; ++i)
    if (e.items(i).size() != sizes[i])
      return e.fail("operand " + Twine(i + 1) + " needs " + Twine(sizes[i]) + " registers, has " +
                    Twine(e.items(i).size()));
  const bool isInteger = a.isInteger();
  auto overflow = e.has("satfinite") ? NVVM::MMAIntOverflow::satfinite : NVVM::MMAIntOverflow::wrapped;
  Type result = structOf(e, SmallVector<Type>(sizes[0], fragmentType(e, d)));
  Value product =
      NVVM::MmaOp::create(e.b, result, readFragment(e, 1, a), readFragment(e, 2, b), readFragment(e, 3, c),
                          ArrayRef<int64_t>{m, n, k}, std::nullopt, isInteger ? std::optional(overflow) : std::nullopt,
                          std::array{*NVVM::symbolizeMMATypes(a.name), *NVVM::symbolizeMMATypes(b.name)},
                          std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  for (auto [i, item] : llvm::enumerate(e.list(0))) e.write(item, part(e, product, i), fragmentRegister(d));
}

/// wgmma.mma_async: `{d}, a descriptor or {a}, b descriptor, scale d, scale a, scale b[, transpose a], transpose b`.
/// The pass reads it as inline PTX whose first operands are tied to the results.
void multiplyByWarpgroup(Emitter& e) {
  if (!e.expectOperands(4, 8)) return;
  ArrayRef<Operand> accumulator = e.list(0);
  const bool hasRegisters = e.operand(1).kind == Operand::Kind::kList;
  const size_t count = accumulator.size();
  std::string text, constraints;
  SmallVector<Value> operands;
  Type word = e.b.getI32Type();
  auto list = [&](size_t first, size_t size) {
    std::string items = "{";
    for (size_t i = 0; i < size; ++i) items += (i == 0 ? "$" : ", $") + std::to_string(first + i);
    return items + "}";
  };
  for (size_t i = 0; i < count; ++i) constraints += "=r,";
  for (size_t i = 0; i < count; ++i) {
    constraints += std::to_string(i) + ",";
    operands.push_back(e.read(accumulator[i], b32()));
  }
  auto next = [&] { return count + operands.size(); };
  for (size_t i = 0; i < e.words().size(); ++i) text += (i == 0 ? "" : ".") + e.words()[i].str();
  text += " " + list(0, count) + ", ";
  if (hasRegisters) {
    text += list(next(), e.items(1).size()) + ", ";
    for (const Operand& item : e.items(1)) operands.push_back(e.read(item, b32())), constraints += "r,";
  } else {
    text += "$" + std::to_string(next()) + ", ";
    operands.push_back(e.read(1, b64())), constraints += "l,";
  }
  text += "$" + std::to_string(next()) + ", p";
  operands.push_back(e.read(2, b64())), constraints += "l,";
  for (size_t i = 4; i < e.operandCount(); ++i) text += ", " + std::to_string(e.literal(i));
  const std::string scale = "$" + std::to_string(next());
  operands.push_back(LLVM::ZExtOp::create(e.b, word, e.readPredicate(3))), constraints += "r";
  text = "{ .reg .pred p; setp.ne.b32 p, " + scale + ", 0; " + text + "; }";
  auto assembly = LLVM::InlineAsmOp::create(
      e.b, structOf(e, SmallVector<Type>(count, word)), operands, text, constraints, /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  const WgmmaMisuse misuse = e.function().misuseOf(e.source());
  assembly->setAttr(kEarlyAccessAttrName, e.b.getI32IntegerAttr(static_cast<int32_t>(misuse.earlyAccess)));
  assembly->setAttr(kUnfencedAccessAttrName, e.b.getI32IntegerAttr(static_cast<int32_t>(misuse.unfencedAccess)));
  for (auto [i, item] : llvm::enumerate(accumulator)) e.write(item, part(e, assembly.getResult(0), i), b32());
}

void warpgroupFence(Emitter& e) {
  if (e.expectOperands(0)) NVVM::WgmmaFenceAlignedOp::create(e.b);
}
void commitWarpgroup(Emitter& e) {
  if (e.expectOperands(0)) NVVM::WgmmaGroupSyncAlignedOp::create(e.b);
}
void waitForWarpgroup(Emitter& e) {
  if (e.expectOperands(1)) NVVM::WgmmaWaitGroupSyncOp::create(e.b, static_cast<uint32_t>(e.literal(0)));
}

constexpr Operation kOperations[] = {
    {"shfl.sync.{up,down,bfly,idx}.b32", shuffle},
    {"vote.sync.{all,any,uni}.pred", vote},
    {"vote.sync.ballot.b32", vote},
    {"match.{any,all}.sync.{b32,b64}", match},
    {"redux.sync.{add,min,max}.{u32,s32}", reduce},
    {"redux.sync.{and,or,xor}.b32", reduce},
    {"redux.sync.{min,max}[.abs][.NaN].f32", reduce},
    {"activemask.b32", activeMask},
    {"elect.sync", elect},

    {"ldmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.{shared,shared::cta}].b16", loadMatrix},
    {"stmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.{shared,shared::cta}].b16", storeMatrix},
    // CUTLASS writes these words in another order.
    {"ldmatrix.sync.aligned.{x1,x2,x4}[.trans].m8n8[.{shared,shared::cta}].b16", loadMatrix},
    {"stmatrix.sync.aligned.{x1,x2,x4}[.trans].m8n8[.{shared,shared::cta}].b16", storeMatrix},
    {"mma.sync.aligned.{m8n8k16,m16n8k16,m16n8k32}.row.col.s32.{s8,u8}.{s8,u8}.s32.satfinite", multiplyMatrices},
    {"mma.sync.aligned.{m16n8k8,m16n8k16}.row.col.f32.f16.f16.f32", multiplyMatrices},
    {"mma.sync.aligned.{m16n8k8,m16n8k16}.row.col.f16.f16.f16.f16", multiplyMatrices},
    {"mma.sync.aligned.{m16n8k8,m16n8k16}.row.col.f32.bf16.bf16.f32", multiplyMatrices},
    {"mma.sync.aligned.{m16n8k4,m16n8k8}.row.col.f32.tf32.tf32.f32", multiplyMatrices},
    {"mma.sync.aligned.{m8n8k16,m16n8k16,m16n8k32}.row.col[.satfinite].s32.{s8,u8}.{s8,u8}.s32", multiplyMatrices},
    {"mma.sync.aligned.{m16n8k16,m16n8k32}.row.col.f32.{e4m3,e5m2}.{e4m3,e5m2}.f32", multiplyMatrices},
    {"mma.sync.aligned.{m16n8k16,m16n8k32}.row.col.f16.{e4m3,e5m2}.{e4m3,e5m2}.f16", multiplyMatrices},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", multiplyMatrices},
    {"wgmma.fence.sync.aligned", warpgroupFence},
    {"wgmma.commit_group.sync.aligned", commitWarpgroup},
    {"wgmma.wait_group.sync.aligned", waitForWarpgroup},
    {"wgmma.mma_async.sync.aligned.m64n*k16.{f32,f16}.f16.f16", multiplyByWarpgroup},
    {"wgmma.mma_async.sync.aligned.m64n*k16.f32.bf16.bf16", multiplyByWarpgroup},
    {"wgmma.mma_async.sync.aligned.m64n*k8.f32.tf32.tf32", multiplyByWarpgroup},
    {"wgmma.mma_async.sync.aligned.m64n*k32.{f32,f16}.{e4m3,e5m2}.{e4m3,e5m2}", multiplyByWarpgroup},
    {"wgmma.mma_async.sync.aligned.m64n*k32.s32.{s8,u8}.{s8,u8}", multiplyByWarpgroup},
};

}  // namespace

ArrayRef<Operation> warpOperations() { return kOperations; }

}  // namespace mmtune::ptx
