// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/text_layout.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace mmtune {
namespace {

using testing::ElementsAre;

TEST(WrapTextTest, BreaksAtSpacesAndWithinLongWordsOnly) {
  EXPECT_THAT(WrapText("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(WrapText("one two three", 0), ElementsAre("one two three"));
  EXPECT_THAT(WrapText("a abcdefghij b", 4), ElementsAre("a", "abcd", "efgh", "ij b"));
  EXPECT_THAT(WrapText("\xc2\xb5\xc2\xb5\xc2\xb5", 2), ElementsAre("\xc2\xb5\xc2\xb5", "\xc2\xb5"));
  EXPECT_THAT(WrapText("", 4), ElementsAre(""));
}

TEST(ClippedTest, CutsBetweenCharacters) {
  EXPECT_EQ(Clipped("a\xe2\x96\x88\xe2\x96\x88", 2), "a\xe2\x96\x88");
  EXPECT_EQ(Clipped("abc", 3), "abc");
}

TEST(LabelledLinesTest, ContinuesUnderTheValue) {
  LabelledLines lines(10, 32);
  lines.Add("best", "fma async=0 bk=64 bm=128 bn=128");
  lines.Add("", "\x1b[31mplain");
  EXPECT_EQ(lines.text(),
            "best      fma async=0 bk=64\n"
            "          bm=128 bn=128\n"
            "          plain\n");
}

TEST(PaintedTest, OnlyWithColour) {
  EXPECT_EQ(Painted("x", Paint::kRed, false), "x");
  EXPECT_EQ(Painted("x", Paint::kNone, true), "x");
  EXPECT_EQ(Painted("x", Paint::kRed, true), "\x1b[31mx\x1b[0m");
}

}  // namespace
}  // namespace mmtune
