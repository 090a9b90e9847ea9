// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conformance suite of TuningLog. Instantiate the suite with a backend to test another implementation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/tuning_log.h"
#include "gtest/gtest.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {

struct LogBackend {
  std::string name;
  /// Opens the log of a folder, made when absent; opened again, it holds what was committed.
  std::function<std::unique_ptr<TuningLog>(const std::string& folder)> open;
  std::function<std::unique_ptr<TuningLogReader>(const std::string& folder)> open_reader;
  /// Returns why the backend cannot be tested here; empty if it can.
  std::function<std::string()> skipped = [] { return std::string(); };
};

class TuningLogConformance : public ::testing::TestWithParam<LogBackend> {
 protected:
  void SetUp() override {
    if (const std::string why = GetParam().skipped(); !why.empty()) GTEST_SKIP() << why;
    log_ = GetParam().open(folder_.path());
    ASSERT_NE(log_, nullptr);
    absl::StatusOr<int64_t> job = log_->InsertJob(TestJob("job-1"));
    ASSERT_OK(job);
    job_id_ = *job;
  }

  void Reopen() {
    log_.reset();
    log_ = GetParam().open(folder_.path());
    ASSERT_NE(log_, nullptr);
  }
  /// Stores a record of no candidate; returns its id, 0 when that failed the test.
  int64_t Import(const TuningRecord& record) {
    absl::StatusOr<InsertedRecord> inserted = log_->InsertRecord("", record);
    EXPECT_OK(inserted);
    return inserted.ok() ? inserted->id : 0;
  }

  /// The uuids of a list of records, in its order.
  static std::vector<std::string> Uuids(const absl::StatusOr<std::vector<TuningRecord>>& records) {
    EXPECT_OK(records);
    std::vector<std::string> uuids;
    if (!records.ok()) return uuids;
    for (const TuningRecord& record : *records) uuids.push_back(record.uuid);
    return uuids;
  }
  static std::vector<std::string> Uuids(const absl::StatusOr<std::vector<RankedRecord>>& ranked) {
    EXPECT_OK(ranked);
    std::vector<std::string> uuids;
    for (const RankedRecord& entry : ranked.value_or(std::vector<RankedRecord>())) uuids.push_back(entry.record.uuid);
    return uuids;
  }

  TempFolder folder_;
  std::unique_ptr<TuningLog> log_;
  int64_t job_id_ = 0;
};

}  // namespace mmtune::testing
