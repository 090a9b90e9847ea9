// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory there is for this process.
#pragma once

#include <cstdint>
#include <optional>

namespace mmtune {

/// What the machine can give without swapping (MemAvailable of /proc/meminfo); none where it is not known.
std::optional<int64_t> AvailableMemoryBytes();

/// Of the control group (cgroup v2) that this process is in.
struct GroupMemory {
  int64_t limit_bytes = 0;
  int64_t used_bytes = 0;  ///< With the cached files, some of which would be given back.
};

/// None where there is no limit.
std::optional<GroupMemory> MemoryOfGroup();

}  // namespace mmtune
