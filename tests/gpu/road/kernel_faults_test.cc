// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that poison the context, and one that never ends, between good ones: what is said of each, and that the good
// one is as fast afterwards as before.
#include <gmock/gmock.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/gpu/road/faulty_children.h"
#include "tests/gpu/road/measuring_worker.h"

namespace mmtune {
namespace {

struct Row {
  KernelFault fault;
  Outcome outcome;
  const char* cuda_message;
};

class KernelFaultsTest : public MeasuringWorker, public testing::WithParamInterface<Row> {
 protected:
  KernelFaultsTest() { limits_.run = std::chrono::seconds(3); }

  double GoodTimeNs() {
    const Measurement good = Evaluate(GoodProblem(), GoodSchedule());
    EXPECT_EQ(OutcomeName(good.outcome), OutcomeName(Outcome::kOk)) << good.message;
    EXPECT_TRUE(good.check.passed) << good.check.detail;
    return good.timing.median_ns;
  }
};

TEST_P(KernelFaultsTest, IsConvictedAndTheNextResultIsAsGoodAsTheOneBefore) {
  if (!cuda() && GetParam().fault == KernelFault::kMisalignedAddress) GTEST_SKIP() << "no error on x86-64";
  const double before = GoodTimeNs();
  const Measurement faulty = Evaluate(GoodProblem(), KernelFaultSchedule(GetParam().fault));
  EXPECT_EQ(OutcomeName(faulty.outcome), OutcomeName(GetParam().outcome)) << faulty.message;
  if (cuda()) {
    EXPECT_THAT(faulty.message, testing::HasSubstr(GetParam().cuda_message));
  }
  const double after = GoodTimeNs();
  // The times of a CPU that others use differ by more.
  if (cuda()) {
    EXPECT_NEAR(after / before, 1, 0.02);
  }
  const nlohmann::json line = {{"fault", KernelFaultName(GetParam().fault)},
                               {"outcome", OutcomeName(faulty.outcome)},
                               {"message", faulty.message},
                               {"before_ns", before},
                               {"after_ns", after}};
  std::printf("%s\n", line.dump().c_str());
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelFaultsTest,
                         testing::Values(Row{KernelFault::kIllegalAddress, Outcome::kCrashed, "ILLEGAL_ADDRESS"},
                                         Row{KernelFault::kMisalignedAddress, Outcome::kCrashed, "MISALIGNED_ADDRESS"},
                                         Row{KernelFault::kTrap, Outcome::kCrashed, "CUDA_ERROR"},
                                         Row{KernelFault::kRunaway, Outcome::kTimedOut, "no answer"}),
                         [](const auto& info) { return KernelFaultName(info.param.fault); });

}  // namespace
}  // namespace mmtune
