// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/server_addresses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

using ::testing::IsEmpty;

constexpr char kName[] = "tuner.example.org:7077";

TEST(ResolveAddressesTest, AnAddressWithoutAHostNameAndThisHostAreNotResolved) {
  for (const char* address : {"10.0.0.1:7077", "[fd00::1]:7077", "unix:/run/s", "localhost:7077", "127.0.0.1:7077"}) {
    EXPECT_THAT(ResolveAddresses(address), IsEmpty());
  }
}

TEST(ResolveAddressesTest, ANameThatDoesNotResolveHasNoAddress) {
  EXPECT_THAT(ResolveAddresses("nowhere.invalid:7077"), IsEmpty());
}

TEST(EachCoordinatorTest, EachAddressOfANameIsOneWhoseCertificateIsForTheName) {
  const auto resolve = [](const std::string& address) -> std::vector<std::string> {
    if (address == kName) return {"10.0.0.1:7077", "10.0.0.2:7077"};
    return {"10.0.0.3:7078"};
  };
  const std::vector<ServerEndpoint> each =
      EachCoordinator({kName, {"ca", "cert", "key"}, {"other.example.org:7078"}}, resolve);
  ASSERT_EQ(each.size(), 3u);
  EXPECT_EQ(each[0].address, "10.0.0.1:7077");
  EXPECT_EQ(each[0].host, "tuner.example.org");
  EXPECT_EQ(each[1].address, "10.0.0.2:7077");
  EXPECT_EQ(each[1].tls.ca, "ca");
  EXPECT_EQ(each[2].address, "other.example.org:7078");
  EXPECT_EQ(each[2].host, "");
}

class ServerAddressesTest : public ::testing::Test {
 protected:
  std::string Next(size_t index) { return addresses_.Next(index).address; }

  std::vector<std::string> found_ = {"10.0.0.1:7077", "10.0.0.2:7077"};
  ServerAddresses addresses_{{kName}, [this](const std::string&) { return found_; }};
};

TEST_F(ServerAddressesTest, AConnectionKeepsItsAddressWhileTheNameHasIt) {
  EXPECT_EQ(addresses_.size(), 2u);
  found_ = {"10.0.0.3:7077", "10.0.0.2:7077", "10.0.0.1:7077"};
  EXPECT_EQ(Next(0), "10.0.0.1:7077");
  EXPECT_EQ(Next(1), "10.0.0.2:7077");
  EXPECT_EQ(addresses_.At(1).host, "tuner.example.org");
}

TEST_F(ServerAddressesTest, ALostConnectionDialsAnAddressThatNoOtherOneHas) {
  found_ = {"10.0.0.2:7077", "10.0.0.3:7077"};  // a coordinator was replaced
  EXPECT_EQ(Next(1), "10.0.0.2:7077");
  EXPECT_EQ(Next(0), "10.0.0.3:7077");
  EXPECT_EQ(addresses_.At(0).address, "10.0.0.3:7077");
}

TEST_F(ServerAddressesTest, ALostConnectionKeepsItsAddressWhileTheNameHasNoOther) {
  found_ = {};  // it cannot be resolved now
  EXPECT_EQ(Next(0), "10.0.0.1:7077");
  found_ = {"10.0.0.2:7077"};  // that of the other connection
  EXPECT_EQ(Next(0), "10.0.0.1:7077");
}

TEST_F(ServerAddressesTest, ALostConnectionFollowsANameThatHasOneNewAddress) {
  found_ = {"10.0.0.3:7077"};
  EXPECT_EQ(Next(0), "10.0.0.3:7077");
  EXPECT_EQ(Next(1), "10.0.0.2:7077");  // the other one dials it
}

}  // namespace
}  // namespace mmtune
