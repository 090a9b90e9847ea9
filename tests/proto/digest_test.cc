// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "proto/base/digest.h"

namespace mmtune {
namespace {

// FIPS 180-4 and NIST's example values.
TEST(Sha256Hex, GivesTheKnownDigests) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Hex(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Hex, DependsOnEveryByte) { EXPECT_NE(Sha256Hex(std::string("a\0b", 3)), Sha256Hex(std::string("a\0c", 3))); }

TEST(RandomToken, Is32HexDigitsAndUnique) {
  std::set<std::string> tokens;
  for (int i = 0; i < 1000; ++i) {
    std::string token = RandomToken();
    EXPECT_THAT(token, ::testing::MatchesRegex("[0-9a-f]+"));
    EXPECT_EQ(token.size(), 32u);
    EXPECT_TRUE(tokens.insert(token).second);
  }
}

}  // namespace

namespace {

constexpr char kId[] = "0af7651916cd43dd8448eb211c80319c";

TEST(TraceId, IsThirtyTwoHexadecimalDigits) {
  EXPECT_TRUE(IsTraceId(kId));
  for (const char* bad : {"", "0af7", "0AF7651916CD43DD8448EB211C80319C", "0af7651916cd43dd8448eb211c80319g",
                          "00000000000000000000000000000000", "0af7651916cd43dd8448eb211c80319c0"}) {
    EXPECT_FALSE(IsTraceId(bad)) << bad;
  }
}

TEST(TraceId, IsReadFromATraceparent) {
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
