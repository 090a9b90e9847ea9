// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as the matrix products that they are.
#pragma once

#include "kernels/compiler/scheduling/product_match.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mmtune {

/// The product of a filter and a matrix that has, for each pixel of the output, the elements of the input that the
/// filter meets there. Loops are those of the convolution.
struct ConvolutionProduct {
  std::string reason;            ///< To follow "the convolution is not scheduled as a product: "; or nothing.
  llvm::SmallBitVector leftOut;  ///< Loops with one iteration; the product leaves them out.
  ProductLoops loops;  ///< Of the product, which are the others in their order; maps of input, filter, output.
  llvm::SmallVector<unsigned> rows;    ///< Those that number the elements of the output, in the product's order.
  llvm::SmallVector<unsigned> copied;  ///< Those that number the elements of the matrix; none: it is the input itself.
  mlir::AffineMap place;               ///< From an element's place in the matrix to its place in the input.
};

/// What a linalg operation is as a product; nothing if it is no convolution. It is one by its maps and body: an input
/// whose pixels are summed with a filter's, each multiplied by it, for several output channels, maybe in groups. One on
/// buffers, or whose product kernels would not compute, has a reason; of sums in 16 bits `sumsAsWritten` is one. So is
/// a product that sums over a batch, if kernels compute it with a copy of its first operand; it has no reason.
std::optional<ConvolutionProduct> readConvolution(mlir::linalg::LinalgOp op, bool sumsAsWritten);

}  // namespace mmtune
