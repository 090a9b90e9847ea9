// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/device/device.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr uint32_t kMaxGrid[3] = {2147483647, 65535, 65535};
constexpr uint32_t kMaxBlock[3] = {1024, 1024, 64};

bool Within(const uint32_t* extents, const uint32_t* limits) {
  for (int i = 0; i < 3; ++i) {
    if (extents[i] == 0 || extents[i] > limits[i]) return false;
  }
  return true;
}

absl::Status CheckCluster(const LaunchShape& shape, const DeviceInfo& device) {
  const uint32_t* cluster = shape.cluster;
  if (cluster[0] == 1 && cluster[1] == 1 && cluster[2] == 1) return absl::OkStatus();
  if (device.ComputeCapability() < 90) {
    return InvalidArgument(
        absl::StrCat("clusters of ", IndexText(cluster), " blocks: ", device.arch, " does not support clusters"));
  }
  for (int i = 0; i < 3; ++i) {
    if (cluster[i] == 0 || shape.grid[i] % cluster[i] != 0) {
      return InvalidArgument(
          absl::StrCat("clusters of ", IndexText(cluster), " blocks do not divide a grid of ", IndexText(shape.grid)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::string IndexText(const uint32_t* index) { return absl::StrCat("(", index[0], ",", index[1], ",", index[2], ")"); }

absl::Status CheckLaunchShape(const LaunchShape& shape, const DeviceInfo& device, int64_t static_shared_bytes) {
  if (!Within(shape.grid, kMaxGrid)) {
    return InvalidArgument(
        absl::StrCat("a grid of ", IndexText(shape.grid), " blocks: each extent must be 1 to ", IndexText(kMaxGrid)));
  }
  if (!Within(shape.block, kMaxBlock)) {
    return InvalidArgument(absl::StrCat("a block of ", IndexText(shape.block), " threads: each extent must be 1 to ",
                                        IndexText(kMaxBlock)));
  }
  RETURN_IF_ERROR(CheckCluster(shape, device));
  const int64_t threads = int64_t{shape.block[0]} * shape.block[1] * shape.block[2];
  if (threads > device.max_threads_per_block) {
    return InvalidArgument(
        absl::StrCat(threads, " threads per block, but the device allows only ", device.max_threads_per_block));
  }
  const int64_t shared_bytes = static_shared_bytes + shape.dynamic_shared_bytes;
  if (shared_bytes > device.shared_bytes_per_block) {
    return InvalidArgument(absl::StrCat(shared_bytes, " bytes of shared memory (", static_shared_bytes,
                                        " static), but ", device.arch, " allows a block only ",
                                        device.shared_bytes_per_block));
  }
  return absl::OkStatus();
}

absl::Status CheckTensorMapRank(const TiledTensorMap& map) {
  const size_t rank = map.extents.size();
  if (rank >= 1 && rank <= kMaxTensorRank && map.box.size() == rank && map.strides_bytes.size() + 1 == rank) {
    return absl::OkStatus();
  }
  return InvalidArgument(absl::StrCat("EncodeTensorMap: ", rank, " extents, ", map.box.size(), " box extents, ",
                                      map.strides_bytes.size(),
                                      " strides: a map must have 1 to 5 dimensions, and one stride less"));
}

}  // namespace mmtune
