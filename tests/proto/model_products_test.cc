// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/model_products.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

ModelProducts Sample() {
  ModelProducts products;
  ModelProduct& known = products.products.emplace_back();
  known.problem = {.m = 32, .n = 48, .k = 64, .epilogue = *ParseEpilogue("bias,relu")};
  known.calls = 24;
  known.layout = "lda=96";
  known.schedule = {"fma", {{"bm", 32}}};
  known.source = "spec";
  ModelProduct& unknown = products.products.emplace_back(known);
  unknown.problem.m = 64;
  unknown.calls.reset();
  unknown.layout.clear();
  products.dynamic = {"?x48x64"};
  return products;
}

TEST(ModelProducts, AreReadAsTheyWereWritten) {
  const auto read = ModelProductsFromJson(ModelProductsToJson(Sample()));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, Sample());
}

TEST(ModelProducts, WrongOnesAreRefused) {
  const std::string text = ModelProductsToJson(Sample());
  const auto refusal = [&text](const char* from, const char* to) {
    return std::string(ModelProductsFromJson(absl::StrReplaceAll(text, {{from, to}})).status().message());
  };
  EXPECT_THAT(refusal("\"calls\":24", "\"calls\":-1"), HasSubstr("is -1: must be 0 or more"));
  EXPECT_THAT(refusal("\"k\":64", "\"k\":0"), HasSubstr("K=0 is not positive"));
  EXPECT_THAT(refusal("\"dynamic\"", "\"other\""), HasSubstr("dynamic is missing"));
  EXPECT_FALSE(ModelProductsFromJson("[]").ok());
}

}  // namespace
}  // namespace mmtune
