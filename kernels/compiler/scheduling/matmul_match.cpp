// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/matmul_match.h"

#include "kernels/builder/kernel_builder.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/scheduling/strided_matmul.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Reads a body as out + x * y, up to conversions between types.
class MatmulBody {
 public:
  explicit MatmulBody(Block& body);

  bool isMatmul() const { return matmul; }

  // The following are valid if isMatmul().

  /// True if a conversion may lose bits that a kernel would keep.
  bool rounds() const { return foundRounding; }

  /// True if integers are zero-extended.
  bool isUnsigned() const { return foundUnsigned; }

  /// Returns the type of the multiplication; accumulators have it or a wider one.
  Type multiplyType() const { return type; }

 private:
  bool readMatmul();
  bool isSum(Value old, Value term);
  Value withoutCasts(Value value);
  /// Returns the operation that defines `value` before conversions, if it is one of `Ops`.
  template <typename... Ops>
  Operation* definingOp(Value value);

  Block& body;
  bool matmul = false;
  Type type;
  bool foundRounding = false, foundUnsigned = false;
};

MatmulBody::MatmulBody(Block& body) : body(body) { matmul = readMatmul(); }

bool MatmulBody::readMatmul() {
  if (body.getNumArguments() != 3 || body.getTerminator()->getNumOperands() != 1 || !isPureBody(body)) return false;
  Operation* sum = definingOp<arith::AddFOp, arith::AddIOp>(body.getTerminator()->getOperand(0));
  return sum && (isSum(sum->getOperand(0), sum->getOperand(1)) || isSum(sum->getOperand(1), sum->getOperand(0)));
}

bool MatmulBody::isSum(Value old, Value term) {
  if (withoutCasts(old) != body.getArgument(2)) return false;
  Operation* matmul = definingOp<arith::MulFOp, arith::MulIOp>(term);
  if (!matmul) return false;
  type = matmul->getResult(0).getType();
  Value x = withoutCasts(matmul->getOperand(0)), y = withoutCasts(matmul->getOperand(1));
  return (x == body.getArgument(0) && y == body.getArgument(1)) ||
         (x == body.getArgument(1) && y == body.getArgument(0));
}

Value MatmulBody::withoutCasts(Value value) {
  while (Operation* op = value.getDefiningOp()) {
    bool rounding = isa<arith::TruncFOp, arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp>(op);
    if (!rounding && !isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op)) break;
    foundRounding |= rounding;
    foundUnsigned |= isa<arith::ExtUIOp>(op);
    value = op->getOperand(0);
  }
  return value;
}

template <typename... Ops>
Operation* MatmulBody::definingOp(Value value) {
  Operation* op = withoutCasts(value).getDefiningOp();
  return op && isa<Ops...>(op) ? op : nullptr;
}

using Dims = SmallVector<unsigned>;

/// The alignment in bytes that kernels assume of pointers.
constexpr int64_t kAlignment = 16;

Dims joined(std::initializer_list<Dims> groups) {
  Dims all;
  for (const Dims& group : groups) llvm::append_range(all, group);
  return all;
}

/// Returns the dimensions that a map lists, if it is a list of different dimensions.
std::optional<Dims> listedDims(AffineMap map) {
  if (!map.isProjectedPermutation()) return std::nullopt;
  Dims dims;
  for (AffineExpr result : map.getResults()) dims.push_back(cast<AffineDimExpr>(result).getPosition());
  return dims;
}

/// Sorts the dimensions of the three operands into batch, m, n and k.
class MapAnalysis {
 public:
  /// Returns false if the maps are not those of a matmul.
  bool run(ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators) {
    std::optional<Dims> x = listedDims(maps[0]), y = listedDims(maps[1]), c = listedDims(maps[2]);
    if (!x || !y || !c) return false;
    Dims onlyX, onlyY;
    for (unsigned dim : *c) {
      bool inX = llvm::is_contained(*x, dim), inY = llvm::is_contained(*y, dim);
      if (!inX && !inY) return false;
      (inX && inY ? batch : inX ? onlyX : onlyY).push_back(dim);
    }
    for (unsigned dim : *x)
      if (!llvm::is_contained(*c, dim)) k.push_back(dim);
    size_t reducedByY = llvm::count_if(*y, [&](unsigned dim) { return !llvm::is_contained(*c, dim); });
    bool sameK = reducedByY == k.size() && llvm::all_of(k, [&](unsigned dim) { return llvm::is_contained(*y, dim); });
    if (!sameK || onlyX.empty() || onlyY.empty() || k.empty()) return false;
    for (auto [dim, kind] : llvm::enumerate(iterators))
      if (llvm::is_contained(k, static_cast<unsigned>(dim)) != (kind == utils::IteratorType::reduction)) return false;
    // A has the rows, whose dimensions vary slower in C.
    swapped = llvm::find(*c, onlyX.front()) > llvm::find(*c, onlyY.front());
    a = swapped ? *y : *x;
    b = swapped ? *x : *y;
    this->c = *c;
    m = swapped ? onlyY : onlyX;
    n = swapped ? onlyX : onlyY;
    return true;
  }

  /// Returns what is wrong with the order of dimensions, or an empty string.
  std::string wrongOrder() const {
    if (c != joined({batch, m, n})) return "the dimensions of its output are not batch, rows, columns";
    if (a != joined({batch, m, k}) && !transposesA())
      return "the dimensions of A are neither batch, rows, k nor batch, k, rows";
    if (b != joined({batch, k, n}) && !transposesB())
      return "the dimensions of B are neither batch, k, columns nor batch, columns, k";
    return "";
  }

  bool transposesA() const { return a == joined({batch, k, m}); }
  bool transposesB() const { return b == joined({batch, n, k}); }

  Dims batch, m, n, k;
  bool swapped = false;  ///< True if A is the second input.

 private:
  Dims a, b, c;
};

/// The product of several dimensions.
struct Extent {
  int64_t known = 1;  ///< The product of the static ones.
  bool atRunTime = false;
};

Extent extentOf(const Dims& dims, ArrayRef<int64_t> extents) {
  Extent extent;
  for (unsigned dim : dims)
    if (ShapedType::isDynamic(extents[dim]))
      extent.atRunTime = true;
    else if (llvm::MulOverflow(extent.known, extents[dim], extent.known))
      extent.known = std::numeric_limits<int64_t>::max();
  return extent;
}

/// Sets the sizes of the matmul, or returns why kernels cannot have them.
std::string setSizes(Matmul& matmul, const MapAnalysis& maps, ArrayRef<int64_t> extents) {
  Extent batch = extentOf(maps.batch, extents), m = extentOf(maps.m, extents);
  Extent n = extentOf(maps.n, extents), k = extentOf(maps.k, extents);
  if (n.atRunTime) return "its number of columns is known at run time only";
  if (k.atRunTime) return "its k is known at run time only";
  if (m.atRunTime && maps.transposesA()) return "A is transposed, and its number of rows known at run time only";
  matmul.sizes = {m.atRunTime, batch.atRunTime};
  matmul.batchDims = maps.batch.size();
  matmul.columnDims = maps.n.size();
  matmul.problem.batch = batch.atRunTime ? RepresentativeBatch(batch.known) : batch.known;
  matmul.problem.m = m.atRunTime ? RepresentativeRows(m.known) : m.known;
  matmul.problem.n = n.known;
  matmul.problem.k = k.known;
  matmul.problem.transpose_a = maps.transposesA();
  matmul.problem.transpose_b = maps.transposesB();
  return "";
}

std::string text(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

/// Returns why a type cannot be a kernel operand's in any layout, or an empty string.
std::string whyNotKernelType(ShapedType type) {
  if (!dataTypeOf(type.getElementType()))
    return "has elements of type " + text(type.getElementType()) + "; kernels take f32, f16, bf16, f64, i8 and i32";
  return "";
}

std::string whyNotOperand(Value value, MatmulOperands operands) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && operands == MatmulOperands::kTensors ? whyNotKernelType(tensor) : whyNotStridedOperand(value);
}

MemRefLayoutAttrInterface layoutOf(Value memref) { return cast<MemRefType>(memref.getType()).getLayout(); }

bool isDense(Value value) { return !isa<MemRefType>(value.getType()) || layoutOf(value).isIdentity(); }

/// Returns which operand is not dense, or an empty string.
std::string whyNotDense(const Matmul& matmul) {
  for (auto [name, value] : {std::pair{"A", matmul.a}, {"B", matmul.b}, {"C", matmul.c}})
    if (!isDense(value)) return std::string(name) + " is not dense (" + text(value.getType()) + ")";
  return "";
}

std::optional<OperandStrides> stridesOfOperand(Value value, AffineMap map) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type ? stridesOf(type, map) : stridesOf(value, map);
}

/// Matches the loops by strides, with `c` as the output.
std::optional<StridedMatmul> stridedMatmulOf(const Matmul& matmul, const MatmulLoops& loops, Value c) {
  const Value operands[] = {matmul.swapped ? matmul.b : matmul.a, matmul.swapped ? matmul.a : matmul.b, c};
  SmallVector<OperandStrides> strides;
  for (auto [value, map] : llvm::zip_equal(operands, loops.maps))
    if (std::optional<OperandStrides> known = stridesOfOperand(value, map))
      strides.push_back(*known);
    else
      return std::nullopt;
  DataType dtype = *dataTypeOf(elementTypeOf(matmul.a));
  return matchStrides(loops, strides[0], strides[1], strides[2], dtype, matmul.swapped);
}

/// Makes it a matmul with a layout, if kernels support the operands' strides.
bool setStrided(Matmul& matmul, const MatmulLoops& loops) {
  std::optional<StridedMatmul> strided = stridedMatmulOf(matmul, loops, matmul.c);
  if (!strided) return false;
  if (strided->swapped != matmul.swapped) std::swap(matmul.a, matmul.b);
  matmul.problem = strided->problem;
  matmul.layout = strided->layout;
  matmul.columnDims = strided->columnDims;
  matmul.swapped = strided->swapped;
  return true;
}

/// Returns what is wrong with the operands, or an empty string.
std::string wrongOperands(const Matmul& matmul, MatmulOperands operands) {
  for (auto [name, value] : {std::pair{"A", matmul.a}, {"B", matmul.b}, {"C", matmul.c}})
    if (std::string why = whyNotOperand(value, operands); !why.empty()) return std::string(name) + " " + why;
  Type a = elementTypeOf(matmul.a), b = elementTypeOf(matmul.b);
  if (a != b) return "A has elements of " + text(a) + " and B of " + text(b) + "; kernels take both of one type";
  if (operands == MatmulOperands::kTensors) return "";
  Value root = viewRoot(matmul.c);
  if (root == viewRoot(matmul.a) || root == viewRoot(matmul.b)) return "its output is one of its inputs";
  return "";
}

/// Returns what is wrong with the types in which the body computes, or an empty string.
std::string wrongArithmetic(const Matmul& matmul, const MatmulBody& body) {
  Type operand = elementTypeOf(matmul.a), accumulator = accumulatorTypeOf(operand), c = elementTypeOf(matmul.c);
  std::string kernels = "; kernels accumulate products of " + text(operand) + " in " + text(accumulator);
  if (body.rounds()) return "its body converts to a type that may not hold the value" + kernels;
  if (body.isUnsigned()) return "its operands are zero-extended; kernels sign-extend them";
  if (c != accumulator) {
    bool narrow = c.getIntOrFloatBitWidth() < accumulator.getIntOrFloatBitWidth();
    return "it accumulates in " + text(c) + (narrow ? ", rounding at each step" : "") + kernels;
  }
  if (body.multiplyType() != accumulator)
    return "its operands are multiplied in " + text(body.multiplyType()) + kernels;
  return "";
}

bool is16Bit(Type type) { return type.isF16() || type.isBF16(); }

/// True if operands and arithmetic have one 16-bit type.
bool isAllOf16Bits(const Matmul& matmul, const MatmulBody& body) {
  auto elements = [](Value value) -> Type {
    auto type = dyn_cast<ShapedType>(value.getType());
    return type ? type.getElementType() : Type();
  };
  Type type = body.multiplyType();
  return is16Bit(type) && !body.rounds() && elements(matmul.a) == type && elements(matmul.b) == type &&
         elements(matmul.c) == type;
}

}  // namespace

bool isMatmulBody(Block& body) { return MatmulBody(body).isMatmul(); }

std::optional<DataType> dataTypeOf(Type type) {
  if (type.isF32()) return DataType::kF32;
  if (type.isF16()) return DataType::kF16;
  if (type.isBF16()) return DataType::kBf16;
  if (type.isF64()) return DataType::kF64;
  if (type.isSignlessInteger(8)) return DataType::kS8;
  if (type.isSignlessInteger(32)) return DataType::kS32;
  return std::nullopt;
}

Type accumulatorTypeOf(Type operand) {
  Builder builder(operand.getContext());
  return elementType(builder, TraitsOf(*dataTypeOf(operand)).accumulator);
}

bool isExtension(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block& body = *op.getBlock();
  return std::distance(body.begin(), body.end()) == 2 && isa<arith::ExtFOp, arith::ExtSIOp>(body.front()) &&
         body.front().getOperand(0) == body.getArgument(0) &&
         body.getTerminator()->getOperand(0) == body.front().getResult(0);
}

SmallVector<linalg::LinalgOp> hostLinalgOps(Operation* root) {
  SmallVector<linalg::LinalgOp> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation* op) {
    if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) ops.push_back(linalgOp);
    return WalkResult::advance();
  });
  return ops;
}

std::string whyNotKernelOperand(Value value) {
  std::string why = whyNotStridedOperand(value);
  if (why.empty() && !isDense(value)) return "is not dense (" + text(value.getType()) + ")";
  return why;
}

std::optional<Matmul> withInputs(const Matmul& matmul, Value a, Value b) {
  Matmul other = matmul;
  other.a = a;
  other.b = b;
  const bool lieAlike = layoutOf(a) == layoutOf(matmul.a) && layoutOf(b) == layoutOf(matmul.b);
  if (!lieAlike && !setStrided(other, loopsOf(matmul.op))) return std::nullopt;
  other.problem.dtype = *dataTypeOf(elementTypeOf(a));
  other.problem.out = accumulatorOutput(other.problem.dtype);
  return other;
}

std::optional<MatmulLayout> layoutWithOutput(const Matmul& matmul, Value c) {
  if (layoutOf(c) == layoutOf(matmul.c)) return matmul.layout;
  std::optional<StridedMatmul> strided = stridedMatmulOf(matmul, loopsOf(matmul.op), c);
  auto kind = [](const MatmulProblem& problem) {
    return std::tuple(problem.m, problem.n, problem.k, problem.batch, problem.transpose_a, problem.transpose_b);
  };
  if (!strided || strided->swapped != matmul.swapped || strided->columnDims != matmul.columnDims ||
      kind(strided->problem) != kind(matmul.problem))
    return std::nullopt;
  return strided->layout;
}

std::string whyNotStridedOperand(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type) return isa<TensorType>(value.getType()) ? "is a tensor; bufferize first" : "is not a memref";
  if (std::string why = whyNotKernelType(type); !why.empty()) return why;
  Value root = viewRoot(value);
  if (!isDense(root)) return "is not dense (" + text(root.getType()) + ")";
  if (type.getMemorySpace()) return "is not in the default memory space (" + text(type) + ")";
  for (Value view = value; viewRoot(view) != view;) {
    auto op = view.getDefiningOp<ViewLikeOpInterface>();
    APInt shift(64, 0);
    if (auto bytes = dyn_cast<memref::ViewOp>(op.getOperation()))
      if (!matchPattern(bytes.getByteShift(), m_ConstantInt(&shift)) || shift.getSExtValue() % kAlignment != 0)
        return "may not be aligned to 16 bytes";
    view = op.getViewSource();
  }
  return "";
}

bool areMatmulMaps(ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators) {
  MapAnalysis analysis;
  return analysis.run(maps, iterators) && analysis.wrongOrder().empty();
}

MatmulLoops loopsOf(linalg::LinalgOp op) {
  MatmulLoops loops{op.getIndexingMapsArray(), op.getIteratorTypesArray(), {}};
  loops.extents.assign(op.getNumLoops(), ShapedType::kDynamic);
  // Operands agree on extents, and any of them may be static.
  for (OpOperand& operand : op->getOpOperands())
    for (auto [expression, size] :
         llvm::zip_equal(op.getMatchingIndexingMap(&operand).getResults(), op.getShape(&operand)))
      if (auto dim = dyn_cast<AffineDimExpr>(expression); dim && !ShapedType::isDynamic(size))
        loops.extents[dim.getPosition()] = size;
  return loops;
}

MatmulMatch matchMatmul(linalg::LinalgOp op, MatmulOperands operands) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1) return {};
  return matchMatmul(op, loopsOf(op), operands);
}

MatmulMatch matchMatmul(linalg::LinalgOp op, const MatmulLoops& loops, MatmulOperands operands) {
  MatmulMatch match;
  MapAnalysis maps;
  MatmulBody body(*op.getBlock());
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !body.isMatmul() ||
      !maps.run(loops.maps, loops.iterators))
    return match;

  match.kind = MatmulMatch::Kind::kUnsupported;
  Matmul& matmul = match.matmul;
  matmul.op = op;
  matmul.swapped = maps.swapped;
  matmul.a = op.getDpsInputs()[maps.swapped ? 1 : 0];
  matmul.b = op.getDpsInputs()[maps.swapped ? 0 : 1];
  matmul.c = op.getDpsInits()[0];
  match.accumulatesIn16Bits = isAllOf16Bits(matmul, body);
  match.reason = wrongOperands(matmul, operands);
  if (match.reason.empty()) match.reason = wrongArithmetic(matmul, body);
  if (!match.reason.empty()) return match;
  match.reason = whyNotDense(matmul);
  if (match.reason.empty()) match.reason = maps.wrongOrder();
  if (!match.reason.empty() && setStrided(matmul, loops))
    match.reason = "";
  else if (match.reason.empty())
    match.reason = setSizes(matmul, maps, loops.extents);
  if (!match.reason.empty()) return match;

  matmul.problem.dtype = *dataTypeOf(elementTypeOf(matmul.a));
  matmul.problem.out = accumulatorOutput(matmul.problem.dtype);
  // i32 operands may have been extended from i8 just before.
  absl::Status status = matmul.problem.Validate();
  if (!status.ok() && matmul.problem.dtype != DataType::kS32) {
    match.reason = std::string(status.message());
    return match;
  }
  match.kind = MatmulMatch::Kind::kMatmul;
  return match;
}

bool accumulatesIn16Bits(linalg::LinalgOp op) {
  if (MatmulMatch match = matchMatmul(op); match.kind != MatmulMatch::Kind::kNone) return match.accumulatesIn16Bits;
  MatmulBody body(*op.getBlock());
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !body.isMatmul() ||
      failed(linalg::inferConvolutionDims(op)))
    return false;
  Matmul matmul;
  matmul.a = op.getDpsInputs()[0];
  matmul.b = op.getDpsInputs()[1];
  matmul.c = op.getDpsInits()[0];
  return isAllOf16Bits(matmul, body);
}

}  // namespace mmtune
