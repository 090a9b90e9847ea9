// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mmtune-compile prints about a compilation.
#include "kernels/tools/compile_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mmtune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Returns the report of a model with a kernel that is PTX.
std::string ReportWithPtx(const std::string& emit, const std::string& output) {
  CompileOptions options;
  options.emit = emit;
  options.output = output;
  CompiledModel model;
  ModelKernel& kernel = model.kernels.emplace_back();
  kernel.module = "kernels";
  kernel.format = ImageFormat::kPtx;
  return CompileReport(options, model, 0);
}

TEST(CompileReportTest, SaysThatPtxIsEmbeddedWhereTheOutputContainsIt) {
  constexpr char kNote[] = "no ptxas was found: PTX is embedded";
  EXPECT_THAT(ReportWithPtx("", "m.so"), HasSubstr(kNote));
  EXPECT_THAT(ReportWithPtx("obj", "m"), HasSubstr(kNote));
  EXPECT_THAT(ReportWithPtx("ptx", "m"), Not(HasSubstr(kNote)));
  EXPECT_THAT(ReportWithPtx("", "m.ptx"), Not(HasSubstr(kNote)));
  EXPECT_THAT(ReportWithPtx("matmuls", "m.json"), Not(HasSubstr(kNote)));
  EXPECT_THAT(ReportWithPtx("", ""), Not(HasSubstr(kNote))) << "a run has no output";
}

}  // namespace
}  // namespace mmtune
