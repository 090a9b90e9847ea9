// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>

#include "proto/command_line/generated_text.h"

namespace mmtune {
namespace {

TEST(ShellWordTest, LeavesWordsThatNoShellChanges) {
  EXPECT_EQ(ShellWord("tuning.db"), "tuning.db");
  EXPECT_EQ(ShellWord("/var/lib/mm-tune_2/a:b,c@d+1%.db"), "/var/lib/mm-tune_2/a:b,c@d+1%.db");
  EXPECT_EQ(ShellWord("\xc3\xbc.db"), "\xc3\xbc.db");
}

TEST(ShellWordTest, QuotesWhatAShellWouldSplitOrExpand) {
  EXPECT_EQ(ShellWord(""), "''");
  for (const std::string text : {"a b", "a&b",   "a;b", "a|b", "$HOME", "`a`", "a\"b", "a\\b", "a*",   "a?",
                                 "[a]", "{a,b}", "~/a", "#a",  "!a",    "(a)", "<a>",  "a\tb", "a\nb", "=a"}) {
    EXPECT_EQ(ShellWord(text), "'" + text + "'");
  }
}

TEST(ShellWordTest, EndsTheQuotesForASingleQuote) {
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellQuoted("plain"), "'plain'");
}

}  // namespace
}  // namespace mmtune
