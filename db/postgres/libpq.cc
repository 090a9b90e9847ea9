// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/postgres/libpq.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kLibrary[] = "libpq.so.5";

absl::StatusOr<Libpq> Load() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return FailedPrecondition(
        absl::StrCat("a tuning log in PostgreSQL needs ", kLibrary, " (", dlerror(), "); apt-get install libpq5"));
  }
  Libpq libpq;
  const char* missing = nullptr;
  const auto load = [&](const char* name, auto* function) {
    *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(dlsym(library, name));
    if (*function == nullptr) missing = name;
  };
#define MMTUNE_LIBPQ_LOAD(name) load(#name, &libpq.name);
  MMTUNE_LIBPQ_FUNCTIONS(MMTUNE_LIBPQ_LOAD)
#undef MMTUNE_LIBPQ_LOAD
  if (missing != nullptr) {
    return FailedPrecondition(absl::StrCat(kLibrary, " has no ", missing, "; install libpq5 of PostgreSQL 15"));
  }
  return libpq;
}

}  // namespace

absl::StatusOr<const Libpq*> LoadLibpq() {
  static const auto* const libpq = new absl::StatusOr<Libpq>(Load());
  if (!libpq->ok()) return libpq->status();
  return &**libpq;
}

}  // namespace mmtune
