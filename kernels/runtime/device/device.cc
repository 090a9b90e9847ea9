// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/device/device.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr uint32_t kMaxGrid[3] = {2147483647, 65535, 65535};
constexpr uint64_t kMaxClusterBlocks = 8;  // Portably; more need an attribute of the kernel.
constexpr uint32_t kMaxBlock[3] = {1024, 1024, 64};

// The CUDA driver's rules for cuTensorMapEncodeTiled.
constexpr uint64_t kMaxExtent = uint64_t{1} << 32;
constexpr uint64_t kMaxStride = uint64_t{1} << 40;
constexpr uint32_t kMaxBox = 256;
constexpr uint32_t kMapAlignment = 16;

template <typename... Parts>
absl::Status BadMap(const Parts&... parts) {
  return InvalidArgument(absl::StrCat("EncodeTensorMap: ", parts...));
}

bool Within(const uint32_t* extents, const uint32_t* limits) {
  for (int i = 0; i < 3; ++i) {
    if (extents[i] == 0 || extents[i] > limits[i]) return false;
  }
  return true;
}

absl::Status CheckCluster(const LaunchShape& shape, const DeviceInfo& device) {
  const uint32_t* cluster = shape.cluster;
  if (cluster[0] == 1 && cluster[1] == 1 && cluster[2] == 1) return absl::OkStatus();
  if (!HasClusters(device.ComputeCapability())) {
    return InvalidArgument(
        absl::StrCat("clusters of ", IndexText(cluster), " blocks: ", device.arch, " does not support clusters"));
  }
  const uint64_t blocks = uint64_t{cluster[0]} * cluster[1] * cluster[2];
  if (blocks > kMaxClusterBlocks) {
    return InvalidArgument(absl::StrCat("clusters of ", IndexText(cluster), " blocks: ", blocks,
                                        " blocks, but a cluster may have at most ", kMaxClusterBlocks));
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

LaunchShape ShapeOf(const PlanStep& step) {
  LaunchShape shape;
  std::copy_n(step.grid, 3, shape.grid);
  std::copy_n(step.block, 3, shape.block);
  std::copy_n(step.cluster, 3, shape.cluster);
  shape.dynamic_shared_bytes = step.dynamic_shared_bytes;
  return shape;
}

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

std::string_view PlanBufferText(PlanBuffer buffer) {
  constexpr std::string_view kTexts[kPlanBufferCount] = {"A", "B", "C", "the bias", "the addend", "the workspace"};
  return kTexts[static_cast<size_t>(buffer)];
}

absl::StatusOr<LaunchArgument> MakeLaunchArgument(Device& device, const PlanArgument& argument, DevicePtr address) {
  LaunchArgument value = {.address = address};
  if (!argument.map) return value;
  TiledTensorMap map = *argument.map;
  map.address = address;
  absl::StatusOr<TensorMapBytes> encoded = device.EncodeTensorMap(map);
  if (!encoded.ok()) {
    return WithContext(encoded.status(), absl::StrCat("the tensor map of ", ToAbsl(PlanBufferText(argument.buffer))));
  }
  value.map = *encoded;
  return value;
}

absl::Status CheckTensorMap(const TiledTensorMap& map) {
  const size_t rank = map.extents.size();
  if (rank < 1 || rank > kMaxTensorRank || map.box.size() != rank || map.strides_bytes.size() + 1 != rank) {
    return BadMap(rank, " extents, ", map.box.size(), " box extents, ", map.strides_bytes.size(),
                  " strides: a map must have 1 to 5 dimensions, and one stride less");
  }
  if (map.address == 0 || map.address % kMapAlignment != 0) {
    return BadMap("address 0x", absl::Hex(map.address), " is null or not aligned to ", kMapAlignment);
  }
  for (size_t i = 0; i < rank; ++i) {
    if (map.extents[i] == 0 || map.extents[i] > kMaxExtent) {
      return BadMap("extents[", i, "] is ", map.extents[i], "; it must be 1 to 2^32");
    }
    if (map.box[i] == 0 || map.box[i] > kMaxBox) {
      return BadMap("box[", i, "] is ", map.box[i], "; it must be 1 to ", kMaxBox);
    }
  }
  for (size_t i = 0; i + 1 < rank; ++i) {
    if (map.strides_bytes[i] % kMapAlignment != 0 || map.strides_bytes[i] >= kMaxStride) {
      return BadMap("strides_bytes[", i, "] is ", map.strides_bytes[i], "; it must be a multiple of ", kMapAlignment,
                    " below 2^40");
    }
  }
  const uint32_t row = map.box[0] * static_cast<uint32_t>(TensorElementBytes(map.data_type));
  if (row % kMapAlignment != 0) {
    return BadMap("box[0] of ", map.box[0], " elements has ", row, " bytes, not a multiple of ", kMapAlignment);
  }
  const uint32_t swizzle = map.swizzle > 0 && map.swizzle <= kSwizzle128 ? 16u << map.swizzle : row;
  if (row > swizzle) {
    return BadMap("box[0] of ", map.box[0], " elements has ", row, " bytes, more than the ", swizzle,
                  " of its swizzle");
  }
  return absl::OkStatus();
}

}  // namespace mmtune
