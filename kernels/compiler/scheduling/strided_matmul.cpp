// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/strided_matmul.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Loops joined into one, evenly strided in each operand.
struct Axis {
  int64_t extent = 1;
  int64_t a = 0, b = 0, c = 0;  ///< Strides. Until A is chosen, `a` is that of the first input.
  SmallVector<unsigned> loops;
};

using Axes = SmallVector<Axis>;

/// Sorts axes by descending stride, and merges neighbours that are evenly strided together.
void join(Axes& axes) {
  llvm::stable_sort(axes,
                    [](const Axis& x, const Axis& y) { return std::tie(x.c, x.a, x.b) > std::tie(y.c, y.a, y.b); });
  Axes joined;
  for (Axis& axis : axes) {
    Axis* outer = joined.empty() ? nullptr : &joined.back();
    if (!outer || outer->a != axis.a * axis.extent || outer->b != axis.b * axis.extent ||
        outer->c != axis.c * axis.extent) {
      joined.push_back(std::move(axis));
      continue;
    }
    outer->extent *= axis.extent;
    outer->a = axis.a;
    outer->b = axis.b;
    outer->c = axis.c;
    llvm::append_range(outer->loops, axis.loops);
  }
  axes = std::move(joined);
}

/// True if no two elements of C overlap.
bool isInjective(Axes axes) {
  llvm::stable_sort(axes, [](const Axis& x, const Axis& y) { return x.c < y.c; });
  int64_t covered = 1;
  for (const Axis& axis : axes) {
    if (axis.c < covered) return false;
    covered = axis.c * axis.extent;
  }
  return true;
}

/// The axes of a matmul by role, with A and B chosen.
class MatmulAxes {
 public:
  MatmulAxes(Axes rows, Axes columns, Axes batch, Axes reduced)
      : rows(std::move(rows)), columns(std::move(columns)), batch(std::move(batch)), reduced(std::move(reduced)) {}

  /// Returns sizes, transpositions and the layout without alignments, or nothing if kernels do not support it.
  std::optional<StridedMatmul> run(const MatmulLoops& loops) {
    if (reduced.size() > 1) return std::nullopt;
    if (!reduced.empty()) k = reduced.front();
    if (!chooseColumn() || !placeB() || !chooseRow()) return std::nullopt;
    result.problem.m = row.extent;
    result.problem.n = column.extent;
    result.problem.k = k.extent;
    std::optional<unsigned> columnDims = columnDimsOf(loops);
    if (!columnDims) return std::nullopt;
    result.columnDims = *columnDims;
    result.layout.c.rowStride = row.extent == 1 ? column.extent : row.c;
    // Remaining rows and columns become matrices that share one B, or one A.
    llvm::append_range(batch, rows);
    llvm::append_range(batch, columns);
    join(batch);
    for (const Axis& axis : batch) {
      result.problem.batch *= axis.extent;
      result.layout.matrices.push_back(axis.extent);
      result.layout.a.matrixStrides.push_back(axis.a);
      result.layout.b.matrixStrides.push_back(axis.b);
      result.layout.c.matrixStrides.push_back(axis.c);
    }
    return result;
  }

 private:
  /// Chooses the axis along which elements of C are contiguous.
  bool chooseColumn() {
    if (columns.empty()) return true;
    auto found = llvm::find_if(columns, [](const Axis& axis) { return axis.c == 1; });
    if (found == columns.end()) return false;
    column = *found;
    columns.erase(found);
    return true;
  }

  /// Decides whether B is transposed, and sets its row stride. Returns false if neither its columns nor k is
  /// contiguous.
  bool placeB() {
    const bool plain = column.extent == 1 || column.b == 1;
    if (!plain && k.extent != 1 && k.b != 1) return false;
    result.problem.transpose_b = !plain;
    result.layout.b.rowStride = plain ? (k.extent == 1 ? column.extent : k.b) : column.b;
    return result.layout.b.rowStride > 0;
  }

  /// Chooses the axis of the rows of C, decides whether A is transposed, and sets its row stride. Returns false if no
  /// layout of A that kernels support fits.
  bool chooseRow() {
    const bool plain = k.extent == 1 || k.a == 1;
    if (!rows.empty()) {
      auto better = [&](const Axis& x, const Axis& y) {
        if (!plain && (x.a == 1) != (y.a == 1)) return y.a == 1;
        return x.extent < y.extent;
      };
      auto found = llvm::max_element(rows, better);
      row = *found;
      rows.erase(found);
      if (plain ? row.a < 1 : row.a != 1) return false;
    }
    result.problem.transpose_a = !plain;
    result.layout.a.rowStride = plain ? (row.extent == 1 ? k.extent : row.a) : k.a;
    return result.layout.a.rowStride > 0;
  }

  /// Returns how many of C's last dimensions are its columns, in memory order, since a bias has an element for each.
  std::optional<unsigned> columnDimsOf(const MatmulLoops& loops) const {
    int64_t covered = 1;
    unsigned dims = 0;
    auto next = column.loops.rbegin();
    for (AffineExpr expression : llvm::reverse(loops.maps[2].getResults())) {
      unsigned loop = cast<AffineDimExpr>(expression).getPosition();
      if (loops.extents[loop] != 1 && (next == column.loops.rend() || *next++ != loop)) break;
      covered *= loops.extents[loop];
      ++dims;
      if (covered == column.extent) return dims;
    }
    return std::nullopt;
  }

  Axes rows, columns, batch, reduced;
  Axis row, column, k;
  StridedMatmul result;
};

OperandStrides alongLoops(ArrayRef<int64_t> strides, int64_t offset, AffineMap map) {
  OperandStrides result{SmallVector<int64_t>(map.getNumDims(), 0), offset};
  for (auto [stride, expression] : llvm::zip_equal(strides, map.getResults()))
    result.loops[cast<AffineDimExpr>(expression).getPosition()] = stride;
  return result;
}

SmallVector<int64_t> denseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i] = stride;
  return strides;
}

/// Returns the stride of each dimension; a slice has those of its source. Offsets are ignored.
SmallVector<int64_t> tensorStrides(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (!slice.getSourceType().hasStaticShape() || !slice.hasUnitStride()) return denseStrides(type.getShape());
    SmallVector<int64_t> strides = tensorStrides(slice.getSource()), kept;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [dim, stride] : llvm::enumerate(strides))
      if (!dropped.test(dim)) kept.push_back(stride);
    return kept;
  }
  if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>(); expand && expand.getSrcType().hasStaticShape()) {
    SmallVector<int64_t> strides(type.getRank());
    for (auto [group, stride] : llvm::zip_equal(expand.getReassociationIndices(), tensorStrides(expand.getSrc()))) {
      int64_t next = stride;
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = next;
        next *= type.getDimSize(dim);
      }
    }
    return strides;
  }
  return denseStrides(type.getShape());
}

}  // namespace

std::optional<OperandStrides> stridesOf(MemRefType type, AffineMap map) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!map.isProjectedPermutation() || failed(type.getStridesAndOffset(strides, offset))) return std::nullopt;
  for (int64_t stride : strides)
    if (ShapedType::isDynamic(stride) || stride < 0) return std::nullopt;
  if (!ShapedType::isDynamic(offset) && offset < 0) return std::nullopt;
  return alongLoops(strides, offset, map);
}

std::optional<OperandStrides> stridesOf(Value tensor, AffineMap map) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.hasStaticShape() || !map.isProjectedPermutation()) return std::nullopt;
  return alongLoops(tensorStrides(tensor), /*offset=*/0, map);
}

std::optional<StridedMatmul> matchStrides(const MatmulLoops& loops, const OperandStrides& x, const OperandStrides& y,
                                          const OperandStrides& c, DataType dtype, bool preferSwapped) {
  Axes onlyX, onlyY, batch, reduced, ofC;
  for (unsigned loop = 0; loop < loops.extents.size(); ++loop) {
    Axis axis{loops.extents[loop], x.loops[loop], y.loops[loop], c.loops[loop], {loop}};
    if (ShapedType::isDynamic(axis.extent) || axis.extent == 0) return std::nullopt;
    if (axis.extent == 1) continue;
    auto has = [&](unsigned operand) { return loops.maps[operand].isFunctionOfDim(loop); };
    if (has(2)) ofC.push_back(axis);
    (!has(2) ? reduced : !has(1) ? onlyX : !has(0) ? onlyY : batch).push_back(axis);
  }
  if (!isInjective(ofC)) return std::nullopt;
  for (Axes* axes : {&onlyX, &onlyY, &batch, &reduced}) join(*axes);
  for (bool swapped : {preferSwapped, !preferSwapped}) {
    Axes rows = onlyX, columns = onlyY, matrices = batch, k = reduced;
    if (swapped) {
      std::swap(rows, columns);
      for (Axes* axes : {&rows, &columns, &matrices, &k})
        for (Axis& axis : *axes) std::swap(axis.a, axis.b);
    }
    std::optional<StridedMatmul> matmul = MatmulAxes(rows, columns, matrices, k).run(loops);
    if (!matmul) continue;
    matmul->swapped = swapped;
    auto alignment = [](const OperandStrides& operand) {
      return ShapedType::isDynamic(operand.offset) ? 1 : operand.offset;
    };
    matmul->layout.a.alignment = alignment(swapped ? y : x);
    matmul->layout.b.alignment = alignment(swapped ? x : y);
    matmul->layout.c.alignment = alignment(c);
    matmul->problem.dtype = dtype;
    matmul->problem.out = accumulatorOutput(dtype);
    matmul->layout = NormalizedLayout(matmul->problem, std::move(matmul->layout));
    return matmul;
  }
  return std::nullopt;
}

}  // namespace mmtune
