// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

constexpr int64_t kNow = 1769860805000;  // 2026-01-31 12:00:05 UTC

TEST(ParseSinceTest, ReadsAges) {
  EXPECT_EQ(*ParseSince("90s", kNow), kNow - 90'000);
  EXPECT_EQ(*ParseSince("30m", kNow), kNow - 30 * 60'000);
  EXPECT_EQ(*ParseSince("2h", kNow), kNow - 2 * 3'600'000);
  EXPECT_EQ(*ParseSince("7d", kNow), kNow - 7 * 86'400'000LL);
  EXPECT_EQ(*ParseSince("1w", kNow), kNow - 7 * 86'400'000LL);
}

TEST(ParseSinceTest, RefusesAnAgeBeforeTheEpoch) {
  for (const char* text : {"9999w", "99999999999d", "9223372036854775s"}) {
    auto since = ParseSince(text, kNow);
    EXPECT_EQ(since.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(since.status().message()), testing::HasSubstr("before 1970")) << text;
  }
  EXPECT_EQ(*ParseSince("1769860805s", kNow), 0);
}

TEST(ParseSinceTest, ReadsDatesAsUtc) {
  EXPECT_EQ(*ParseSince("2026-01-31", kNow), kNow - 12 * 3'600'000 - 5'000);
  EXPECT_EQ(*ParseSince("2026-01-31T12:00", kNow), kNow - 5'000);
  EXPECT_EQ(*ParseSince("2026-01-31T12:00:05Z", kNow), kNow);
  EXPECT_EQ(*ParseSince("2026-01-31 12:00:05", kNow), kNow);
}

TEST(ParseSinceTest, RefusesTheRest) {
  for (const char* text : {"", "h", "2", "2x", "-2h", "2 h", "1.5h", "99999999999999999999h", "2026", "2026-13-01",
                           "2026-02-30", "2026-01-31T25:00", "2026-01-31x", "yesterday", "1969-01-01"}) {
    auto since = ParseSince(text, kNow);
    EXPECT_EQ(since.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(since.status().message()), testing::HasSubstr("give an age as"));
  }
}

}  // namespace
}  // namespace mmtune
