// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps encoded tensor maps. Encoding one takes the driver about as long as a launch, and a model that runs again
// passes the same matrices to the same kernels.
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

/// A cache of bounded size: a map replaces the one that was in its slot. Not thread-safe.
class TensorMapCache {
 public:
  /// Returns the encoded map. Has the errors of Device::EncodeTensorMap(), which are not kept. All calls between two of
  /// Clear() must name the same device.
  absl::StatusOr<TensorMapBytes> Encode(Device& device, const TiledTensorMap& map);
  /// Forgets all maps, for another device.
  void Clear() { slots_.clear(); }

  /// The number of slots.
  static constexpr size_t kSlots = 1024;

 private:
  std::vector<std::pair<TiledTensorMap, TensorMapBytes>> slots_;  ///< Empty until the first map.
};

}  // namespace mmtune
