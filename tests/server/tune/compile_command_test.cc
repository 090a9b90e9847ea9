// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/compile_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CompileArgumentsTest, TheLogIsOursAndTheRestIsPassedOn) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"m.mlir", "--log", "a.db", "--device", "simt", "-o", "m.so"},
        std::vector<std::string>{"m.mlir", "--device", "simt", "--log=a.db", "-o", "m.so"}}) {
    const CompileArguments arguments = ParseCompileArguments(words).value();
    EXPECT_EQ(arguments.log, "a.db");
    EXPECT_FALSE(arguments.spec);
    EXPECT_FALSE(arguments.help);
    EXPECT_THAT(arguments.rest, ElementsAre("m.mlir", "--device", "simt", "-o", "m.so"));
  }
}

TEST(CompileArgumentsTest, WhatIsSeenIsPassedOnToo) {
  const CompileArguments arguments = ParseCompileArguments({"m.mlir", "--spec=s.json", "--quiet", "-h"}).value();
  EXPECT_TRUE(arguments.spec);
  EXPECT_TRUE(arguments.quiet);
  EXPECT_TRUE(arguments.help);
  EXPECT_THAT(arguments.rest, ElementsAre("m.mlir", "--spec=s.json", "--quiet", "-h"));
}

TEST(CompileArgumentsTest, ALogAndASpecContradict) {
  EXPECT_THAT(std::string(ParseCompileArguments({"--log", "a", "--spec", "b"}).status().message()),
              HasSubstr("--log or --spec"));
  EXPECT_THAT(std::string(ParseCompileArguments({"m.mlir", "--log"}).status().message()), HasSubstr("needs a file"));
  EXPECT_THAT(std::string(ParseCompileArguments({"m.mlir", "--log="}).status().message()), HasSubstr("needs a file"));
}

}  // namespace
}  // namespace mmtune
