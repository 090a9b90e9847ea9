// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/worker/verify/broken_module.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "kernels/runtime/open_device.h"
#include "tests/kernels/gpu_module_compiler.h"

namespace mmtune {

VerificationSubject SmallProduct(std::string_view without) {
  std::ifstream file(MMTUNE_BROKEN_MODULES "/product.mlir");
  EXPECT_TRUE(file.good());
  const std::string marker = "remove: " + std::string(without);
  std::string text;
  int removed = 0;
  for (std::string line; std::getline(file, line);) {
    const bool remove = !without.empty() && line.find(marker) != std::string::npos;
    removed += remove;
    if (!remove) text += line + "\n";
  }
  EXPECT_EQ(removed, without.empty() ? 0 : 1);
  CompileTarget target;
  target.device = CreateSimtDevice("sm_80").value()->info();
  target.race_detection = true;
  VerificationSubject subject;
  subject.problem = {16, 16, 32, DataType::kF32};
  absl::StatusOr<std::string> image = CompileGpuModule(text, "product.mlir", target, &subject.kernel.format);
  EXPECT_TRUE(image.ok()) << image.status();
  subject.kernel.image = image.value_or("");
  PlanStep launch;
  launch.kernel = "product";
  launch.arguments = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC};
  launch.block[0] = launch.block[1] = 16;
  subject.kernel.plan.steps.push_back(launch);
  return subject;
}

}  // namespace mmtune
