// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/tensor_map.h"

#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

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
         element == TensorElement::kBf16 || element == TensorElement::kTf32;
}

bool IsModelled(int data_type) {
  return data_type <= static_cast<int>(TensorElement::kBf16) || data_type == static_cast<int>(TensorElement::kTf32);
}

absl::Status CheckEnumerations(const TiledTensorMap& map) {
  if (map.data_type < 0) return Invalid("data_type is ", map.data_type, "; it must be a CUtensorMapDataType");
  if (!IsModelled(map.data_type)) {
    return Unmodelled("data_type ", map.data_type,
                      ": the simulator supports neither copies that flush to zero nor packed types");
  }
  if (map.interleave != 0)
    return Unmodelled("interleave ", map.interleave, " is not supported by the simulator; it must be 0");
  if (map.swizzle < 0) return Invalid("swizzle is ", map.swizzle, "; it must be a CUtensorMapSwizzle");
  if (map.swizzle > 3)
    return Unmodelled("swizzle ", map.swizzle, " is not supported by the simulator; it must be 0 to 3");
  if (map.l2_promotion < 0 || map.l2_promotion > 3)
    return Invalid("l2_promotion is ", map.l2_promotion, "; it must be 0 to 3");
  if (map.out_of_bounds_fill < 0 || map.out_of_bounds_fill > 1) {
    return Invalid("out_of_bounds_fill is ", map.out_of_bounds_fill, "; it must be 0 (zeros) or 1 (NaN)");
  }
  if (map.out_of_bounds_fill == 1 && !IsFloat(static_cast<TensorElement>(map.data_type))) {
    return Invalid("out_of_bounds_fill is NaN, but data_type ", map.data_type, " is an integer");
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
  RETURN_IF_ERROR(CheckEnumerations(map));
  RETURN_IF_ERROR(CheckTensorMap(map));
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
