// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/server_address.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

TEST(ParseServerAddress, AcceptsAddresses) {
  for (const char* text : {"127.0.0.1:7077", "localhost:1", "[::1]:65535", "unix:/tmp/x", "127.1.2.3:80",
                           "gpu-box:7077", "127.0.0.1.evil:7077"}) {
    EXPECT_EQ(ParseServerAddress(text).value_or("none"), text);
  }
}

TEST(ParseServerAddress, RefusesOtherTextsWithAReason) {
  for (const char* text : {"", "localhost", ":7077", "localhost:", "localhost:0", "localhost:65536", "localhost:7x",
                           "unix:", "unix:/", "unix:relative", "http://localhost:1", "::1:7077"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseServerAddress(text).status())) << text;
  }
}

TEST(IsLoopbackHost, RefusesNamesThatLookLikeLoopback) {
  for (const char* host : {"localhost", "127.0.0.1", "127.1.2.3", "::1"}) EXPECT_TRUE(IsLoopbackHost(host)) << host;
  for (const char* host : {"127.0.0.1.evil", "127.evil.example", "0.0.0.0", "::", "localhost.evil", ""}) {
    EXPECT_FALSE(IsLoopbackHost(host)) << host;
  }
}

}  // namespace
}  // namespace mmtune
