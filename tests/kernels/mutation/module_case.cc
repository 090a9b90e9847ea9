// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/mutation/module_case.h"

#include <cstdint>
#include <limits>
#include <random>

#include "kernels/simulator/ops/warp_matrix.h"
#include "mlir/Parser/Parser.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

struct Shape {
  int64_t m, n, k;
};

template <typename T>
absl::StatusOr<DevicePtr> Upload(Device& device, const std::vector<T>& values) {
  ASSIGN_OR_RETURN(DevicePtr memory, device.Allocate(values.size() * sizeof(T)));
  RETURN_IF_ERROR(device.CopyToDevice(memory, values.data(), values.size() * sizeof(T)));
  return memory;
}

/// Small integers in f16; C of floats.
class ModuleCase : public KernelCase {
 public:
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::MLIRContext& context) const override {
    return mlir::parseSourceFile<mlir::ModuleOp>(std::string(MUTATION_MODULES) + "/" + name() + ".mlir", &context);
  }

  absl::StatusOr<std::vector<float>> run(Device& device, DeviceModule& module) const override {
    std::vector<float> c(expected_.size(), std::numeric_limits<float>::quiet_NaN());
    ASSIGN_OR_RETURN(DevicePtr a, Upload(device, a_));
    ASSIGN_OR_RETURN(DevicePtr b, Upload(device, b_));
    ASSIGN_OR_RETURN(DevicePtr to, Upload(device, c));
    ASSIGN_OR_RETURN(DeviceKernel * kernel, module.GetKernel("matmul"));
    RETURN_IF_ERROR(launch(device, kernel, a, b, to));
    RETURN_IF_ERROR(device.CopyToHost(c.data(), to, c.size() * sizeof(float)));
    for (DevicePtr memory : {a, b, to}) RETURN_IF_ERROR(device.Free(memory));
    return c;
  }

  const std::vector<float>& expected() const override { return expected_; }

 protected:
  /// B is k x n, or n x k.
  ModuleCase(std::string name, Shape shape, bool b_by_columns) : KernelCase(std::move(name)), shape_(shape) {
    std::mt19937_64 random(7);
    auto fill = [&](int64_t count, std::vector<uint16_t>* halves) {
      for (int64_t i = 0; i < count; ++i) halves->push_back(ToF16(static_cast<float>(random() % 7) - 3.0f));
    };
    fill(shape.m * shape.k, &a_);
    fill(shape.k * shape.n, &b_);
    expected_.resize(static_cast<size_t>(shape.m * shape.n));
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j)
        for (int64_t l = 0; l < shape.k; ++l) {
          const int64_t of_b = b_by_columns ? j * shape.k + l : l * shape.n + j;
          expected_[i * shape.n + j] += FromF16(a_[i * shape.k + l]) * FromF16(b_[of_b]);
        }
  }

  virtual absl::Status launch(Device& device, DeviceKernel* kernel, DevicePtr a, DevicePtr b, DevicePtr c) const = 0;

  const Shape shape_;

 private:
  std::vector<uint16_t> a_, b_;
  std::vector<float> expected_;
};

class CpAsyncMmaCase final : public ModuleCase {
 public:
  CpAsyncMmaCase() : ModuleCase("cp_async_mma", {128, 128, 104}, /*b_by_columns=*/false) {}

 private:
  absl::Status launch(Device& device, DeviceKernel* kernel, DevicePtr a, DevicePtr b, DevicePtr c) const override {
    auto n = static_cast<int32_t>(shape_.n), k = static_cast<int32_t>(shape_.k);
    void* arguments[] = {&a, &b, &c, &n, &k};
    return device.Launch(kernel, {{2, 2, 1}, {512, 1, 1}, 0}, arguments);
  }
};

class TmaWgmmaCase final : public ModuleCase {
 public:
  TmaWgmmaCase() : ModuleCase("tma_wgmma", {100, 32, 264}, /*b_by_columns=*/true) {}

 private:
  static absl::StatusOr<TensorMapBytes> encode(Device& device, DevicePtr address, int64_t rows, int64_t k,
                                               uint32_t box_rows) {
    TiledTensorMap map;
    map.address = address;
    map.data_type = 6;  // CU_TENSOR_MAP_DATA_TYPE_FLOAT16
    map.extents = {static_cast<uint64_t>(k), static_cast<uint64_t>(rows)};
    map.strides_bytes = {static_cast<uint64_t>(2 * k)};
    map.box = {64, box_rows};
    map.swizzle = 3;  // CU_TENSOR_MAP_SWIZZLE_128B
    return device.EncodeTensorMap(map);
  }

  absl::Status launch(Device& device, DeviceKernel* kernel, DevicePtr a, DevicePtr b, DevicePtr c) const override {
    ASSIGN_OR_RETURN(TensorMapBytes map_a, encode(device, a, shape_.m, shape_.k, 64));
    ASSIGN_OR_RETURN(TensorMapBytes map_b, encode(device, b, shape_.n, shape_.k, 16));
    auto m = static_cast<int32_t>(shape_.m), n = static_cast<int32_t>(shape_.n), k = static_cast<int32_t>(shape_.k);
    void* arguments[] = {map_a.data(), map_b.data(), &c, &m, &n, &k};
    return device.Launch(kernel, {{2, 2, 1}, {160, 1, 1}, 0}, arguments);
  }
};

}  // namespace

std::unique_ptr<KernelCase> MakeCpAsyncMmaCase() { return std::make_unique<CpAsyncMmaCase>(); }
std::unique_ptr<KernelCase> MakeTmaWgmmaCase() { return std::make_unique<TmaWgmmaCase>(); }

}  // namespace mmtune
