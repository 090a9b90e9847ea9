// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

std::string ErrorOf(const char* text, PortGuard guard) {
  const absl::Status status = ParseListenAddress(text, guard).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
  return std::string(status.message());
}

TEST(ListenAddressTest, ParsesAddresses) {
  EXPECT_EQ(ParseListenAddress("127.0.0.1:7077", PortGuard::kLoopback)->Text(), "127.0.0.1:7077");
  EXPECT_EQ(ParseListenAddress("localhost:80", PortGuard::kLoopback)->Text(), "127.0.0.1:80");
  EXPECT_EQ(ParseListenAddress("[::1]:0", PortGuard::kLoopback)->Text(), "[::1]:0");
  EXPECT_EQ(ParseListenAddress("unix:/run/a.sock", PortGuard::kNone)->Text(), "unix:/run/a.sock");
  EXPECT_EQ(ParseListenAddress("unix:///run/a.sock", PortGuard::kNone)->Text(), "unix:/run/a.sock");
}

TEST(ListenAddressTest, PortNeedsTlsOrLoopbackWithConsent) {
  for (const char* text : {"0.0.0.0:7077", "[::]:7077", "192.168.1.5:7077"}) {
    EXPECT_THAT(ErrorOf(text, PortGuard::kNone), HasSubstr("--tls-ca"));
    EXPECT_THAT(ErrorOf(text, PortGuard::kLoopback), HasSubstr("--tls-ca"));
    EXPECT_EQ(ParseListenAddress(text, PortGuard::kTls)->Text(), text);
  }
  EXPECT_THAT(ErrorOf("127.0.0.1:7077", PortGuard::kNone), HasSubstr("--insecure-loopback"));
  EXPECT_TRUE(ParseListenAddress("127.0.0.1:7077", PortGuard::kTls).ok());
}

TEST(ListenAddressTest, LocalTextOfAWildcardIsLoopback) {
  EXPECT_EQ(ParseListenAddress("0.0.0.0:7077", PortGuard::kTls)->LocalText(), "127.0.0.1:7077");
  EXPECT_EQ(ParseListenAddress("[::]:7077", PortGuard::kTls)->LocalText(), "[::1]:7077");
  EXPECT_EQ(ParseListenAddress("192.168.1.5:7077", PortGuard::kTls)->LocalText(), "192.168.1.5:7077");
}

TEST(ListenAddressTest, RefusesMalformedText) {
  for (const char* text : {"", "127.0.0.1", ":7077", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70777", "127.0.0.1:-1",
                           "::1:7077", "unix:", "example.org:7077", "*:7077"}) {
    ErrorOf(text, PortGuard::kTls);
  }
  ErrorOf(("unix:/" + std::string(200, 'x')).c_str(), PortGuard::kNone);
}

TEST(ListenAddressTest, OnlyOneServerGetsAStaleSocket) {
  const TempFolder folder;
  const std::string path = folder.File("s");
  {
    const int stale = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un name = {AF_UNIX, {}};
    path.copy(name.sun_path, sizeof(name.sun_path) - 1);
    ASSERT_EQ(bind(stale, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
    close(stale);
  }
  ListenAddress address = *ParseListenAddress("unix:" + path, PortGuard::kNone);
  {
    const absl::StatusOr<SocketLock> first = PrepareListenAddress(&address);
    ASSERT_TRUE(first.ok()) << first.status();
    EXPECT_FALSE(std::filesystem::exists(path));
    const absl::Status second = PrepareListenAddress(&address).status();
    EXPECT_TRUE(absl::IsUnavailable(second)) << second;
    EXPECT_THAT(std::string(second.message()), HasSubstr("another process"));
  }
  EXPECT_TRUE(PrepareListenAddress(&address).ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "the lock goes with its owner";
}

TEST(ListenAddressTest, ChoosesAFreePort) {
  absl::StatusOr<ListenAddress> address = ParseListenAddress("127.0.0.1:0", PortGuard::kLoopback);
  ASSERT_TRUE(PrepareListenAddress(&*address).ok());
  EXPECT_GT(address->port, 0);
}

}  // namespace
}  // namespace mmtune
