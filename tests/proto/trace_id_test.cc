// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/trace_id.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

constexpr char kId[] = "0af7651916cd43dd8448eb211c80319c";

TEST(TraceId, IsThirtyTwoHexadecimalDigits) {
  EXPECT_TRUE(IsTraceId(kId));
  for (const char* bad : {"", "0af7", "0AF7651916CD43DD8448EB211C80319C", "0af7651916cd43dd8448eb211c80319g",
                          "00000000000000000000000000000000", "0af7651916cd43dd8448eb211c80319c0"}) {
    EXPECT_FALSE(IsTraceId(bad)) << bad;
  }
}

TEST(TraceId, StandsInATraceparent) {
  EXPECT_EQ(TraceIdOfParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"), kId);
  EXPECT_EQ(TraceIdOfParent("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more"), kId);
  for (const char* bad : {"", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", kId,
                          "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                          "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01more",
                          "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                          "0x-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                          "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                          "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                          "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                          "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                          "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x"}) {
    EXPECT_EQ(TraceIdOfParent(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace mmtune
