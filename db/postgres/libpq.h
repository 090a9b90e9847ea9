// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of libpq, PostgreSQL's client library. It is loaded when the first connection is made, because loading
// it, with the 15 libraries that it needs, would slow down every start of a program (db/README.md has the times).
#pragma once

#include <libpq-fe.h>

#include "absl/status/statusor.h"

namespace mmtune {

// clang-format off
#define MMTUNE_LIBPQ_FUNCTIONS(X) \
  X(PQconnectdbParams) X(PQfinish) X(PQstatus) X(PQerrorMessage) X(PQserverVersion) X(PQtransactionStatus) \
  X(PQexec) X(PQexecParams) X(PQprepare) X(PQexecPrepared) X(PQresultStatus) X(PQresultErrorField) \
  X(PQcmdTuples) X(PQcmdStatus) X(PQntuples) X(PQnfields) X(PQftype) X(PQgetvalue) X(PQgetlength) \
  X(PQgetisnull) X(PQclear) X(PQconninfoParse) X(PQconninfoFree) X(PQfreemem) X(PQsetNoticeProcessor) \
  X(PQenterPipelineMode) X(PQexitPipelineMode) X(PQpipelineSync) X(PQsendQueryPrepared) X(PQgetResult)
// clang-format on

/// Pointers to the functions, each with the name of its function.
struct Libpq {
#define MMTUNE_LIBPQ_POINTER(name) decltype(&::name) name = nullptr;
  MMTUNE_LIBPQ_FUNCTIONS(MMTUNE_LIBPQ_POINTER)
#undef MMTUNE_LIBPQ_POINTER
};

/// Loads the library, which then stays loaded, and returns its functions. Returns FailedPrecondition, with the package
/// to install, if it cannot be loaded. Thread-safe.
absl::StatusOr<const Libpq*> LoadLibpq();

}  // namespace mmtune
