// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A log that lines are imported into and exported from.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "db/jsonl.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {

class JsonlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    log_ = OpenOrFail(folder_.File("log.db"));
    ASSERT_NE(log_, nullptr);
  }
  static std::string Export(TuningLog& log) {
    std::string text;
    EXPECT_OK(ExportJsonl(log, {}, [&](std::string_view line) {
      absl::StrAppend(&text, std::string(line), "\n");
      return absl::OkStatus();
    }));
    return text;
  }
  static absl::StatusOr<ImportResult> Import(TuningLog& log, const std::string& text) {
    std::istringstream stream(text);
    return ImportJsonl(log, ImportLines(stream));
  }
  int64_t Stored() {
    RecordFilter all;
    all.include_non_canonical = true;
    return static_cast<int64_t>(log_->Query(all, 0, 1000).value().size());
  }

  TempFolder folder_;
  std::unique_ptr<TuningLog> log_;
};

inline std::string Line(int64_t number) { return RecordToJson(TestRecord(number)) + "\n"; }

}  // namespace mmtune::testing
