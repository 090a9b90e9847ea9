// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of tensors, rewritten as matrix matmuls.
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

/// The matmul of a filter and a matrix that has, for each pixel of the output, the elements of the input that the
/// filter meets there. Loops are those of the convolution.
struct ConvolutionMatmul {
  std::string reason;            ///< To follow "the convolution is not scheduled as a matmul: "; or nothing.
  llvm::SmallBitVector leftOut;  ///< Loops with one iteration; the matmul leaves them out.
  MatmulLoops loops;             ///< Of the matmul, which are the others in their order; maps of input, filter, output.
  SmallVector<unsigned> rows;    ///< Those that number the elements of the output, in the matmul's order.
  SmallVector<unsigned> copied;  ///< Those that number the elements of the matrix; none: it is the input itself.
  AffineMap place;               ///< From an element's place in the matrix to its place in the input.
};

/// What a linalg operation is as a matmul; nothing if it is no convolution. It is one by its maps and body: an input
/// whose pixels are summed with a filter's, each multiplied by it, for several output channels, maybe in groups. One on
/// buffers, or whose matmul kernels would not compute, has a reason; of sums in 16 bits `sumsAsWritten` is one. So is
/// a matmul that sums over a batch, if kernels compute it with a copy of its first operand; it has no reason.
std::optional<ConvolutionMatmul> readConvolution(linalg::LinalgOp op, bool sumsAsWritten);

using Loops = SmallVector<unsigned>;

/// A matrix of more elements is not made: a copy of the input would not fit beside the model. Sizes that are known at
/// run time only (images, pixels) are not limited, but what is copied for each of their elements is.
constexpr int64_t kMaxCopied = int64_t{1} << 28;
constexpr int64_t kMaxCopiedForEach = int64_t{1} << 22;

Loops joined(std::initializer_list<ArrayRef<unsigned>> parts) {
  Loops all;
  for (ArrayRef<unsigned> part : parts) llvm::append_range(all, part);
  return all;
}

/// The loops that a map lists.
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
    if (!op.hasPureTensorSemantics()) return refused("it is on buffers, and only tensors are copied for a matmul");
    if (op.hasIndexSemantics()) return refused("its body uses the numbers of its loops");
    if (dims.outputChannel.empty())
      return refused(dims.depth.empty() ? "it has no channels of output that share an input"
                                        : "each of its channels has a filter of its own");
    order();
    if (!areKnown(channels) || !areKnown(sums))
      return refused("its channels or its filter have sizes that are known at run time only");
    setMatmul();
    readInputInPlace();
    if (std::string reason = whyNotCopied(); !reason.empty()) return refused(std::move(reason));
    return refused(whyNotMatmul(sumsAsWritten));
  }

 private:
  ConvolutionMatmul refused(std::string reason) {  // Or taken, without a reason.
    matmul.reason = std::move(reason);
    return std::move(matmul);
  }

  bool areKnown(ArrayRef<unsigned> some) const {
    return llvm::none_of(some, [&](unsigned loop) { return ShapedType::isDynamic(loops.extents[loop]); });
  }

  /// Whether the pixels of the output number all of the input's where this loop of the filter is left out; else they
  /// would have to number those of a part, and no map says how many there are.
  bool readsAll(unsigned filterLoop) {
    Builder builder(op.getContext());
    AffineExpr loop = builder.getAffineDimExpr(filterLoop), first = builder.getAffineConstantExpr(0);
    for (auto [place, size] : llvm::zip_equal(loops.maps[0].getResults(), op.getShape(op.getDpsInputOperand(0)))) {
      auto pixel = dyn_cast<AffineDimExpr>(place.replace(loop, first));
      if (pixel && pixel != place && (ShapedType::isDynamic(size) || loops.extents[pixel.getPosition()] != size))
        return false;
    }
    return true;
  }

  /// Whether the output itself says that such a loop makes one turn, so that its dimension can be left out of it.
  bool isOneInOutput(unsigned loop) {
    AffineExpr dim = Builder(op.getContext()).getAffineDimExpr(loop);
    return op.getShape(op.getDpsInitOperand(0))[*loops.maps[2].getResultPosition(dim)] == 1;
  }

  /// Sorts the loops that the matmul has. Images of one matrix need not be told apart where channels come before
  /// pixels.
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
    sums = those(filter, joined({dims.filterLoop, dims.inputChannel}));
    // Kernels take rows of any number, columns of a known one.
    bool channelsFirst = !channelsLast && areKnown(pixels);
    matmul.rows = channelsFirst ? joined({groups, channels, pixels}) : joined({groups, pixels, channels});
    matmul.copied = channelsFirst ? joined({groups, sums, pixels}) : joined({groups, pixels, sums});
  }

  /// The maps of the matmul of a copy.
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
    SmallVector<AffineExpr> places(op.getNumLoops(), builder.getAffineConstantExpr(0));
    for (auto [index, loop] : llvm::enumerate(matmul.copied)) places[loop] = builder.getAffineDimExpr(index);
    matmul.place = loops.maps[0].replaceDimsAndSymbols(places, {}, matmul.copied.size(), 0);
  }

  /// No copy where the filter meets one pixel for each of the output.
  void readInputInPlace() {
    AffineMap place = loops.maps[0].replaceDimsAndSymbols(kept, {}, matmul.loops.extents.size(), 0);
    SmallVector<AffineExpr> results;
    for (auto [result, size] : llvm::zip_equal(place.getResults(), op.getShape(op.getDpsInputOperand(0)))) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim && (result != 0 || size != 1)) return;
      if (dim) results.push_back(dim);
    }
    MatmulLoops direct = matmul.loops;
    direct.maps[0] = AffineMap::get(place.getNumDims(), 0, results, op.getContext());
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
      return "the copy of its input would have more than 2^22 elements for each of what is counted at run time only";
    return "";
  }

  std::string whyNotMatmul(bool sumsAsWritten) const {
    MatmulMatch match = matchMatmul(op, matmul.loops, MatmulOperands::kTensors);
    if (match.kind == MatmulMatch::Kind::kNone) return "its maps are not those of a matmul";
    if (match.accumulatesIn16Bits && !sumsAsWritten) {  // widen-accumulators makes it one.
      bool isOrdered = areMatmulMaps(matmul.loops.maps, matmul.loops.iterators);
      return isOrdered ? "" : "its filter has its dimensions in an order that no kernel reads";
    }
    if (match.kind == MatmulMatch::Kind::kUnsupported) return match.reason;
    if (match.matmul.problem.dtype == DataType::kS32) return "no kernel multiplies i32";
    return "";
  }

  linalg::LinalgOp op;
  const linalg::ConvolutionDimensions& dims;
  MatmulLoops loops;                     ///< Of the convolution.
  Loops groups, channels, pixels, sums;  ///< Which of them are left in.
  SmallVector<AffineExpr> kept;          ///< By loop: the matmul's, or 0.
  ConvolutionMatmul matmul;
};

/// Whether every loop is of one kind, and filter and output have nothing but loops.
bool isUnderstood(linalg::LinalgOp op, const linalg::ConvolutionDimensions& dims) {
  size_t count =
      joined({dims.batch, dims.outputImage, dims.outputChannel, dims.filterLoop, dims.inputChannel, dims.depth}).size();
  return count == op.getNumLoops() && op.getMatchingIndexingMap(op.getDpsInputOperand(1)).isProjectedPermutation() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isProjectedPermutation();
}

/// Of a matmul that sums several dimensions which its first operand has in no order that kernels read, as those of
/// linalg.batch_reduce_matmul: rows are pixels, of which each meets all that is summed. Nothing of other operations.
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

std::optional<ConvolutionMatmul> readConvolution(linalg::LinalgOp op, bool sumsAsWritten) {
  if (isa<linalg::ConvolutionOpInterface>(op.getOperation()) && op.getNumDpsInputs() == 4) {
    ConvolutionMatmul quantized;
    quantized.reason = "it takes off zero points";
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

/// Dimensions in groups of neighbours, one of each of which is not left out.
SmallVector<ReassociationIndices> groupsAround(size_t rank, llvm::function_ref<bool(size_t)> isLeftOut) {
  SmallVector<ReassociationIndices> groups;
  bool found = false;  // The one in the last group.
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
    // Sums of 16 bits become wider ones that start from what the output held, and are rounded once.
    Type element = elementTypeOf(output);
    bool isZero = startsFromZero(), adds = !isZero && !element.isF16() && !element.isBF16();
    // Nothing asks the zeros for their sizes, so that nobody needs them.
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

  /// Whether the output was filled with zeros, as kernels start from them.
  bool startsFromZero() {
    auto fill = output.getDefiningOp<linalg::FillOp>();
    return fill && (matchPattern(fill.getInputs()[0], m_PosZeroFloat()) || matchPattern(fill.getInputs()[0], m_Zero()));
  }

  /// A size that a loop has.
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

  /// Without the dimensions of one element that loops which are left out number.
  Value collapsed(Value tensor, AffineMap map) {
    ArrayRef<AffineExpr> results = map.getResults();
    if (llvm::none_of(results, [&](AffineExpr result) { return isLeftOut(result); })) return tensor;
    return tensor::CollapseShapeOp::create(
        builder, tensor, groupsAround(results.size(), [&](size_t i) { return isLeftOut(results[i]); }));
  }

  /// The output's shape again.
  Value expanded(Value result) {
    auto type = cast<RankedTensorType>(output.getType());
    if (result.getType() == type) return result;
    auto isOut = [&](size_t i) { return isLeftOut(maps[2].getResult(i)); };
    return tensor::ExpandShapeOp::create(builder, type, result, groupsAround(type.getRank(), isOut),
                                         tensor::getMixedSizes(builder, builder.getLoc(), output));
  }

  /// Dimensions in another order, of a tensor in which loops number them.
  Value transposed(Value tensor, ArrayRef<unsigned> from, ArrayRef<unsigned> to) {
    if (from == to) return tensor;
    SmallVector<int64_t> permutation = llvm::map_to_vector(
        to, [&](unsigned loop) { return static_cast<int64_t>(llvm::find(from, loop) - from.begin()); });
    Value empty = emptyOver(to, elementTypeOf(tensor));
    return linalg::TransposeOp::create(builder, tensor, empty, permutation)->getResult(0);
  }

  /// The elements that the filter meets, pixel by pixel.
  Value copied() {
    Value empty = emptyOver(matmul.copied, elementTypeOf(input));
    return elementwise(input, empty, {matmul.place},
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

  Value elementwise(ValueRange inputs, Value empty, SmallVector<AffineMap> places,
                    llvm::function_ref<Value(OpBuilder&, Location, ValueRange)> element) {
    int64_t rank = cast<RankedTensorType>(empty.getType()).getRank();
    places.push_back(builder.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> parallel(rank, utils::IteratorType::parallel);
    return linalg::GenericOp::create(builder, empty.getType(), inputs, empty, places, parallel,
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
  SmallVector<unsigned> written;  ///< The loops that number the output's elements, in its order.
};

struct ConvertConvToMatmul : impl::ConvertConvToMatmulPassBase<ConvertConvToMatmul> {
  using ConvertConvToMatmulPassBase::ConvertConvToMatmulPassBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) ops.push_back(linalgOp);
      return WalkResult::advance();
    });
    for (linalg::LinalgOp op : ops) {
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
