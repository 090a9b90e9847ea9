// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/model_matmuls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

ModelMatmuls Sample() {
  ModelMatmuls model;
  ModelMatmul known;
  known.problem = {.m = 32, .n = 48, .k = 64, .epilogue = *ParseEpilogue("bias,relu")};
  known.calls = 24;
  known.layout = "lda=96";
  known.schedule = {"fma", {{"bm", 32}}};
  known.source = "spec";
  model.matmuls.push_back(known);
  ModelMatmul unknown = known;
  unknown.problem.m = 64;
  unknown.calls.reset();
  unknown.layout.clear();
  model.matmuls.push_back(unknown);
  known.rows_step = 16;
  model.matmuls.push_back(known);
  known.rows_step = 0;
  known.batch_step = 8;
  known.problem.batch = 16;
  model.matmuls.push_back(known);
  model.dynamic = {"9x48x64 batch=?"};
  model.open_dimensions = {"0"};
  model.toolchain = {"0.1", "22.1.8", "llvm 22.1.8", "fma=1"};
  model.run_ns = 1500;
  return model;
}

TEST(ModelMatmuls, AreReadAsTheyWereWritten) {
  const auto read = ModelMatmulsFromJson(ModelMatmulsToJson(Sample()));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, Sample());
}

TEST(ModelMatmuls, TextHasNoSizesThatAreKnownAtRunTimeOnly) {
  EXPECT_EQ(Sample().matmuls[0].Text(), "32x48x64 epilogue=bias,relu");
  EXPECT_EQ(Sample().matmuls[2].Text(), "?x48x64 epilogue=bias,relu");
  EXPECT_EQ(Sample().matmuls[3].Text(), "32x48x64 batch=? epilogue=bias,relu");
}

TEST(ModelMatmuls, WrongOnesAreRefused) {
  const std::string text = ModelMatmulsToJson(Sample());
  const auto refusal = [&text](const char* from, const char* to) {
    return std::string(ModelMatmulsFromJson(absl::StrReplaceAll(text, {{from, to}})).status().message());
  };
  EXPECT_THAT(refusal("\"calls\":24", "\"calls\":-1"), HasSubstr("is -1: must be 0 or more"));
  EXPECT_THAT(refusal("\"rows_step\":16", "\"rows_step\":-1"), HasSubstr("is -1: must be 0 or more"));
  EXPECT_THAT(refusal("\"batch_step\":8", "\"batch_step\":-1"), HasSubstr("is -1: must be 0 or more"));
  EXPECT_THAT(refusal("\"k\":64", "\"k\":0"), HasSubstr("K=0 is not positive"));
  EXPECT_THAT(refusal("\"dynamic\"", "\"other\""), HasSubstr("dynamic is missing"));
  EXPECT_FALSE(ModelMatmulsFromJson("[]").ok());
}

}  // namespace
}  // namespace mmtune
