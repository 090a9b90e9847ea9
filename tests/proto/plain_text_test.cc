// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/plain_text.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

// DEL, a C1 CSI, a right-to-left override, an Arabic letter mark, a line separator: dropped from text, escaped in JSON.
constexpr char kHostile[] = "a\x7f\xc2\x9b\xe2\x80\xae\xd8\x9c\xe2\x80\xa8z";

TEST(PlainTextTest, DropsControlAndBidirectionalCharacters) { EXPECT_EQ(PlainText(kHostile), "az"); }

// A zero-width space and joiner, a word joiner, a byte order mark, a soft hyphen, a Mongolian vowel separator, a Hangul
// filler, an interlinear annotation, a variation selector, and a tag.
constexpr char kInvisible[] =
    "a\xe2\x80\x8b\xe2\x80\x8d\xe2\x81\xa0\xef\xbb\xbf\xc2\xad\xe1\xa0\x8e\xe3\x85\xa4\xef\xbf\xb9\xef\xb8\x8f"
    "\xf3\xa0\x81\x81z";

TEST(PlainTextTest, DropsInvisibleCharacters) {
  EXPECT_EQ(PlainText(kInvisible), "az");
  EXPECT_FALSE(IsPlainText(kInvisible));
  EXPECT_FALSE(IsPlainText("a\nb"));
  EXPECT_FALSE(IsPlainText("\xff"));
  EXPECT_TRUE(IsPlainText("NVIDIA H100 \xc3\xbc \xe4\xb8\xad \xf0\x9f\x98\x80"));
  EXPECT_TRUE(IsPlainText(""));
}

TEST(PlainTextTest, DropsAByteOrderMarkOnlyAtTheStart) {
  EXPECT_EQ(WithoutByteOrderMark("\xef\xbb\xbf"
                                 "a,b"),
            "a,b");
  EXPECT_EQ(WithoutByteOrderMark("a\xef\xbb\xbf"), "a\xef\xbb\xbf");
  EXPECT_EQ(WithoutByteOrderMark("\xef\xbb"), "\xef\xbb");
}

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

TEST(PrintableJsonTest, EscapesInvisibleCharacters) {
  EXPECT_EQ(PrintableJson(kHostile), "a\\u007f\\u009b\\u202e\\u061c\\u2028z");
  EXPECT_EQ(PrintableJson("\xe2\x81\xa6"), "\\u2066");
  EXPECT_EQ(PrintableJson("\xe2\x80\x8b\xf3\xa0\x81\x81"), "\\u200b\\udb40\\udc41");
}

TEST(PrintableJsonTest, KeepsOtherCharacters) {
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
