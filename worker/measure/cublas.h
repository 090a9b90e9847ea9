// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of cuBLAS that is used here, declared by us and opened at run time: its binary interface is stable.
// cublas_check.cc compares the declarations with cublas_v2.h where the toolkit is present.
#pragma once

namespace mmtune::cublas {

enum Status : int { kSuccess = 0 };
enum Property : int { kMajorVersion = 0, kMinorVersion = 1, kPatchLevel = 2 };
enum Operation : int { kNoTranspose = 0, kTranspose = 1 };
/// kFullReductions: partial sums stay of the compute type, also where C is of fewer bits.
enum MathMode : int { kDefaultMath = 0, kFullReductions = 16 };
enum DataType : int;  // DataTypeTraits::cuda
enum ComputeType : int { kCompute32F = 68, kCompute64F = 70, kCompute32I = 72, kCompute32FFastTf32 = 77 };
enum Algorithm : int { kDefaultAlgorithm = -1 };

#define MMTUNE_BLAS_ENTRY_POINTS(X)                                                                               \
  X(Create, cublasCreate_v2, (void** handle))                                                                     \
  X(Destroy, cublasDestroy_v2, (void* handle))                                                                    \
  X(GetProperty, cublasGetProperty, (Property property, int* value))                                              \
  X(SetStream, cublasSetStream_v2, (void* handle, void* stream))                                                  \
  X(SetMathMode, cublasSetMathMode, (void* handle, MathMode mode))                                                \
  X(SgemmStridedBatched, cublasSgemmStridedBatched,                                                               \
    (void* handle, Operation transpose_a, Operation transpose_b, int m, int n, int k, const float* alpha,         \
     const float* a, int lda, long long stride_a, const float* b, int ldb, long long stride_b, const float* beta, \
     float* c, int ldc, long long stride_c, int batch))                                                           \
  X(GemmStridedBatchedEx, cublasGemmStridedBatchedEx,                                                             \
    (void* handle, Operation transpose_a, Operation transpose_b, int m, int n, int k, const void* alpha,          \
     const void* a, DataType type_a, int lda, long long stride_a, const void* b, DataType type_b, int ldb,        \
     long long stride_b, const void* beta, void* c, DataType type_c, int ldc, long long stride_c, int batch,      \
     ComputeType compute, Algorithm algorithm))

}  // namespace mmtune::cublas
