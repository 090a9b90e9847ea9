// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache of encoded tensor maps, the 128 bytes that describe a matrix to bulk tensor copies (TMA). The driver takes
// about as long to encode a map as to launch a kernel, and a model that runs again passes the same matrices to the same
// kernels.
//
//   absl::StatusOr<TensorMapBytes> bytes = cache.Encode(*device, map);
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "kernels/tensor_map.h"

namespace mmtune {

/// A cache with a fixed number of slots. A hash of the map selects its slot, and a new map replaces the one that was
/// there. Not thread-safe.
class TensorMapCache {
 public:
  /// Returns the encoded map, or the error of Device::EncodeTensorMap(); errors are not cached. `device` must be the
  /// same in all calls until Clear() is called.
  absl::StatusOr<TensorMapBytes> Encode(Device& device, const TiledTensorMap& map);
  /// Removes all maps. Then Encode() may be called with another device.
  void Clear() { slots_.clear(); }

  /// The number of slots.
  static constexpr size_t kSlots = 1024;

 private:
  std::vector<std::pair<TiledTensorMap, TensorMapBytes>> slots_;  ///< Empty until the first map.
};

}  // namespace mmtune
