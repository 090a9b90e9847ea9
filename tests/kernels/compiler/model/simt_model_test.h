// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models compiled for the SIMT device, which they run on in this process.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/compiler/model/model_compiler.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"

namespace mmtune {

/// Fills device allocations with a pattern that is not a number.
class SimtModelTest : public testing::Test {
 protected:
  void SetUp() override {
    device_ = *CreateSimtDevice("sm_80");
    SetMgpuDevice(device_.get(), MgpuOptions{.poison_allocations = true});
    options_.target.device = device_->info();
  }
  void TearDown() override { SetMgpuDevice(nullptr); }

  std::unique_ptr<Device> device_;
  ModelOptions options_;
  std::string diagnostics_;
};

}  // namespace mmtune
