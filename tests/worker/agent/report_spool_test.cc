// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/report_spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "proto/base/folders.h"
#include "tests/worker/agent/power_cut.h"

namespace mmtune {
namespace {

v1::CandidateReport ReportOf(int i) {
  v1::CandidateReport report;
  report.set_token(absl::StrCat("token-", i));
  report.mutable_measurement()->set_message(std::string(static_cast<size_t>(i) * 10, 'm'));
  return report;
}

std::vector<std::string> Tokens(const std::vector<v1::CandidateReport>& reports) {
  std::vector<std::string> tokens;
  for (const auto& report : reports) tokens.push_back(report.token());
  return tokens;
}

class ReportSpoolTest : public testing::Test {
 protected:
  std::unique_ptr<ReportSpool> Open(const std::string& server = "127.0.0.1:1") {
    auto spool = ReportSpool::Open(folder_.path() + "/spool", server);
    EXPECT_TRUE(spool.ok()) << spool.status();
    return *std::move(spool);
  }
  std::string OnlyFile() {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() + "/spool")) return entry.path();
    return "";
  }
  OwnedFolder folder_ = OwnedFolder::Temporary("mmtune-test-").value();
};

TEST_F(ReportSpoolTest, GivesBackWhatAnEarlierProcessLeft) {
  Open()->Append({ReportOf(1), ReportOf(2)}).IgnoreError();
  auto spool = Open();
  EXPECT_THAT(Tokens(spool->TakeLeftovers()), testing::ElementsAre("token-1", "token-2"));
}

TEST_F(ReportSpoolTest, KeepsTheIdentityOverARestart) {
  std::string id = Open()->worker_id();
  EXPECT_EQ(Open()->worker_id(), id);
  EXPECT_FALSE(id.empty());
}

TEST_F(ReportSpoolTest, TwoLivingWorkersAreTwo) {
  auto first = Open();
  auto second = Open();
  EXPECT_NE(first->worker_id(), second->worker_id());
}

TEST_F(ReportSpoolTest, AnotherServerHasItsOwnReports) {
  Open("127.0.0.1:1")->Append({ReportOf(1)}).IgnoreError();
  EXPECT_TRUE(Open("127.0.0.1:2")->TakeLeftovers().empty());
  EXPECT_EQ(Open("127.0.0.1:1")->TakeLeftovers().size(), 1u);
}

TEST_F(ReportSpoolTest, AReportOfADeadWorkerGoesBeforeAFreshIdentity) {
  auto first = Open();
  auto second = Open();
  ASSERT_TRUE(second->Append({ReportOf(5)}).ok());
  std::string id = second->worker_id();
  first.reset();
  second.reset();
  EXPECT_EQ(Open()->worker_id(), id);
}

TEST_F(ReportSpoolTest, KeepForgetsTheRest) {
  auto spool = Open();
  ASSERT_TRUE(spool->Append({ReportOf(1), ReportOf(2)}).ok());
  ASSERT_TRUE(spool->Keep({ReportOf(2)}).ok());
  ASSERT_TRUE(spool->Append({ReportOf(3)}).ok());
  spool.reset();
  EXPECT_THAT(Tokens(Open()->TakeLeftovers()), testing::ElementsAre("token-2", "token-3"));
}

TEST_F(ReportSpoolTest, WhatAppendReturnedFromOutlivesAPowerCut) {
  PowerCut power;
  auto spool = Open();
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(spool->Append({ReportOf(i)}).ok());
    spool.reset();
    power.Cut(folder_.path() + "/spool");
    spool = Open();
    const std::vector<v1::CandidateReport> left = spool->TakeLeftovers();
    ASSERT_EQ(left.size(), static_cast<size_t>(i));
    EXPECT_EQ(left.back().token(), absl::StrCat("token-", i));
  }
  ASSERT_TRUE(spool->Keep({ReportOf(4), ReportOf(5)}).ok());
  spool.reset();
  power.Cut(folder_.path() + "/spool");
  EXPECT_THAT(Tokens(Open()->TakeLeftovers()), testing::ElementsAre("token-4", "token-5"));
}

// The control: the same cut takes what was written and not synced, and a file whose folder was not.
TEST_F(ReportSpoolTest, APowerCutTakesWhatWasNotSynced) {
  PowerCut power;
  ASSERT_TRUE(Open()->Append({ReportOf(1)}).ok());
  const std::string path = OnlyFile();
  std::ofstream(path, std::ios::binary | std::ios::app) << "more";
  std::ofstream(folder_.path() + "/spool/new") << "new";
  const auto size = std::filesystem::file_size(path);
  power.Cut(folder_.path() + "/spool");
  EXPECT_EQ(std::filesystem::file_size(path), size - 4);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/spool/new"));
}

TEST_F(ReportSpoolTest, ATornOrGarbledTailIsDroppedAndTheRestKept) {
  Open()->Append({ReportOf(1), ReportOf(2)}).IgnoreError();
  std::ifstream file(OnlyFile(), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string whole = text.str();
  v1::CandidateReport first = ReportOf(1);
  const size_t first_entry = 12 + first.ByteSizeLong();
  for (size_t length = 0; length < whole.size(); ++length) {
    std::ofstream(OnlyFile(), std::ios::binary) << whole.substr(0, length);
    auto spool = Open();
    ASSERT_EQ(spool->TakeLeftovers().size(), length >= first_entry ? 1u : 0u) << length;
    // And what is appended after it is found.
    ASSERT_TRUE(spool->Append({ReportOf(3)}).ok());
    spool.reset();
    ASSERT_EQ(Tokens(Open()->TakeLeftovers()).back(), "token-3") << length;
  }
  for (size_t at = first_entry; at < whole.size(); ++at) {
    std::string garbled = whole;
    garbled[at] = static_cast<char>(garbled[at] ^ 0x20);
    std::ofstream(OnlyFile(), std::ios::binary) << garbled;
    ASSERT_EQ(Open()->TakeLeftovers().size(), 1u) << at;
  }
}

TEST_F(ReportSpoolTest, AFolderThatCannotBeIsAnError) {
  auto spool = ReportSpool::Open("/proc/no/such/folder", "127.0.0.1:1");
  EXPECT_TRUE(absl::IsFailedPrecondition(spool.status())) << spool.status();
  EXPECT_THAT(std::string(spool.status().message()), testing::HasSubstr("--spool"));
}

}  // namespace
}  // namespace mmtune
