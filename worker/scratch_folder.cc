#include "worker/scratch_folder.h"

#include <stdlib.h>

#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kPrefix[] = "mmtune-worker-";

std::string Parent() {
  const char* parent = getenv("TMPDIR");
  return parent != nullptr && *parent != '\0' ? parent : "/tmp";
}

}  // namespace

absl::StatusOr<ScratchFolder> ScratchFolder::Create() {
  ASSIGN_OR_RETURN(OwnedFolder folder, OwnedFolder::Create(Parent(), kPrefix));
  return ScratchFolder(std::move(folder));
}

void ScratchFolder::RemoveStale() { OwnedFolder::RemoveAbandoned(Parent(), kPrefix); }

}  // namespace mmtune
