// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled where the CUDA toolkit has cublas_v2.h: our declarations are those of it.
#include "worker/measure/cublas.h"

#include <cublas_v2.h>

#include "kernels/runtime/cuda/declarations_check.h"

namespace mmtune::cublas {
namespace {

// The header has an overload for older programs, whose compute type is a data type: the function is the other one.
using GemmStridedBatchedEx = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                            const void*, const void*, cudaDataType, int, long long, const void*,
                                            cudaDataType, int, long long, const void*, void*, cudaDataType, int,
                                            long long, int, cublasComputeType_t, cublasGemmAlgo_t);
static_assert(sizeof(static_cast<GemmStridedBatchedEx*>(::cublasGemmStridedBatchedEx)) > 0);
extern GemmStridedBatchedEx theirs;
#define cublasGemmStridedBatchedEx mmtune::cublas::theirs

#define MMTUNE_CHECK(member, symbol, parameters)                              \
  static_assert(cuda::SameCall<Status parameters, decltype(::symbol)>::value, \
                #symbol " is declared differently in cublas_v2.h");
MMTUNE_BLAS_ENTRY_POINTS(MMTUNE_CHECK)
#undef MMTUNE_CHECK
#undef cublasGemmStridedBatchedEx

MMTUNE_SAME(kSuccess, CUBLAS_STATUS_SUCCESS);
MMTUNE_SAME(kMajorVersion, MAJOR_VERSION);
MMTUNE_SAME(kMinorVersion, MINOR_VERSION);
MMTUNE_SAME(kPatchLevel, PATCH_LEVEL);
MMTUNE_SAME(kNoTranspose, CUBLAS_OP_N);
MMTUNE_SAME(kTranspose, CUBLAS_OP_T);
MMTUNE_SAME(kDefaultMath, CUBLAS_DEFAULT_MATH);
MMTUNE_SAME(kFullReductions, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
MMTUNE_SAME(kCompute32F, CUBLAS_COMPUTE_32F);
MMTUNE_SAME(kCompute64F, CUBLAS_COMPUTE_64F);
MMTUNE_SAME(kCompute32I, CUBLAS_COMPUTE_32I);
MMTUNE_SAME(kCompute32FFastTf32, CUBLAS_COMPUTE_32F_FAST_TF32);
MMTUNE_SAME(kDefaultAlgorithm, CUBLAS_GEMM_DEFAULT);

}  // namespace
}  // namespace mmtune::cublas
