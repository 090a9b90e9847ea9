// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measurer that ships, in this process: it must find what is wrong with a kernel.
#include "worker/measure/device_measurer.h"
#include "kernels/runtime/open_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "kernels/runtime/cuda/cuda_device.h"
#include "tests/worker/measure/limited_device.h"
#include "worker/measure/baseline.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {
namespace {

// Large against the red zones.
const MatmulProblem kProblem{256, 256, 256, DataType::kF32};
/// The most bytes that red zones add to a plan's buffers.
constexpr int64_t kZones = kPlanBufferCount * (2 * GuardedBuffers::kZoneBytes + 256);

class DeviceMeasurerTest : public testing::Test {
 protected:
  DeviceMeasurerTest() {
    DeviceSelector simt = ParseDeviceSelector("simt").value();
    simt.arch = "sm_80";
    target_.device = OpenDevice(simt).value()->info();
    measurer_ = DeviceMeasurer::Create(simt).value();
    compiler_ = Compiler::Create().value();
  }
  CompiledKernel Compile(const MatmulProblem& problem) {
    return compiler_->Compile(problem, LadderSchedules(problem, target_.device).back().second, target_).value();
  }

  /// Two candidates one after the other, as the daemon would have them measured.
  void MeasureTwice(Measurer& measurer) {
    const CompiledKernel kernel = Compile(kProblem);
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(measurer.Load(kProblem, kernel).ok());
      absl::StatusOr<CheckReport> report = measurer.Check();
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_TRUE(report->passed) << report->detail;
      absl::StatusOr<TimedRun> timing = measurer.Time({.measure = {.budget_seconds = 0.002}});
      ASSERT_TRUE(timing.ok()) << timing.status();
    }
  }
  std::unique_ptr<Measurer> Limited(int64_t reported_bytes, MemoryUse* use) {
    auto device = std::make_unique<LimitedDevice>(CreateSimtDevice("sm_80").value(), reported_bytes, use);
    return DeviceMeasurer::CreateOn(std::move(device)).value();
  }

  CompileTarget target_;
  std::unique_ptr<Compiler> compiler_;
  std::unique_ptr<Measurer> measurer_;
};

TEST_F(DeviceMeasurerTest, MeasuresARightKernel) {
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(kProblem)).ok());
  absl::StatusOr<CheckReport> report = measurer_->Check();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed) << report->detail;
  absl::StatusOr<TimedRun> timing = measurer_->Time({.measure = {.budget_seconds = 0.02}});
  ASSERT_TRUE(timing.ok()) << timing.status();
  EXPECT_GT(timing->timing.median_ns, 0);
}

TEST_F(DeviceMeasurerTest, AComparisonTellsASlowKernelFromAFastOneInEitherOrder) {
  const auto rungs = LadderSchedules(kProblem, target_.device);
  const CompiledKernel slow = compiler_->Compile(kProblem, rungs.front().second, target_).value();
  const CompiledKernel fast = Compile(kProblem);
  for (bool reference_first : {false, true}) {
    const CompareOptions options{.measure = {.budget_seconds = 0.1}, .reference_first = reference_first};
    const absl::StatusOr<Compared> over = measurer_->Compare(kProblem, slow, fast, options);
    const absl::StatusOr<Compared> under = measurer_->Compare(kProblem, fast, slow, options);
    ASSERT_TRUE(over.ok() && under.ok()) << over.status() << under.status();
    EXPECT_GT(over->ratio, 1.5);
    EXPECT_LT(under->ratio, 1 / 1.5);
    EXPECT_GT(over->median_ns, 1.5 * over->reference_median_ns);
    EXPECT_LT(under->median_ns, under->reference_median_ns / 1.5);
  }
}

/// Says that it is a CUDA device, and runs the canary as one.
class CudaClaimingDevice : public LimitedDevice {
 public:
  CudaClaimingDevice(std::unique_ptr<Device> device, MemoryUse* use)
      : LimitedDevice(std::move(device), use->limit, use) {
    mutable_info().kind = DeviceKind::kCuda;
    mutable_info().uuid = "GPU-1";
  }
  absl::StatusOr<std::unique_ptr<DeviceModule>> LoadModule(ImageFormat format, std::string_view image) override {
    if (format == ImageFormat::kPtx) return std::make_unique<CanaryModule>();
    return LimitedDevice::LoadModule(format, image);
  }
  absl::Status Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) override {
    if (dynamic_cast<CanaryKernel*>(kernel) == nullptr) {
      return LimitedDevice::Launch(kernel, shape, arguments, stream);
    }
    const DevicePtr memory = *static_cast<DevicePtr*>(arguments[0]);
    std::vector<uint32_t> words(shape.grid[0] * shape.block[0]);
    const size_t bytes = words.size() * sizeof(uint32_t);
    if (absl::Status read = CopyToHost(words.data(), memory, bytes, 0); !read.ok()) return read;
    for (uint32_t i = 0; i < words.size(); ++i) words[i] = cuda::CanaryWord(words[i], i);
    return CopyToDevice(memory, words.data(), bytes, 0);
  }

 private:
  struct CanaryKernel : DeviceKernel {};
  struct CanaryModule : DeviceModule {
    absl::StatusOr<DeviceKernel*> GetKernel(std::string_view) override { return &kernel; }
    CanaryKernel kernel;
  };
};

/// The SIMT device that says it is a CUDA device, with stand-ins for the vendor's libraries.
class CudaClaimingMeasurerTest : public DeviceMeasurerTest {
 protected:
  CudaClaimingMeasurerTest() {
    setenv("FAKE_NVML_UUID", "GPU-1", 1);
    setenv("FAKE_NVML_SM_CLOCKS", "1980,1500,1980", 1);
    measurer_.reset();  // it owns the process's calls
    // The baseline's workspace is the larger one.
    memory_.limit = kProblem.OperandBytes() + VendorBlas::WorkspaceBytes(target_.device) + kZones;
    auto device = std::make_unique<CudaClaimingDevice>(CreateSimtDevice("sm_80").value(), &memory_);
    device->mutable_info().driver = "13.0";
    measurer_ = DeviceMeasurer::CreateOn(std::move(device), {FAKE_NVML_LIBRARY, {FAKE_CUBLAS_LIBRARY}}).value();
  }
  ~CudaClaimingMeasurerTest() override {
    measurer_.reset();
    for (const char* name : {"FAKE_NVML_UUID", "FAKE_NVML_SM_CLOCKS"}) unsetenv(name);
  }
  Conditions Measure(bool baseline = true) {
    EXPECT_TRUE(measurer_->Load(kProblem, Compile(kProblem)).ok());
    EXPECT_TRUE(measurer_->Check()->passed);
    return TimeAgain(baseline);
  }
  Conditions TimeAgain(bool baseline) {
    absl::StatusOr<TimedRun> run = measurer_->Time({.measure = {.budget_seconds = 0.002, .baseline = baseline}});
    EXPECT_TRUE(run.ok()) << run.status();
    return run.ok() ? run->conditions : Conditions();
  }
  MemoryUse memory_;
};

TEST_F(CudaClaimingMeasurerTest, EveryRunHasACertificateAndABaseline) {
  const Conditions first = Measure();
  EXPECT_EQ(first.health.source, "NVML 580.65.06");
  EXPECT_EQ(first.health.finding, "SM clock 1980 MHz before and 1500 MHz after");
  EXPECT_EQ(first.baseline.reason, "left out: the device was not healthy");
  const Conditions second = Measure();
  EXPECT_EQ(second.health.finding, "");
  EXPECT_EQ(second.baseline.name, "cuBLAS 13.1.0") << second.baseline.reason;
  EXPECT_GT(second.baseline.median_ns, 0);
  const Conditions again = TimeAgain(/*baseline=*/false);  // behind a baseline, which left no timer
  EXPECT_EQ(again.health.finding, "");
  EXPECT_EQ(again.baseline.name, "");
  EXPECT_EQ(Measure().baseline, second.baseline);
}

TEST_F(CudaClaimingMeasurerTest, TheBaselineNeedsNoMemoryBesideTheCandidates) {
  Measure();
  EXPECT_EQ(Measure().baseline.name, "cuBLAS 13.1.0");
  EXPECT_EQ(memory_.refused, 0);
}

TEST_F(DeviceMeasurerTest, TheSimtDeviceHasNeitherCertificateNorBaseline) {
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(kProblem)).ok());
  absl::StatusOr<TimedRun> run = measurer_->Time({.measure = {.budget_seconds = 0.02}});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->conditions.health.reason, "the SIMT device has no temperature or clock to watch");
  EXPECT_EQ(run->conditions.baseline.reason, "no baseline for the SIMT device");
}

TEST_F(DeviceMeasurerTest, AKernelOfAnotherProblemIsWrong) {
  // Sums half of K, and reads A by rows of half the length.
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(MatmulProblem{256, 256, 128, DataType::kF32})).ok());
  absl::StatusOr<CheckReport> report = measurer_->Check();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->passed);
  EXPECT_GE(report->wrong_row, 0);
  EXPECT_NE(report->expected, report->got);
}

TEST_F(DeviceMeasurerTest, MeasuresVariantsOfAProblem) {
  for (const char* epilogue : {"", "bias,relu", "scale:0.1,add"}) {
    for (bool transpose_b : {false, true}) {
      MatmulProblem problem{65, 70, 33, DataType::kF32, 3, transpose_b, ParseEpilogue(epilogue).value()};
      SCOPED_TRACE(problem.Text());
      const absl::Status loaded = measurer_->Load(problem, Compile(problem));
      ASSERT_TRUE(loaded.ok()) << loaded;
      absl::StatusOr<CheckReport> report = measurer_->Check();
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_TRUE(report->passed) << report->detail;
      absl::StatusOr<TimedRun> timing = measurer_->Time({.measure = {.budget_seconds = 0.02}});
      ASSERT_TRUE(timing.ok()) << timing.status();
    }
  }
}

TEST_F(DeviceMeasurerTest, AKernelOfAnotherEpilogueOrTransposeIsWrong) {
  auto variant = [](const char* epilogue, bool transpose_b) {
    return MatmulProblem{64, 64, 64, DataType::kF32, 1, transpose_b, ParseEpilogue(epilogue).value()};
  };
  const std::pair<MatmulProblem, MatmulProblem> wrong[] = {
      {variant("bias,relu", false), variant("bias", false)},
      {variant("relu", false), variant("", false)},
      {variant("", true), variant("", false)},
      {variant("bias,scale:0.1", false), variant("scale:0.1,bias", false)},
  };
  for (const auto& [problem, compiled] : wrong) {
    SCOPED_TRACE(problem.Text());
    ASSERT_TRUE(measurer_->Load(problem, Compile(compiled)).ok());
    absl::StatusOr<CheckReport> report = measurer_->Check();
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_FALSE(report->passed);
    ASSERT_TRUE(measurer_->Load(problem, Compile(problem)).ok());
    report = measurer_->Check();
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->passed) << report->detail;
  }
}

TEST_F(DeviceMeasurerTest, ARightKernelPassesAfterAWrongOne) {
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(MatmulProblem{256, 256, 128, DataType::kF32})).ok());
  ASSERT_FALSE(measurer_->Check()->passed);
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(kProblem)).ok());
  EXPECT_TRUE(measurer_->Check()->passed);
}

TEST_F(DeviceMeasurerTest, OneSetOfOperandsOnTheDeviceIsEnough) {
  measurer_.reset();
  const int64_t workspace = Compile(kProblem).plan.workspace_bytes;
  MemoryUse use{.limit = kProblem.OperandBytes() + workspace + kZones};
  std::unique_ptr<Measurer> measurer = Limited(use.limit, &use);
  MeasureTwice(*measurer);
  EXPECT_EQ(use.refused, 0);
}

TEST_F(DeviceMeasurerTest, AWrongKernelIsNotTimed) {
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(MatmulProblem{256, 256, 128, DataType::kF32})).ok());
  ASSERT_FALSE(measurer_->Check()->passed);
  EXPECT_TRUE(absl::IsFailedPrecondition(measurer_->Time({.measure = {.budget_seconds = 0.02}}).status()));
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(kProblem)).ok());
  EXPECT_TRUE(measurer_->Time({.measure = {.budget_seconds = 0.02}}).ok());
}

TEST_F(DeviceMeasurerTest, AnImageThatIsNoneIsAnError) {
  CompiledKernel kernel = Compile(kProblem);
  kernel.image = "no object";
  EXPECT_FALSE(measurer_->Load(kProblem, kernel).ok());
  EXPECT_FALSE(measurer_->Time({.measure = {.budget_seconds = 0.02}}).ok());
}

}  // namespace
}  // namespace mmtune
