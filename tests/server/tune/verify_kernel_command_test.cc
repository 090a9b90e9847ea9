// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune verify FILE`: its request, and the text and JSON of its verdict.
#include "server/tune/commands/verify_kernel_command.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "proto/base/whole_file.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

KernelVerifyAnswer Verified() {
  KernelVerifyAnswer answer;
  answer.name = "k.ptx";
  answer.kernel = "matmul";
  answer.target = "sm_90a";
  answer.arch = "sm_90a";
  VerificationReport& verification = answer.verification;
  verification.performed = verification.passed = verification.correct = true;
  verification.race_free = verification.deterministic = true;
  verification.shapes = {"64x64x24 f16", "50x51x23 f16"};
  verification.fuzzing_runs = 3;
  verification.digest = "d16e57";
  answer.check.performed = answer.check.passed = true;
  answer.check.tier = "exact, rounding";
  answer.check.bound_fraction = 0.125;
  answer.check.relative_error = 2.5e-7;
  return answer;
}

TEST(VerifyKernelWordsTest, FileIsToldFromCommandByDotOrSlash) {
  EXPECT_THAT(WithKernelCommand({"verify", "k.ptx", "--json"}), ElementsAre("verify", "kernel", "k.ptx", "--json"));
  EXPECT_THAT(WithKernelCommand({"verify", "cache/ABC"}), ElementsAre("verify", "kernel", "cache/ABC"));
  EXPECT_THAT(WithKernelCommand({"verify", "kernel", "k"}), ElementsAre("verify", "kernel", "k"));
  EXPECT_THAT(WithKernelCommand({"verify", "matmul", "4x5x6"}), ElementsAre("verify", "matmul", "4x5x6"));
  EXPECT_THAT(WithKernelCommand({"verify", "--help"}), ElementsAre("verify", "--help"));
  EXPECT_THAT(WithKernelCommand({"report", "k.ptx"}), ElementsAre("report", "k.ptx"));
}

TEST(KernelRequestTest, LaunchesOfAFileTakeThePlaceOfOptions) {
  TempFolder folder;
  VerifyKernelOptions options;
  options.file = "k.ptx";
  options.launch.grid = "4";
  options.gemm = "A,B,C";
  options.shapes = {"4x5x6"};
  auto request = MakeKernelRequest(options);
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_TRUE(request->path.starts_with("/")) << request->path;
  EXPECT_THAT(request->work.launches, ElementsAre(options.launch));
  EXPECT_EQ(request->work.gemm, "A,B,C");

  options.launches = folder.File("launches.json");
  EXPECT_THAT(std::string(MakeKernelRequest(options).status().message()), HasSubstr("launches.json"));
  const auto parse = [&](const std::string& text) {
    EXPECT_TRUE(WriteWholeFile(options.launches, text).ok());
    return MakeKernelRequest(options);
  };
  request = parse(R"({"launches": [{"kernel": "a"}, {"grid": "2", "arguments": ["i32=1"]}], "shapes": ["1x2x3"]})");
  ASSERT_TRUE(request.ok()) << request.status();
  ASSERT_EQ(request->work.launches.size(), 2u);
  EXPECT_EQ(request->work.launches[0].kernel, "a");
  EXPECT_EQ(request->work.launches[0].grid, "1");
  EXPECT_THAT(request->work.launches[1].arguments, ElementsAre("i32=1"));
  EXPECT_EQ(request->work.gemm, "");
  EXPECT_THAT(request->work.shapes, ElementsAre("1x2x3"));
  EXPECT_THAT(std::string(parse(R"({"launches": []})").status().message()),
              HasSubstr("launches.json: launches must have at least one launch"));
  EXPECT_THAT(std::string(parse(R"({"launches": [{"threads": "1"}]})").status().message()), HasSubstr("threads"));
  EXPECT_FALSE(parse("nonsense").ok());
}

TEST(KernelRequestTest, JsonCarriesRequestAndAnswer) {
  KernelVerifyRequest request;
  request.path = "/k.ptx";
  request.work.launches = {{.kernel = "k", .grid = "M", .block = "64", .arguments = {"i32=M"}}, {}};
  request.work.gemm = "0,1,2";
  request.work.shapes = {"1x2x3"};
  request.arch = "sm_80";
  request.fuzzing_runs = 7;
  request.limit_seconds = 9;
  const auto back = KernelVerifyRequestFromJson(KernelVerifyRequestToJson(request));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(KernelVerifyRequestToJson(*back), KernelVerifyRequestToJson(request));
  EXPECT_EQ(back->work, request.work);
  EXPECT_EQ(back->path, "/k.ptx");
  EXPECT_EQ(back->arch, "sm_80");
  EXPECT_EQ(back->fuzzing_runs, 7);
  EXPECT_EQ(back->limit_seconds, 9);
  const auto answer = KernelVerifyAnswerFromJson(KernelVerifyAnswerToJson(Verified()));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->verification, Verified().verification);
  EXPECT_EQ(answer->check, Verified().check);
  EXPECT_FALSE(KernelVerifyAnswerFromJson("{}").ok());
}

TEST(KernelVerdictTest, TextHasEachLine) {
  const std::string text = KernelVerdictText(Verified());
  for (const char* line :
       {"k.ptx: matmul (sm_90a)\n", "\nverdict        verified\n", "\ncorrect        yes\n", "\nrace-free      yes\n",
        "\ndeterministic  yes\n", "\nerror          0.125 of the bound, 2.5e-07 of the largest magnitude\n",
        "\ncovered        64x64x24 f16, 50x51x23 f16; each in race detection and in 3 fuzzing runs, with the limits of "
        "sm_90a\n",
        "\nnot covered    ptxas and machine code, memory order", "\ndigest         d16e57\n"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, Not(HasSubstr("\nwhy")));
}

TEST(KernelVerdictTest, NothingIsClaimedThatWasNotEstablished) {
  KernelVerifyAnswer answer = Verified();
  answer.check = {};
  EXPECT_THAT(KernelVerdictText(answer), HasSubstr("\ncorrect        not compared (--gemm)\n"));
  EXPECT_THAT(KernelVerdictText(answer), HasSubstr("\nerror          not measured\n"));
  auto json = nlohmann::json::parse(KernelVerdictJson({}, answer));
  EXPECT_TRUE(json["verified"].get<bool>());
  EXPECT_TRUE(json["verification"]["correct"].is_null());

  answer = Verified();
  answer.verification.passed = answer.verification.correct = false;
  answer.verification.finding = "global-out-of-bounds in k";
  answer.verification.detail = "global-out-of-bounds: kernel k\n  k.ptx:7";
  std::string text = KernelVerdictText(answer);
  for (const char* line :
       {"\nverdict        not verified\n", "\nwhy            global-out-of-bounds in k\n", "\ncorrect        no\n",
        "\nrace-free      unknown\n", "\ndeterministic  unknown\n", "\nglobal-out-of-bounds: kernel k\n  k.ptx:7\n"})
    EXPECT_THAT(text, HasSubstr(line));
  // The finding ended the launch: no result was compared.
  answer.check = {};
  EXPECT_THAT(KernelVerdictText(answer), HasSubstr("\ncorrect        not compared\n"));
  EXPECT_TRUE(nlohmann::json::parse(KernelVerdictJson({}, answer))["verification"]["correct"].is_null());

  answer = Verified();
  answer.verification.passed = answer.verification.deterministic = false;
  answer.verification.reason = answer.verification.finding = "no end within 1 s (in race detection)";
  EXPECT_EQ(KernelVerdictText(answer), "k.ptx: matmul (sm_90a): not verified: no end within 1 s (in race detection)\n");
  json = nlohmann::json::parse(KernelVerdictJson({}, answer));
  EXPECT_FALSE(json["verified"].get<bool>());
  for (const char* field : {"correct", "race_free", "deterministic"})
    EXPECT_TRUE(json["verification"][field].is_null()) << field;
  // In the compilation, neither kernel nor target is known yet; a race that was found before is still told.
  answer.kernel = answer.target = "";
  EXPECT_THAT(KernelVerdictText(answer), testing::StartsWith("k.ptx: not verified: no end within 1 s"));
  answer.verification.finding = "race-raw in matmul";
  answer.verification.race_free = false;
  text = KernelVerdictText(answer);
  for (const char* line : {"\nwhy            race-raw in matmul\n", "\ncorrect        unknown\n",
                           "\nrace-free      no\n", "\ndeterministic  unknown\n"})
    EXPECT_THAT(text, HasSubstr(line));
}

}  // namespace
}  // namespace mmtune
