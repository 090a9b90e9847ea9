// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A private folder for a socket and a worker's messages.
#pragma once

#include "absl/status/statusor.h"
#include "proto/base/folders.h"

namespace mmtune {

/// Below $XDG_RUNTIME_DIR, $TMPDIR or /tmp, short enough for a socket's path. Also removes those
/// folders of this user whose owners were killed.
absl::StatusOr<OwnedFolder> CreateRunFolder();

}  // namespace mmtune
