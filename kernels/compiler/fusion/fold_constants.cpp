// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass fold-constants: the compiler computes tensors that depend on no input.
#include "kernels/compiler/fusion/constant_body.h"
#include "kernels/compiler/fusion/fusion_rules.h"
#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// The limit in bytes by which a constant may exceed those that it replaces, and by which all of a module may.
constexpr int64_t kMaxGrowth = 1 << 20, kMaxTotalGrowth = 1 << 24;
/// Below this size, reading the extended constant is as cheap as extending it.
constexpr int64_t kSmallBytes = 1 << 12;
/// The limit of element operations for a module: half a second.
constexpr int64_t kMaxSteps = 1 << 25;
/// The limit of operations that depend on one another.
constexpr size_t kMaxDepth = 256;
/// The largest gather whose indices are computed.
constexpr int64_t kMaxGathered = 1 << 16;

int64_t bytesOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  std::optional<ElementFormat> format = ElementFormat::of(type.getElementType());
  return format ? type.getNumElements() * static_cast<int64_t>(format->bytes()) : 0;
}

bool isReshape(Operation* op) { return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op); }

bool isStatic(tensor::ExtractSliceOp slice) {
  return llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) &&
         llvm::none_of(slice.getStaticStrides(), ShapedType::isDynamic);
}

/// Returns the input that an operation copies element by element, or null.
OpOperand* copiedBy(linalg::LinalgOp op) {
  auto element = dyn_cast<BlockArgument>(op.getBlock()->getTerminator()->getOperand(0));
  if (!element || element.getOwner() != op.getBlock() || !llvm::hasSingleElement(*op.getBlock())) return nullptr;
  OpOperand* operand = op.getMatchingOpOperand(element);
  return op.isDpsInput(operand) ? operand : nullptr;
}

/// True if a matmul reads the result, directly, moved or reshaped: it may read what was extended.
bool isMatmulOperand(Operation* op) {
  return llvm::any_of(op->getUsers(), [](Operation* user) {
    auto linalg = dyn_cast<linalg::LinalgOp>(user);
    if (linalg && !hasOnlyParallelLoops(linalg)) return true;
    const bool isRearrangement = linalg && linalg->getNumResults() == 1 && sourceOfRearranged(linalg->getResult(0));
    return (isRearrangement || isReshape(user)) && isMatmulOperand(user);
  });
}

/// True if a sort reads the result: its kernel computes no elements of its inputs.
bool isSorted(Operation* op) {
  return llvm::any_of(op->getUsers(), [](Operation* user) { return isa<tm_tensor::SortOp>(user); });
}

/// Visits the indices of a shape in row-major order.
template <typename F>
bool forEachIndex(ArrayRef<int64_t> shape, F visit) {
  SmallVector<int64_t> indices(shape.size(), 0);
  for (;;) {
    if (!visit(indices)) return false;
    size_t dim = shape.size();
    while (dim > 0 && ++indices[dim - 1] == shape[dim - 1]) indices[--dim] = 0;
    if (dim == 0) return true;
  }
}

/// Returns the tensor of which an elementwise operation reads one element by index, and yields it; null if there is
/// none.
Value gatheredTensor(linalg::GenericOp op) {
  auto type = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : nullptr;
  auto read = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
  if (!type || !type.hasStaticShape() || type.getNumElements() == 0 || type.getNumElements() > kMaxGathered || !read ||
      read->getParentOp() != op || !read->hasOneUse() || !hasOnlyParallelLoops(op) ||
      !read.getTensor().getType().hasStaticShape() ||
      read.getTensor().getType().getNumElements() != type.getNumElements())
    return {};
  return read.getTensor();
}

class ConstantFolder {
 public:
  explicit ConstantFolder(Operation* root) {
    root->walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::LaunchOp, gpu::GPUModuleOp>(op)) return WalkResult::skip();
      if (isConstant(op) && depthOf(op) <= kMaxDepth) {
        known[op->getResult(0)] = depthOf(op);
        ops.push_back(op);
      } else if (auto generic = dyn_cast<linalg::GenericOp>(op); generic && isGather(generic)) {
        gathers.push_back(generic);
      }
      return WalkResult::advance();
    });
  }

  /// Replaces operations that read each element of a tensor at a constant index, in the tensor's own order, by a
  /// reshape. torch-mlir writes a view that splits or joins dimensions in this form.
  void foldGathers() {
    for (linalg::GenericOp op : gathers) {
      Value source = gatheredTensor(op);
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      auto groups = getReassociationIndicesForReshape(cast<RankedTensorType>(source.getType()), type);
      if (!groups || !readsInOrder(op)) continue;
      OpBuilder builder(op);
      const bool expands = type.getRank() > cast<RankedTensorType>(source.getType()).getRank();
      Value made = source;
      if (expands)
        made = tensor::ExpandShapeOp::create(builder, op.getLoc(), type, source, *groups);
      else if (type != source.getType())
        made = tensor::CollapseShapeOp::create(builder, op.getLoc(), type, source, *groups);
      op->getResult(0).replaceAllUsesWith(made);
      op->erase();
    }
  }

  void run() {
    foldGathers();
    // Readers come before the operations they read.
    for (Operation* op : llvm::reverse(ops)) {
      if (isa<arith::ConstantOp>(op)) continue;
      const bool isRead = llvm::any_of(op->getUsers(), [&](Operation* user) { return !done.contains(readerOf(user)); });
      if (!isRead || (isWorthwhile(op) && replace(op))) done.insert(op);
    }
    // An operation that was computed has no assertion that fails.
    for (Operation* op : llvm::reverse(ops)) {
      auto found = computed.find(op->getResult(0));
      const bool wasComputed = found != computed.end() && found->second;
      if (op->use_empty() && (wasComputed || isOpTriviallyDead(op))) op->erase();
    }
  }

 private:
  /// Returns the reader of a tensor; for an operation in a body, the body's operation.
  static Operation* readerOf(Operation* user) {
    return isa<tensor::ExtractOp>(user) && isa<linalg::LinalgOp>(user->getParentOp()) ? user->getParentOp() : user;
  }

  size_t depthOf(Operation* op) const {
    size_t depth = 0;
    op->walk([&](Operation* inner) {
      for (Value operand : inner->getOperands()) depth = std::max<size_t>(depth, known.lookup(operand) + 1);
    });
    return depth;
  }

  /// True if an operation computes the same tensor whenever it runs, as far as is visible without evaluating it.
  bool isConstant(Operation* op) {
    auto type = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : nullptr;
    if (!type || !type.hasStaticShape() || type.getNumElements() == 0 || !ElementFormat::of(type.getElementType()))
      return false;
    auto isKnown = [&](Value value) { return known.contains(value); };
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return isa<ElementsAttr>(constant.getValue()) && valueOf(constant.getResult());
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) return isKnown(slice.getSource()) && isStatic(slice);
    if (isReshape(op)) return isKnown(op->getOperand(0));
    auto linalg = dyn_cast<linalg::LinalgOp>(op);
    return linalg && isComputable(linalg, isKnown);
  }

  /// True if an operation reads one element of a tensor at a constant index for each element of its result.
  bool isGather(linalg::GenericOp op) {
    Value gathered = gatheredTensor(op);
    return gathered && isComputable(op, [&](Value value) { return value == gathered || known.contains(value); });
  }

  bool isComputable(linalg::LinalgOp op, llvm::function_ref<bool(Value)> isKnown) {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 || !hasOnlyParallelLoops(op) ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
      return false;
    auto isKnownInput = [&](OpOperand* input) {
      if (!isa<TensorType>(input->get().getType())) return constantElement(input->get()).has_value();
      return known.contains(input->get()) &&
             op.getMatchingIndexingMap(input).isProjectedPermutation(/*allowZeroInResults=*/true);
    };
    return llvm::all_of(op.getDpsInputOperands(), isKnownInput) && isConstantBody(op, isKnown);
  }

  /// True if a constant saves work and is not much larger than the constants that it replaces.
  bool isWorthwhile(Operation* op) {
    if (isReshape(op) || isa<linalg::FillOp>(op)) return false;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return !slice.getSource().getDefiningOp<arith::ConstantOp>() && mayGrow(op);
    auto generic = dyn_cast<linalg::GenericOp>(op);
    // Elementwise readers (a bias in an epilogue) extend elements themselves, but not through a reshape.
    if (generic && isExtension(generic))
      return bytesOf(op->getResult(0)) <= kSmallBytes && llvm::all_of(op->getUsers(), isReshape) &&
             !isMatmulOperand(op) && mayGrow(op);
    if (generic && isCheap(generic) && !isSorted(op)) return false;
    if (OpOperand* copied = copiedBy(cast<linalg::LinalgOp>(op))) {
      Value source = copied->get();
      while (source.getDefiningOp() && isReshape(source.getDefiningOp()))
        source = source.getDefiningOp()->getOperand(0);
      // Matmuls read a transposed constant in place, and decompose-tensors transposes one with a single reader.
      if (!cast<linalg::LinalgOp>(op).getMatchingIndexingMap(copied).isPermutation() ||
          source.getDefiningOp<arith::ConstantOp>())
        return false;
    }
    return mayGrow(op);
  }

  bool mayGrow(Operation* op) {
    growth = bytesOf(op->getResult(0));
    llvm::SmallPtrSet<Operation*, 8> seen;
    subtractOperands(op, seen);
    return growth <= kMaxGrowth && growth <= kMaxTotalGrowth - grown;
  }

  /// Subtracts from `growth` the constants that only `op` uses.
  void subtractOperands(Operation* op, llvm::SmallPtrSetImpl<Operation*>& seen) {
    auto visit = [&](Value operand) {
      Operation* made = operand.getDefiningOp();
      if (!known.contains(operand) || !made->hasOneUse() || !seen.insert(made).second) return;
      if (isa<arith::ConstantOp>(made)) growth -= bytesOf(operand);
      subtractOperands(made, seen);
    };
    for (Value operand : op->getOperands()) visit(operand);
  }

  bool replace(Operation* op) {
    const ConstantTensor* value = valueOf(op->getResult(0));
    if (!value) return false;
    OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(builder, op->getLoc(), value->attribute()));
    grown += std::max<int64_t>(growth, 0);
    return true;
  }

  /// Returns the elements of a value in `known`, or null if they cannot be computed.
  const ConstantTensor* valueOf(Value value) {
    if (auto found = computed.find(value); found != computed.end()) return found->second.get();
    std::optional<ConstantTensor> made = compute(value.getDefiningOp());
    std::unique_ptr<ConstantTensor>& kept = computed[value];
    if (made) kept = std::make_unique<ConstantTensor>(std::move(*made));
    return kept.get();
  }

  std::optional<ConstantTensor> compute(Operation* op) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return ConstantTensor::of(cast<ElementsAttr>(constant.getValue()));
    if (auto linalg = dyn_cast<linalg::LinalgOp>(op)) return compute(linalg, type);
    const ConstantTensor* source = valueOf(op->getOperand(0));
    if (!source) return std::nullopt;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (source->isSplat()) return ConstantTensor::splat(type, source->at(0));
      if (!spend(type.getNumElements())) return std::nullopt;
      return compute(slice, *source, type);
    }
    return source->reshaped(type);
  }

  /// Takes count * each steps if so many are left.
  bool spend(int64_t count, int64_t each = 1) {
    if (count > (kMaxSteps - steps) / each) return false;
    steps += count * each;
    return true;
  }

  static ConstantTensor compute(tensor::ExtractSliceOp slice, const ConstantTensor& source, RankedTensorType type) {
    ConstantTensor made(type);
    int64_t next = 0;
    forEachIndex(slice.getStaticSizes(), [&](ArrayRef<int64_t> indices) {
      int64_t at = 0;
      for (auto [index, offset, stride, size] :
           llvm::zip_equal(indices, slice.getStaticOffsets(), slice.getStaticStrides(), source.shape()))
        at = at * size + offset + index * stride;
      made.set(next++, source.at(at));
      return true;
    });
    return made;
  }

  /// True if a gather reads the elements of its tensor one after the other.
  bool readsInOrder(linalg::GenericOp op) {
    auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    auto numbers = compute(op, RankedTensorType::get(shape, IntegerType::get(op.getContext(), 64)), gatheredTensor(op));
    if (!numbers) return false;
    for (int64_t i = 0, count = ShapedType::getNumElements(shape); i < count; ++i)
      if (numbers->at(i).integer != i) return false;
    return true;
  }

  /// Takes the elements of `gathered` to be their row-major numbers.
  std::optional<ConstantTensor> compute(linalg::LinalgOp op, RankedTensorType type, Value gathered = {}) {
    SmallVector<const ConstantTensor*> tensors;
    SmallVector<SmallVector<int64_t>> strides;  // The stride of each tensor along each loop.
    SmallVector<ConstantElement> elements;
    for (OpOperand* input : op.getDpsInputOperands()) {
      std::optional<ConstantElement> scalar = constantElement(input->get());
      const bool isTensor = isa<TensorType>(input->get().getType());
      const ConstantTensor* tensor = isTensor ? valueOf(input->get()) : nullptr;
      if (isTensor && !tensor) return std::nullopt;
      tensors.push_back(tensor);
      elements.push_back(isTensor ? ConstantElement{.integer = 0} : *scalar);
      strides.push_back(isTensor ? stridesOf(*tensor, op.getMatchingIndexingMap(input)) : SmallVector<int64_t>());
    }
    bool hasAll = true;
    ConstantBody body(op, [&](Value tensor) {
      const ConstantTensor* value = tensor == gathered ? nullptr : valueOf(tensor);
      hasAll &= value || tensor == gathered;
      return value;
    });
    if (!hasAll) return std::nullopt;
    // One element represents all if each is computed from the same values.
    bool isSplat = llvm::all_of(tensors, [](const ConstantTensor* tensor) { return !tensor || tensor->isSplat(); });
    op.getBlock()->walk([&](Operation* inner) { isSplat &= !isa<linalg::IndexOp, tensor::ExtractOp>(inner); });
    const int64_t count = isSplat ? 1 : type.getNumElements();
    if (!spend(count, static_cast<int64_t>(body.steps() + tensors.size() + 1))) return std::nullopt;
    auto elementAt = [&](ArrayRef<int64_t> indices) {
      for (size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i]) continue;
        int64_t at = 0;
        for (auto [index, stride] : llvm::zip_equal(indices, strides[i])) at += index * stride;
        elements[i] = tensors[i]->at(at);
      }
      return body.run(elements, indices);
    };
    if (isSplat) {
      std::optional<ConstantElement> made = elementAt(SmallVector<int64_t>(type.getRank(), 0));
      return made ? std::optional(ConstantTensor::splat(type, *made)) : std::nullopt;
    }
    ConstantTensor made(type);
    int64_t next = 0;
    const bool isDefined = forEachIndex(type.getShape(), [&](ArrayRef<int64_t> indices) {
      std::optional<ConstantElement> element = elementAt(indices);
      if (element) made.set(next++, *element);
      return element.has_value();
    });
    return isDefined ? std::optional(std::move(made)) : std::nullopt;
  }

  static SmallVector<int64_t> stridesOf(const ConstantTensor& tensor, AffineMap map) {
    SmallVector<int64_t> strides(map.getNumDims(), 0);
    int64_t stride = 1;
    for (auto [expression, size] : llvm::reverse(llvm::zip_equal(map.getResults(), tensor.shape()))) {
      if (auto loop = dyn_cast<AffineDimExpr>(expression)) strides[loop.getPosition()] = stride;
      stride *= size;
    }
    return strides;
  }

  SmallVector<Operation*> ops;  ///< The operations of `known`, in order.
  SmallVector<linalg::GenericOp> gathers;
  llvm::DenseMap<Value, size_t> known;     ///< The longest chain of operations that computes each value.
  llvm::SmallPtrSet<Operation*, 16> done;  ///< Those of `ops` whose results are no longer needed.
  llvm::DenseMap<Value, std::unique_ptr<ConstantTensor>> computed;  ///< Null if it cannot be computed.
  int64_t growth = 0, grown = 0, steps = 0;
};

struct FoldConstants : impl::FoldConstantsPassBase<FoldConstants> {
  void runOnOperation() override { ConstantFolder(getOperation()).run(); }
};

}  // namespace
}  // namespace mmtune
