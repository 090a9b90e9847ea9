// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A log of today's version with one record in it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/db/log_testing.h"

namespace mmtune::testing {

class MigrationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::unique_ptr<TuningLog> log = OpenOrFail(path_);
    ASSERT_NE(log, nullptr);
    ASSERT_OK(log->InsertRecord("", TestRecord(1)));
  }

  TempFolder folder_;
  std::string path_ = folder_.File("log.db");
};

}  // namespace mmtune::testing
