// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/verify/schedule_verifier.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "proto/base/folders.h"

namespace mmtune {
namespace {

VerificationReport SomeReport() {
  VerificationReport report;
  report.performed = report.correct = true;
  report.shapes = {"1x2x3"};
  report.fuzzing_runs = 3;
  report.finding = "a race";
  report.detail = "two\nlines";
  return report;
}

class VerificationCacheTest : public testing::Test {
 protected:
  std::string File() { return folder_ + "/key.json"; }
  void Write(const std::string& text) { std::ofstream(File(), std::ios::binary) << text; }
  std::string Read() {
    std::ifstream file(File(), std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  }

  OwnedFolder scratch_ = OwnedFolder::Temporary("mmtune-test-").value();
  std::string folder_ = scratch_.path() + "/not/yet/there";
};

TEST_F(VerificationCacheTest, RemembersInMemoryAlone) {
  VerificationCache cache("");
  EXPECT_FALSE(cache.Find("key"));
  cache.Add("key", SomeReport());
  EXPECT_EQ(cache.Find("key"), SomeReport());
  EXPECT_FALSE(VerificationCache("").Find("key"));
}

TEST_F(VerificationCacheTest, AnotherProcessFindsIt) {
  VerificationCache(folder_).Add("key", SomeReport());
  EXPECT_EQ(VerificationCache(folder_).Find("key"), SomeReport());
  EXPECT_FALSE(VerificationCache(folder_).Find("other"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) EXPECT_EQ(entry.path(), File());
}

TEST_F(VerificationCacheTest, GarbageIsIgnoredAndReplaced) {
  VerificationCache(folder_).Add("key", SomeReport());
  const std::string good = Read();
  auto replaced = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& text :
       {std::string(), std::string("{"), good.substr(0, good.size() / 2), std::string(1000, '['), good + "x",
        replaced("\"version\":1", "\"version\":2"), replaced("\"key\":\"key\"", "\"key\":\"another\""),
        replaced("\"performed\":true", "\"performed\":false"), replaced("\"passed\"", "\"more\":1,\"passed\""),
        std::string(2 << 20, ' ')}) {
    Write(text);
    EXPECT_FALSE(VerificationCache(folder_).Find("key")) << text.substr(0, 300);
  }
  VerificationCache(folder_).Add("key", SomeReport());
  EXPECT_EQ(Read(), good);
}

TEST_F(VerificationCacheTest, AFolderThatCannotBeMadeIsNoError) {
  std::ofstream(scratch_.path() + "/file") << "x";
  VerificationCache cache(scratch_.path() + "/file/folder");
  cache.Add("key", SomeReport());
  EXPECT_EQ(cache.Find("key"), SomeReport());
}

}  // namespace
}  // namespace mmtune
