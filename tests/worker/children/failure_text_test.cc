// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/child.h"

#include <gtest/gtest.h>

#include <fstream>

#include "proto/base/folders.h"

namespace mmtune {
namespace {

TEST(OneLine, KeepsTextAndDropsControls) {
  EXPECT_EQ(OneLine("a plain line"), "a plain line");
  EXPECT_EQ(OneLine("two\nlines\t\x1b[31mred"), "two lines [31mred");
  EXPECT_EQ(OneLine(" \r\n "), "");
  EXPECT_EQ(OneLine("caf\xc3\xa9"), "caf??");
  EXPECT_EQ(OneLine(std::string(1000, 'x'), 10), "xxxxxxx...");
}

class TellingLineTest : public testing::Test {
 protected:
  std::string LineOf(const std::string& text) {
    const std::string path = folder_.path() + "/output";
    std::ofstream(path) << text;
    return MostRelevantLine(path);
  }
  OwnedFolder folder_ = OwnedFolder::Temporary("mmtune-test-").value();
};

TEST_F(TellingLineTest, PrefersTheErrorToTheStackThatFollows) {
  EXPECT_EQ(LineOf("loading\nLLVM ERROR: cannot select\nPLEASE submit a bug report\n #0 0x1234\n"),
            "LLVM ERROR: cannot select");
  EXPECT_EQ(LineOf("x.cpp:7: f(): Assertion `n > 0' failed.\nStack dump:\n"),
            "x.cpp:7: f(): Assertion `n > 0' failed.");
}

TEST_F(TellingLineTest, ElseTakesTheLast) {
  EXPECT_EQ(LineOf("one\ntwo\n\n"), "two");
  EXPECT_EQ(LineOf(""), "");
  EXPECT_EQ(MostRelevantLine("/proc/nonexistent"), "");
}

TEST_F(TellingLineTest, ReadsBothEndsOfAFlood) {
  const std::string flood(1 << 20, 'x');
  EXPECT_EQ(LineOf("LLVM ERROR: first\n" + flood), "LLVM ERROR: first");
  EXPECT_EQ(LineOf(flood + "\nerror: last\n"), "error: last");
}

}  // namespace
}  // namespace mmtune
