// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/options.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace mmtune {
namespace {

JobOptions Options() {
  JobOptions options;
  options.problem.shape = "4x5x6";
  return options;
}

TEST(MakeJobSpecTest, TheShapeIsMxNxK) {
  auto spec = MakeJobSpec(Options());
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->problem().m(), 4);
  EXPECT_EQ(spec->problem().n(), 5);
  EXPECT_EQ(spec->problem().k(), 6);
  EXPECT_EQ(spec->problem().dtype(), "f32");
  EXPECT_EQ(spec->trials(), 64);
  EXPECT_EQ(spec->strategy(), "model");
}

TEST(MakeJobSpecTest, ThePartsOfAProblemAreCarried) {
  JobOptions options = Options();
  options.problem.batch = 8;
  options.problem.transpose_b = true;
  options.problem.epilogue = "scale:0.50,bias,clamp:-1.0:6";
  auto spec = MakeJobSpec(options);
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->problem().batch(), 8);
  EXPECT_TRUE(spec->problem().transpose_b());
  EXPECT_EQ(spec->problem().epilogue(), "scale:0.5,bias,clamp:-1:6");
}

MatmulProblem Problem(const std::string& word) { return MakeProblem({.shape = word}).value(); }
std::string ProblemError(ProblemOptions options) { return std::string(MakeProblem(options).status().message()); }

TEST(ProblemWordTest, NamesTypeOptionsAndEpilogue) {
  EXPECT_EQ(Problem("4x5x6:bf16:bias,relu").Text(), "4x5x6 bf16 epilogue=bias,relu");
  EXPECT_EQ(Problem("4x5x6:relu").Text(), "4x5x6 epilogue=relu");
  EXPECT_EQ(Problem("4x5x6:tf32").Text(), "4x5x6 tf32");
  EXPECT_EQ(Problem("4x5x6:f16:batch=8:transpose-b:out=f32:scale:0.5,clamp:-1:6").Text(),
            "4x5x6 f16 out=f32 batch=8 transpose_b epilogue=scale:0.5,clamp:-1:6");
  EXPECT_EQ(Problem("4x5x6:math=tf32x3").math, MathMode::kTf32x3);
}

TEST(ProblemWordTest, AgreesWithOptions) {
  EXPECT_EQ(MakeProblem({.shape = "4x5x6:bf16", .dtype = "bf16", .batch = 2})->Text(), "4x5x6 bf16 batch=2");
  EXPECT_THAT(ProblemError({.shape = "4x5x6:bf16", .dtype = "f16"}), testing::HasSubstr("leave one of them out"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:relu", .epilogue = "bias"}), testing::HasSubstr("epilogue"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:batch=2", .batch = 3}), testing::HasSubstr("batch"));
}

TEST(ProblemWordTest, WrongPartIsNamed) {
  EXPECT_THAT(ProblemError({.shape = "4x5x6:bf17:relu"}),
              testing::HasSubstr("'bf17' in '4x5x6:bf17:relu'; did you mean 'bf16'?"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:flaot16"}), testing::EndsWith("; did you mean 'float16'?"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:f16:trnaspose-b"}), testing::EndsWith("; did you mean 'transpose-b'?"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:f16:bathc=2"}), testing::EndsWith("; did you mean 'batch'?"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:bias,reul"}), testing::EndsWith("; did you mean 'relu'?"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:scale:x"}), testing::HasSubstr("needs f32 numbers"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:swish"}), testing::HasSubstr("unknown epilogue step 'swish'; known: bias"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:"}), testing::HasSubstr("a colon with nothing after it"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6:f16:batch=x"}), testing::HasSubstr("batch=x"));
}

TEST(ProblemOptionsTest, MistypedValueIsAnsweredWithTheMeantOne) {
  EXPECT_THAT(ProblemError({.shape = "4x5x6", .epilogue = "relu,bais"}), testing::EndsWith("; did you mean 'bias'?"));
  EXPECT_THAT(ProblemError({.shape = "4x5x6", .epilogue = "swish"}), testing::Not(testing::HasSubstr("did you mean")));
  EXPECT_THAT(ProblemError({.shape = "4x5x6", .dtype = "f16", .out = "f23"}),
              testing::EndsWith("; did you mean 'f32'?"));
}

TEST(ProblemWordTest, TypesHaveTheNamesOfOtherPrograms) {
  for (const auto& [alias, name] : {std::pair{"fp16", "f16"},
                                    {"float16", "f16"},
                                    {"half", "f16"},
                                    {"FP16", "f16"},
                                    {"BF16", "bf16"},
                                    {"bfloat16", "bf16"},
                                    {"int8", "s8"},
                                    {"i8", "s8"},
                                    {"float32", "f32"},
                                    {"float", "f32"},
                                    {"fp32", "f32"},
                                    {"double", "f64"}}) {
    EXPECT_EQ(TypeName(alias), name);
    EXPECT_EQ(DataTypeName(MakeProblem({.shape = "4x5x6", .dtype = alias})->dtype), name);
    EXPECT_EQ(DataTypeName(Problem(std::string("4x5x6:") + alias).dtype), name);
  }
  EXPECT_EQ(MakeProblem({.shape = "4x5x6", .dtype = "fp16", .out = "float32"})->out, OutputType::kF32);
}

TEST(MakeJobSpecTest, TheVerificationIsTurnedOffOnlyWhenAsked) {
  JobOptions options = Options();
  EXPECT_TRUE(MakeJobSpec(options)->measure().verification());
  EXPECT_TRUE(MakeJobSpec(options)->measure().baseline());
  options.measure.baseline = false;
  EXPECT_FALSE(MakeJobSpec(options)->measure().baseline());
  options.measure.verification = false;
  EXPECT_FALSE(MakeJobSpec(options)->measure().verification());
}

TEST(MakeJobSpecTest, PresetsSayHowLongAndHowPreciselyToMeasure) {
  JobOptions options = Options();
  EXPECT_EQ(MakeJobSpec(options)->measure().budget_seconds(), 0);
  EXPECT_EQ(MakeJobSpec(options)->measure().regime(), "warm");
  EXPECT_EQ(FinalistsOf(options), 4);
  options.precise = true;
  EXPECT_EQ(MakeJobSpec(options)->measure().precision(), 0.001);
  EXPECT_EQ(MakeJobSpec(options)->measure().budget_seconds(), 2);
  options.measure.budget_seconds = 5;
  EXPECT_EQ(MakeJobSpec(options)->measure().budget_seconds(), 5);
  options = Options();
  options.quick = true;
  EXPECT_EQ(MakeJobSpec(options)->measure().precision(), 0.02);
  EXPECT_EQ(FinalistsOf(options), 0);
  options.finalists = 3;
  EXPECT_EQ(FinalistsOf(options), 3);
}

TEST(MakeJobSpecTest, WhatEndsTheSearchIsCarried) {
  JobOptions options = Options();
  options.until_plateau = 1;
  options.until_baseline = 95;
  options.until_bound = 80;
  const auto spec = MakeJobSpec(options);
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->plateau_percent(), 1);
  EXPECT_EQ(spec->baseline_percent(), 95);
  EXPECT_EQ(spec->bound_percent(), 80);
  EXPECT_EQ(spec->trials(), 64);
}

TEST(MakeJobSpecTest, EndsThatCannotComeAreRefused) {
  JobOptions options = Options();
  options.until_plateau = 1;
  options.trials = 0;
  EXPECT_TRUE(MakeJobSpec(options).ok());
  options.strategy = "random";
  EXPECT_THAT(std::string(MakeJobSpec(options).status().message()), testing::HasSubstr("--strategy model"));
  options = Options();
  options.until_baseline = 100;
  options.measure.baseline = false;
  EXPECT_THAT(std::string(MakeJobSpec(options).status().message()), testing::HasSubstr("--no-baseline"));
}

TEST(MakeJobSpecTest, AColdStartIsAskedForOnly) {
  JobOptions options = Options();
  EXPECT_FALSE(MakeJobSpec(options)->cold_start());
  options.cold_start = true;
  EXPECT_TRUE(MakeJobSpec(options)->cold_start());
  EXPECT_FALSE(MakeJobSpec(options)->no_skip());
  options.no_skip = true;
  EXPECT_TRUE(MakeJobSpec(options)->no_skip());
  EXPECT_FALSE(MakeJobSpec(options)->no_compile_ahead());
  options.no_compile_ahead = true;
  EXPECT_TRUE(MakeJobSpec(options)->no_compile_ahead());
}

TEST(MakeJobSpecTest, NumericsAreContractsOrASignature) {
  JobOptions options = Options();
  EXPECT_EQ(MakeJobSpec(options)->numerics(), "");
  options.numerics = "deterministic";
  EXPECT_EQ(MakeJobSpec(options)->numerics(), "deterministic");
  for (const char* text : {"same-as=fma.f32 over k", "same-as fma.f32 over k"}) {
    options.numerics = text;
    EXPECT_EQ(MakeJobSpec(options)->numerics(), "same-as fma.f32 over k");
  }
  options.numerics = "same-as=7";
  options.log = "/none/tuning.db";
  EXPECT_THAT(std::string(MakeJobSpec(options).status().message()),
              testing::HasSubstr("of the tuning log does not exist"));
  options.log.clear();
  options.server = "127.0.0.1:7077";
  EXPECT_THAT(std::string(MakeJobSpec(options).status().message()),
              testing::HasSubstr("with --server the log is the server's"));
  options.numerics = "exact";
  EXPECT_THAT(std::string(MakeJobSpec(options).status().message()),
              testing::HasSubstr("--numerics: 'exact' is no numerics"));
}

TEST(MakeJobSpecTest, SecondsAloneLiftTheLimitOfTrials) {
  JobOptions options = Options();
  options.seconds = 30;
  EXPECT_EQ(MakeJobSpec(options)->trials(), 0);
  options.trials = 64;
  EXPECT_EQ(MakeJobSpec(options)->trials(), 64);
}

TEST(MakeJobSpecTest, Tf32IsF32WithItsMath) {
  JobOptions options = Options();
  options.problem.dtype = "tf32";
  EXPECT_EQ(MakeJobSpec(options)->problem().dtype(), "f32");
  EXPECT_EQ(MakeJobSpec(options)->problem().math(), "tf32");
  options.problem.out = "f32";
  EXPECT_FALSE(MakeJobSpec(options)->problem().has_out()) << "f32 is its type of C as it is";
}

TEST(MakeJobSpecTest, F32InPlanesIsItsMath) {
  for (const char* math : {"tf32x3", "bf16x6"}) {
    JobOptions options = Options();
    options.problem.math = math;
    EXPECT_EQ(MakeJobSpec(options)->problem().dtype(), "f32");
    EXPECT_EQ(MakeJobSpec(options)->problem().math(), math);
  }
}

TEST(MakeJobSpecTest, TheOutputIsOfTheTypeOfTheElementsOrF32) {
  JobOptions options = Options();
  options.problem.dtype = "bf16";
  EXPECT_FALSE(MakeJobSpec(options)->problem().has_out());
  options.problem.out = "bf16";
  EXPECT_FALSE(MakeJobSpec(options)->problem().has_out());
  options.problem.out = "f32";
  EXPECT_EQ(MakeJobSpec(options)->problem().out(), "f32");
}

TEST(MakeJobSpecTest, RefusesWhatCannotBe) {
  auto refused = [](auto change) {
    JobOptions options = Options();
    change(options);
    auto spec = MakeJobSpec(options);
    EXPECT_EQ(spec.status().code(), absl::StatusCode::kInvalidArgument) << spec.status();
    EXPECT_THAT(std::string(spec.status().message()), testing::Not(testing::HasSubstr("\n")));
  };
  for (const char* shape : {"", "4", "4x5", "4x5x6x7", "0x5x6", "-4x5x6", "4x5xy", "4.5x5x6",
                            "99999999999999999999x1x1", "4611686018427387904x4x1", " 4x5x6"}) {
    refused([shape](JobOptions& options) { options.problem.shape = shape; });
  }
  refused([](JobOptions& options) { options.problem.dtype = "f17"; });
  refused([](JobOptions& options) { options.problem.math = "tf17"; });
  refused([](JobOptions& options) { options.problem.out = "f16"; });
  refused([](JobOptions& options) { options.problem.dtype = "bf16", options.problem.out = "f16"; });
  refused([](JobOptions& options) { options.problem.dtype = "bf16", options.problem.math = "tf32"; });
  refused([](JobOptions& options) { options.problem.dtype = "tf32", options.problem.math = "ieee"; });
  refused([](JobOptions& options) { options.problem.dtype = "tf32", options.problem.math = "tf32x3"; });
  refused([](JobOptions& options) { options.problem.dtype = "f16", options.problem.math = "bf16x6"; });
  for (int64_t batch : {int64_t{0}, int64_t{-1}, int64_t{1} << 40, int64_t{1} << 62}) {
    refused([batch](JobOptions& options) { options.problem.batch = batch; });
  }
  for (const char* epilogue : {"elu", "clamp:6:0", "clamp:nan:1", "clamp:0", "gelu:2", "bias,bias", "add,relu,add",
                               "relu,", ",relu", "bias relu", "scale", "scale:", "scale:0", "scale:inf", "scale:1e999",
                               "scale:two", "bias:1", "relu,relu,relu,relu,relu,relu,relu,relu,relu"}) {
    refused([epilogue](JobOptions& options) { options.problem.epilogue = epilogue; });
  }
  refused([](JobOptions& options) { options.device = "tpu"; });
  refused([](JobOptions& options) { options.device = "cuda:-1"; });
  refused([](JobOptions& options) { options.arch = "sm_1"; });
  refused([](JobOptions& options) { options.strategy = "guess"; });
  refused([](JobOptions& options) { options.trials = -1; });
  refused([](JobOptions& options) { options.seconds = -1; });
  refused([](JobOptions& options) { options.seconds = NAN; });
  refused([](JobOptions& options) { options.measure.budget_seconds = INFINITY; });
  refused([](JobOptions& options) { options.regime = "lukewarm"; });
  refused([](JobOptions& options) { options.finalists = -1; });
  refused([](JobOptions& options) { options.quick = options.precise = true; });
}

TEST(MakeJobSpecTest, AnEndlessSearchIsRefused) {
  JobOptions options = Options();
  options.trials = 0;
  EXPECT_FALSE(MakeJobSpec(options).ok());
  options.strategy = "exhaustive";
  EXPECT_TRUE(MakeJobSpec(options).ok());
}

TEST(MakeJobSpecTest, HowItSharesWorkersIsCarried) {
  EXPECT_EQ(MakeJobSpec(Options())->weight(), 0) << "not said: servers of before there were weights take the job";
  JobOptions options = Options();
  options.weight = 3;
  options.priority = -2;
  options.select = {"rack=7", "zone=a"};
  options.device_class = "cuda:sm_90";
  auto spec = MakeJobSpec(options);
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->weight(), 3);
  EXPECT_EQ(spec->priority(), -2);
  EXPECT_EQ(spec->select().at("rack"), "7");
  EXPECT_EQ(spec->select().at("zone"), "a");
  EXPECT_EQ(spec->device_class(), "cuda:sm_90");
}

TEST(MakeJobSpecTest, TyposOfSelectorsAreUsageInOneLine) {
  for (const char* text : {"rack", "ra ck=7", "rack=7=8", "=7", "rack=-"}) {
    JobOptions options = Options();
    options.select = {text};
    const absl::Status refused = MakeJobSpec(options).status();
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << text;
    EXPECT_THAT(std::string(refused.message()), testing::StartsWith("--select: ")) << text;
  }
  JobOptions options = Options();
  options.device_class = "cuda:sm90";
  EXPECT_THAT(std::string(MakeJobSpec(options).status().message()), testing::StartsWith("--device-class: "));
  options.device_class = "cuda";
  options.device = "simt";
  EXPECT_THAT(std::string(MakeJobSpec(options).status().message()), testing::HasSubstr("exclude each other"));
}

TEST(MakeSessionOptionsTest, LabelsAreThoseOfAServersWorkers) {
  JobOptions options = Options();
  options.select = {"rack=7"};
  EXPECT_THAT(std::string(MakeSessionOptions(options).status().message()), testing::HasSubstr("give --server"));
  options.server = "127.0.0.1:1";
  EXPECT_TRUE(MakeSessionOptions(options).ok());
}

TEST(MakeSessionOptionsTest, LogAndServerExcludeEachOther) {
  JobOptions options = Options();
  options.server = "127.0.0.1:7077";
  EXPECT_TRUE(MakeSessionOptions(options).ok());
  options.log = "x.db";
  EXPECT_FALSE(MakeSessionOptions(options).ok());
}

}  // namespace
}  // namespace mmtune
