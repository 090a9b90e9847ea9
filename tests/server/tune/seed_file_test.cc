// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeds for other tuners. tests/e2e/records_test.py reads them as those do.
#include "server/tune/report/seed_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// A schedule of M x 256 x 64 whose blocks share no tile.
RankedRecord Ranked(int64_t m, int64_t bm, double ns) {
  RankedRecord ranked;
  ranked.record = OkRecord(ns);
  ranked.record.problem.m = m;
  ranked.record.schedule.params["bm"] = bm;
  ranked.record.schedule.params["split_k"] = 1;
  ranked.record.schedule.params["reduction"] = 0;
  ranked.ranked_ns = ns;
  return ranked;
}

std::string TextOf(const std::vector<RankedRecord>& rankings, SeedFormat format) {
  const absl::StatusOr<SeedFiles> made = MakeSeedFiles(rankings, format);
  EXPECT_TRUE(made.ok()) << made.status();
  return made.ok() && made->files.size() == 1 ? made->files[0].text : "";
}

TEST(SeedFile, T4HasOneRankingInMilliseconds) {
  const json file = json::parse(TextOf({Ranked(128, 64, 2e6), Ranked(128, 32, 3e6)}, SeedFormat::kT4));
  EXPECT_EQ(file["schema_version"], "1.0.0");
  EXPECT_THAT(std::string(file["metadata"]["seeds"]), HasSubstr("not tuned for it"));
  ASSERT_THAT(file["results"], SizeIs(2));
  const json& second = file["results"][1];
  EXPECT_EQ(second["configuration"]["family"], "fma");
  EXPECT_EQ(second["configuration"]["bm"], 32);
  EXPECT_EQ(second["invalidity"], "correct");
  EXPECT_EQ(second["measurements"][0], (json{{"name", "time"}, {"value", 3.0}, {"unit", "ms"}}));
  EXPECT_EQ(second["measurements"][2]["value"], 2);
  EXPECT_THAT(second["times"]["runtimes"], ElementsAre(2.97, 3.0, 3.03));
  RankedRecord verified = Ranked(128, 64, 2e6);
  verified.record.measurement.phases.verify_ms = 256;
  verified.record.measurement.phases.check_ms = 64;
  EXPECT_EQ(json::parse(TextOf({verified}, SeedFormat::kT4))["results"][0]["times"]["validation"], 320);
  const absl::Status two = MakeSeedFiles({Ranked(128, 64, 2e6), Ranked(64, 64, 2e6)}, SeedFormat::kT4).status();
  EXPECT_THAT(std::string(two.message()), HasSubstr("the log has 2: give --problem"));
}

TEST(SeedFile, TritonHasTheArgumentsOfAConfigurationThatItsKernelsCanHave) {
  RankedRecord split = Ranked(128, 64, 1e6), odd = Ranked(128, 96, 1e6);
  split.record.schedule.params["split_k"] = 2;
  const absl::StatusOr<SeedFiles> made =
      MakeSeedFiles({split, odd, Ranked(128, 64, 2e6), Ranked(64, 32, 1e6)}, SeedFormat::kTriton);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->seeds, 2u);
  EXPECT_EQ(made->left_out, 2u);
  const json file = json::parse(made->files.at(0).text);
  ASSERT_THAT(file["configs"], SizeIs(2));
  EXPECT_EQ(file["configs"][0]["rank"], 3);
  EXPECT_EQ(file["configs"][0]["config"],
            json::parse(R"({"kwargs": {"BLOCK_M": 64, "BLOCK_N": 32, "BLOCK_K": 16, "GROUP_M": 1},
                            "num_warps": 2, "num_stages": 3, "num_ctas": 1})"));
  EXPECT_EQ(file["configs"][1]["rank"], 1);
  const absl::Status none = MakeSeedFiles({split, odd}, SeedFormat::kTriton).status();
  EXPECT_THAT(std::string(none.message()), HasSubstr("none of the 2 schedules"));
}

TEST(SeedFile, VllmHasAFileForEachNAndKWithTheFirstOfEachM) {
  RankedRecord other = Ranked(128, 64, 1e6);
  other.record.problem.n = 512;
  other.record.problem.dtype = DataType::kF16;
  other.record.problem.epilogue = *ParseEpilogue("bias,relu");
  other.record.device.name = "NVIDIA A/B";
  const absl::StatusOr<SeedFiles> made =
      MakeSeedFiles({Ranked(128, 64, 1e6), Ranked(128, 32, 2e6), Ranked(16, 16, 2e5), other}, SeedFormat::kVllm);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->seeds, 3u);
  ASSERT_THAT(made->files, SizeIs(2));
  EXPECT_EQ(made->files[0].name, "N=256,K=64,device_name=simt-cpu_(a_CPU__2_threads),dtype=f32,seeds_of=mmtune.json");
  const json table = json::parse(made->files[0].text);
  ASSERT_THAT(table, SizeIs(2));
  EXPECT_EQ(table["128"]["BLOCK_SIZE_M"], 64);
  EXPECT_EQ(table["16"], json::parse(R"({"BLOCK_SIZE_M": 16, "BLOCK_SIZE_N": 32, "BLOCK_SIZE_K": 16, "GROUP_SIZE_M": 1,
                            "num_warps": 1, "num_stages": 3})"));
  EXPECT_EQ(made->files[1].name, "N=512,K=64,device_name=NVIDIA_A_B,dtype=f16,epilogue=bias_relu,seeds_of=mmtune.json");
}

TEST(SeedFile, CutlassHasTheProfilersColumnsBehindOurs) {
  RankedRecord record = Ranked(128, 64, 2e6);
  record.record.problem.transpose_b = true;
  const std::string text = TextOf({record, Ranked(64, 64, 2e6)}, SeedFormat::kCutlass);
  EXPECT_THAT(text, StartsWith("SeedsOf,Device,Rank,Schedule,Problem,Provider,OperationKind,Operation,Disposition,"));
  EXPECT_THAT(text, HasSubstr("1,mmtune,gemm,mmtune_fma_64x32_16x3,passed,success,universal,128,256,64,f32:row,"
                              "f32:column,f32:row,f32:row,1,0,1,1,simt,f32,64,32,16,1,1,1,3,80,229376,4194304,"));
  EXPECT_THAT(text, HasSubstr("\nmmtune,\"simt-cpu (a CPU, 2 threads)\",1,"));
  EXPECT_THAT(text, HasSubstr(",2,mmtune,gemm,"));
}

TEST(SeedFile, RefusesOtherNamesAndAnEmptyLog) {
  EXPECT_THAT(std::string(ParseSeedFormat("tvm").status().message()), HasSubstr("'tvm' is no format of seeds"));
  EXPECT_THAT(std::string(MakeSeedFiles({}, SeedFormat::kCutlass).status().message()), HasSubstr("no verified"));
}

}  // namespace
}  // namespace mmtune
