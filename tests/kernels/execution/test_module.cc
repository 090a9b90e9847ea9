// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/execution/test_module.h"

#include <fstream>
#include <iterator>
#include <utility>

#include "kernels/runtime/open_device.h"

namespace mmtune {

TestModule::TestModule() : device_(*CreateSimtDevice("sm_90")), before_(GetMgpuCounters()) {
  MgpuOptions options;
  options.poison_allocations = true;
  SetMgpuDevice(device_.get(), options);
}

TestModule::~TestModule() {
  runner_.reset();
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.allocations - before_.allocations, after.frees - before_.frees);
  EXPECT_EQ(after.streams_created - before_.streams_created, after.streams_destroyed - before_.streams_destroyed);
  EXPECT_EQ(after.events_created - before_.events_created, after.events_destroyed - before_.events_destroyed);
  EXPECT_EQ(after.modules_loaded - before_.modules_loaded, after.modules_unloaded - before_.modules_unloaded);
  EXPECT_TRUE(TakeMgpuError().ok());
  SetMgpuDevice(nullptr);
}

void TestModule::Load(const char* path, const char* host_cpu) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(text.empty()) << path;
  std::string diagnostics;
  ModelOptions options;
  options.target.device = device_->info();
  options.target.host_cpu = host_cpu;
  auto compiler = ModelCompiler::Create();
  ASSERT_TRUE(compiler.ok()) << compiler.status();
  auto model = (*compiler)->Compile(text, path, options, ModelStage::kObject,
                                    [&](std::string_view line) { diagnostics += line; });
  ASSERT_TRUE(model.ok()) << model.status() << "\n" << diagnostics;
  model_ = *std::move(model);
  auto runner = ModelRunner::Load(model_);
  ASSERT_TRUE(runner.ok()) << runner.status();
  runner_ = *std::move(runner);
}

std::vector<ModelValue> TestModule::Run(std::string_view name, std::vector<ModelValue>* arguments) {
  if (runner_ == nullptr) return {};
  for (const ModelFunction& function : model_.functions) {
    if (function.name != name) continue;
    auto results = runner_->Run(function, arguments);
    EXPECT_TRUE(results.ok()) << results.status();
    return results.ok() ? *std::move(results) : std::vector<ModelValue>();
  }
  ADD_FAILURE() << "no function " << name;
  return {};
}

}  // namespace mmtune
