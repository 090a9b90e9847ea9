// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUTLASS's multistage kernel for the tile that the macros name; sass_table compiles it and reads its machine code.
#include "cutlass/gemm/device/gemm.h"

using Row = cutlass::layout::RowMajor;
using Product = cutlass::gemm::device::Gemm<
    ELEMENT, Row, ELEMENT, Row, ELEMENT, Row, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    cutlass::gemm::GemmShape<BM, BN, BK>, cutlass::gemm::GemmShape<WM, WN, BK>,
    cutlass::gemm::GemmShape<16, 8, 32 / sizeof(ELEMENT)>,
    cutlass::epilogue::thread::LinearCombination<ELEMENT, 16 / sizeof(ELEMENT), float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, STAGES>;
template __global__ void cutlass::Kernel<Product::GemmKernel>(Product::GemmKernel::Params);
