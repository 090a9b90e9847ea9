// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/verify/schedule_verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/families/common/verification_shapes.h"
#include "kernels/runtime/open_device.h"
#include "tests/worker/verify/broken_module.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

constexpr int kFuzzingRuns = 3;

class RunVerificationTest : public testing::Test {
 protected:
  VerificationReport Run(std::string_view without, int fuzzing_runs = kFuzzingRuns) {
    absl::StatusOr<VerificationReport> report = RunVerification({SmallProduct(without)}, "sm_80", fuzzing_runs);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.value_or(VerificationReport());
  }
  std::unique_ptr<Compiler> compiler_ = Compiler::Create().value();
};

TEST_F(RunVerificationTest, ARightKernelIsVerified) {
  const VerificationReport report = Run("");
  EXPECT_TRUE(report.passed) << report.finding;
  EXPECT_TRUE(report.performed && report.correct && report.race_free && report.deterministic);
  EXPECT_THAT(report.shapes, testing::ElementsAre("16x16x32"));
  EXPECT_EQ(report.fuzzing_runs, kFuzzingRuns);
  EXPECT_EQ(report.finding, "");
}

TEST_F(RunVerificationTest, AMissingBarrierAfterTheFillIsFound) {
  const VerificationReport report = Run("after the fill");
  EXPECT_FALSE(report.passed);
  EXPECT_FALSE(report.race_free);
  EXPECT_THAT(report.finding, HasSubstr("16x16x32 in race detection: "));
  EXPECT_THAT(report.finding, HasSubstr("product"));
  EXPECT_THAT(report.detail, HasSubstr("product.mlir:"));
}

TEST_F(RunVerificationTest, AMissingBarrierBeforeTheRefillIsFoundWithoutFuzzing) {
  const VerificationReport report = Run("before the refill", /*fuzzing_runs=*/0);
  EXPECT_FALSE(report.passed);
  EXPECT_FALSE(report.race_free);
  EXPECT_THAT(report.finding, HasSubstr("race"));
}

TEST_F(RunVerificationTest, AResultThatIsNotWrittenIsWrong) {
  const VerificationReport report = Run("the result");
  EXPECT_FALSE(report.passed);
  EXPECT_FALSE(report.correct);
  EXPECT_TRUE(report.race_free);
  EXPECT_THAT(report.finding, HasSubstr("never written"));
}

TEST_F(RunVerificationTest, AKernelOfAnotherProblemIsFound) {
  VerificationSubject subject = SmallProduct("");
  subject.problem.n = 8;  // C and B are half as large
  absl::StatusOr<VerificationReport> report = RunVerification({subject}, "sm_80", 1);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->passed);
  EXPECT_FALSE(report->correct && report->race_free);
}

TEST_F(RunVerificationTest, AFailingSubjectLeavesTheNextOneADeviceThatWorks) {
  // Subjects share a device. B of the second one is too small, so its kernel reads out of bounds.
  VerificationSubject right = SmallProduct(""), wrong = right;
  wrong.problem.n = 8;
  const auto run = [](const std::vector<VerificationSubject>& subjects) {
    absl::StatusOr<VerificationReport> report = RunVerification(subjects, "sm_80", 1);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.value_or(VerificationReport());
  };
  const VerificationReport alone = run({wrong});
  EXPECT_THAT(alone.finding, HasSubstr("16x8x32 in race detection: global-out-of-bounds"));
  const VerificationReport between = run({right, wrong, right});
  EXPECT_FALSE(between.passed);
  EXPECT_EQ(between.finding, alone.finding);
  EXPECT_EQ(between.detail, alone.detail) << "nothing is found in the one behind it";
  EXPECT_THAT(between.shapes, testing::ElementsAre("16x16x32", "16x8x32", "16x16x32"));
}

TEST_F(RunVerificationTest, AShapeThatIsOnlyWatchedIsJudgedAndNotListed) {
  for (const char* without : {"", "after the fill", "the result"}) {
    SCOPED_TRACE(without);
    VerificationSubject small = SmallProduct(""), race_detected = SmallProduct(without);
    race_detected.race_detection_only = true;
    absl::StatusOr<VerificationReport> report = RunVerification({small, race_detected}, "sm_80", 1);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->passed, *without == '\0') << report->finding;
    EXPECT_THAT(report->shapes, testing::ElementsAre("16x16x32"));
  }
}

class ScheduleVerifierTest : public testing::Test {
 protected:
  ScheduleVerifierTest() {
    request_.problem = {512, 512, 512, DataType::kF32};
    request_.device = CreateSimtDevice("sm_80").value()->info();
    request_.schedule =
        ParseSchedule(
            "fma async=0 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
            "reduction=0 slice_k=1 split_k=1 stages=1 stream_k=1 tm=4 tn=4 unroll_k=4")
            .value();
  }
  VerificationReport Verify(ScheduleVerifier& verifier) {
    absl::StatusOr<VerificationReport> report = verifier.Verify(request_);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.value_or(VerificationReport());
  }
  std::unique_ptr<Compiler> compiler_ = Compiler::Create().value();
  VerificationRequest request_;
};

TEST_F(ScheduleVerifierTest, VerifiesAScheduleOfTheFamily) {
  ScheduleVerifier verifier(compiler_.get(), "");
  const VerificationReport report = Verify(verifier);
  EXPECT_TRUE(report.passed) << report.finding << "\n" << report.detail;
  EXPECT_TRUE(report.deterministic);
  EXPECT_THAT(report.shapes, testing::ElementsAre("64x64x24", testing::_, "4 of 256 blocks of 512x512x512"));
  EXPECT_EQ(report.digest.size(), 64u);
}

TEST_F(ScheduleVerifierTest, AtomicSplitKIsRightAndNotDeterministic) {
  request_.problem = {64, 64, 512, DataType::kF32};
  request_.schedule.params["split_k"] = 4;
  request_.schedule.params["reduction"] = 1;
  ScheduleVerifier verifier(compiler_.get(), "");
  const VerificationReport report = Verify(verifier);
  EXPECT_TRUE(report.passed) << report.finding << "\n" << report.detail;
  EXPECT_FALSE(report.deterministic);
}

TEST_F(ScheduleVerifierTest, VariantsAreVerifiedAsTheyAre) {
  request_.problem = MatmulProblem{100, 60, 40, DataType::kF32, 8, true, ParseEpilogue("bias,relu").value()};
  ScheduleVerifier verifier(compiler_.get(), "");
  const VerificationReport report = Verify(verifier);
  EXPECT_TRUE(report.passed) << report.finding << "\n" << report.detail;
  EXPECT_THAT(report.shapes.front(), HasSubstr("batch=2 transpose_b epilogue=bias,relu"));
}

TEST_F(ScheduleVerifierTest, ACudaDeviceIsStoodInFor) {
  request_.device = ArchitectureLimits("sm_90").value();
  request_.device.kind = DeviceKind::kCuda;
  request_.device.arch = "sm_90";
  ScheduleVerifier verifier(compiler_.get(), "");
  EXPECT_TRUE(Verify(verifier).passed);
}

TEST_F(ScheduleVerifierTest, AScheduleIsVerifiedOnceForItsCode) {
  ScheduleVerifier verifier(compiler_.get(), "");
  const VerificationReport first = Verify(verifier);
  EXPECT_EQ(Verify(verifier), first);
  request_.problem.m = 4096;  // the small shapes are the same
  const VerificationReport taller = Verify(verifier);
  EXPECT_TRUE(taller.passed);
  EXPECT_EQ(taller.shapes[0], first.shapes[0]);
  EXPECT_EQ(taller.shapes[2], "4 of 2048 blocks of 4096x512x512");
  EXPECT_NE(taller.digest, first.digest);
  EXPECT_EQ(verifier.verifications_made(), 1);
  request_.schedule.params["bk"] = 16;
  EXPECT_NE(Verify(verifier).digest, first.digest);
  EXPECT_EQ(verifier.verifications_made(), 2);
}

TEST_F(ScheduleVerifierTest, AnEpilogueThatLeavesTheCodeAsItIsIsVerifiedByItself) {
  ScheduleVerifier verifier(compiler_.get(), "");
  const VerificationReport plain = Verify(verifier);
  request_.problem.epilogue = ParseEpilogue("scale:1").value();
  const VerificationReport scaled = Verify(verifier);
  EXPECT_NE(scaled.digest, plain.digest);
  EXPECT_NE(scaled.shapes, plain.shapes);
  EXPECT_EQ(verifier.verifications_made(), 2);
}

TEST_F(ScheduleVerifierTest, ItsOwnSizeIsWatchedWhereThatIsAskedFor) {
  request_.problem = {96, 80, 64, DataType::kF32};
  ScheduleVerifier verifier(compiler_.get(), "");
  const VerificationReport first = Verify(verifier);
  request_.check_full_size_races = true;
  const VerificationReport race_detected = Verify(verifier);
  EXPECT_TRUE(race_detected.passed) << race_detected.finding << "\n" << race_detected.detail;
  EXPECT_EQ(first.shapes.size(), 3u);
  EXPECT_EQ(race_detected.shapes.size(), 2u);
  EXPECT_EQ(race_detected.digest, first.digest);
  EXPECT_EQ(verifier.verifications_made(), 2);
  request_.problem.m = 97;  // other code
  Verify(verifier);
  EXPECT_EQ(verifier.verifications_made(), 3);
}

/// Compiles for the targets that it is asked for, and changes what it makes.
class PtxEditor : public Compiler {
 public:
  explicit PtxEditor(Compiler* compiler) : compiler_(compiler) {}

  absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule,
                                         const CompileTarget& target) override {
    absl::StatusOr<CompiledKernel> kernel = compiler_->Compile(problem, schedule, target);
    if (!kernel.ok()) return kernel;
    EXPECT_EQ(kernel->format, ImageFormat::kPtx);
    EXPECT_THAT(kernel->image, HasSubstr(".target " + arch));
    EXPECT_EQ(kernel->host_object, "");
    for (size_t at; !without.empty() && (at = kernel->image.find(without)) != std::string::npos;) {
      kernel->image.replace(at, without.size(), with);
    }
    digests.push_back(kernel->code_digest);
    return kernel;
  }

  std::string arch = "sm_80", without, with;
  std::vector<std::string> digests;

 private:
  Compiler* const compiler_;
};

TEST_F(ScheduleVerifierTest, ThePtxOfTheDevicesArchitectureIsWhatRuns) {
  PtxEditor editor(compiler_.get());
  ScheduleVerifier verifier(&editor, "");
  EXPECT_TRUE(Verify(verifier).passed);
  ASSERT_EQ(editor.digests.size(), 3u);

  // The record's digest is of code that a GPU gets, with its host function or without.
  CompileTarget gpu;
  gpu.device = *ArchitectureLimits("sm_80");
  gpu.device.kind = DeviceKind::kCuda;
  gpu.assemble = false;
  std::string why;
  std::vector<MatmulProblem> shapes = VerificationShapes(request_.problem, request_.schedule, request_.device, &why);
  shapes.push_back(request_.problem);
  ASSERT_EQ(shapes.size(), 3u);
  for (size_t i = 0; i < shapes.size(); ++i) {
    const auto shipped = compiler_->Compile(shapes[i], request_.schedule, gpu);
    ASSERT_TRUE(shipped.ok()) << shipped.status();
    EXPECT_NE(shipped->host_object, "");
    EXPECT_EQ(shipped->code_digest, editor.digests[i]);
  }
  editor.arch = "sm_90";
  request_.device = CreateSimtDevice("sm_90").value()->info();
  EXPECT_TRUE(Verify(verifier).passed);
}

TEST_F(ScheduleVerifierTest, ABarrierThatPtxLacksIsAFindingAtItsLines) {
  PtxEditor editor(compiler_.get());
  editor.without = "bar.sync";
  editor.with = "// gone:";
  ScheduleVerifier verifier(&editor, "");
  const VerificationReport report = Verify(verifier);
  EXPECT_TRUE(report.performed);
  EXPECT_FALSE(report.passed);
  EXPECT_THAT(report.finding, HasSubstr("in race detection: "));
  EXPECT_THAT(report.detail, HasSubstr("fma.ptx:"));
}

TEST_F(ScheduleVerifierTest, PtxThatTheSimtDeviceDoesNotReadIsNotVerified) {
  PtxEditor editor(compiler_.get());
  editor.without = "bar.sync";
  editor.with = "bar.foo";
  ScheduleVerifier verifier(&editor, "");
  const VerificationReport report = Verify(verifier);
  EXPECT_FALSE(report.performed);
  EXPECT_THAT(report.reason, HasSubstr("the SIMT device does not run its PTX"));
  EXPECT_THAT(report.reason, HasSubstr("bar.foo"));
}

TEST_F(ScheduleVerifierTest, AScheduleWithoutAValidShapeIsNotPassed) {
  request_.schedule.params["tm"] = 3;
  ScheduleVerifier verifier(compiler_.get(), "");
  const VerificationReport report = Verify(verifier);
  EXPECT_FALSE(report.performed);
  EXPECT_FALSE(report.passed);
  EXPECT_THAT(report.reason, HasSubstr("no small shape is valid"));
  EXPECT_THAT(report.reason, HasSubstr("tm"));
}

}  // namespace
}  // namespace mmtune
