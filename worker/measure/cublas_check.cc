// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled where the CUDA toolkit has cublas_v2.h and cublasLt.h: our declarations are those of them.
#include "worker/measure/cublas.h"

#include <cublasLt.h>
#include <cublas_v2.h>

#include <type_traits>

#include "kernels/runtime/cuda/declarations_check.h"

namespace mmtune::cublas {
namespace {

// The header has an overload for older programs, whose compute type is a data type: the function is the other one.
using GemmStridedBatchedEx = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                            const void*, const void*, cudaDataType, int, long long, const void*,
                                            cudaDataType, int, long long, const void*, void*, cudaDataType, int,
                                            long long, int, cublasComputeType_t, cublasGemmAlgo_t);
static_assert(std::is_pointer_v<decltype(static_cast<GemmStridedBatchedEx*>(::cublasGemmStridedBatchedEx))>);
extern GemmStridedBatchedEx Theirs;
#define cublasGemmStridedBatchedEx mmtune::cublas::Theirs

#define MMTUNE_CHECK(member, symbol, parameters)                                   \
  static_assert(cuda::SameSignature<Status parameters, decltype(::symbol)>::value, \
                #symbol " is declared differently in cublas_v2.h or cublasLt.h");
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
MMTUNE_SAME(kTransposeA, CUBLASLT_MATMUL_DESC_TRANSA);
MMTUNE_SAME(kTransposeB, CUBLASLT_MATMUL_DESC_TRANSB);
MMTUNE_SAME(kEpilogue, CUBLASLT_MATMUL_DESC_EPILOGUE);
MMTUNE_SAME(kBiasPointer, CUBLASLT_MATMUL_DESC_BIAS_POINTER);
MMTUNE_SAME(kBatchCount, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
MMTUNE_SAME(kBatchStride, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
MMTUNE_SAME(kMaxWorkspaceBytes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
MMTUNE_SAME(kReductionSchemes, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK);
MMTUNE_SAME(kNoSteps, CUBLASLT_EPILOGUE_DEFAULT);
MMTUNE_SAME(kReluStep, CUBLASLT_EPILOGUE_RELU);
MMTUNE_SAME(kBiasStep, CUBLASLT_EPILOGUE_BIAS);
MMTUNE_SAME(kReluStep + kBiasStep, CUBLASLT_EPILOGUE_RELU_BIAS);
MMTUNE_SAME(kGeluStep, CUBLASLT_EPILOGUE_GELU);
MMTUNE_SAME(kGeluStep + kBiasStep, CUBLASLT_EPILOGUE_GELU_BIAS);
MMTUNE_SAME(kInComputeType, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
MMTUNE_SAME(kAllSchemes, CUBLASLT_REDUCTION_SCHEME_MASK);
static_assert(sizeof(AlgorithmChoice) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(sizeof(AlgorithmChoice::algorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(offsetof(AlgorithmChoice, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));

}  // namespace
}  // namespace mmtune::cublas
