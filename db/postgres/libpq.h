// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of libpq, PostgreSQL's client library. It is loaded when the first connection is made, as it and the 15
// libraries that it needs would make every start of a program slower (db/README.md has the times).
#pragma once

#include <libpq-fe.h>

#include "absl/status/statusor.h"

namespace mmtune {

// clang-format off
#define MMTUNE_LIBPQ_FUNCTIONS(X) \
  X(PQconnectdbParams) X(PQfinish) X(PQstatus) X(PQerrorMessage) X(PQserverVersion) X(PQtransactionStatus) \
  X(PQexec) X(PQexecParams) X(PQprepare) X(PQexecPrepared) X(PQresultStatus) X(PQresultErrorField) \
  X(PQcmdTuples) X(PQcmdStatus) X(PQntuples) X(PQnfields) X(PQftype) X(PQgetvalue) X(PQgetlength) \
  X(PQgetisnull) X(PQclear) X(PQconninfoParse) X(PQconninfoFree) X(PQfreemem) X(PQsetNoticeProcessor)
// clang-format on

/// Pointers to the functions, each with the name of its function.
struct Libpq {
#define MMTUNE_LIBPQ_POINTER(name) decltype(&::name) name = nullptr;
  MMTUNE_LIBPQ_FUNCTIONS(MMTUNE_LIBPQ_POINTER)
#undef MMTUNE_LIBPQ_POINTER
};

/// Returns the functions, which stay loaded. Returns FailedPrecondition, naming the package to install, if the library
/// cannot be loaded. Thread-safe.
absl::StatusOr<const Libpq*> LoadLibpq();

}  // namespace mmtune
