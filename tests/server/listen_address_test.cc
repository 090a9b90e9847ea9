// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

TEST(ListenAddressTest, AcceptsThisMachineOnly) {
  EXPECT_EQ(ParseListenAddress("127.0.0.1:7077")->Text(), "127.0.0.1:7077");
  EXPECT_EQ(ParseListenAddress("localhost:80")->Text(), "127.0.0.1:80");
  EXPECT_EQ(ParseListenAddress("[::1]:0")->Text(), "[::1]:0");
  EXPECT_EQ(ParseListenAddress("unix:/run/a.sock")->Text(), "unix:/run/a.sock");
  EXPECT_EQ(ParseListenAddress("unix:///run/a.sock")->Text(), "unix:/run/a.sock");
  for (const char* text : {"0.0.0.0:7077", "[::]:7077", "192.168.1.5:7077", "example.org:7077", "*:7077"}) {
    absl::Status status = ParseListenAddress(text).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("TLS")) << text;
  }
}

TEST(ListenAddressTest, RefusesMalformedText) {
  for (const char* text : {"", "127.0.0.1", ":7077", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70777", "127.0.0.1:-1",
                           "::1:7077", "unix:"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseListenAddress(text).status())) << text;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(ParseListenAddress("unix:/" + std::string(200, 'x')).status()));
}

TEST(ListenAddressTest, ChoosesAFreePort) {
  absl::StatusOr<ListenAddress> address = ParseListenAddress("127.0.0.1:0");
  ASSERT_TRUE(PrepareListenAddress(&*address).ok());
  EXPECT_GT(address->port, 0);
}

}  // namespace
}  // namespace mmtune
