// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/product_match.h"

#include "kernels/builder/kernel_builder.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/scheduling/product_body.h"
#include "kernels/compiler/scheduling/strided_product.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

using Dims = SmallVector<unsigned>;

/// Kernels take pointers to be aligned to this many bytes.
constexpr int64_t kAlignment = 16;

Dims joined(std::initializer_list<Dims> groups) {
  Dims all;
  for (const Dims& group : groups) llvm::append_range(all, group);
  return all;
}

/// The dimensions that a map lists; nothing unless it lists different ones and nothing else.
std::optional<Dims> listedDims(AffineMap map) {
  if (!map.isProjectedPermutation()) return std::nullopt;
  Dims dims;
  for (AffineExpr result : map.getResults()) dims.push_back(cast<AffineDimExpr>(result).getPosition());
  return dims;
}

/// The dimensions of the three operands, in the order of each, sorted into groups.
class MapAnalysis {
 public:
  /// False when the maps are not those of a matrix product.
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
    // A holds the rows: what varies slower in C.
    swapped = llvm::find(*c, onlyX.front()) > llvm::find(*c, onlyY.front());
    a = swapped ? *y : *x;
    b = swapped ? *x : *y;
    this->c = *c;
    m = swapped ? onlyY : onlyX;
    n = swapped ? onlyX : onlyY;
    return true;
  }

  /// What is wrong with the order of dimensions, or nothing.
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
  bool swapped = false;  ///< A is the second input.

 private:
  Dims a, b, c;
};

/// Of several dimensions together.
struct Extent {
  int64_t known = 1;  ///< Of those of static size.
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

/// Sets the sizes of the product, or says why kernels cannot have them.
std::string setSizes(Product& product, const MapAnalysis& maps, ArrayRef<int64_t> extents) {
  Extent batch = extentOf(maps.batch, extents), m = extentOf(maps.m, extents);
  Extent n = extentOf(maps.n, extents), k = extentOf(maps.k, extents);
  if (n.atRunTime) return "its number of columns is known at run time only";
  if (k.atRunTime) return "its k is known at run time only";
  if (m.atRunTime && maps.transposesA()) return "A is transposed, and its number of rows known at run time only";
  product.sizes = {m.atRunTime, batch.atRunTime};
  product.batchDims = maps.batch.size();
  product.columnDims = maps.n.size();
  product.problem.batch = batch.atRunTime ? RepresentativeBatch(batch.known) : batch.known;
  product.problem.m = m.atRunTime ? RepresentativeRows(m.known) : m.known;
  product.problem.n = n.known;
  product.problem.k = k.known;
  product.problem.transpose_a = maps.transposesA();
  product.problem.transpose_b = maps.transposesB();
  return "";
}

std::string text(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

/// Why a type cannot be that of a kernel's operand, or nothing, whatever its layout.
std::string whyNotKernelType(ShapedType type) {
  if (!dataTypeOf(type.getElementType()))
    return "has elements of type " + text(type.getElementType()) + "; kernels take f32, f16, bf16, f64, i8 and i32";
  return "";
}

std::string whyNotOperand(Value value, ProductOperands operands) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && operands == ProductOperands::kTensors ? whyNotKernelType(tensor) : whyNotStridedOperand(value);
}

MemRefLayoutAttrInterface layoutOf(Value memref) { return cast<MemRefType>(memref.getType()).getLayout(); }

bool isDense(Value value) { return !isa<MemRefType>(value.getType()) || layoutOf(value).isIdentity(); }

/// What is wrong with the layout of operands that are to be dense, or nothing.
std::string whyNotDense(const Product& product) {
  for (auto [name, value] : {std::pair{"A", product.a}, {"B", product.b}, {"C", product.c}})
    if (!isDense(value)) return std::string(name) + " is not dense (" + text(value.getType()) + ")";
  return "";
}

std::optional<OperandStrides> stridesOfOperand(Value value, AffineMap map) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type ? stridesOf(type, map) : stridesOf(value, map);
}

/// The product that the loops are over the inputs of `product` and `c`, by the places of their elements.
std::optional<StridedProduct> stridedProductOf(const Product& product, const ProductLoops& loops, Value c) {
  const Value operands[] = {product.swapped ? product.b : product.a, product.swapped ? product.a : product.b, c};
  SmallVector<OperandStrides> strides;
  for (auto [value, map] : llvm::zip_equal(operands, loops.maps))
    if (std::optional<OperandStrides> known = stridesOfOperand(value, map))
      strides.push_back(*known);
    else
      return std::nullopt;
  DataType dtype = *dataTypeOf(elementTypeOf(product.a));
  return matchStrides(loops, strides[0], strides[1], strides[2], dtype, product.swapped);
}

/// Makes the product one of operands that lie as they do, if kernels have such.
bool setStrided(Product& product, const ProductLoops& loops) {
  std::optional<StridedProduct> strided = stridedProductOf(product, loops, product.c);
  if (!strided) return false;
  if (strided->swapped != product.swapped) std::swap(product.a, product.b);
  product.problem = strided->problem;
  product.layout = strided->layout;
  product.columnDims = strided->columnDims;
  product.swapped = strided->swapped;
  return true;
}

/// What is wrong with the operands, or nothing.
std::string wrongOperands(const Product& product, ProductOperands operands) {
  for (auto [name, value] : {std::pair{"A", product.a}, {"B", product.b}, {"C", product.c}})
    if (std::string why = whyNotOperand(value, operands); !why.empty()) return std::string(name) + " " + why;
  Type a = elementTypeOf(product.a), b = elementTypeOf(product.b);
  if (a != b) return "A has elements of " + text(a) + " and B of " + text(b) + "; kernels take both of one type";
  if (operands == ProductOperands::kTensors) return "";
  Value root = viewRoot(product.c);
  if (root == viewRoot(product.a) || root == viewRoot(product.b)) return "its output is one of its inputs";
  return "";
}

/// What is wrong with the types that a body computes in, or nothing.
std::string wrongArithmetic(const Product& product, const ProductBody& body) {
  Type factors = elementTypeOf(product.a), sums = sumsOf(factors), c = elementTypeOf(product.c);
  std::string kernels = "; kernels sum products of " + text(factors) + " in " + text(sums);
  if (body.rounds()) return "its body converts to a type that may not hold the value" + kernels;
  if (body.isUnsigned()) return "its factors are extended without a sign; kernels extend them with one";
  if (c != sums) {
    bool narrow = c.getIntOrFloatBitWidth() < sums.getIntOrFloatBitWidth();
    return "its sums are of " + text(c) + (narrow ? ", rounded at each step" : "") + kernels;
  }
  if (body.productType() != sums) return "its factors are multiplied in " + text(body.productType()) + kernels;
  return "";
}

bool is16Bit(Type type) { return type.isF16() || type.isBF16(); }

/// Whether everything is of one type of 16 bits.
bool isAllOf16Bits(const Product& product, const ProductBody& body) {
  auto elements = [](Value value) -> Type {
    auto type = dyn_cast<ShapedType>(value.getType());
    return type ? type.getElementType() : Type();
  };
  Type type = body.productType();
  return is16Bit(type) && !body.rounds() && elements(product.a) == type && elements(product.b) == type &&
         elements(product.c) == type;
}

}  // namespace

std::optional<DataType> dataTypeOf(Type type) {
  if (type.isF32()) return DataType::kF32;
  if (type.isF16()) return DataType::kF16;
  if (type.isBF16()) return DataType::kBf16;
  if (type.isF64()) return DataType::kF64;
  if (type.isSignlessInteger(8)) return DataType::kS8;
  if (type.isSignlessInteger(32)) return DataType::kS32;
  return std::nullopt;
}

Type sumsOf(Type factors) {
  Builder builder(factors.getContext());
  return elementType(builder, TraitsOf(*dataTypeOf(factors)).accumulator);
}

std::string whyNotKernelOperand(Value value) {
  std::string why = whyNotStridedOperand(value);
  if (why.empty() && !isDense(value)) return "is not dense (" + text(value.getType()) + ")";
  return why;
}

std::optional<Product> withInputs(const Product& product, Value a, Value b) {
  Product other = product;
  other.a = a;
  other.b = b;
  const bool lieAlike = layoutOf(a) == layoutOf(product.a) && layoutOf(b) == layoutOf(product.b);
  if (!lieAlike && !setStrided(other, loopsOf(product.op))) return std::nullopt;
  other.problem.dtype = *dataTypeOf(elementTypeOf(a));
  other.problem.out = outputOfSums(other.problem.dtype);
  return other;
}

std::optional<MatmulLayout> layoutWithOutput(const Product& product, Value c) {
  if (layoutOf(c) == layoutOf(product.c)) return product.layout;
  std::optional<StridedProduct> strided = stridedProductOf(product, loopsOf(product.op), c);
  auto kind = [](const MatmulProblem& problem) {
    return std::tuple(problem.m, problem.n, problem.k, problem.batch, problem.transpose_a, problem.transpose_b);
  };
  if (!strided || strided->swapped != product.swapped || strided->columnDims != product.columnDims ||
      kind(strided->problem) != kind(product.problem))
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

bool areProductMaps(ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators) {
  MapAnalysis analysis;
  return analysis.run(maps, iterators) && analysis.wrongOrder().empty();
}

ProductLoops loopsOf(linalg::LinalgOp op) {
  ProductLoops loops{op.getIndexingMapsArray(), op.getIteratorTypesArray(), {}};
  loops.extents.assign(op.getNumLoops(), ShapedType::kDynamic);
  // Operands agree, and any of them may know.
  for (OpOperand& operand : op->getOpOperands())
    for (auto [expression, size] :
         llvm::zip_equal(op.getMatchingIndexingMap(&operand).getResults(), op.getShape(&operand)))
      if (auto dim = dyn_cast<AffineDimExpr>(expression); dim && !ShapedType::isDynamic(size))
        loops.extents[dim.getPosition()] = size;
  return loops;
}

ProductMatch matchProduct(linalg::LinalgOp op, ProductOperands operands) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1) return {};
  return matchProduct(op, loopsOf(op), operands);
}

ProductMatch matchProduct(linalg::LinalgOp op, const ProductLoops& loops, ProductOperands operands) {
  ProductMatch match;
  MapAnalysis maps;
  ProductBody body(*op.getBlock());
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !body.isProduct() ||
      !maps.run(loops.maps, loops.iterators))
    return match;

  match.kind = ProductMatch::Kind::kUnsupported;
  Product& product = match.product;
  product.op = op;
  product.swapped = maps.swapped;
  product.a = op.getDpsInputs()[maps.swapped ? 1 : 0];
  product.b = op.getDpsInputs()[maps.swapped ? 0 : 1];
  product.c = op.getDpsInits()[0];
  match.sumsIn16Bits = isAllOf16Bits(product, body);
  match.reason = wrongOperands(product, operands);
  if (match.reason.empty()) match.reason = wrongArithmetic(product, body);
  if (!match.reason.empty()) return match;
  match.reason = whyNotDense(product);
  if (match.reason.empty()) match.reason = maps.wrongOrder();
  if (!match.reason.empty() && setStrided(product, loops))
    match.reason = "";
  else if (match.reason.empty())
    match.reason = setSizes(product, maps, loops.extents);
  if (!match.reason.empty()) return match;

  product.problem.dtype = *dataTypeOf(elementTypeOf(product.a));
  product.problem.out = outputOfSums(product.problem.dtype);
  // Factors of i32 may have been extended from i8 just before.
  absl::Status status = product.problem.Validate();
  if (!status.ok() && product.problem.dtype != DataType::kS32) {
    match.reason = std::string(status.message());
    return match;
  }
  match.kind = ProductMatch::Kind::kProduct;
  return match;
}

bool hasSumsIn16Bits(linalg::LinalgOp op) {
  if (ProductMatch match = matchProduct(op); match.kind != ProductMatch::Kind::kNone) return match.sumsIn16Bits;
  ProductBody body(*op.getBlock());
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !body.isProduct() ||
      failed(linalg::inferConvolutionDims(op)))
    return false;
  Product product;
  product.a = op.getDpsInputs()[0];
  product.b = op.getDpsInputs()[1];
  product.c = op.getDpsInits()[0];
  return isAllOf16Bits(product, body);
}

}  // namespace mmtune
