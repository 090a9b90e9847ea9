// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/convolution_loops.h"
#include "kernels/compiler/scheduling/product_body.h"

using namespace mlir;

namespace mmtune {
namespace {

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

  ConvolutionProduct run(bool sumsAsWritten) {
    if (!op.hasPureTensorSemantics()) return refused("it is on buffers, and only tensors are copied for a product");
    if (op.hasIndexSemantics()) return refused("its body uses the numbers of its loops");
    if (dims.outputChannel.empty())
      return refused(dims.depth.empty() ? "it has no channels of output that share an input"
                                        : "each of its channels has a filter of its own");
    order();
    if (!areKnown(channels) || !areKnown(sums))
      return refused("its channels or its filter have sizes that are known at run time only");
    setProduct();
    readInputWhereItLies();
    if (std::string reason = whyNotCopied(); !reason.empty()) return refused(std::move(reason));
    return refused(whyNotProduct(sumsAsWritten));
  }

 private:
  ConvolutionProduct refused(std::string reason) {  // Or taken, without a reason.
    product.reason = std::move(reason);
    return std::move(product);
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

  /// Sorts the loops that the product has. Images of one matrix need not be told apart where channels come before
  /// pixels.
  void order() {
    Loops output = listed(loops.maps[2]), filter = listed(loops.maps[1]);
    bool channelsLast = output.back() == dims.outputChannel.back();
    product.leftOut.resize(op.getNumLoops());
    if (!dims.inputChannel.empty())
      for (unsigned loop : dims.filterLoop)
        if (loops.extents[loop] == 1 && readsAll(loop)) product.leftOut.set(loop);
    if (!channelsLast)
      for (unsigned loop : dims.batch)
        if (isOneInOutput(loop)) product.leftOut.set(loop);
    auto isKept = [&](unsigned loop) { return !product.leftOut.test(loop); };
    filter = llvm::to_vector(llvm::make_filter_range(filter, isKept));
    output = llvm::to_vector(llvm::make_filter_range(output, isKept));
    groups = those(output, dims.depth);
    channels = those(output, dims.outputChannel);
    pixels = those(output, joined({dims.batch, dims.outputImage}));
    sums = those(filter, joined({dims.filterLoop, dims.inputChannel}));
    // Kernels take rows of any number, columns of a known one.
    bool channelsFirst = !channelsLast && areKnown(pixels);
    product.rows = channelsFirst ? joined({groups, channels, pixels}) : joined({groups, pixels, channels});
    product.copied = channelsFirst ? joined({groups, sums, pixels}) : joined({groups, pixels, sums});
  }

  /// The maps of the product of a copy.
  void setProduct() {
    MLIRContext* context = op.getContext();
    Builder builder(context);
    kept.assign(op.getNumLoops(), builder.getAffineConstantExpr(0));
    unsigned count = 0;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
      if (product.leftOut.test(loop)) continue;
      kept[loop] = builder.getAffineDimExpr(count++);
      product.loops.iterators.push_back(loops.iterators[loop]);
      product.loops.extents.push_back(loops.extents[loop]);
    }
    auto mapOf = [&](ArrayRef<unsigned> some) {
      SmallVector<AffineExpr> results;
      for (unsigned loop : some)
        if (!product.leftOut.test(loop)) results.push_back(kept[loop]);
      return AffineMap::get(count, 0, results, context);
    };
    product.loops.maps = {mapOf(product.copied), mapOf(listed(loops.maps[1])), mapOf(product.rows)};
    SmallVector<AffineExpr> places(op.getNumLoops(), builder.getAffineConstantExpr(0));
    for (auto [index, loop] : llvm::enumerate(product.copied)) places[loop] = builder.getAffineDimExpr(index);
    product.place = loops.maps[0].replaceDimsAndSymbols(places, {}, product.copied.size(), 0);
  }

  /// No copy where the filter meets one pixel for each of the output.
  void readInputWhereItLies() {
    AffineMap place = loops.maps[0].replaceDimsAndSymbols(kept, {}, product.loops.extents.size(), 0);
    SmallVector<AffineExpr> results;
    for (auto [result, size] : llvm::zip_equal(place.getResults(), op.getShape(op.getDpsInputOperand(0)))) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim && (result != 0 || size != 1)) return;
      if (dim) results.push_back(dim);
    }
    ProductLoops direct = product.loops;
    direct.maps[0] = AffineMap::get(place.getNumDims(), 0, results, op.getContext());
    bool isTurned = direct.maps[0] != product.loops.maps[0];
    if (isTurned && (!areKnown(pixels) || !areProductMaps(direct.maps, direct.iterators))) return;
    product.loops = std::move(direct);
    product.copied.clear();
  }

  std::string whyNotCopied() const {
    int64_t elements = 1;
    bool fits = true;
    for (unsigned loop : product.copied)
      if (areKnown(loop)) fits &= !llvm::MulOverflow(elements, loops.extents[loop], elements);
    if (!fits || elements > kMaxCopied) return "the copy of its input would have more than 2^28 elements";
    if (!areKnown(product.copied) && elements > kMaxCopiedForEach)
      return "the copy of its input would have more than 2^22 elements for each of what is counted at run time only";
    return "";
  }

  std::string whyNotProduct(bool sumsAsWritten) const {
    ProductMatch match = matchProduct(op, product.loops, ProductOperands::kTensors);
    if (match.kind == ProductMatch::Kind::kNone) return "its maps are not those of a product";
    if (match.sumsIn16Bits && !sumsAsWritten) {  // widen-sums makes it one.
      bool isOrdered = areProductMaps(product.loops.maps, product.loops.iterators);
      return isOrdered ? "" : "its filter has its dimensions in an order that no kernel reads";
    }
    if (match.kind == ProductMatch::Kind::kUnsupported) return match.reason;
    if (match.product.problem.dtype == DataType::kS32) return "kernels multiply no factors of i32";
    return "";
  }

  linalg::LinalgOp op;
  const linalg::ConvolutionDimensions& dims;
  ProductLoops loops;                    ///< Of the convolution.
  Loops groups, channels, pixels, sums;  ///< Which of them are left in.
  SmallVector<AffineExpr> kept;          ///< By loop: the product's, or 0.
  ConvolutionProduct product;
};

/// Whether every loop is of one kind, and filter and output have nothing but loops.
bool isUnderstood(linalg::LinalgOp op, const linalg::ConvolutionDimensions& dims) {
  size_t count =
      joined({dims.batch, dims.outputImage, dims.outputChannel, dims.filterLoop, dims.inputChannel, dims.depth}).size();
  return count == op.getNumLoops() && op.getMatchingIndexingMap(op.getDpsInputOperand(1)).isProjectedPermutation() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isProjectedPermutation();
}

/// Of a product that sums several dimensions which its first operand has in no order that kernels read, as those of
/// linalg.batch_reduce_matmul: rows are pixels, of which each meets all that is summed. Nothing of other operations.
std::optional<linalg::ConvolutionDimensions> dimsOfBatchReduce(linalg::LinalgOp op) {
  ProductMatch match = matchProduct(op, ProductOperands::kTensors);
  if (match.kind != ProductMatch::Kind::kUnsupported || match.sumsIn16Bits ||
      areProductMaps(op.getIndexingMapsArray(), op.getIteratorTypesArray()))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> product = linalg::inferContractionDims(op);
  if (failed(product) || product->k.size() < 2) return std::nullopt;
  linalg::ConvolutionDimensions dims;
  dims.batch = product->m;
  dims.outputChannel = product->n;
  dims.inputChannel = product->k;
  dims.depth = product->batch;
  return dims;
}

}  // namespace

std::optional<ConvolutionProduct> readConvolution(linalg::LinalgOp op, bool sumsAsWritten) {
  if (isa<linalg::ConvolutionOpInterface>(op.getOperation()) && op.getNumDpsInputs() == 4) {
    ConvolutionProduct quantized;
    quantized.reason = "it takes off zero points";
    return quantized;
  }
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !isProductBody(*op.getBlock()))
    return std::nullopt;
  if (std::optional<linalg::ConvolutionDimensions> dims = dimsOfBatchReduce(op); dims && isUnderstood(op, *dims)) {
    ConvolutionProduct product = ConvolutionReader(op, *dims).run(sumsAsWritten);
    return product.reason.empty() ? std::optional(std::move(product)) : std::nullopt;
  }
  FailureOr<linalg::ConvolutionDimensions> dims = linalg::inferConvolutionDims(op);
  if (failed(dims) || !isUnderstood(op, *dims)) return std::nullopt;
  return ConvolutionReader(op, *dims).run(sumsAsWritten);
}

}  // namespace mmtune
