// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/security/revocation_list.h"

#include <utility>

#include "proto/base/status.h"
#include "proto/tls/certificate.h"

namespace mmtune {

RevocationList::RevocationList(const std::string& path, const Clock& clock) {
  if (path.empty()) return;
  file_.emplace(path, clock, "revocation_list_lost",
                [this](const std::string& text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
                  ASSIGN_OR_RETURN(serials_, ParseRevoked(text));
                  return absl::OkStatus();
                });
}

absl::StatusOr<std::unique_ptr<RevocationList>> RevocationList::Open(const std::string& path, const Clock& clock) {
  std::unique_ptr<RevocationList> list(new RevocationList(path, clock));
  MutexLock lock(&list->mutex_);
  if (list->file_) RETURN_IF_ERROR(WithContext(list->file_->Read(), "--tls-revoked"));
  return list;
}

bool RevocationList::Contains(std::string_view serial) {
  MutexLock lock(&mutex_);
  if (file_) file_->Look();
  return serials_.contains(PlainSerial(serial));
}

}  // namespace mmtune
