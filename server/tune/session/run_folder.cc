// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/run_folder.h"

#include <stdlib.h>
#include <string.h>

#include <vector>

namespace mmtune {
namespace {

// A socket's path holds 107 characters; ours are "<folder>/mmtune-XXXXXX/tuning.sock".
constexpr size_t kLongestParent = 70;
constexpr char kPrefix[] = "mmtune-";

std::vector<std::string> Parents() {
  std::vector<std::string> parents;
  for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
    const char* value = getenv(name);
    if (value != nullptr && value[0] == '/' && strlen(value) <= kLongestParent) parents.emplace_back(value);
  }
  parents.emplace_back("/tmp");
  return parents;
}

}  // namespace

absl::StatusOr<OwnedFolder> CreateRunFolder() {
  absl::Status why;
  for (const std::string& parent : Parents()) {
    OwnedFolder::RemoveAbandoned(parent, kPrefix);
    auto folder = OwnedFolder::Create(parent, kPrefix);
    if (folder.ok()) return folder;
    why = folder.status();
  }
  return why;
}

}  // namespace mmtune
