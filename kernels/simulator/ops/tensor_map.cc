// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/tensor_map.h"

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

constexpr uint64_t kMaxExtent = uint64_t{1} << 32;
constexpr uint64_t kMaxStride = uint64_t{1} << 40;
constexpr uint32_t kMaxBox = 256;
constexpr uint32_t kAlignment = 16;

template <typename... Parts>
absl::Status Invalid(const Parts&... parts) {
  return InvalidArgument(absl::StrCat("EncodeTensorMap: ", parts...));
}

template <typename... Parts>
absl::Status Unmodelled(const Parts&... parts) {
  return absl::UnimplementedError(absl::StrCat("EncodeTensorMap: ", parts...));
}

bool IsFloat(TensorElement element) {
  return element == TensorElement::kF16 || element == TensorElement::kF32 || element == TensorElement::kF64 ||
         element == TensorElement::kBf16;
}

absl::Status CheckEnumerations(const TiledTensorMap& map) {
  if (map.data_type < 0) return Invalid("data_type is ", map.data_type);
  if (map.data_type >= kTensorElements) {
    return Unmodelled("data_type ", map.data_type, ": copies that round, and packed types, are not modelled");
  }
  if (map.interleave != 0) return Unmodelled("interleave ", map.interleave, " is not modelled");
  if (map.swizzle < 0) return Invalid("swizzle is ", map.swizzle);
  if (map.swizzle > 3) return Unmodelled("swizzle ", map.swizzle, " is not modelled");
  if (map.l2_promotion < 0 || map.l2_promotion > 3) return Invalid("l2_promotion is ", map.l2_promotion);
  if (map.out_of_bounds_fill < 0 || map.out_of_bounds_fill > 1) {
    return Invalid("out_of_bounds_fill is ", map.out_of_bounds_fill);
  }
  if (map.out_of_bounds_fill == 1 && !IsFloat(static_cast<TensorElement>(map.data_type))) {
    return Invalid("out_of_bounds_fill is NaN, but data_type ", map.data_type, " is an integer");
  }
  return absl::OkStatus();
}

absl::Status CheckGeometry(const TiledTensorMap& map) {
  if (map.address == 0 || map.address % kAlignment != 0) {
    return Invalid("address 0x", absl::Hex(map.address), " is null or not aligned to ", kAlignment);
  }
  for (size_t i = 0; i < map.extents.size(); ++i) {
    if (map.extents[i] == 0 || map.extents[i] > kMaxExtent) {
      return Invalid("extents[", i, "] is ", map.extents[i], "; it is 1 to 2^32");
    }
    if (map.box[i] == 0 || map.box[i] > kMaxBox) {
      return Invalid("box[", i, "] is ", map.box[i], "; it is 1 to ", kMaxBox);
    }
  }
  for (size_t i = 0; i < map.strides_bytes.size(); ++i) {
    if (map.strides_bytes[i] % kAlignment != 0 || map.strides_bytes[i] >= kMaxStride) {
      return Invalid("strides_bytes[", i, "] is ", map.strides_bytes[i], "; it is a multiple of ", kAlignment,
                     " below 2^40");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckInnerRow(const TensorMap& encoded) {
  if (encoded.row_bytes() % kAlignment != 0) {
    return Invalid("box[0] of ", encoded.box[0], " elements has ", encoded.row_bytes(), " bytes, no multiple of ",
                   kAlignment);
  }
  if (encoded.swizzle != 0 && encoded.row_bytes() > encoded.swizzle) {
    return Invalid("box[0] of ", encoded.box[0], " elements has ", encoded.row_bytes(), " bytes; swizzle of ",
                   int{encoded.swizzle}, " bytes has room for that many");
  }
  return absl::OkStatus();
}

}  // namespace

uint32_t TensorMap::box_bytes() const {
  uint32_t bytes = element_bytes();
  for (uint32_t i = 0; i < rank; ++i) bytes *= box[i];
  return bytes;
}

absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map) {
  RETURN_IF_ERROR(CheckTensorMapRank(map));
  RETURN_IF_ERROR(CheckEnumerations(map));
  RETURN_IF_ERROR(CheckGeometry(map));
  static constexpr uint8_t kSwizzles[] = {0, 32, 64, 128};
  TensorMap encoded = {};
  encoded.magic = TensorMap::kMagic;
  encoded.address = map.address;
  encoded.element = static_cast<TensorElement>(map.data_type);
  encoded.rank = static_cast<uint8_t>(map.extents.size());
  encoded.swizzle = kSwizzles[map.swizzle];
  encoded.fill_is_nan = static_cast<uint8_t>(map.out_of_bounds_fill);
  for (uint32_t i = 0; i < encoded.rank; ++i) {
    encoded.extents[i] = map.extents[i];
    encoded.box[i] = static_cast<uint16_t>(map.box[i]);
    encoded.strides[i] = i == 0 ? encoded.element_bytes() : map.strides_bytes[i - 1];
  }
  RETURN_IF_ERROR(CheckInnerRow(encoded));
  TensorMapBytes bytes;
  std::memcpy(bytes.data(), &encoded, sizeof(encoded));
  return bytes;
}

std::optional<TensorMap> ReadTensorMap(const void* bytes) {
  TensorMap map;
  std::memcpy(&map, bytes, sizeof(map));
  if (map.magic != TensorMap::kMagic) return std::nullopt;
  return map;
}

}  // namespace mmtune::simt
