// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/tensor_map_cache.h"

#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Returns a slot by what differs between the maps of a model: addresses, sizes and boxes.
size_t SlotOf(const TiledTensorMap& map) {
  constexpr uint64_t kPrime = 0x9e3779b97f4a7c15;
  uint64_t hash = map.address;
  const auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * kPrime; };
  for (uint64_t extent : map.extents) mix(extent);
  for (uint32_t extent : map.box) mix(extent);
  mix(static_cast<uint64_t>(map.data_type));
  return static_cast<size_t>(hash >> 32) % TensorMapCache::kSlots;
}

}  // namespace

absl::StatusOr<TensorMapBytes> TensorMapCache::Encode(Device& device, const TiledTensorMap& map) {
  if (slots_.empty()) slots_.resize(kSlots);
  auto& [known, bytes] = slots_[SlotOf(map)];
  if (known == map) return bytes;  // The map of an empty slot has no dimensions, which no device encodes.
  ASSIGN_OR_RETURN(const TensorMapBytes encoded, device.EncodeTensorMap(map));
  known = map;
  bytes = encoded;
  return encoded;
}

}  // namespace mmtune
