// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/suggestion.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

TEST(SuggestionTest, DistanceCountsInsertedDeletedReplacedAndSwappedLetters) {
  EXPECT_EQ(EditDistance("matmul", "matmul"), 0u);
  EXPECT_EQ(EditDistance("MatMul", "matmul"), 0u);
  EXPECT_EQ(EditDistance("matmull", "matmul"), 1u);
  EXPECT_EQ(EditDistance("mtmul", "matmul"), 1u);
  EXPECT_EQ(EditDistance("matnul", "matmul"), 1u);
  EXPECT_EQ(EditDistance("mamtul", "matmul"), 1u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
}

TEST(SuggestionTest, ClosestWordIsTaken) {
  const std::vector<std::string> commands = {"matmul", "report", "replay", "records", "doctor"};
  EXPECT_EQ(Closest("matmull", commands), "matmul");
  EXPECT_EQ(Closest("reprot", commands), "report");
  EXPECT_EQ(Closest("recrods", commands), "records");
  EXPECT_EQ(DidYouMean("docter", commands), "; did you mean 'doctor'?");
}

TEST(SuggestionTest, BeginningOfOneWordIsEnough) {
  EXPECT_EQ(Closest("mat", {"matmul", "report", "replay"}), "matmul");
  EXPECT_EQ(Closest("rep", {"matmul", "report", "replay"}), "");
}

TEST(SuggestionTest, NothingIsSuggestedForOtherWords) {
  EXPECT_EQ(DidYouMean("frob", {"matmul", "report"}), "");
  EXPECT_EQ(DidYouMean("xy", {"ab", "cd"}), "");
  EXPECT_EQ(DidYouMean("", {"a"}), "");
}

}  // namespace
}  // namespace mmtune
