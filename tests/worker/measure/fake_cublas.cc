// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for libcublas: the functions that we use, over host memory.
//   FAKE_CUBLAS_VERSION="12.8.4"             (13.1.0)
//   FAKE_CUBLAS_FAULT="cublasCreate_v2=1"    that function answers with that status
//   FAKE_CUBLAS_WRONG=1                      the last element of C is off by one
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Handle {
  int math_mode = -1;
  void* stream = nullptr;
};

Handle last;  // of the latest product
int live_handles = 0;
void (*on_gemm)(void*) = nullptr;
void* on_gemm_argument = nullptr;

int Scripted(const char* symbol) {
  const char* fault = std::getenv("FAKE_CUBLAS_FAULT");
  const size_t length = std::strlen(symbol);
  return fault != nullptr && std::strncmp(fault, symbol, length) == 0 && fault[length] == '='
             ? std::atoi(fault + length + 1)
             : 0;
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

int cublasSgemmStridedBatched(void* handle, int transpose_a, int transpose_b, int m, int n, int k, const float* alpha,
                              const float* a, int lda, long long stride_a, const float* b, int ldb, long long stride_b,
                              const float* beta, float* c, int ldc, long long stride_c, int batch) {
  FAIL_AS_SCRIPTED();
  last = *static_cast<Handle*>(handle);
  if (on_gemm != nullptr) on_gemm(on_gemm_argument);
  for (int i = 0; i < batch; ++i, a += stride_a, b += stride_b, c += stride_c) {
    for (int column = 0; column < n; ++column) {
      for (int row = 0; row < m; ++row) {
        float sum = 0;
        for (int p = 0; p < k; ++p) {
          sum += (transpose_a ? a[p + row * lda] : a[row + p * lda]) *
                 (transpose_b ? b[column + p * ldb] : b[p + column * ldb]);
        }
        float& out = c[row + column * ldc];
        out = *alpha * sum + (*beta == 0 ? 0 : *beta * out);
      }
    }
    if (std::getenv("FAKE_CUBLAS_WRONG") != nullptr) c[m - 1 + (n - 1) * ldc] += 1;
  }
  return 0;
}

/// Not part of cuBLAS: what the latest product ran with, and what is called by each.
int FakeCublasMathMode() { return last.math_mode; }
void* FakeCublasStream() { return last.stream; }
int FakeCublasHandles() { return live_handles; }
void FakeCublasOnGemm(void (*callback)(void*), void* argument) {
  on_gemm = callback;
  on_gemm_argument = argument;
}

}  // extern "C"
