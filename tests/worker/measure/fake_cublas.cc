// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for libcublas and libcublasLt: the functions that we use, over host memory.
//   FAKE_CUBLAS_VERSION="12.8.4"             (13.1.0)
//   FAKE_CUBLAS_FAULT="cublasCreate_v2=1"    that function answers with that status
//   FAKE_CUBLAS_WRONG=1                      the last element of C is off by one
//   FAKE_CUBLAS_ALGORITHMS="3"               so many cublasLtMatmulAlgoGetHeuristic finds at most (1); the last is
//   fastest
// Beside the stand-in for the driver (tests/gpu/fake_cuda), a matmul takes time on its clock.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "proto/types/data_type.h"

namespace {

struct Handle {
  int math_mode = -1;
  void* stream = nullptr;
  size_t workspace_bytes = 0;
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

/// Column-major, as cuBLAS has it.
struct Matrix {
  int type = 0;
  long long rows = 0, columns = 0, ld = 0, stride = 0;
  int batch = 1;
};

/// The attributes that cuBLASLt is given for a matmul, numbered as in cublasLt.h.
struct Product {
  int compute = 0;
  int transpose_a = 0, transpose_b = 0;
  uint32_t steps = 1;
  const void* bias = nullptr;
};

struct Preference {
  uint64_t workspace_bytes = 0;
  uint32_t schemes = 7;
};
Preference last_preference;
uint64_t last_algorithm = 0;
size_t last_workspace = 0;
int live_descriptors = 0;

/// Lets the clock of the stand-in for the driver, where that is loaded, go on.
void TakeTime(int64_t nanoseconds) {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  void* const advance = driver != nullptr ? dlsym(driver, "FakeCudaAdvance") : nullptr;
  if (advance != nullptr) reinterpret_cast<void (*)(int64_t)>(advance)(nanoseconds);
}

constexpr int64_t kGemmNs = 90'000, kFirstAlgorithmNs = 120'000, kLessForEachAlgorithmNs = 10'000;

/// D = the steps of alpha * A * B + beta * C.
void Multiply(const Product& product, double alpha, const void* a, const Matrix& at_a, const void* b,
              const Matrix& at_b, double beta, const void* c, void* d, const Matrix& at_d) {
  constexpr uint32_t kRelu = 2, kBias = 4, kGelu = 32;
  if (on_gemm != nullptr) on_gemm(on_gemm_argument);
  last_compute = product.compute;
  const bool in_f32 = product.compute != kCompute64F && product.compute != kCompute32I;
  const long long k = product.transpose_a ? at_a.rows : at_a.columns;
  for (int i = 0; i < at_d.batch; ++i) {
    for (long long column = 0; column < at_d.columns; ++column) {
      for (long long row = 0; row < at_d.rows; ++row) {
        double sum = 0;
        for (long long p = 0; p < k; ++p) {
          sum +=
              Element(a, at_a.type, i * at_a.stride + (product.transpose_a ? p + row * at_a.ld : row + p * at_a.ld)) *
              Element(b, at_b.type,
                      i * at_b.stride + (product.transpose_b ? column + p * at_b.ld : p + column * at_b.ld));
          if (in_f32) sum = double{static_cast<float>(sum)};
        }
        const long long at = i * at_d.stride + row + column * at_d.ld;
        double out = alpha * sum;
        if (beta != 0) out += beta * Element(c, at_d.type, at);
        if (product.steps & kBias) out += Element(product.bias, at_d.type, row);
        if (product.steps & kRelu) out = std::max(out, 0.0);
        if (product.steps & kGelu) {
          const double x = out;
          out = x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
        }
        const bool wrong = row == at_d.rows - 1 && column == at_d.columns - 1 && std::getenv("FAKE_CUBLAS_WRONG");
        SetElement(d, at_d.type, at, wrong ? out + 1 : out);
      }
    }
  }
}

template <typename Descriptor>
int MakeDescriptor(void** descriptor, const Descriptor& value) {
  ++live_descriptors;
  *descriptor = new Descriptor(value);
  return 0;
}

template <typename Descriptor>
int DropDescriptor(void* descriptor) {
  --live_descriptors;
  delete static_cast<Descriptor*>(descriptor);
  return 0;
}

/// Statuses: success, and CUBLAS_STATUS_INVALID_VALUE.
template <typename Value>
int Set(Value& member, const void* value, size_t bytes) {
  if (bytes != sizeof(Value)) return 7;
  std::memcpy(&member, value, bytes);
  return 0;
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
  static_cast<Handle*>(handle)->workspace_bytes = 0;
  return 0;
}

int cublasSetWorkspace_v2(void* handle, void* workspace, size_t bytes) {
  FAIL_AS_SCRIPTED();
  if ((workspace == nullptr) != (bytes == 0)) return 7;
  static_cast<Handle*>(handle)->workspace_bytes = bytes;
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
  last_workspace = last.workspace_bytes;
  const auto matrix = [batch](int type, int rows, int columns, bool transposed, int ld, long long stride) {
    return Matrix{type, transposed ? columns : rows, transposed ? rows : columns, ld, stride, batch};
  };
  Multiply({compute, transpose_a, transpose_b}, FactorOf(alpha, compute), a,
           matrix(type_a, m, k, transpose_a, lda, stride_a), b, matrix(type_b, k, n, transpose_b, ldb, stride_b),
           FactorOf(beta, compute), c, c, matrix(type_c, m, n, false, ldc, stride_c));
  TakeTime(kGemmNs);
  return 0;
}

int cublasSgemmStridedBatched(void* handle, int transpose_a, int transpose_b, int m, int n, int k, const float* alpha,
                              const float* a, int lda, long long stride_a, const float* b, int ldb, long long stride_b,
                              const float* beta, float* c, int ldc, long long stride_c, int batch) {
  FAIL_AS_SCRIPTED();
  return cublasGemmStridedBatchedEx(handle, transpose_a, transpose_b, m, n, k, alpha, a, kR32F, lda, stride_a, b, kR32F,
                                    ldb, stride_b, beta, c, kR32F, ldc, stride_c, batch, kNoCompute, -1);
}

int cublasLtMatmulDescCreate(void** descriptor, int compute, int) {
  FAIL_AS_SCRIPTED();
  return MakeDescriptor(descriptor, Product{compute});
}

int cublasLtMatmulDescDestroy(void* descriptor) { return DropDescriptor<Product>(descriptor); }

int cublasLtMatmulDescSetAttribute(void* descriptor, int attribute, const void* value, size_t bytes) {
  FAIL_AS_SCRIPTED();
  auto& product = *static_cast<Product*>(descriptor);
  switch (attribute) {
    case 3:
      return Set(product.transpose_a, value, bytes);
    case 4:
      return Set(product.transpose_b, value, bytes);
    case 7:
      return Set(product.steps, value, bytes);
    case 8:
      return Set(product.bias, value, bytes);
    default:
      return 7;
  }
}

int cublasLtMatrixLayoutCreate(void** layout, int type, uint64_t rows, uint64_t columns, int64_t ld) {
  FAIL_AS_SCRIPTED();
  return MakeDescriptor(layout, Matrix{type, static_cast<long long>(rows), static_cast<long long>(columns), ld});
}

int cublasLtMatrixLayoutDestroy(void* layout) { return DropDescriptor<Matrix>(layout); }

int cublasLtMatrixLayoutSetAttribute(void* layout, int attribute, const void* value, size_t bytes) {
  FAIL_AS_SCRIPTED();
  auto& matrix = *static_cast<Matrix*>(layout);
  return attribute == 5 ? Set(matrix.batch, value, bytes) : attribute == 6 ? Set(matrix.stride, value, bytes) : 7;
}

int cublasLtMatmulPreferenceCreate(void** preference) {
  FAIL_AS_SCRIPTED();
  return MakeDescriptor(preference, Preference());
}

int cublasLtMatmulPreferenceDestroy(void* preference) { return DropDescriptor<Preference>(preference); }

int cublasLtMatmulPreferenceSetAttribute(void* preference, int attribute, const void* value, size_t bytes) {
  FAIL_AS_SCRIPTED();
  auto& wanted = *static_cast<Preference*>(preference);
  return attribute == 1   ? Set(wanted.workspace_bytes, value, bytes)
         : attribute == 3 ? Set(wanted.schemes, value, bytes)
                          : 7;
}

/// The numbers of what it finds begin here; each wants all of the workspace.
constexpr uint64_t kAlgorithm = 0x5eed;

int cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void*, void* preference, int wanted,
                                   void* choices, int* found) {
  FAIL_AS_SCRIPTED();
  struct Choice {
    uint64_t algorithm[8];
    size_t workspace_bytes;
    int state;
    float waves;
    int reserved[4];
  };
  last_preference = *static_cast<Preference*>(preference);
  const char* const most = std::getenv("FAKE_CUBLAS_ALGORITHMS");
  *found = std::min(wanted, most != nullptr ? std::atoi(most) : 1);
  for (int i = 0; i < *found; ++i) {
    Choice choice = {};
    choice.algorithm[0] = kAlgorithm + static_cast<uint64_t>(i);
    choice.workspace_bytes = last_preference.workspace_bytes;
    std::memcpy(static_cast<Choice*>(choices) + i, &choice, sizeof(choice));
  }
  return 0;
}

int cublasLtMatmul(void* handle, void* descriptor, const void* alpha, const void* a, void* layout_a, const void* b,
                   void* layout_b, const void* beta, const void* c, void* layout_c, void* d, void* layout_d,
                   const uint64_t* algorithm, void* workspace, size_t workspace_bytes, void* stream) {
  FAIL_AS_SCRIPTED();
  last_algorithm = *algorithm - kAlgorithm;
  if (last_algorithm > 8 || layout_c != layout_d || (workspace == nullptr) != (workspace_bytes == 0)) return 7;
  last = *static_cast<Handle*>(handle);
  last.stream = stream;
  last_workspace = workspace_bytes;
  const Product& product = *static_cast<Product*>(descriptor);
  Multiply(product, FactorOf(alpha, product.compute), a, *static_cast<Matrix*>(layout_a), b,
           *static_cast<Matrix*>(layout_b), FactorOf(beta, product.compute), c, d, *static_cast<Matrix*>(layout_d));
  TakeTime(kFirstAlgorithmNs - static_cast<int64_t>(last_algorithm) * kLessForEachAlgorithmNs);
  return 0;
}

/// Not part of cuBLAS: what the latest product ran with, and what is called by each.
int FakeCublasMathMode() { return last.math_mode; }
int FakeCublasComputeType() { return last_compute; }
void* FakeCublasStream() { return last.stream; }
int FakeCublasHandles() { return live_handles; }
/// The workspace that the latest product was allowed; of cuBLASLt its reduction schemes, and the descriptors that are
/// left.
size_t FakeCublasWorkspace() { return last_workspace; }
uint32_t FakeCublasSchemes() { return last_preference.schemes; }
int FakeCublasDescriptors() { return live_descriptors; }
/// The suggestion, from 0, that the latest product of cuBLASLt ran.
uint64_t FakeCublasAlgorithm() { return last_algorithm; }
void FakeCublasOnGemm(void (*callback)(void*), void* argument) {
  on_gemm = callback;
  on_gemm_argument = argument;
}

}  // extern "C"
