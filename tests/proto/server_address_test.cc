// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/server_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

TEST(ParseServerAddress, TakesAddressesOfThisHost) {
  for (const char* text : {"127.0.0.1:7077", "localhost:1", "[::1]:65535", "unix:/tmp/x", "127.1.2.3:80"}) {
    EXPECT_EQ(ParseServerAddress(text).value_or("none"), text);
  }
}

TEST(ParseServerAddress, SaysWhatIsWrongWithTheRest) {
  for (const char* text :
       {"", "localhost", ":7077", "localhost:", "localhost:0", "localhost:65536", "localhost:7x", "unix:", "unix:/",
        "unix:relative", "127.0.0.1.evil:7077", "127.evil.example:7077", "http://localhost:1", "::1:7077"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseServerAddress(text).status())) << text;
  }
}

TEST(ParseServerAddress, RefusesAnotherHostAndNamesTheWayOut) {
  absl::Status status = ParseServerAddress("gpu-box:7077").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("ssh"));
}

}  // namespace
}  // namespace mmtune
