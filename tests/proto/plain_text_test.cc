// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/plain_text.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

// DEL, a C1 CSI, a right-to-left override, an Arabic letter mark, a line separator: dropped from text, escaped in JSON.
constexpr char kHostile[] = "a\x7f\xc2\x9b\xe2\x80\xae\xd8\x9c\xe2\x80\xa8z";

TEST(PlainTextTest, DropsWhatMovesTheCursorOrTurnsTheText) { EXPECT_EQ(PlainText(kHostile), "az"); }

TEST(PlainTextTest, DropsEscapeSequencesWhole) {
  EXPECT_EQ(PlainText("a\x1b[31;1mb"), "ab") << "CSI, to its last byte";
  EXPECT_EQ(PlainText("a\x1b]0;title\ab"), "ab") << "a string, to BEL";
  EXPECT_EQ(PlainText("a\x1b]0;title\x1b\\b"), "ab") << "a string, to ESC backslash";
  EXPECT_EQ(PlainText("a\x1b]never ended"), "a");
  EXPECT_EQ(PlainText("a\x1b"
                      "cb"),
            "ab")
      << "two bytes";
  EXPECT_EQ(PlainText("a\x1b"), "a");
}

TEST(PrintableJsonTest, EscapesWhatJsonLeaves) {
  EXPECT_EQ(PrintableJson(kHostile), "a\\u007f\\u009b\\u202e\\u061c\\u2028z");
  EXPECT_EQ(PrintableJson("\xe2\x81\xa6"), "\\u2066");
}

TEST(PrintableJsonTest, LeavesTheRest) {
  for (const char* json :
       {"{\"name\":\"\xc3\xbc \xe4\xb8\xad \xf0\x9f\x98\x80\"}\n", "{\n  \"a\": \"\\u001b\"\n}", ""}) {
    EXPECT_EQ(PrintableJson(json), json);
  }
  EXPECT_EQ(PrintableJson("\xff"), "\\ufffd");
}

TEST(ShortenedTest, CutsBetweenCharacters) {
  EXPECT_EQ(Shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(Shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(Shortened("ab\xe4\xb8\xad\xe4\xb8\xad", 7), "ab...");
  EXPECT_EQ(Shortened("abcdef", 3), "...");
}

}  // namespace
}  // namespace mmtune
