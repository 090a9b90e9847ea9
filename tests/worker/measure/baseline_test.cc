// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baseline over stand-ins for the device (fake_device.h) and for cuBLAS (fake_cublas.cc).
#include "worker/measure/baseline.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/worker/measure/fake_device.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

const MatmulProblem kProblem{16, 24, 32};

class BaselineTest : public testing::Test {
 protected:
  BaselineTest() {
    device_.mutable_info().kind = DeviceKind::kCuda;
    device_.mutable_info().driver = "13.0";
    OnGemm([](void* test) { static_cast<BaselineTest*>(test)->Ran(); }, this);
  }
  ~BaselineTest() override {
    OnGemm(nullptr, nullptr);
    for (const char* name : {"FAKE_CUBLAS_FAULT", "FAKE_CUBLAS_WRONG"}) unsetenv(name);
  }
  static void OnGemm(void (*callback)(void*), void* argument) {
    void* library = dlopen(FAKE_CUBLAS_LIBRARY, RTLD_NOW);
    reinterpret_cast<void (*)(void (*)(void*), void*)>(dlsym(library, "FakeCublasOnGemm"))(callback, argument);
  }
  void Ran() {
    ++products_;
    device_.clock.Advance(std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::nano>(run_ns_)));
  }
  Baseline Next(const MatmulProblem& problem = kProblem, Regime regime = Regime::kWarm) {
    TimeOptions options;
    options.measure = MeasureOptions{.regime = regime}.For(DeviceKind::kCuda);
    options.incumbent_ns = 1;  // a baseline is not cut for being slow
    const RoundingChecker checker(problem, 3);
    return series_.Next(problem, &checker, options);
  }

  FakeDevice device_{[](int) { return 1.0; }};
  double run_ns_ = 1e6;
  int products_ = 0;
  BaselineSeries series_{&device_, {FAKE_CUBLAS_LIBRARY}};
};

TEST_F(BaselineTest, IsTimedAsCandidatesAre) {
  const Baseline baseline = Next();
  EXPECT_EQ(baseline.name, "cuBLAS 13.1.0");
  EXPECT_EQ(baseline.reason, "");
  EXPECT_EQ(baseline.median_ns, 1e6);
  EXPECT_EQ(baseline.low_ns, 1e6);
  EXPECT_EQ(baseline.high_ns, 1e6);
  EXPECT_EQ(baseline.drift, 0);
  EXPECT_GE(products_, 10);
  EXPECT_EQ(device_.live_allocations, 0);
}

TEST_F(BaselineTest, IsTimedFirstAndWithEverySixteenthCandidate) {
  const TimeOptions options;
  EXPECT_TRUE(series_.Due(kProblem, options));
  const Baseline first = Next();
  const int once = products_;
  run_ns_ = 2e6;
  for (int candidate = 1; candidate < BaselineSeries::kEvery; ++candidate) {
    EXPECT_FALSE(series_.Due(kProblem, options)) << candidate;
    EXPECT_EQ(Next(), first);
  }
  EXPECT_EQ(products_, once);
  EXPECT_TRUE(series_.Due(kProblem, options));
  Next();
  EXPECT_GT(products_, once);
  EXPECT_FALSE(series_.Due(kProblem, options));
}

TEST_F(BaselineTest, TheMedianIsOfAllSamplesAndTheDriftOfTheLatest) {
  Next();
  run_ns_ = 1.1e6;
  for (int candidate = 1; candidate < BaselineSeries::kEvery; ++candidate) Next();
  const Baseline second = Next();
  EXPECT_NEAR(second.drift, 0.1, 1e-9);
  EXPECT_NEAR(second.median_ns, 1.05e6, 1);
  EXPECT_EQ(second.low_ns, 1e6);
  EXPECT_EQ(second.high_ns, 1.1e6);
  run_ns_ = 1e6;
  for (int candidate = 1; candidate < BaselineSeries::kEvery; ++candidate) EXPECT_EQ(Next(), second);
  EXPECT_NEAR(Next().drift, 0, 1e-9);
}

TEST_F(BaselineTest, AnotherProblemAndAnotherRegimeHaveASeriesOfTheirOwn) {
  device_.mutable_info().l2_bytes = 4096;
  Next();
  run_ns_ = 3e6;
  EXPECT_EQ(Next(kProblem, Regime::kCold).median_ns, 3e6);
  EXPECT_EQ(Next({8, 8, 8}).median_ns, 3e6);
  EXPECT_EQ(Next({8, 8, 8}).drift, 0);
  EXPECT_EQ(Next().median_ns, 1e6);
}

TEST_F(BaselineTest, ABatchAndATransposedBHaveOne) {
  EXPECT_EQ(Next({8, 12, 16, DataType::kF32, 3, true}).name, "cuBLAS 13.1.0");
}

// The record says by which library.
TEST_F(BaselineTest, AnEpilogueHasThatOfCublasLt) {
  MatmulProblem problem = kProblem;
  problem.epilogue = ParseEpilogue("bias,relu").value();
  const Baseline baseline = Next(problem);
  EXPECT_EQ(baseline.reason, "");
  EXPECT_EQ(baseline.name, "cuBLASLt 13.1.0");
  EXPECT_EQ(baseline.median_ns, 1e6);
  EXPECT_EQ(Next().name, "cuBLAS 13.1.0");
  EXPECT_EQ(device_.live_allocations, 0);
}

TEST_F(BaselineTest, AnEpilogueThatItHasNotHasNone) {
  MatmulProblem problem = kProblem;
  problem.epilogue = ParseEpilogue("silu").value();
  EXPECT_THAT(Next(problem).reason, HasSubstr("cuBLASLt has no epilogue silu"));
  EXPECT_EQ(products_, 0);
}

TEST_F(BaselineTest, AWrongResultIsNotBelieved) {
  setenv("FAKE_CUBLAS_WRONG", "1", 1);
  const Baseline baseline = Next();
  EXPECT_EQ(baseline.name, "");
  EXPECT_THAT(baseline.reason, HasSubstr("cuBLAS 13.1.0 gives a wrong result: "));
  EXPECT_EQ(baseline.median_ns, 0);
  const int before = products_;
  for (int candidate = 0; candidate < 2 * BaselineSeries::kEvery; ++candidate) EXPECT_EQ(Next(), baseline);
  EXPECT_EQ(products_, before);
}

TEST_F(BaselineTest, OneThatFailsIsNotAskedAgain) {
  setenv("FAKE_CUBLAS_FAULT", "cublasSgemmStridedBatched=13", 1);
  EXPECT_EQ(Next().reason, "cuBLAS 13.1.0: cublasSgemmStridedBatched: CUBLAS_STATUS_EXECUTION_FAILED (13)");
  unsetenv("FAKE_CUBLAS_FAULT");
  EXPECT_EQ(Next().name, "");
  EXPECT_EQ(device_.live_allocations, 0);
}

TEST_F(BaselineTest, WithoutMemoryThereIsNone) {
  device_.most_allocations = 2;
  EXPECT_THAT(Next().reason, HasSubstr("no more memory"));
  EXPECT_EQ(device_.live_allocations, 0);
}

TEST_F(BaselineTest, WithoutALibraryTheReasonIsSaid) {
  BaselineSeries series(&device_, {"/proc/nowhere/libcublas.so.13"});
  const RoundingChecker checker(kProblem, 3);
  EXPECT_THAT(series.Next(kProblem, &checker, {}).reason, HasSubstr("no cuBLAS: "));
  EXPECT_FALSE(series.Due(kProblem, {}));
}

TEST_F(BaselineTest, ANewerLibraryThanTheDriverIsNotUsed) {
  device_.mutable_info().driver = "12.2";
  EXPECT_THAT(Next().reason, HasSubstr("needs a driver of CUDA 13, this one is of 12.2"));
}

TEST_F(BaselineTest, AResultThatNothingBoundsIsNotTimed) {
  EXPECT_EQ(series_.Next(kProblem, nullptr, {}).reason, "results of cuBLAS cannot be checked for K of 2^23 or more");
}

TEST_F(BaselineTest, CanBeTurnedOff) {
  TimeOptions options;
  options.measure.baseline = false;
  const RoundingChecker checker(kProblem, 3);
  EXPECT_FALSE(series_.Due(kProblem, options));
  EXPECT_EQ(series_.Next(kProblem, &checker, options).reason, "not asked for");
}

TEST_F(BaselineTest, TheSimtDeviceHasNone) {
  device_.mutable_info().kind = DeviceKind::kSimt;
  EXPECT_FALSE(series_.Due(kProblem, {}));
  EXPECT_EQ(Next().reason, "no baseline for the SIMT device");
  EXPECT_EQ(products_, 0);
}

}  // namespace
}  // namespace mmtune
