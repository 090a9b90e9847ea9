// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host function as the compiler makes it, written by hand: constructors load the image, _mlir_ciface_matmul copies
// in, launches, copies out. Built into an object that the tests load.

#include <cstdint>
#include <cstdlib>

extern "C" {

void* mgpuModuleLoad(const void* data, size_t bytes);
void mgpuModuleUnload(void* module);
void* mgpuModuleGetFunction(void* module, const char* name);
void mgpuLaunchKernel(void* function, intptr_t gx, intptr_t gy, intptr_t gz, intptr_t bx, intptr_t by, intptr_t bz,
                      int32_t shared_bytes, void* stream, void** params, void** extra, size_t params_count);
void* mgpuStreamCreate();
void mgpuStreamDestroy(void* stream);
void mgpuStreamSynchronize(void* stream);
void* mgpuMemAlloc(uint64_t bytes, void* stream, bool host_shared);
void mgpuMemFree(void* ptr, void* stream);
void mgpuMemcpy(void* dst, void* src, size_t bytes, void* stream);

struct Matrix {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

extern const char kernels_begin[], kernels_end[];
asm(".pushsection .rodata\n"
    "kernels_begin: .incbin \"" SIMT_TEST_KERNELS
    "\"\n"
    "kernels_end:\n"
    ".popsection\n");

static void* module = nullptr;
// Which constructors and destructors have run, in order.
static char steps[16] = "";
static int step = 0;

[[gnu::constructor(200)]] static void Second() { steps[step++] = 'b'; }
[[gnu::constructor]] static void Third() { steps[step++] = 'c'; }
[[gnu::constructor(123)]] static void Load() {
  steps[step++] = 'a';
  module = mgpuModuleLoad(kernels_begin, kernels_end - kernels_begin);
}
[[gnu::destructor(123)]] static void Unload() {
  steps[step++] = 'A';
  mgpuModuleUnload(module);
}
[[gnu::destructor]] static void UndoThird() { steps[step++] = 'C'; }

// The form of compilers without .init_array: here priorities 1 and 200.
static void First() { steps[step++] = '1'; }
[[gnu::used, gnu::section(".ctors.65534")]] static void (*const kFirst)() = First;
static void UndoSecond() { steps[step++] = 'B'; }
[[gnu::used, gnu::section(".dtors.65335")]] static void (*const kUndoSecond)() = UndoSecond;

const char* Steps() { return steps; }

static void* ToDevice(const Matrix* matrix, void* stream) {
  const size_t bytes = matrix->sizes[0] * matrix->sizes[1] * sizeof(float);
  void* device = mgpuMemAlloc(bytes, stream, false);
  mgpuMemcpy(device, matrix->aligned + matrix->offset, bytes, stream);
  return device;
}

/// The result is padded to rows of a multiple of 8 elements, as a compiler may lay it out.
void _mlir_ciface_matmul(Matrix* result, Matrix* a, Matrix* b) {
  const int64_t m = a->sizes[0], k = a->sizes[1], n = b->sizes[1], row = (n + 7) / 8 * 8;
  void* stream = mgpuStreamCreate();
  void* a_device = ToDevice(a, stream);
  void* b_device = ToDevice(b, stream);
  void* c_device = mgpuMemAlloc(m * n * sizeof(float), stream, false);
  auto n_argument = static_cast<uint32_t>(n), k_argument = static_cast<uint32_t>(k);
  void* params[] = {&a_device, &b_device, &c_device, &n_argument, &k_argument};
  mgpuLaunchKernel(mgpuModuleGetFunction(module, "matmul"), m, 1, 1, n, 1, 1, 0, stream, params, nullptr, 5);
  auto* c = static_cast<float*>(std::malloc(m * row * sizeof(float) + 1));
  for (int64_t i = 0; i < m; ++i) {
    mgpuMemcpy(c + i * row, static_cast<float*>(c_device) + i * n, n * sizeof(float), stream);
  }
  mgpuMemFree(a_device, stream);
  mgpuMemFree(b_device, stream);
  mgpuMemFree(c_device, stream);
  mgpuStreamSynchronize(stream);
  mgpuStreamDestroy(stream);
  *result = {c, c, 0, {m, n}, {row, 1}};
}

struct Vector {
  float *allocated, *aligned;
  int64_t offset, size, stride;
};

struct Batch {
  float *allocated, *aligned;
  int64_t offset, sizes[3], strides[3];
  float& at(int64_t i, int64_t row, int64_t column) const {
    return aligned[offset + i * strides[0] + row * strides[1] + column * strides[2]];
  }
};

/// A * B^T + bias + addend on the host, for each matrix of a batch; the result lies with its columns side by side.
void _mlir_ciface_batch(Batch* result, Batch* a, Batch* b, Vector* bias, Batch* addend) {
  const int64_t batch = a->sizes[0], m = a->sizes[1], n = b->sizes[1], k = a->sizes[2];
  auto* c = static_cast<float*>(std::malloc(batch * m * n * sizeof(float)));
  *result = {c, c, 0, {batch, m, n}, {m * n, 1, m}};
  for (int64_t i = 0; i < batch; ++i) {
    for (int64_t row = 0; row < m; ++row) {
      for (int64_t column = 0; column < n; ++column) {
        float sum = bias->aligned[bias->offset + column * bias->stride] + addend->at(i, row, column);
        for (int64_t l = 0; l < k; ++l) sum += a->at(i, row, l) * b->at(i, column, l);
        result->at(i, row, column) = sum;
      }
    }
  }
}

}  // extern "C"
