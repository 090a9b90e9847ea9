// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs every target over its corpus, without libFuzzer: what was found once is not found again.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "proto/base/whole_file.h"
#include "tests/fuzz/fuzz_targets.h"

namespace mmtune {
namespace {

class CorpusTest : public testing::TestWithParam<FuzzTarget> {};

TEST_P(CorpusTest, KeepsItsPromises) {
  int inputs = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(MMTUNE_CORPUS) + "/" + std::string(GetParam().name))) {
    SCOPED_TRACE(file.path());
    const absl::StatusOr<std::string> input = ReadWholeFile(file.path());
    ASSERT_TRUE(input.ok()) << input.status();
    GetParam().run(*input);
    // Files are often cut short, too.
    GetParam().run(std::string_view(*input).substr(0, input->size() / 2));
    ++inputs;
  }
  EXPECT_GT(inputs, 0);
}

INSTANTIATE_TEST_SUITE_P(All, CorpusTest, testing::ValuesIn(FuzzTargets()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace mmtune
