// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An MLIR module compiled for the SIMT device, whose functions a test calls.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/compiler/model/model_compiler.h"
#include "kernels/compiler/model/model_runner.h"
#include "kernels/runtime/device/device.h"
#include "kernels/runtime/mgpu.h"

namespace mmtune {

/// A dense buffer as an argument.
template <typename T>
ModelValue Buffer(std::vector<int64_t> sizes, const std::vector<T>& values) {
  ModelValue buffer;
  buffer.sizes = std::move(sizes);
  buffer.data.resize(values.size() * sizeof(T));
  std::memcpy(buffer.data.data(), values.data(), buffer.data.size());
  return buffer;
}

template <typename T>
std::vector<T> Values(const ModelValue& value) {
  std::vector<T> values(value.data.size() / sizeof(T));
  std::memcpy(values.data(), value.data.data(), values.size() * sizeof(T));
  return values;
}

/// Compiles files and runs their functions on a SIMT device with poisoned memory. At the end of a test nothing that
/// mgpu* made may be left.
class TestModule : public testing::Test {
 protected:
  TestModule();
  ~TestModule() override;

  /// Compiles and loads the module, in place of the one before. Fails the test when that fails. `host_cpu` is that of
  /// CompileTarget.
  void Load(const char* path, const char* host_cpu = "");

  /// Calls a function of the module; `arguments` hold what it left in them afterwards.
  std::vector<ModelValue> Run(std::string_view function, std::vector<ModelValue>* arguments);

 private:
  std::unique_ptr<Device> device_;
  MgpuCounters before_;
  CompiledModel model_;
  std::unique_ptr<ModelRunner> runner_;
};

}  // namespace mmtune
