// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc -ptx -arch=sm_80 nvcc_kernels.cu makes nvcc_kernels.ptx of it (nvcc 13.0).
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

// C = A * B on tensor cores, with A row-major, B column-major, and K a multiple of 8. A block of 128 threads computes
// 32x32 elements of C; three stages of K are copied ahead.
constexpr int kTile = 32, kDepth = 16, kStages = 3, kPitch = kDepth + 8;

__global__ void gemm(const half* a, const half* b, float* c, int m, int n, int k) {
  __shared__ __align__(16) half tiles[kStages][2][kTile][kPitch];
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  const int steps = (k + kDepth - 1) / kDepth;

  const bool is_b = thread >= 64;
  const int line = thread % 64 / 2, part = thread % 2 * 8;
  const int row = (is_b ? first_column : first_row) + line, rows = is_b ? n : m;
  const half* from = (is_b ? b : a) + size_t(min(row, rows - 1)) * k;
  auto copy = [&](int step) {
    const int at = step * kDepth + part;
    const bool inside = row < rows && at < k;
    if (step < steps)
      __pipeline_memcpy_async(&tiles[step % kStages][is_b][line][part], from + (inside ? at : 0), 16, inside ? 0 : 16);
    __pipeline_commit();
  };

  float sums[2][4] = {};
  for (int step = 0; step < kStages - 1; ++step) copy(step);
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    copy(step + kStages - 1);
    const auto& stage = tiles[step % kStages];
    unsigned fa[4], fb[4];
    const half* pa = &stage[0][warp / 2 * 16 + lane % 16][lane / 16 * 8];
    const half* pb = &stage[1][warp % 2 * 16 + lane % 8 + lane / 16 * 8][lane / 8 % 2 * 8];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"((unsigned)__cvta_generic_to_shared(pa)));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                 : "r"((unsigned)__cvta_generic_to_shared(pb)));
    for (int i = 0; i < 2; ++i) {
      asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, %3};"
          : "+f"(sums[i][0]), "+f"(sums[i][1]), "+f"(sums[i][2]), "+f"(sums[i][3])
          : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * i]), "r"(fb[2 * i + 1]));
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int to_row = first_row + warp / 2 * 16 + lane / 4 + j / 2 * 8;
      const int to_column = first_column + warp % 2 * 16 + i * 8 + lane % 4 * 2 + j % 2;
      if (to_row < m && to_column < n) c[size_t(to_row) * n + to_column] = sums[i][j];
    }
  }
}

// Combines a value of each of the 128 threads of a block, by shuffles and shared memory of 4 floats.
template <typename Combine>
__device__ float reduce(float value, float* partial, Combine combine) {
  for (int distance = 16; distance > 0; distance /= 2)
    value = combine(value, __shfl_xor_sync(~0u, value, distance));
  __syncthreads();  // The last call's partial results have been read.
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  return combine(combine(partial[0], partial[1]), combine(partial[2], partial[3]));
}

// A block for each row, which dynamic shared memory holds.
__global__ void softmax(const float* x, float* y, int n) {
  extern __shared__ float row[];
  __shared__ float partial[4];
  const float* from = x + size_t(blockIdx.x) * n;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < n; i += blockDim.x) largest = fmaxf(largest, row[i] = __ldg(from + i));
  largest = reduce(largest, partial, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += row[i] = __expf(row[i] - largest);
  sum = reduce(sum, partial, [](float a, float b) { return a + b; });
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[size_t(blockIdx.x) * n + i] = row[i] / sum;
}

// A block for each row of n floats, a multiple of 4; the weights are in constant memory.
__constant__ float epsilon = 1e-5f;

__global__ void layernorm(const float4* x, const float4* weight, float4* y, int n) {
  __shared__ float partial[4];
  const float4* from = x + size_t(blockIdx.x) * (n / 4);
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
    const float4 v = from[i];
    sum += v.x + v.y + v.z + v.w;
  }
  const float mean = reduce(sum, partial, [](float a, float b) { return a + b; }) / n;
  for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
    const float4 v = from[i];
    squares += (v.x - mean) * (v.x - mean) + (v.y - mean) * (v.y - mean) + (v.z - mean) * (v.z - mean) +
               (v.w - mean) * (v.w - mean);
  }
  const float scale = rsqrtf(reduce(squares, partial, [](float a, float b) { return a + b; }) / n + epsilon);
  for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
    const float4 v = from[i], w = weight[i];
    y[size_t(blockIdx.x) * (n / 4) + i] = make_float4((v.x - mean) * scale * w.x, (v.y - mean) * scale * w.y,
                                                      (v.z - mean) * scale * w.z, (v.w - mean) * scale * w.w);
  }
}

// Blocks of 32x8 threads transpose tiles of 32x32.
__global__ void transpose(const float* x, float* y, int rows, int columns) {
  __shared__ float tile[32][33];
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  for (int i = threadIdx.y; i < 32; i += 8) {
    if (row + i < rows && column + threadIdx.x < columns)
      tile[i][threadIdx.x] = x[size_t(row + i) * columns + column + threadIdx.x];
  }
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += 8) {
    if (column + i < columns && row + threadIdx.x < rows)
      y[size_t(column + i) * rows + row + threadIdx.x] = tile[threadIdx.x][i];
  }
}
