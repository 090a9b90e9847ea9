// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/evaluation.h"

#include <gtest/gtest.h>

#include <functional>

namespace mmtune {
namespace {

worker::CompiledKernel Kernel() {
  worker::CompiledKernel kernel;
  kernel.set_code_digest("c0de");
  kernel.set_workspace_bytes(4096);
  worker::PlanStep& step = *kernel.add_steps();
  step.set_kernel("matmul");
  for (int i = 0; i < 3; ++i) {
    step.add_arguments(i);
    step.add_grid(8);
    step.add_block(32);
  }
  return kernel;
}

Candidate AnyCandidate() {
  Candidate candidate;
  candidate.problem = {64, 64, 64, DataType::kF32};
  candidate.schedule = {"fma", {{"bm", 64}}};
  candidate.target = ArchitectureLimits("sm_80").value();
  candidate.target.uuid = "GPU-1";
  candidate.target.driver = "13.0";
  return candidate;
}

TEST(TimingKeyTest, TheScheduleAndTheWayItWasCompiledDoNotMatter) {
  Candidate other = AnyCandidate();
  other.schedule.params["bm"] = 32;
  other.incumbent_ns = 5;
  worker::CompiledKernel kernel = Kernel();
  kernel.set_host_object("other");
  kernel.mutable_phases()->set_llvm_ms(7);
  EXPECT_EQ(TimingKey(other, kernel), TimingKey(AnyCandidate(), Kernel()));
}

TEST(TimingKeyTest, WhateverChangesTheTimeMatters) {
  const std::string key = TimingKey(AnyCandidate(), Kernel());
  EXPECT_EQ(key.size(), 64u);
  const std::function<void(Candidate&)> candidates[] = {
      [](Candidate& c) { c.problem.k = 65; }, [](Candidate& c) { c.target.uuid = "GPU-2"; },
      [](Candidate& c) { c.target.driver = "13.1"; }, [](Candidate& c) { c.measure.regime = Regime::kCold; },
      [](Candidate& c) { c.problem.transpose_b = true; }};
  for (const auto& change : candidates) {
    Candidate candidate = AnyCandidate();
    change(candidate);
    EXPECT_NE(TimingKey(candidate, Kernel()), key);
  }
  const std::function<void(worker::CompiledKernel&)> kernels[] = {
      [](worker::CompiledKernel& k) { k.set_code_digest("c0df"); },
      [](worker::CompiledKernel& k) { k.set_workspace_bytes(0); },
      [](worker::CompiledKernel& k) { k.mutable_steps(0)->set_grid(1, 9); },
      [](worker::CompiledKernel& k) { k.mutable_steps(0)->set_dynamic_shared_bytes(1); },
      [](worker::CompiledKernel& k) { k.mutable_steps(0)->set_arguments(0, 1); },
      [](worker::CompiledKernel& k) { *k.add_steps() = k.steps(0); }};
  for (const auto& change : kernels) {
    worker::CompiledKernel kernel = Kernel();
    change(kernel);
    EXPECT_NE(TimingKey(AnyCandidate(), kernel), key);
  }
}

}  // namespace
}  // namespace mmtune
