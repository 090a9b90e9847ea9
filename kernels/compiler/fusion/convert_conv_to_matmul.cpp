// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass convert-conv-to-matmul: convolutions on tensors become matmuls of their filter and a copy of their input
// (im2col). The README of this folder explains the order of dimensions.
#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/scheduling/matmul_match.h"
#include "llvm/ADT/SmallBitVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CONVERTCONVTOMATMULPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// The matmul of a filter and a matrix that has, for each pixel of the output, the input elements under the filter.
/// Loops are those of the convolution, unless it says otherwise.
struct ConvolutionMatmul {
  std::string reason;  ///< Follows "the convolution is not scheduled as a matmul: "; empty if it is scheduled.
  llvm::SmallBitVector leftOut;  ///< Loops with one iteration, which the matmul does not have.
  MatmulLoops loops;             ///< The matmul's loops, which are the others in order; maps of input, filter, output.
  SmallVector<unsigned> rows;    ///< The loops that index the output, in the matmul's order.
  SmallVector<unsigned> copied;  ///< The loops that index the matrix; empty if it is the input itself.
  AffineMap inputIndex;          ///< From the matrix' indices to those of the input.
};

using Loops = SmallVector<unsigned>;

/// The largest copy of the input: a larger one would not fit beside the model. Dynamic sizes (images, pixels) are not
/// limited, but the copy per unit of them is.
constexpr int64_t kMaxCopied = int64_t{1} << 28;
constexpr int64_t kMaxCopiedForEach = int64_t{1} << 22;

Loops joined(std::initializer_list<ArrayRef<unsigned>> parts) {
  Loops all;
  for (ArrayRef<unsigned> part : parts) llvm::append_range(all, part);
  return all;
}

/// Returns the loops that a map lists.
Loops listed(AffineMap map) {
  Loops loops;
  for (AffineExpr result : map.getResults()) loops.push_back(cast<AffineDimExpr>(result).getPosition());
  return loops;
}

Loops those(ArrayRef<unsigned> of, ArrayRef<unsigned> in) {
  return llvm::to_vector(llvm::make_filter_range(of, [&](unsigned loop) { return llvm::is_contained(in, loop); }));
}

class ConvolutionReader {
 public:
  ConvolutionReader(linalg::LinalgOp op, const linalg::ConvolutionDimensions& dims)
      : op(op), dims(dims), loops(loopsOf(op)) {}

  ConvolutionMatmul run(bool sumsAsWritten) {
    if (!op.hasPureTensorSemantics())
      return refused("its operands are buffers, and only tensors are copied for a matmul");
    if (op.hasIndexSemantics()) return refused("its body uses loop indices (linalg.index)");
    if (dims.outputChannel.empty())
      return refused(dims.depth.empty() ? "it has no channels of output that share an input"
                                        : "each of its channels has a filter of its own");
    order();
    if (!areKnown(channels) || !areKnown(reduced))
      return refused("its channels or its filter have sizes that are known at run time only");
    setMatmul();
    readInputInPlace();
    if (std::string reason = whyNotCopied(); !reason.empty()) return refused(std::move(reason));
    return refused(whyNotMatmul(sumsAsWritten));
  }

 private:
  ConvolutionMatmul refused(std::string reason) {  // Or accepted, if `reason` is empty.
    matmul.reason = std::move(reason);
    return std::move(matmul);
  }

  bool areKnown(ArrayRef<unsigned> some) const {
    return llvm::none_of(some, [&](unsigned loop) { return ShapedType::isDynamic(loops.extents[loop]); });
  }

  /// True if the output's pixels index the whole input when this filter loop is left out. Otherwise they would index a
  /// part, whose size no map determines.
  bool readsAll(unsigned filterLoop) {
    Builder builder(op.getContext());
    AffineExpr loop = builder.getAffineDimExpr(filterLoop), first = builder.getAffineConstantExpr(0);
    for (auto [index, size] : llvm::zip_equal(loops.maps[0].getResults(), op.getShape(op.getDpsInputOperand(0)))) {
      auto pixel = dyn_cast<AffineDimExpr>(index.replace(loop, first));
      if (pixel && pixel != index && (ShapedType::isDynamic(size) || loops.extents[pixel.getPosition()] != size))
        return false;
    }
    return true;
  }

  /// True if the output itself has size 1 along a loop, so that its dimension can be collapsed.
  bool isOneInOutput(unsigned loop) {
    AffineExpr dim = Builder(op.getContext()).getAffineDimExpr(loop);
    return op.getShape(op.getDpsInitOperand(0))[*loops.maps[2].getResultPosition(dim)] == 1;
  }

  /// Sorts the matmul's loops. Where channels come before pixels, images are joined into one matrix.
  void order() {
    Loops output = listed(loops.maps[2]), filter = listed(loops.maps[1]);
    bool channelsLast = output.back() == dims.outputChannel.back();
    matmul.leftOut.resize(op.getNumLoops());
    if (!dims.inputChannel.empty())
      for (unsigned loop : dims.filterLoop)
        if (loops.extents[loop] == 1 && readsAll(loop)) matmul.leftOut.set(loop);
    if (!channelsLast)
      for (unsigned loop : dims.batch)
        if (isOneInOutput(loop)) matmul.leftOut.set(loop);
    auto isKept = [&](unsigned loop) { return !matmul.leftOut.test(loop); };
    filter = llvm::to_vector(llvm::make_filter_range(filter, isKept));
    output = llvm::to_vector(llvm::make_filter_range(output, isKept));
    groups = those(output, dims.depth);
    channels = those(output, dims.outputChannel);
    pixels = those(output, joined({dims.batch, dims.outputImage}));
    reduced = those(filter, joined({dims.filterLoop, dims.inputChannel}));
    // Kernels support rows of dynamic number, but not columns.
    bool channelsFirst = !channelsLast && areKnown(pixels);
    matmul.rows = channelsFirst ? joined({groups, channels, pixels}) : joined({groups, pixels, channels});
    matmul.copied = channelsFirst ? joined({groups, reduced, pixels}) : joined({groups, pixels, reduced});
  }

  /// Sets the maps of the matmul with a copy.
  void setMatmul() {
    MLIRContext* context = op.getContext();
    Builder builder(context);
    kept.assign(op.getNumLoops(), builder.getAffineConstantExpr(0));
    unsigned count = 0;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
      if (matmul.leftOut.test(loop)) continue;
      kept[loop] = builder.getAffineDimExpr(count++);
      matmul.loops.iterators.push_back(loops.iterators[loop]);
      matmul.loops.extents.push_back(loops.extents[loop]);
    }
    auto mapOf = [&](ArrayRef<unsigned> some) {
      SmallVector<AffineExpr> results;
      for (unsigned loop : some)
        if (!matmul.leftOut.test(loop)) results.push_back(kept[loop]);
      return AffineMap::get(count, 0, results, context);
    };
    matmul.loops.maps = {mapOf(matmul.copied), mapOf(listed(loops.maps[1])), mapOf(matmul.rows)};
    SmallVector<AffineExpr> replacements(op.getNumLoops(), builder.getAffineConstantExpr(0));
    for (auto [index, loop] : llvm::enumerate(matmul.copied)) replacements[loop] = builder.getAffineDimExpr(index);
    matmul.inputIndex = loops.maps[0].replaceDimsAndSymbols(replacements, {}, matmul.copied.size(), 0);
  }

  /// Uses no copy if the filter covers one pixel per output pixel.
  void readInputInPlace() {
    AffineMap inputMap = loops.maps[0].replaceDimsAndSymbols(kept, {}, matmul.loops.extents.size(), 0);
    SmallVector<AffineExpr> results;
    for (auto [result, size] : llvm::zip_equal(inputMap.getResults(), op.getShape(op.getDpsInputOperand(0)))) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim && (result != 0 || size != 1)) return;
      if (dim) results.push_back(dim);
    }
    MatmulLoops direct = matmul.loops;
    direct.maps[0] = AffineMap::get(inputMap.getNumDims(), 0, results, op.getContext());
    bool isTransposed = direct.maps[0] != matmul.loops.maps[0];
    if (isTransposed && (!areKnown(pixels) || !areMatmulMaps(direct.maps, direct.iterators))) return;
    matmul.loops = std::move(direct);
    matmul.copied.clear();
  }

  std::string whyNotCopied() const {
    int64_t elements = 1;
    bool fits = true;
    for (unsigned loop : matmul.copied)
      if (areKnown(loop)) fits &= !llvm::MulOverflow(elements, loops.extents[loop], elements);
    if (!fits || elements > kMaxCopied) return "the copy of its input would have more than 2^28 elements";
    if (!areKnown(matmul.copied) && elements > kMaxCopiedForEach)
      return "the copy of its input would have more than 2^22 elements times the sizes that are known at run time only";
    return "";
  }

  std::string whyNotMatmul(bool sumsAsWritten) const {
    MatmulMatch match = matchMatmul(op, matmul.loops, MatmulOperands::kTensors);
    if (match.kind == MatmulMatch::Kind::kNone) return "its indexing maps are not those of a matmul";
    if (match.accumulatesIn16Bits && !sumsAsWritten) {  // widen-accumulators makes it supported.
      bool isOrdered = areMatmulMaps(matmul.loops.maps, matmul.loops.iterators);
      return isOrdered ? "" : "its filter has its dimensions in an order that no kernel reads";
    }
    if (match.kind == MatmulMatch::Kind::kUnsupported) return match.reason;
    if (match.matmul.problem.dtype == DataType::kS32) return "no kernel multiplies i32";
    return "";
  }

  linalg::LinalgOp op;
  const linalg::ConvolutionDimensions& dims;
  MatmulLoops loops;                        ///< The convolution's.
  Loops groups, channels, pixels, reduced;  ///< Those that the matmul has.
  SmallVector<AffineExpr> kept;             ///< For each loop: the matmul's loop, or 0.
  ConvolutionMatmul matmul;
};

/// True if every loop is of one kind, and filter and output are indexed by loops alone.
bool isUnderstood(linalg::LinalgOp op, const linalg::ConvolutionDimensions& dims) {
  size_t count =
      joined({dims.batch, dims.outputImage, dims.outputChannel, dims.filterLoop, dims.inputChannel, dims.depth}).size();
  return count == op.getNumLoops() && op.getMatchingIndexingMap(op.getDpsInputOperand(1)).isProjectedPermutation() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isProjectedPermutation();
}

/// Interprets a matmul that sums over several dimensions of its first operand, in an order that no kernel reads
/// (linalg.batch_reduce_matmul), as a convolution: rows are pixels.
std::optional<linalg::ConvolutionDimensions> dimsOfBatchReduce(linalg::LinalgOp op) {
  MatmulMatch match = matchMatmul(op, MatmulOperands::kTensors);
  if (match.kind != MatmulMatch::Kind::kUnsupported || match.accumulatesIn16Bits ||
      areMatmulMaps(op.getIndexingMapsArray(), op.getIteratorTypesArray()))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> matmul = linalg::inferContractionDims(op);
  if (failed(matmul) || matmul->k.size() < 2) return std::nullopt;
  linalg::ConvolutionDimensions dims;
  dims.batch = matmul->m;
  dims.outputChannel = matmul->n;
  dims.inputChannel = matmul->k;
  dims.depth = matmul->batch;
  return dims;
}

/// Reads an operation as a matmul, or returns nothing if it is not a convolution. It is one by its maps and body: input
/// pixels times filter elements, summed, for several output channels, possibly in groups. The result has a reason if
/// the operation is on buffers or kernels do not compute the matmul; `sumsAsWritten` makes 16-bit accumulators one. A
/// matmul that sums over a batch counts, too, if kernels compute it with a copy of its first operand; it never has a
/// reason.
std::optional<ConvolutionMatmul> readConvolution(linalg::LinalgOp op, bool sumsAsWritten) {
  if (isa<linalg::ConvolutionOpInterface>(op.getOperation()) && op.getNumDpsInputs() == 4) {
    ConvolutionMatmul quantized;
    quantized.reason = "it subtracts zero points, which no kernel does";
    return quantized;
  }
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !isMatmulBody(*op.getBlock()))
    return std::nullopt;
  if (std::optional<linalg::ConvolutionDimensions> dims = dimsOfBatchReduce(op); dims && isUnderstood(op, *dims)) {
    ConvolutionMatmul matmul = ConvolutionReader(op, *dims).run(sumsAsWritten);
    return matmul.reason.empty() ? std::optional(std::move(matmul)) : std::nullopt;
  }
  FailureOr<linalg::ConvolutionDimensions> dims = linalg::inferConvolutionDims(op);
  if (failed(dims) || !isUnderstood(op, *dims)) return std::nullopt;
  return ConvolutionReader(op, *dims).run(sumsAsWritten);
}

/// Groups adjacent dimensions so that each group has one that is not left out.
SmallVector<ReassociationIndices> groupsAround(size_t rank, llvm::function_ref<bool(size_t)> isLeftOut) {
  SmallVector<ReassociationIndices> groups;
  bool found = false;  // True if the last group has it.
  for (size_t i = 0; i < rank; ++i) {
    if (groups.empty() || (found && !isLeftOut(i))) groups.emplace_back();
    groups.back().push_back(static_cast<int64_t>(i));
    found |= !isLeftOut(i);
  }
  return groups;
}

class ConvolutionRewriter {
 public:
  ConvolutionRewriter(linalg::LinalgOp op, const ConvolutionMatmul& matmul)
      : builder(op.getLoc(), op), op(op), matmul(matmul), maps(op.getIndexingMapsArray()) {
    input = op.getDpsInputs()[0];
    filter = op.getDpsInputs()[1];
    output = op.getDpsInits()[0];
    for (AffineExpr loop : maps[2].getResults())
      if (!isLeftOut(loop)) written.push_back(cast<AffineDimExpr>(loop).getPosition());
  }

  void run() {
    // Sums in 16 bits get f32 accumulators that start from the output's old contents, and round once.
    Type element = elementTypeOf(output);
    bool isZero = startsFromZero(), adds = !isZero && !element.isF16() && !element.isBF16();
    // Nothing reads the zeros, so that the fill becomes unused.
    if (isZero) output = output.getDefiningOp<linalg::FillOp>().getDpsInits()[0];
    Value start = adds || isZero ? zeros() : transposed(collapsed(output, maps[2]), written, matmul.rows);
    Value matrix = matmul.copied.empty() ? collapsed(input, maps[0]) : copied();
    auto made = linalg::GenericOp::create(builder, start.getType(), ValueRange{matrix, collapsed(filter, maps[1])},
                                          start, matmul.loops.maps, matmul.loops.iterators);
    IRMapping mapping;
    op->getRegion(0).cloneInto(&made.getRegion(), mapping);
    Value result = expanded(transposed(made.getResult(0), matmul.rows, written));
    op->getResult(0).replaceAllUsesWith(adds ? sum(result, output) : result);
    op->erase();
  }

 private:
  bool isLeftOut(AffineExpr result) const {
    auto loop = dyn_cast<AffineDimExpr>(result);
    return loop && matmul.leftOut.test(loop.getPosition());
  }

  /// True if the output was filled with zeros, where kernels start.
  bool startsFromZero() {
    auto fill = output.getDefiningOp<linalg::FillOp>();
    return fill && (matchPattern(fill.getInputs()[0], m_PosZeroFloat()) || matchPattern(fill.getInputs()[0], m_Zero()));
  }

  /// Returns the size of a loop.
  OpFoldResult sizeOf(unsigned loop) {
    for (auto [value, map] : {std::pair{output, maps[2]}, {filter, maps[1]}})
      if (std::optional<unsigned> dim = map.getResultPosition(builder.getAffineDimExpr(loop)))
        return tensor::getMixedSize(builder, builder.getLoc(), value, *dim);
    llvm_unreachable("a loop of a convolution is one of its output or of its filter");
  }

  Value emptyOver(ArrayRef<unsigned> loops, Type element) {
    SmallVector<OpFoldResult> sizes = llvm::map_to_vector(loops, [&](unsigned loop) { return sizeOf(loop); });
    return tensor::EmptyOp::create(builder, sizes, element);
  }

  Value zeros() {
    Type element = elementTypeOf(output);
    Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(element));
    return linalg::FillOp::create(builder, zero, emptyOver(matmul.rows, element)).getResult(0);
  }

  /// Removes the dimensions that loops which are left out index.
  Value collapsed(Value tensor, AffineMap map) {
    ArrayRef<AffineExpr> results = map.getResults();
    if (llvm::none_of(results, [&](AffineExpr result) { return isLeftOut(result); })) return tensor;
    return tensor::CollapseShapeOp::create(
        builder, tensor, groupsAround(results.size(), [&](size_t i) { return isLeftOut(results[i]); }));
  }

  /// Restores the output's shape.
  Value expanded(Value result) {
    auto type = cast<RankedTensorType>(output.getType());
    if (result.getType() == type) return result;
    auto isOut = [&](size_t i) { return isLeftOut(maps[2].getResult(i)); };
    return tensor::ExpandShapeOp::create(builder, type, result, groupsAround(type.getRank(), isOut),
                                         tensor::getMixedSizes(builder, builder.getLoc(), output));
  }

  /// Transposes a tensor whose dimensions loops index.
  Value transposed(Value tensor, ArrayRef<unsigned> from, ArrayRef<unsigned> to) {
    if (from == to) return tensor;
    SmallVector<int64_t> permutation = llvm::map_to_vector(
        to, [&](unsigned loop) { return static_cast<int64_t>(llvm::find(from, loop) - from.begin()); });
    Value empty = emptyOver(to, elementTypeOf(tensor));
    return linalg::TransposeOp::create(builder, tensor, empty, permutation)->getResult(0);
  }

  /// Copies the input elements under the filter, pixel by pixel.
  Value copied() {
    Value empty = emptyOver(matmul.copied, elementTypeOf(input));
    return elementwise(input, empty, {matmul.inputIndex},
                       [](OpBuilder&, Location, ValueRange elements) { return elements[0]; });
  }

  Value sum(Value x, Value y) {
    SmallVector<AffineMap> identities(2, builder.getMultiDimIdentityMap(maps[2].getNumResults()));
    Value empty =
        tensor::EmptyOp::create(builder, tensor::getMixedSizes(builder, builder.getLoc(), y), elementTypeOf(y));
    return elementwise({x, y}, empty, identities, [](OpBuilder& body, Location at, ValueRange elements) -> Value {
      if (isa<FloatType>(elements[0].getType())) return arith::AddFOp::create(body, at, elements[0], elements[1]);
      return arith::AddIOp::create(body, at, elements[0], elements[1]);
    });
  }

  Value elementwise(ValueRange inputs, Value empty, SmallVector<AffineMap> indexMaps,
                    llvm::function_ref<Value(OpBuilder&, Location, ValueRange)> element) {
    int64_t rank = cast<RankedTensorType>(empty.getType()).getRank();
    indexMaps.push_back(builder.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> parallel(rank, utils::IteratorType::parallel);
    return linalg::GenericOp::create(builder, empty.getType(), inputs, empty, indexMaps, parallel,
                                     [&](OpBuilder& body, Location at, ValueRange elements) {
                                       linalg::YieldOp::create(body, at, element(body, at, elements));
                                     })
        .getResult(0);
  }

  ImplicitLocOpBuilder builder;
  linalg::LinalgOp op;
  const ConvolutionMatmul& matmul;
  SmallVector<AffineMap> maps;
  Value input, filter, output;
  SmallVector<unsigned> written;  ///< The loops that index the output, in its order.
};

struct ConvertConvToMatmul : impl::ConvertConvToMatmulPassBase<ConvertConvToMatmul> {
  using ConvertConvToMatmulPassBase::ConvertConvToMatmulPassBase;

  void runOnOperation() override {
    for (linalg::LinalgOp op : hostLinalgOps(getOperation())) {
      std::optional<ConvolutionMatmul> matmul = readConvolution(op, sumsAsWritten);
      if (!matmul) continue;
      if (matmul->reason.empty())
        ConvolutionRewriter(op, *matmul).run();
      else
        op.emitRemark() << "the convolution is not scheduled as a matmul: " << matmul->reason
                        << "; map-linalg-to-gpu gives it one thread for each element";
    }
  }
};

}  // namespace
}  // namespace mmtune
