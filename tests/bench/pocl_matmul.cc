// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matmul of simt_launch.cc as an OpenCL kernel on this machine's processor, by PoCL: part of that program where
// OpenCL was found when it was built.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

/// C = A B, row-major squares of `extent`, a multiple of 64: 64x64x16 tiles, 256 threads of 4x4 elements.
constexpr char kSource[] = R"(
#define TILE 64
#define TILE_K 16
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void matmul(__global const float* a, __global const float* b, __global float* c, uint extent) {
  __local float tile_a[TILE_K * TILE];
  __local float tile_b[TILE_K * TILE];
  const uint tid = get_local_id(0), row = tid / 16 * 4, column = tid % 16 * 4;
  const uint row0 = get_group_id(1) * TILE, column0 = get_group_id(0) * TILE;
  float4 sum[4] = {0, 0, 0, 0};
  for (uint k = 0; k < extent; k += TILE_K) {
    const float4 from_a = vload4(0, &a[(row0 + tid / 4) * extent + k + tid % 4 * 4]);
    tile_a[(tid % 4 * 4 + 0) * TILE + tid / 4] = from_a.x;
    tile_a[(tid % 4 * 4 + 1) * TILE + tid / 4] = from_a.y;
    tile_a[(tid % 4 * 4 + 2) * TILE + tid / 4] = from_a.z;
    tile_a[(tid % 4 * 4 + 3) * TILE + tid / 4] = from_a.w;
    vstore4(vload4(0, &b[(k + tid / 16) * extent + column0 + column]), 0, &tile_b[tid / 16 * TILE + column]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < TILE_K; ++i) {
      const float4 lane_a = vload4(0, &tile_a[i * TILE + row]);
      const float4 lane_b = vload4(0, &tile_b[i * TILE + column]);
      sum[0] += lane_a.x * lane_b;
      sum[1] += lane_a.y * lane_b;
      sum[2] += lane_a.z * lane_b;
      sum[3] += lane_a.w * lane_b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint i = 0; i < 4; ++i) vstore4(sum[i], 0, &c[(row0 + row + i) * extent + column0 + column]);
}
)";

std::string ErrorText(cl_int error) { return "OpenCL error " + std::to_string(error); }

/// A processor that PoCL has, its queue and the kernel; `why_not` tells what is missing.
struct Pocl {
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_kernel kernel = nullptr;
  std::string why_not;

  Pocl() {
    cl_device_id device = Find();
    if (device == nullptr) return;
    cl_int error = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    if (error == CL_SUCCESS) queue = clCreateCommandQueue(context, device, 0, &error);
    const char* source = kSource;
    cl_program program = nullptr;
    if (error == CL_SUCCESS) program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    if (error == CL_SUCCESS) error = clBuildProgram(program, 1, &device, "-cl-mad-enable", nullptr, nullptr);
    if (error == CL_SUCCESS) kernel = clCreateKernel(program, "matmul", &error);
    if (error != CL_SUCCESS) why_not = ErrorText(error);
  }

 private:
  cl_device_id Find() {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    why_not = "no OpenCL platform is PoCL";
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) return nullptr;
    for (cl_uint i = 0; i < std::min(count, cl_uint{16}); ++i) {
      char name[256] = "";
      clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, nullptr);
      cl_device_id device = nullptr;
      if (std::string(name).find("Portable Computing Language") == std::string::npos) continue;
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS) continue;
      why_not.clear();
      return device;
    }
    return nullptr;
  }
};

/// Argument: extent, on as many OS threads as PoCL takes (POCL_MAX_PTHREAD_COUNT).
void BM_PoclMatmul(benchmark::State& state) {
  static Pocl pocl;
  if (!pocl.why_not.empty()) return state.SkipWithError(pocl.why_not.c_str());
  const auto extent = static_cast<cl_uint>(state.range(0));
  const size_t elements = size_t{extent} * extent;
  std::vector<float> a(elements), b(elements), result(elements);
  for (size_t i = 0; i < elements; ++i) {
    a[i] = static_cast<float>(i % 5);
    b[i] = static_cast<float>(i % 7);
  }
  float* const contents[3] = {a.data(), b.data(), result.data()};
  cl_int error = CL_SUCCESS;
  auto check = [&error](cl_int code) {
    if (error == CL_SUCCESS) error = code;
  };
  cl_mem buffers[3];
  for (cl_uint i = 0; i < 3; ++i) {
    cl_int code = CL_SUCCESS;
    buffers[i] = clCreateBuffer(pocl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, elements * sizeof(float),
                                contents[i], &code);
    check(code);
    check(clSetKernelArg(pocl.kernel, i, sizeof(cl_mem), &buffers[i]));
  }
  check(clSetKernelArg(pocl.kernel, 3, sizeof(extent), &extent));
  const size_t threads[2] = {extent / 64 * 256, extent / 64}, block[2] = {256, 1};
  auto run = [&] {
    check(clEnqueueNDRangeKernel(pocl.queue, pocl.kernel, 2, nullptr, threads, block, 0, nullptr, nullptr));
    check(clFinish(pocl.queue));
  };
  run();  // specialises the kernel
  if (error != CL_SUCCESS) return state.SkipWithError(ErrorText(error).c_str());
  for (auto _ : state) run();
  check(clEnqueueReadBuffer(pocl.queue, buffers[2], CL_TRUE, 0, elements * sizeof(float), result.data(), 0, nullptr,
                            nullptr));
  for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
  auto is_wrong = [&](size_t row, size_t column) {
    float sum = 0;
    for (size_t k = 0; k < extent; ++k) sum += a[row * extent + k] * b[k * extent + column];
    return result[row * extent + column] != sum;
  };
  bool is_right = true;
  for (size_t i = 0; i < extent; i += 37) is_right &= !is_wrong(i, extent - 1 - i);
  if (error != CL_SUCCESS) return state.SkipWithError(ErrorText(error).c_str());
  if (!is_right) return state.SkipWithError("PoCL's product is wrong");
  state.counters["GFLOPS"] = benchmark::Counter(
      2.0 * std::pow(extent, 3) * static_cast<double>(state.iterations()) / 1e9, benchmark::Counter::kIsRate);
}
BENCHMARK(BM_PoclMatmul)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
