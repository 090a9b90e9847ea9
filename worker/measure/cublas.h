// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of the functions and constants of cuBLAS and cuBLASLt that baseline.cc and lt_matmul.cc use. The library
// is opened at run time, and its binary interface is stable, so no CUDA toolkit is needed to build. If there is one,
// cublas_check.cc compares these declarations with cublas_v2.h and cublasLt.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmtune::cublas {

enum Status : int { kSuccess = 0 };
enum Property : int { kMajorVersion = 0, kMinorVersion = 1, kPatchLevel = 2 };
enum Operation : int { kNoTranspose = 0, kTranspose = 1 };
/// kFullReductions: partial sums keep the compute type, even if C has fewer bits.
enum MathMode : int { kDefaultMath = 0, kFullReductions = 16 };
enum DataType : int;  ///< The values are those of DataTypeTraits::cuda.
enum ComputeType : int { kCompute32F = 68, kCompute64F = 70, kCompute32I = 72, kCompute32FFastTf32 = 77 };
enum Algorithm : int { kDefaultAlgorithm = -1 };

// The declarations from here on are for cuBLASLt. Its descriptors are opaque; their attributes are set one by one.
enum MatmulAttribute : int { kTransposeA = 3, kTransposeB = 4, kEpilogue = 7, kBiasPointer = 8 };
enum LayoutAttribute : int { kBatchCount = 5, kBatchStride = 6 };
enum PreferenceAttribute : int { kMaxWorkspaceBytes = 1, kReductionSchemes = 3 };
/// The steps of an epilogue, as a bit mask.
enum EpilogueSteps : uint32_t { kNoSteps = 1, kReluStep = 2, kBiasStep = 4, kGeluStep = 32 };
/// The types allowed for partial sums of split-k, as a bit mask. kInComputeType: only the compute type.
enum ReductionSchemes : uint32_t { kInComputeType = 2, kAllSchemes = 7 };
/// An algorithm that the heuristic suggests (cublasLtMatmulHeuristicResult_t).
struct AlgorithmChoice {
  uint64_t algorithm[8];
  size_t workspace_bytes;
  Status state;
  float waves;
  int reserved[4];
};

#define MMTUNE_BLAS_ENTRY_POINTS(X)                                                                                   \
  X(Create, cublasCreate_v2, (void** handle))                                                                         \
  X(Destroy, cublasDestroy_v2, (void* handle))                                                                        \
  X(GetProperty, cublasGetProperty, (Property property, int* value))                                                  \
  X(SetStream, cublasSetStream_v2, (void* handle, void* stream))                                                      \
  X(SetWorkspace, cublasSetWorkspace_v2, (void* handle, void* workspace, size_t bytes))                               \
  X(SetMathMode, cublasSetMathMode, (void* handle, MathMode mode))                                                    \
  X(SgemmStridedBatched, cublasSgemmStridedBatched,                                                                   \
    (void* handle, Operation transpose_a, Operation transpose_b, int m, int n, int k, const float* alpha,             \
     const float* a, int lda, long long stride_a, const float* b, int ldb, long long stride_b, const float* beta,     \
     float* c, int ldc, long long stride_c, int batch))                                                               \
  X(GemmStridedBatchedEx, cublasGemmStridedBatchedEx,                                                                 \
    (void* handle, Operation transpose_a, Operation transpose_b, int m, int n, int k, const void* alpha,              \
     const void* a, DataType type_a, int lda, long long stride_a, const void* b, DataType type_b, int ldb,            \
     long long stride_b, const void* beta, void* c, DataType type_c, int ldc, long long stride_c, int batch,          \
     ComputeType compute, Algorithm algorithm))                                                                       \
  X(MatmulDescCreate, cublasLtMatmulDescCreate, (void** descriptor, ComputeType compute, DataType type_alpha))        \
  X(MatmulDescDestroy, cublasLtMatmulDescDestroy, (void* descriptor))                                                 \
  X(MatmulDescSetAttribute, cublasLtMatmulDescSetAttribute,                                                           \
    (void* descriptor, MatmulAttribute attribute, const void* value, size_t bytes))                                   \
  X(MatrixLayoutCreate, cublasLtMatrixLayoutCreate,                                                                   \
    (void** layout, DataType type, uint64_t rows, uint64_t columns, int64_t ld))                                      \
  X(MatrixLayoutDestroy, cublasLtMatrixLayoutDestroy, (void* layout))                                                 \
  X(MatrixLayoutSetAttribute, cublasLtMatrixLayoutSetAttribute,                                                       \
    (void* layout, LayoutAttribute attribute, const void* value, size_t bytes))                                       \
  X(MatmulPreferenceCreate, cublasLtMatmulPreferenceCreate, (void** preference))                                      \
  X(MatmulPreferenceDestroy, cublasLtMatmulPreferenceDestroy, (void* preference))                                     \
  X(MatmulPreferenceSetAttribute, cublasLtMatmulPreferenceSetAttribute,                                               \
    (void* preference, PreferenceAttribute attribute, const void* value, size_t bytes))                               \
  X(MatmulAlgoGetHeuristic, cublasLtMatmulAlgoGetHeuristic,                                                           \
    (void* handle, void* descriptor, void* a, void* b, void* c, void* d, void* preference, int wanted,                \
     AlgorithmChoice* choices, int* found))                                                                           \
  X(Matmul, cublasLtMatmul,                                                                                           \
    (void* handle, void* descriptor, const void* alpha, const void* a, void* layout_a, const void* b, void* layout_b, \
     const void* beta, const void* c, void* layout_c, void* d, void* layout_d, const uint64_t* algorithm,             \
     void* workspace, size_t workspace_bytes, void* stream))

/// The functions of an opened library; null before it is opened.
struct Functions {
#define MMTUNE_DECLARE(member, symbol, parameters) Status(*member) parameters = nullptr;
  MMTUNE_BLAS_ENTRY_POINTS(MMTUNE_DECLARE)  // NOLINT(readability-identifier-naming): named as the library does.
#undef MMTUNE_DECLARE
  const char* (*status_name)(int) = nullptr;  ///< Null before cuBLAS 11.4.
};

}  // namespace mmtune::cublas
