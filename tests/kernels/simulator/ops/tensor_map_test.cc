// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/tensor_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune::simt {
namespace {

using ::testing::HasSubstr;

/// 64 x 32 elements of f16, boxes of 32 x 8.
TiledTensorMap Valid() {
  TiledTensorMap map;
  map.address = 0x10000;
  map.data_type = static_cast<int>(TensorElement::kF16);
  map.extents = {64, 32};
  map.strides_bytes = {128};
  map.box = {32, 8};
  map.swizzle = 2;
  return map;
}

TEST(TensorMap, RoundTripsAllFields) {
  TiledTensorMap map = Valid();
  map.out_of_bounds_fill = 1;
  const absl::StatusOr<TensorMapBytes> bytes = EncodeTensorMap(map);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const std::optional<TensorMap> read = ReadTensorMap(bytes->data());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->address, 0x10000u);
  EXPECT_EQ(read->rank, 2);
  EXPECT_EQ(read->extents[1], 32u);
  EXPECT_EQ(read->strides[0], 2u);
  EXPECT_EQ(read->strides[1], 128u);
  EXPECT_EQ(read->box_bytes(), 512u);
  EXPECT_EQ(read->swizzle, 64);
  EXPECT_EQ(read->fill_is_nan, 1);
}

TEST(TensorMap, RejectsBytesWithoutMagic) {
  TensorMapBytes bytes = {};
  EXPECT_FALSE(ReadTensorMap(bytes.data()).has_value());
  bytes = EncodeTensorMap(Valid()).value();
  bytes[0] ^= 1;
  EXPECT_FALSE(ReadTensorMap(bytes.data()).has_value());
}

struct BadMap {
  const char* name;
  void (*spoil)(TiledTensorMap&);
  absl::StatusCode code;
  const char* message;
};

class TensorMapErrors : public testing::TestWithParam<BadMap> {};

TEST_P(TensorMapErrors, NameTheField) {
  TiledTensorMap map = Valid();
  GetParam().spoil(map);
  const absl::Status status = EncodeTensorMap(map).status();
  EXPECT_EQ(status.code(), GetParam().code);
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().message));
}

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
constexpr absl::StatusCode kUnmodelled = absl::StatusCode::kUnimplemented;

INSTANTIATE_TEST_SUITE_P(
    All, TensorMapErrors,
    testing::Values(
        BadMap{"NoDimensions", [](TiledTensorMap& m) { m.extents.clear(); }, kInvalid, "0 extents"},
        BadMap{"SixDimensions", [](TiledTensorMap& m) { m.extents.resize(6, 1); }, kInvalid, "6 extents"},
        BadMap{"NoBox", [](TiledTensorMap& m) { m.box.clear(); }, kInvalid, "0 box extents"},
        BadMap{"TooManyStrides", [](TiledTensorMap& m) { m.strides_bytes.push_back(16); }, kInvalid, "2 strides"},
        BadMap{"NullAddress", [](TiledTensorMap& m) { m.address = 0; }, kInvalid, "address 0x0"},
        BadMap{"Address", [](TiledTensorMap& m) { m.address += 8; }, kInvalid, "address 0x10008"},
        BadMap{"EmptyExtent", [](TiledTensorMap& m) { m.extents[1] = 0; }, kInvalid, "extents[1] is 0"},
        BadMap{"LargeExtent", [](TiledTensorMap& m) { m.extents[0] = (uint64_t{1} << 32) + 1; }, kInvalid,
               "extents[0]"},
        BadMap{"EmptyBox", [](TiledTensorMap& m) { m.box[1] = 0; }, kInvalid, "box[1] is 0"},
        BadMap{"LargeBox", [](TiledTensorMap& m) { m.box[1] = 257; }, kInvalid, "box[1] is 257"},
        BadMap{"InnerBox", [](TiledTensorMap& m) { m.box[0] = 12; }, kInvalid, "box[0] of 12 elements has 24 bytes"},
        BadMap{"Swizzled", [](TiledTensorMap& m) { m.box[0] = 64; }, kInvalid, "more than the 64 of its swizzle"},
        BadMap{"Stride", [](TiledTensorMap& m) { m.strides_bytes[0] = 136; }, kInvalid, "strides_bytes[0] is 136"},
        BadMap{"LargeStride", [](TiledTensorMap& m) { m.strides_bytes[0] = uint64_t{1} << 40; }, kInvalid, "2^40"},
        BadMap{"NegativeType", [](TiledTensorMap& m) { m.data_type = -1; }, kInvalid, "data_type is -1"},
        BadMap{"FlushingType", [](TiledTensorMap& m) { m.data_type = 12; }, kUnmodelled, "data_type 12"},
        BadMap{"Interleave", [](TiledTensorMap& m) { m.interleave = 1; }, kUnmodelled, "interleave 1"},
        BadMap{"LargeAtoms", [](TiledTensorMap& m) { m.swizzle = 4; }, kUnmodelled, "swizzle 4"},
        BadMap{"Promotion", [](TiledTensorMap& m) { m.l2_promotion = 4; }, kInvalid, "l2_promotion is 4"},
        BadMap{"Fill", [](TiledTensorMap& m) { m.out_of_bounds_fill = 2; }, kInvalid, "out_of_bounds_fill is 2"},
        BadMap{"NanFill", [](TiledTensorMap& m) { m.data_type = 1, m.out_of_bounds_fill = 1; }, kInvalid, "integer"}),
    [](const testing::TestParamInfo<BadMap>& info) { return info.param.name; });

}  // namespace
}  // namespace mmtune::simt
