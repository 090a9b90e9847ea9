#include "kernels/runtime/simt/float_calls.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace mmtune::simt {
namespace {

float FromBits(uint32_t bits) { return std::bit_cast<float>(bits); }

TEST(FloatCallsTest, BfloatsRoundToNearestTiesToEven) {
  EXPECT_EQ(ToBfloat16Bits(0.0f), 0x0000);
  EXPECT_EQ(ToBfloat16Bits(-0.0f), 0x8000);
  EXPECT_EQ(ToBfloat16Bits(1.0f), 0x3f80);
  EXPECT_EQ(ToBfloat16Bits(FromBits(0x3f807fff)), 0x3f80);
  EXPECT_EQ(ToBfloat16Bits(FromBits(0x3f808000)), 0x3f80);  // A tie: down to the even one.
  EXPECT_EQ(ToBfloat16Bits(FromBits(0x3f808001)), 0x3f81);
  EXPECT_EQ(ToBfloat16Bits(FromBits(0x3f818000)), 0x3f82);  // A tie: up to the even one.
  EXPECT_EQ(ToBfloat16Bits(FromBits(0x00000001)), 0x0000);
}

TEST(FloatCallsTest, BfloatsKeepWhatIsNotFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(ToBfloat16Bits(infinity), 0x7f80);
  EXPECT_EQ(ToBfloat16Bits(-infinity), 0xff80);
  EXPECT_EQ(ToBfloat16Bits(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(ToBfloat16Bits(FromBits(0x7f800001)), 0x7fc0);  // A NaN whose bits would all be cut off.
  EXPECT_EQ(ToBfloat16Bits(FromBits(0xffffffff)), 0xffff);
}

}  // namespace
}  // namespace mmtune::simt
