// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for libcublas: the functions that we use, over host memory.
//   FAKE_CUBLAS_VERSION="12.8.4"             (13.1.0)
//   FAKE_CUBLAS_FAULT="cublasCreate_v2=1"    that function answers with that status
//   FAKE_CUBLAS_WRONG=1                      the last element of C is off by one
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "proto/types/element_bits.h"

namespace {

struct Handle {
  int math_mode = -1;
  void* stream = nullptr;
};

Handle last;  // of the latest product
int live_handles = 0;
int last_compute = 0;
void (*on_gemm)(void*) = nullptr;
void* on_gemm_argument = nullptr;

int Scripted(const char* symbol) {
  const char* fault = std::getenv("FAKE_CUBLAS_FAULT");
  const size_t length = std::strlen(symbol);
  return fault != nullptr && std::strncmp(fault, symbol, length) == 0 && fault[length] == '='
             ? std::atoi(fault + length + 1)
             : 0;
}

constexpr int kR32F = 0, kR64F = 1, kR16F = 2, kR8I = 3, kR32I = 10;  // CUDA_R_16BF is the other one
constexpr int kNoCompute = 0, kCompute64F = 70, kCompute32I = 72;

/// alpha and beta have the type that is computed in.
double FactorOf(const void* factor, int compute) {
  if (compute == kCompute64F) return *static_cast<const double*>(factor);
  if (compute == kCompute32I) return *static_cast<const int32_t*>(factor);
  return double{*static_cast<const float*>(factor)};
}

double Element(const void* matrix, int type, long long at) {
  if (type == kR32F) return static_cast<const float*>(matrix)[at];
  if (type == kR64F) return static_cast<const double*>(matrix)[at];
  if (type == kR8I) return static_cast<const int8_t*>(matrix)[at];
  if (type == kR32I) return static_cast<const int32_t*>(matrix)[at];
  const uint16_t bits = static_cast<const uint16_t*>(matrix)[at];
  return type == kR16F ? mmtune::FromF16(bits) : mmtune::FromBf16(bits);
}

void SetElement(void* matrix, int type, long long at, double value) {
  const auto single = static_cast<float>(value);
  if (type == kR32F) {
    static_cast<float*>(matrix)[at] = single;
  } else if (type == kR64F) {
    static_cast<double*>(matrix)[at] = value;
  } else if (type == kR32I) {
    static_cast<int32_t*>(matrix)[at] = static_cast<int32_t>(value);
  } else {
    static_cast<uint16_t*>(matrix)[at] = type == kR16F ? mmtune::ToF16(single) : mmtune::ToBf16(single);
  }
}

}  // namespace

#define FAIL_AS_SCRIPTED() \
  if (int fault = Scripted(__func__); fault != 0) return fault

extern "C" {

int cublasCreate_v2(void** handle) {
  FAIL_AS_SCRIPTED();
  ++live_handles;
  *handle = new Handle;
  return 0;
}

int cublasDestroy_v2(void* handle) {
  --live_handles;
  delete static_cast<Handle*>(handle);
  return 0;
}

int cublasGetProperty(int property, int* value) {
  FAIL_AS_SCRIPTED();
  const char* text = std::getenv("FAKE_CUBLAS_VERSION");
  int version[3] = {};
  std::sscanf(text != nullptr ? text : "13.1.0", "%d.%d.%d", &version[0], &version[1], &version[2]);
  *value = version[property];
  return 0;
}

const char* cublasGetStatusName(int status) {
  return status == 1 ? "CUBLAS_STATUS_NOT_INITIALIZED" : "CUBLAS_STATUS_EXECUTION_FAILED";
}

int cublasSetStream_v2(void* handle, void* stream) {
  static_cast<Handle*>(handle)->stream = stream;
  return 0;
}

int cublasSetMathMode(void* handle, int mode) {
  FAIL_AS_SCRIPTED();
  static_cast<Handle*>(handle)->math_mode = mode;
  return 0;
}

int cublasGemmStridedBatchedEx(void* handle, int transpose_a, int transpose_b, int m, int n, int k, const void* alpha,
                               const void* a, int type_a, int lda, long long stride_a, const void* b, int type_b,
                               int ldb, long long stride_b, const void* beta, void* c, int type_c, int ldc,
                               long long stride_c, int batch, int compute, int) {
  FAIL_AS_SCRIPTED();
  last = *static_cast<Handle*>(handle);
  last_compute = compute;
  if (on_gemm != nullptr) on_gemm(on_gemm_argument);
  for (int i = 0; i < batch; ++i) {
    for (int column = 0; column < n; ++column) {
      for (int row = 0; row < m; ++row) {
        double sum = 0;
        for (int p = 0; p < k; ++p) {
          sum += Element(a, type_a, i * stride_a + (transpose_a ? p + row * lda : row + p * lda)) *
                 Element(b, type_b, i * stride_b + (transpose_b ? column + p * ldb : p + column * ldb));
          if (compute != kCompute64F && compute != kCompute32I) sum = double{static_cast<float>(sum)};
        }
        const long long at = i * stride_c + row + column * ldc;
        const double old_part = FactorOf(beta, compute);
        double out = FactorOf(alpha, compute) * sum;
        if (old_part != 0) out += old_part * Element(c, type_c, at);
        const bool wrong = row == m - 1 && column == n - 1 && std::getenv("FAKE_CUBLAS_WRONG") != nullptr;
        SetElement(c, type_c, at, wrong ? out + 1 : out);
      }
    }
  }
  return 0;
}

int cublasSgemmStridedBatched(void* handle, int transpose_a, int transpose_b, int m, int n, int k, const float* alpha,
                              const float* a, int lda, long long stride_a, const float* b, int ldb, long long stride_b,
                              const float* beta, float* c, int ldc, long long stride_c, int batch) {
  FAIL_AS_SCRIPTED();
  return cublasGemmStridedBatchedEx(handle, transpose_a, transpose_b, m, n, k, alpha, a, kR32F, lda, stride_a, b, kR32F,
                                    ldb, stride_b, beta, c, kR32F, ldc, stride_c, batch, kNoCompute, -1);
}

/// Not part of cuBLAS: what the latest product ran with, and what is called by each.
int FakeCublasMathMode() { return last.math_mode; }
int FakeCublasComputeType() { return last_compute; }
void* FakeCublasStream() { return last.stream; }
int FakeCublasHandles() { return live_handles; }
void FakeCublasOnGemm(void (*callback)(void*), void* argument) {
  on_gemm = callback;
  on_gemm_argument = argument;
}

}  // extern "C"
