// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the work of SQL statements, to test that it does not grow with a log.
#pragma once

#include <cstdint>

namespace mmtune::testing {

/// While it lives, counts the steps of SQLite's virtual machine that statements take, those of all connections that are
/// opened meanwhile: a row that is visited takes several. One at a time.
class StatementSteps {
 public:
  StatementSteps();
  ~StatementSteps();
  StatementSteps(const StatementSteps&) = delete;
  StatementSteps& operator=(const StatementSteps&) = delete;

  /// Of the statements that have ended since it was asked last.
  static int64_t Take();
};

}  // namespace mmtune::testing
