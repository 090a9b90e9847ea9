// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/db/statement_steps.h"

#include <sqlite3.h>

#include <atomic>

namespace mmtune::testing {
namespace {

std::atomic<int64_t> g_steps = 0;

int OnEnd(unsigned, void*, void* statement, void*) {
  g_steps += sqlite3_stmt_status(static_cast<sqlite3_stmt*>(statement), SQLITE_STMTSTATUS_VM_STEP, /*reset=*/1);
  return 0;
}

extern "C" int OnConnection(sqlite3* connection, const char**, const void*) {
  return sqlite3_trace_v2(connection, SQLITE_TRACE_PROFILE, OnEnd, nullptr);
}

using EntryPoint = void (*)();

}  // namespace

StatementSteps::StatementSteps() {
  sqlite3_auto_extension(reinterpret_cast<EntryPoint>(OnConnection));
  g_steps = 0;
}

StatementSteps::~StatementSteps() { sqlite3_cancel_auto_extension(reinterpret_cast<EntryPoint>(OnConnection)); }

int64_t StatementSteps::Take() { return g_steps.exchange(0); }

}  // namespace mmtune::testing
