// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that a kernel gives its mbarriers, named barriers and warps, for reports of deadlocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mmtune::simt {

/// The names of one kernel. Thread-safe: it does not change after construction.
class KernelNames {
 public:
  /// Creates an object without names.
  KernelNames() = default;
  /// Reads a text of the form of kNamesSuffix (abi.h). PTX that anybody wrote may have such a text, so lines that are
  /// too long, or have another form or control characters, are ignored.
  explicit KernelNames(std::string_view text);

  /// Returns the name of the mbarrier at this offset in dynamic shared memory ("full[2]"); empty if it has none.
  std::string Mbarrier(int64_t offset) const { return Find("mbarriers", kMbarrierBytes, offset); }
  /// Returns the name of a named barrier of the block ("order[0]"); empty if it has none.
  std::string Barrier(uint32_t id) const { return Find("barriers", 1, id); }
  /// Returns what a warp of a block is for ("producer"); empty if it has no name.
  std::string Warp(uint32_t warp) const { return Find("warps", 1, warp); }

 private:
  static constexpr int64_t kMbarrierBytes = 8;

  struct Range {
    std::string kind;
    int64_t first = 0, count = 0;
    std::string name;
  };
  /// Returns the name of the thing of this kind at `position`. Neighbours in a range are `distance` apart.
  std::string Find(std::string_view kind, int64_t distance, int64_t position) const;

  std::vector<Range> ranges_;
};

}  // namespace mmtune::simt
