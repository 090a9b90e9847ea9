// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wmma: matrices in fragments whose layout PTX leaves open. Here it is that of mma.sync with m16n8, so a load or store
// is one of each lane's elements, and a multiplication one mma.sync for each 16 rows and 8 columns:
//
//   lane 4*g + t has of A  rows g and g + 8, and of each 4 registers of k the t-th
//                of B      column g, and of each 4 registers of k the t-th
//                of C, D   rows g and g + 8, columns 2*t and 2*t + 1
//
// A matrix of 8 rows is multiplied as one of 16, the lower half of which is zeros.
#include "kernels/simulator/ptx/function_lowering.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;

constexpr int64_t kTileColumns = 8;

struct Shape {
  int64_t m = 0, n = 0, k = 0;

  int64_t halves() const { return m == 8 ? 1 : 2; }  ///< Rows g, and g + 8, of a tile.
  int64_t tilesM() const { return m == 8 ? 1 : m / 16; }
  int64_t tilesN() const { return n / kTileColumns; }
};

Shape shapeOf(Emitter& e) {
  Shape shape;
  for (StringRef word : e.words()) {
    if (!word.consume_front("m") || word.consumeInteger(10, shape.m)) continue;
    (void)(word.consume_front("n"), word.consumeInteger(10, shape.n), word.consume_front("k"),
           word.consumeInteger(10, shape.k));
  }
  return shape;
}

/// Elements in a register, and registers in which a lane has its elements of k.
int64_t packed(const ScalarType& type) { return std::max<int64_t>(1, 32 / type.bits()); }
int64_t registersOfK(const Shape& shape, const ScalarType& type) { return shape.k / (4 * packed(type)); }

/// Emits addresses of elements of a matrix in memory.
class MatrixInMemory {
 public:
  MatrixInMemory(Emitter& e, size_t address, size_t stride, const ScalarType& type, bool isRowMajor,
                 int64_t defaultStride)
      : e(e), bytes(type.bits() / 8), isRowMajor(isRowMajor) {
    const bool isShared = e.has("shared") || e.has("shared::cta");
    base = e.pointer(address, isShared ? kSharedSpace : e.has("global") ? kGlobal : kGeneric);
    Value given = e.operandCount() > stride ? e.read(stride, b32()) : e.integer(defaultStride);
    leading = extended(e, given, 64, /*isSigned=*/false);
    Value lane = specialRegister("%laneid", e.b);
    group = extended(e, LLVM::LShrOp::create(e.b, lane, e.integer(2)), 64, false);
    inGroup = extended(e, LLVM::AndOp::create(e.b, lane, e.integer(3)), 64, false);
  }

  /// The lane's `g` and `t`, times a number and plus another.
  Value ofGroup(int64_t plus) const { return plus64(group, plus); }
  Value inGroupTimes(int64_t times, int64_t plus) const {
    return plus64(LLVM::MulOp::create(e.b, inGroup, e.integer(times, 64)), plus);
  }

  Value at(Value row, Value column) const {
    Value outer = isRowMajor ? row : column, inner = isRowMajor ? column : row;
    Value element = LLVM::AddOp::create(e.b, LLVM::MulOp::create(e.b, outer, leading), inner);
    Value offset = LLVM::MulOp::create(e.b, element, e.integer(bytes, 64));
    return LLVM::GEPOp::create(e.b, base.getType(), e.b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{offset});
  }
  /// Loads `bits`, one or several elements.
  Value load(Value row, Value column, int64_t bits) const {
    return LLVM::LoadOp::create(e.b, e.b.getIntegerType(bits), at(row, column), static_cast<unsigned>(bits / 8));
  }

 private:
  Value plus64(Value value, int64_t plus) const { return LLVM::AddOp::create(e.b, value, e.integer(plus, 64)); }

  Emitter& e;
  const int64_t bytes;
  const bool isRowMajor;
  Value base, leading, group, inGroup;
};

/// The register of `count` values of `bits`, the first in its low bits.
Value pack(Emitter& e, ArrayRef<Value> values, int64_t bits) {
  Value word = extended(e, values[0], 32, false);
  for (size_t i = 1; i < values.size(); ++i) {
    Value high = LLVM::ShlOp::create(e.b, extended(e, values[i], 32, false), e.integer(bits * i));
    word = LLVM::OrOp::create(e.b, word, high);
  }
  return word;
}

/// `wmma.load.{a,b}... {registers}, [address][, stride]`. Registers that mma.sync has no use for become 0.
void loadOperand(Emitter& e) {
  if (!e.expectOperands(2, 3)) return;
  const Shape shape = shapeOf(e);
  const ScalarType type = e.type();
  const bool isA = e.words()[2] == "a", isRowMajor = e.has("row"), isAlongK = isA == isRowMajor;
  const MatrixInMemory matrix(e, 1, 2, type, isRowMajor, isA == isRowMajor ? shape.k : isA ? shape.m : shape.n);
  SmallVector<Value> words;
  const int64_t tiles = isA ? shape.tilesM() : shape.tilesN(), halves = isA ? shape.halves() : 1;
  for (int64_t tile = 0; tile < tiles; ++tile)
    for (int64_t k = 0; k < registersOfK(shape, type); ++k)
      for (int64_t half = 0; half < halves; ++half) {
        Value outer = matrix.ofGroup(isA ? 16 * tile + 8 * half : kTileColumns * tile);
        auto load = [&](int64_t i, int64_t bits) {
          Value along = matrix.inGroupTimes(packed(type), 4 * packed(type) * k + i);
          return isA ? matrix.load(outer, along, bits) : matrix.load(along, outer, bits);
        };
        SmallVector<Value> elements;
        for (int64_t i = 0; i < (isAlongK ? 1 : packed(type)); ++i)
          elements.push_back(load(i, isAlongK ? 32 : type.bits()));
        words.push_back(pack(e, elements, type.bits()));
      }
  ArrayRef<Operand> items = e.list(0);
  if (items.size() < words.size()) return e.fail("the fragment needs " + Twine(words.size()) + " registers");
  for (size_t i = 0; i < items.size(); ++i) e.write(items[i], i < words.size() ? words[i] : e.integer(0), b32());
}

/// Returns the number of registers of C that a lane has.
size_t sumsOf(const Shape& shape, const ScalarType& type) { return shape.m * shape.n / 32 / packed(type); }

/// Calls visit(matrix, index, row, column) for each element of C that a lane has, in the order of the fragment. Operand
/// `address` of the instruction is the address of the matrix, operand `registers` the fragment.
template <typename Visit>
void forEachSum(Emitter& e, size_t address, size_t registers, const Visit& visit) {
  if (!e.expectOperands(2, 3)) return;
  const Shape shape = shapeOf(e);
  const ScalarType type = e.type();
  const bool isRowMajor = e.has("row");
  const MatrixInMemory matrix(e, address, 2, type, isRowMajor, isRowMajor ? shape.n : shape.m);
  if (e.list(registers).size() != sumsOf(shape, type))
    return e.fail("the fragment needs " + Twine(sumsOf(shape, type)) + " registers");
  int64_t index = 0;
  for (int64_t m = 0; m < shape.tilesM(); ++m)
    for (int64_t n = 0; n < shape.tilesN(); ++n)
      for (int64_t half = 0; half < shape.halves(); ++half)
        for (int64_t i = 0; i < 2; ++i)
          visit(matrix, index++, matrix.ofGroup(16 * m + 8 * half), matrix.inGroupTimes(2, kTileColumns * n + i));
}

/// `wmma.load.c... {registers}, [address][, stride]`
void loadSums(Emitter& e) {
  SmallVector<Value> elements;
  forEachSum(e, 1, 0, [&](const MatrixInMemory& matrix, int64_t, Value row, Value column) {
    const ScalarType type = e.type();
    elements.push_back(matrix.load(row, column, type.bits()));
    if (static_cast<int64_t>(elements.size()) % packed(type) != 0) return;
    const size_t word = elements.size() / packed(type) - 1;
    e.write(e.items(0)[word], pack(e, ArrayRef(elements).take_back(packed(type)), type.bits()), b32());
  });
}

/// `wmma.store.d... [address], {registers}[, stride]`
void storeSums(Emitter& e) {
  forEachSum(e, 0, 1, [&](const MatrixInMemory& matrix, int64_t index, Value row, Value column) {
    const ScalarType type = e.type();
    Value word = e.read(e.items(1)[index / packed(type)], b32());
    Value shift = e.integer(index % packed(type) * type.bits());
    Value element = truncated(e, LLVM::LShrOp::create(e.b, word, shift), type.bits());
    LLVM::StoreOp::create(e.b, element, matrix.at(row, column), static_cast<unsigned>(type.bits() / 8));
  });
}

/// Returns the type of a register of a fragment, as NVVM has it.
Type registerType(Emitter& e, const ScalarType& type) {
  if (type.name == "f16") return typeNamed("f16x2").valueType(e.context());
  return type.name == "f32" ? type.valueType(e.context()) : e.b.getI32Type();
}

/// `wmma.mma... {d}, {a}, {b}, {c}`. With f16, the opcode has the types of D and C only.
void multiply(Emitter& e) {
  if (!e.expectOperands(4)) return;
  const Shape shape = shapeOf(e);
  const bool isHalf = !e.has("bf16") && !e.has("tf32") && !e.has("s32");
  const ScalarType sum = e.type(0), type = isHalf ? typeNamed("f16") : e.type(1);
  const int64_t k = registersOfK(shape, type), halves = shape.halves(), ofSums = 2 * halves / packed(sum);
  const size_t needed[] = {sumsOf(shape, sum), static_cast<size_t>(shape.tilesM() * k * halves),
                           static_cast<size_t>(shape.tilesN() * k), sumsOf(shape, sum)};
  for (size_t i = 0; i < 4; ++i)
    if (e.list(i).size() < needed[i])
      return e.fail("operand " + Twine(i + 1) + " needs " + Twine(needed[i]) + " registers");
  auto read = [&](size_t operand, int64_t index, const ScalarType& of) {
    return e.cast(e.read(e.items(operand)[index], b32()), registerType(e, of));
  };
  Value noSum = e.zero(registerType(e, sum)), noRow = e.zero(registerType(e, type));
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (e.has("s32")) overflow = e.has("satfinite") ? NVVM::MMAIntOverflow::satfinite : NVVM::MMAIntOverflow::wrapped;
  Type result = LLVM::LLVMStructType::getLiteral(e.context(), SmallVector<Type>(4 / packed(sum), registerType(e, sum)));
  const NVVM::MMATypes element = *NVVM::symbolizeMMATypes(type.name);
  SmallVector<Value> results;
  for (int64_t m = 0; m < shape.tilesM(); ++m)
    for (int64_t n = 0; n < shape.tilesN(); ++n) {
      SmallVector<Value> a, b, c;
      for (int64_t i = 0; i < k; ++i) {
        for (int64_t half = 0; half < 2; ++half)
          a.push_back(half < halves ? read(1, (m * k + i) * halves + half, type) : noRow);
        b.push_back(read(2, n * k + i, type));
      }
      const int64_t first = (m * shape.tilesN() + n) * ofSums;
      for (int64_t i = 0; i < 4 / packed(sum); ++i) c.push_back(i < ofSums ? read(3, first + i, sum) : noSum);
      Value product =
          NVVM::MmaOp::create(e.b, result, a, b, c, ArrayRef<int64_t>{16, 8, shape.k}, std::nullopt, overflow,
                              std::array{element, element}, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
      for (int64_t i = 0; i < ofSums; ++i)
        results.push_back(LLVM::ExtractValueOp::create(e.b, product, ArrayRef<int64_t>{i}));
    }
  // D may be C.
  for (auto [i, value] : llvm::enumerate(results)) e.write(e.items(0)[i], value, b32());
}

#define SHAPES ".{m16n16k16,m32n8k16,m8n32k16}"
#define LAYOUT ".{row,col}"
#define SPACE "[.{global,shared,shared::cta}]"

constexpr Operation kOperations[] = {
    {"wmma.load.{a,b}.sync.aligned" LAYOUT SHAPES SPACE ".{f16,bf16,s8,u8}", loadOperand},
    {"wmma.load.{a,b}.sync.aligned" LAYOUT ".m16n16k8" SPACE ".tf32", loadOperand},
    {"wmma.load.c.sync.aligned" LAYOUT SHAPES SPACE ".{f16,f32,s32}", loadSums},
    {"wmma.load.c.sync.aligned" LAYOUT ".m16n16k8" SPACE ".f32", loadSums},
    {"wmma.store.d.sync.aligned" LAYOUT SHAPES SPACE ".{f16,f32,s32}", storeSums},
    {"wmma.store.d.sync.aligned" LAYOUT ".m16n16k8" SPACE ".f32", storeSums},
    {"wmma.mma.sync.aligned" LAYOUT LAYOUT SHAPES ".f32.f32", multiply},
    {"wmma.mma.sync.aligned" LAYOUT LAYOUT SHAPES ".f16.f16", multiply},
    {"wmma.mma.sync.aligned" LAYOUT LAYOUT SHAPES ".f32.bf16.bf16.f32", multiply},
    {"wmma.mma.sync.aligned" LAYOUT LAYOUT ".m16n16k8.f32.tf32.tf32.f32", multiply},
    {"wmma.mma.sync.aligned" LAYOUT LAYOUT SHAPES ".s32.s8.s8.s32[.satfinite]", multiply},
    {"wmma.mma.sync.aligned" LAYOUT LAYOUT SHAPES ".s32.u8.u8.s32[.satfinite]", multiply},
};

}  // namespace

ArrayRef<Operation> wmmaOperations() { return kOperations; }

}  // namespace mmtune::ptx
