// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/log_queries.h"

#include <gtest/gtest.h>

#include "tests/server/fake_tuning_log.h"

namespace mmtune {
namespace {

TEST(LogQueriesTest, OpensTheLogAtTheFirstQueryOnly) {
  FakeLogStorage storage;
  absl::Status failure = absl::UnavailableError("not yet");
  int opened = 0;
  LogQueries queries([&]() -> absl::StatusOr<std::unique_ptr<TuningLogReader>> {
    ++opened;
    if (!failure.ok()) return failure;
    return std::make_unique<FakeTuningLog>(storage);
  });
  EXPECT_EQ(opened, 0);
  EXPECT_EQ(queries.QueryRecords({}).status(), failure);
  failure = absl::OkStatus();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queries.QueryRecords({}).ok());
  EXPECT_TRUE(absl::IsNotFound(queries.GetJob("nobody").status()));
  EXPECT_EQ(opened, 2) << "once in vain";
}

}  // namespace
}  // namespace mmtune
