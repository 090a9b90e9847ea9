// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planes of fragments of an `mma` kernel (kernels/families/mma/mma_planes.h), made in registers.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/mma/mma_planes.h"

namespace mmtune {

/// The planes of one operand, as words of an instruction; element i of a plane is the same element of the matrix in all
/// of them.
using PlaneWords = llvm::SmallVector<KernelBuilder::Values>;

/// Appends to each of the planes, of which there are `planes.count`, the words that are made of those of a fragment as
/// it is read: 4 words of A or 2 of B. Where planes are of 16 bits and elements of 32, a word holds two elements, of
/// the first and the second half of the fragment's k: another order than that of the matrix, and the same in A and in
/// B.
///
/// Subtractions are exact. An infinite element leaves NaN in its further planes, and one of 2^127 or more may be
/// rounded to infinity: sums with such elements are NaN. Below 2^-110 the last planes are subnormal and lose bits.
void appendPlanes(KernelBuilder& builder, const MmaPlanes& planes, llvm::ArrayRef<mlir::Value> words, PlaneWords& to);

}  // namespace mmtune
