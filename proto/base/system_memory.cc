// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/system_memory.h"

#include <fstream>
#include <string>

namespace mmtune {

std::optional<int64_t> AvailableMemoryBytes() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    int64_t kib = 0;
    if (key == "MemAvailable:" && meminfo >> kib) return 1024 * kib;
  }
  return std::nullopt;
}

// The limit is "max" where there is none.
std::optional<GroupMemory> MemoryOfGroup() {
  GroupMemory memory;
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> memory.limit_bytes)) return std::nullopt;
  if (!(std::ifstream("/sys/fs/cgroup/memory.current") >> memory.used_bytes)) return std::nullopt;
  return memory;
}

}  // namespace mmtune
