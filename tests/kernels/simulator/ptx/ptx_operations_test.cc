// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of one thread, run from PTX text on special values, against formulas in integers and 113-bit floating
// point.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/simulator/ptx/exact_rounding.h"

namespace mmtune::ptx {
namespace {

using U = uint64_t;

/// `kinds` are those of the result and the operands: w, q, s: integers of 32, 64, 16 bits; f, d, h, b: f32, f64, f16,
/// bf16; H, B: f16x2, bf16x2; p: predicate. In `code`, $d is the result, $a to $c are operands.
struct Case {
  std::string code;
  std::string kinds;
  std::function<U(U, U, U)> formula;
};

constexpr U kQuietNan = ~U{0};

const Format* FormatOf(char kind) {
  switch (kind) {
    case 'f':
      return &kF32;
    case 'd':
      return &kF64;
    case 'h':
      return &kF16;
    case 'b':
      return &kBf16;
    default:
      return nullptr;
  }
}

int BitsOf(char kind) {
  return kind == 'p'                                                    ? 1
         : std::string_view("qd").find(kind) != std::string_view::npos  ? 64
         : std::string_view("shb").find(kind) != std::string_view::npos ? 16
                                                                        : 32;
}
std::string RegisterOf(char kind, int index) {
  const int bits = BitsOf(kind);
  return absl::StrCat(bits == 1 ? "%p" : bits == 16 ? "%h" : bits == 32 ? "%r" : "%rd", index);
}

std::vector<U> SpecialsOf(char kind) {
  if (kind == 'p') return {0, 1};
  std::vector<U> values;
  if (const Format* f = FormatOf(kind)) {
    const int fraction = f->significand - 1;
    const U one = U(-f->least_exponent + 1) << fraction, infinity = U(f->greatest_exponent - f->least_exponent + 2)
                                                                    << fraction;
    values = {0,
              1,
              (U{1} << fraction) - 1,
              U{1} << fraction,
              one,
              one + 1,
              one - 1,
              one | U{1} << (fraction - 1),
              one + (U{3} << fraction) + 5,
              one + (U(f->significand) << fraction),
              infinity - 1,
              infinity,
              infinity | U{1} << (fraction - 1),
              one - (U(f->significand) << fraction) + 3};
    for (size_t i = 0, size = values.size(); i < size; ++i) values.push_back(values[i] | U{1} << (f->bits - 1));
    return values;
  }
  if (kind == 'H' || kind == 'B') {
    const std::vector<U> halves = SpecialsOf(kind == 'H' ? 'h' : 'b');
    for (size_t i = 0; i < halves.size(); ++i) values.push_back(halves[i] | halves[(i * 7 + 3) % halves.size()] << 16);
    return values;
  }
  const int bits = BitsOf(kind);
  for (U value : {U{0},
                  U{1},
                  U{2},
                  U{3},
                  U{7},
                  U{8},
                  U{15},
                  U{16},
                  U{31},
                  U{32},
                  U{33},
                  U{63},
                  U{64},
                  U{0x80},
                  U{0xFF},
                  U{0x7FFF},
                  U{0x8000},
                  U{0xFFFF},
                  U{0x12345678},
                  U{0x7FFFFFFF},
                  U{0x80000000},
                  U{0x80000001},
                  U{0xFFFFFFFF},
                  U{0xFEDCBA9876543210},
                  U{0x7FFFFFFFFFFFFFFF},
                  U{0x8000000000000000},
                  ~U{0},
                  ~U{0} - 1})
    values.push_back(bits == 64 ? value : value & ((U{1} << bits) - 1));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// True if two results are the same, or both NaN; for packed types, lane by lane.
bool IsSame(char kind, U a, U b) {
  if (kind == 'H' || kind == 'B') {
    const char lane = kind == 'H' ? 'h' : 'b';
    return IsSame(lane, a & 0xFFFF, b & 0xFFFF) && IsSame(lane, a >> 16, b >> 16);
  }
  const Format* format = FormatOf(kind);
  return a == b || (format && IsNan(Number(a, *format)) && IsNan(Number(b, *format)));
}

/// Rounds a result of floating point.
std::function<U(U, U, U)> Floating(const std::string& kinds, Direction direction,
                                   std::function<Wide(Wide, Wide, Wide)> exact) {
  return [=](U a, U b, U c) {
    const U in[3] = {a, b, c};
    Wide x[3] = {0, 0, 0};
    for (size_t i = 0; i + 1 < kinds.size(); ++i) x[i] = Number(in[i], *FormatOf(kinds[i + 1]));
    const Wide result = exact(x[0], x[1], x[2]);
    return IsNan(result) ? kQuietNan : Rounded(result, *FormatOf(kinds[0]), direction);
  };
}

Wide Sum(Wide a, Wide b, Wide) { return OddSum(a, b); }
Wide Difference(Wide a, Wide b, Wide) { return OddSum(a, -b); }
Wide Product(Wide a, Wide b, Wide) { return a * b; }
Wide Fused(Wide a, Wide b, Wide c) { return OddSum(a * b, c); }

int64_t Signed(U value, int bits) { return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits); }
U F(float value) { return std::bit_cast<uint32_t>(value); }
float AsF(U bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

void AddIntegers(std::vector<Case>& cases) {
  auto add = [&](std::string code, std::string kinds, std::function<U(U, U, U)> formula) {
    cases.push_back({std::move(code), std::move(kinds), std::move(formula)});
  };
  add("add.s32 $d, $a, $b;", "www", [](U a, U b, U) { return a + b; });
  add("add.sat.s32 $d, $a, $b;", "www",
      [](U a, U b, U) { return U(std::clamp<int64_t>(Signed(a, 32) + Signed(b, 32), INT32_MIN, INT32_MAX)); });
  add("sub.u64 $d, $a, $b;", "qqq", [](U a, U b, U) { return a - b; });
  add("add.u16 $d, $a, $b;", "sss", [](U a, U b, U) { return a + b; });
  add("mul.lo.u32 $d, $a, $b;", "www", [](U a, U b, U) { return a * b; });
  add("mul.hi.u32 $d, $a, $b;", "www", [](U a, U b, U) { return a * b >> 32; });
  add("mul.hi.s32 $d, $a, $b;", "www", [](U a, U b, U) { return U(Signed(a, 32) * Signed(b, 32) >> 32); });
  add("mul.hi.s64 $d, $a, $b;", "qqq",
      [](U a, U b, U) { return U(static_cast<__int128>(static_cast<int64_t>(a)) * static_cast<int64_t>(b) >> 64); });
  add("mul.wide.s32 $d, $a, $b;", "qww", [](U a, U b, U) { return U(Signed(a, 32) * Signed(b, 32)); });
  add("mul.wide.u16 $d, $a, $b;", "wss", [](U a, U b, U) { return a * b; });
  add("mad.lo.s32 $d, $a, $b, $c;", "wwww", [](U a, U b, U c) { return a * b + c; });
  add("mad.wide.u32 $d, $a, $b, $c;", "qwwq", [](U a, U b, U c) { return a * b + c; });
  add("mul24.lo.s32 $d, $a, $b;", "www", [](U a, U b, U) { return U(Signed(a, 24) * Signed(b, 24)); });
  add("{ .reg .b32 t; add.cc.u32 t, $a, $b; addc.u32 $d, $c, 0; }", "wwww",
      [](U a, U b, U c) { return c + ((a + b) >> 32); });
  add("{ .reg .b32 t; sub.cc.u32 t, $a, $b; subc.u32 $d, $c, 0; }", "wwww", [](U a, U b, U c) { return c - (a < b); });
  add("{ .reg .b32 t; mad.lo.cc.u32 t, $a, $b, $c; madc.hi.u32 $d, $a, $b, 7; }", "wwww",
      [](U a, U b, U c) { return (a * b >> 32) + 7 + (((a * b & 0xFFFFFFFF) + c) >> 32); });
  add("or.b32 $d, $b, 1; div.s32 $d, $a, $d;", "www", [](U a, U b, U) { return U(Signed(a, 32) / Signed(b | 1, 32)); });
  add("or.b32 $d, $b, 1; rem.u32 $d, $a, $d;", "www", [](U a, U b, U) { return a % (b | 1); });
  add("or.b32 $d, $b, 1; rem.s32 $d, $a, $d;", "www", [](U a, U b, U) { return U(Signed(a, 32) % Signed(b | 1, 32)); });
  add("abs.s32 $d, $a;", "ww", [](U a, U, U) { return U(std::abs(Signed(a, 32))); });
  add("neg.s64 $d, $a;", "qq", [](U a, U, U) { return -a; });
  add("min.s32 $d, $a, $b;", "www", [](U a, U b, U) { return U(std::min(Signed(a, 32), Signed(b, 32))); });
  add("max.u64 $d, $a, $b;", "qqq", [](U a, U b, U) { return std::max(a, b); });
  add("max.relu.s32 $d, $a, $b;", "www",
      [](U a, U b, U) { return U(std::max<int64_t>({0, Signed(a, 32), Signed(b, 32)})); });
  add("sad.s32 $d, $a, $b, $c;", "wwww", [](U a, U b, U c) { return c + U(std::abs(Signed(a, 32) - Signed(b, 32))); });
  add("dp4a.s32.u32 $d, $a, $b, $c;", "wwww", [](U a, U b, U c) {
    for (int i = 0; i < 4; ++i) c += U(Signed(a >> 8 * i, 8) * int64_t(b >> 8 * i & 0xFF));
    return c;
  });
  add("shl.b32 $d, $a, $b;", "www", [](U a, U b, U) { return b > 31 ? 0 : a << b; });
  add("shr.s32 $d, $a, $b;", "www", [](U a, U b, U) { return U(Signed(a, 32) >> std::min<U>(b, 31)); });
  add("shr.u64 $d, $a, $b;", "qqw", [](U a, U b, U) { return b > 63 ? 0 : a >> b; });
  add("shl.b16 $d, $a, $b;", "ssw", [](U a, U b, U) { return b > 15 ? 0 : a << b; });
  add("shf.l.wrap.b32 $d, $a, $b, $c;", "wwww", [](U a, U b, U c) { return (b << 32 | a) << (c & 31) >> 32; });
  add("shf.r.clamp.b32 $d, $a, $b, $c;", "wwww", [](U a, U b, U c) { return (b << 32 | a) >> std::min<U>(c, 32); });
  add("bfe.u32 $d, $a, $b, $c;", "wwww", [](U a, U b, U c) {
    const U position = b & 255, length = c & 255;
    return position > 31 || length == 0 ? 0 : a >> position & (length > 31 ? ~U{0} : (U{1} << length) - 1);
  });
  add("bfe.u32 $d, $a, 5, 9;", "ww", [](U a, U, U) { return a >> 5 & 511; });
  add("bfe.u32 $d, $a, 0, 32;", "ww", [](U a, U, U) { return a; });
  add("bfe.u32 $d, $a, 5, 0;", "ww", [](U, U, U) { return U{0}; });
  add("bfe.u32 $d, $a, 28, 9;", "ww", [](U a, U, U) { return a >> 28; });
  add("bfe.u64 $d, $a, 33, 31;", "qq", [](U a, U, U) { return a >> 33; });
  add("bfe.s32 $d, $a, 4, 8;", "ww", [](U a, U, U) { return U(Signed(a << 20, 32) >> 24); });
  add("bfe.s32 $d, $a, $b, $c;", "wwww", [](U a, U b, U c) {
    const U position = b & 255, length = c & 255;
    U result = 0;
    for (U i = 0; i < 32 && length > 0; ++i) {
      const U from = std::min<U>(position + std::min(i, length - 1), 31);
      result |= (a >> from & 1) << i;
    }
    return result;
  });
  add("bfi.b32 $d, $a, $b, $c, 5;", "wwww", [](U a, U b, U c) {
    const U position = c & 255;
    for (U i = 0; i < 5 && position + i < 32; ++i) b = (b & ~(U{1} << (position + i))) | (a >> i & 1) << (position + i);
    return b;
  });
  add("popc.b64 $d, $a;", "wq", [](U a, U, U) { return U(std::popcount(a)); });
  add("clz.b32 $d, $a;", "ww", [](U a, U, U) { return U(std::countl_zero(uint32_t(a))); });
  add("bfind.s32 $d, $a;", "ww", [](U a, U, U) {
    const uint32_t x = int32_t(a) < 0 ? ~uint32_t(a) : uint32_t(a);
    return x == 0 ? ~U{0} : U(31 - std::countl_zero(x));
  });
  add("brev.b32 $d, $a;", "ww", [](U a, U, U) {
    U result = 0;
    for (int i = 0; i < 32; ++i) result |= (a >> i & 1) << (31 - i);
    return result;
  });
  add("lop3.b32 $d, $a, $b, $c, 0xE4;", "wwww", [](U a, U b, U c) {
    U result = 0;
    for (int i = 0; i < 32; ++i) result |= U(0xE4 >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
    return result;
  });
  add("prmt.b32 $d, $a, $b, $c;", "wwww", [](U a, U b, U c) {
    U result = 0;
    for (int i = 0; i < 4; ++i) {
      const U selector = c >> 4 * i & 15, byte = (b << 32 | a) >> 8 * (selector & 7) & 0xFF;
      result |= (selector & 8 ? (byte & 0x80 ? 0xFF : 0) : byte) << 8 * i;
    }
    return result;
  });
  add("setp.lt.s32 $d, $a, $b;", "pww", [](U a, U b, U) { return U(Signed(a, 32) < Signed(b, 32)); });
  add("setp.hi.and.u32 $d, $a, $b, !$c;", "pwwp", [](U a, U b, U c) { return U(a > b && !c); });
  add("{ .reg .pred t; setp.eq.u64 t|$d, $a, $b; }", "pqq", [](U a, U b, U) { return U(a != b); });
  add("selp.b32 $d, $a, $b, $c;", "wwwp", [](U a, U b, U c) { return c ? a : b; });
  add("slct.s32.s32 $d, $a, $b, $c;", "wwww", [](U a, U b, U c) { return Signed(c, 32) >= 0 ? a : b; });
  add("set.lt.u32.s32 $d, $a, $b;", "www", [](U a, U b, U) { return Signed(a, 32) < Signed(b, 32) ? ~U{0} : 0; });
  add("mov.b64 $d, {$a, $b};", "qww", [](U a, U b, U) { return a | b << 32; });
  add("{ .reg .b16 t; mov.b32 {t, $d}, $a; }", "sw", [](U a, U, U) { return a >> 16; });
  add("@$c add.s32 $a, $a, 1; mov.b32 $d, $a;", "wwwp", [](U a, U, U c) { return a + c; });
}

void AddFloats(std::vector<Case>& cases) {
  auto add = [&](std::string code, std::string kinds, Direction direction,
                 std::function<Wide(Wide, Wide, Wide)> exact) {
    cases.push_back({std::move(code), kinds, Floating(kinds, direction, std::move(exact))});
  };
  constexpr std::pair<const char*, Direction> kDirections[] = {
      {"rn", Direction::kNearest}, {"rz", Direction::kZero}, {"rm", Direction::kDown}, {"rp", Direction::kUp}};
  for (const auto& [name, direction] : kDirections) {
    auto code = [&, rounding = std::string(name)](std::string text) {
      return absl::StrReplaceAll(text, {{"RND", rounding}});
    };
    add(code("add.RND.f32 $d, $a, $b;"), "fff", direction, Sum);
    add(code("sub.RND.f32 $d, $a, $b;"), "fff", direction, Difference);
    add(code("mul.RND.f32 $d, $a, $b;"), "fff", direction, Product);
    add(code("fma.RND.f32 $d, $a, $b, $c;"), "ffff", direction, Fused);
    add(code("cvt.RND.f32.f64 $d, $a;"), "fd", direction, [](Wide a, Wide, Wide) { return a; });
  }
  for (const char kind : {'h', 'b'}) {
    const std::string type = kind == 'h' ? "f16" : "bf16", k(1, kind);
    add("add.rn." + type + " $d, $a, $b;", k + k + k, Direction::kNearest, Sum);
    add("mul.rn." + type + " $d, $a, $b;", k + k + k, Direction::kNearest, Product);
    add("fma.rn." + type + " $d, $a, $b, $c;", k + k + k + k, Direction::kNearest, Fused);
    add("fma.rn.f32." + type + " $d, $a, $b, $c;", "f" + k + k + "f", Direction::kNearest, Fused);
    add("add.rn.f32." + type + " $d, $a, $b;", "f" + k + "f", Direction::kNearest, Sum);
    add("cvt.rn." + type + ".f32 $d, $a;", k + "f", Direction::kNearest, [](Wide a, Wide, Wide) { return a; });
    add("cvt.rz." + type + ".f32 $d, $a;", k + "f", Direction::kZero, [](Wide a, Wide, Wide) { return a; });
    add("cvt.f32." + type + " $d, $a;", "f" + k, Direction::kNearest, [](Wide a, Wide, Wide) { return a; });
  }
  add("cvt.rn.f16.f64 $d, $a;", "hd", Direction::kNearest, [](Wide a, Wide, Wide) { return a; });
  add("fma.rn.f64 $d, $a, $b, $c;", "dddd", Direction::kNearest,
      [](Wide a, Wide b, Wide c) { return Wide(std::fma(double(a), double(b), double(c))); });
  add("div.rn.f32 $d, $a, $b;", "fff", Direction::kNearest,
      [](Wide a, Wide b, Wide) { return Wide(float(a) / float(b)); });
  add("sqrt.rn.f32 $d, $a;", "ff", Direction::kNearest, [](Wide a, Wide, Wide) { return Wide(std::sqrt(float(a))); });
  add("neg.f32 $d, $a;", "ff", Direction::kNearest, [](Wide a, Wide, Wide) { return -a; });
  add("abs.f16 $d, $a;", "hh", Direction::kNearest, [](Wide a, Wide, Wide) {
    return a < 0 ? -a : a == 0 ? Wide(0) : a;
  });

  auto bits = [&](std::string code, std::string kinds, std::function<U(U, U, U)> formula) {
    cases.push_back({std::move(code), std::move(kinds), std::move(formula)});
  };
  bits("min.f32 $d, $a, $b;", "fff", [](U a, U b, U) {
    if (std::isnan(AsF(a))) return std::isnan(AsF(b)) ? kQuietNan : b;
    if (std::isnan(AsF(b))) return a;
    return AsF(a) == AsF(b) ? a | b : AsF(a) < AsF(b) ? a : b;
  });
  bits("max.NaN.f32 $d, $a, $b;", "fff", [](U a, U b, U) {
    if (std::isnan(AsF(a)) || std::isnan(AsF(b))) return kQuietNan;
    return AsF(a) == AsF(b) ? a & b : AsF(a) > AsF(b) ? a : b;
  });
  auto least = [](U a, U b) {
    if (std::isnan(AsF(a)) || std::isnan(AsF(b))) return std::isnan(AsF(a)) ? b : a;
    return AsF(a) == AsF(b) ? a | b : AsF(a) < AsF(b) ? a : b;
  };
  constexpr U kMagnitude = 0x7FFFFFFF;
  bits("min.f32 $d, $a, $b, $c;", "ffff", [=](U a, U b, U c) { return least(least(a, b), c); });
  bits("min.abs.f32 $d, $a, $b, $c;", "ffff",
       [=](U a, U b, U c) { return least(least(a & kMagnitude, b & kMagnitude), c & kMagnitude); });
  bits("min.xorsign.abs.f32 $d, $a, $b;", "fff", [=](U a, U b, U) {
    const U magnitude = least(a & kMagnitude, b & kMagnitude);
    return std::isnan(AsF(magnitude)) ? kQuietNan : magnitude | ((a ^ b) & ~kMagnitude & 0xFFFFFFFF);
  });
  auto flush = [](float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; };
  bits("slct.ftz.b32.f32 $d, $a, $b, $c;", "wwwf", [=](U a, U b, U c) { return flush(AsF(c)) >= 0 ? a : b; });
  bits("slct.b32.f32 $d, $a, $b, $c;", "wwwf", [](U a, U b, U c) { return AsF(c) >= 0 ? a : b; });
  bits("set.lt.ftz.u32.f32 $d, $a, $b;", "wff", [=](U a, U b, U) { return flush(AsF(a)) < flush(AsF(b)) ? ~U{0} : 0; });
  bits("set.lt.u32.f64 $d, $a, $b;", "wdd",
       [](U a, U b, U) { return std::bit_cast<double>(a) < std::bit_cast<double>(b) ? ~U{0} : 0; });
  bits("add.ftz.sat.f32 $d, $a, $b;", "fff", [=](U a, U b, U) {
    const float sum = flush(flush(AsF(a)) + flush(AsF(b)));
    return F(std::isnan(sum) || sum <= 0 ? 0 : std::min(sum, 1.0f));
  });
  bits("setp.ltu.f32 $d, $a, $b;", "pff", [](U a, U b, U) { return U(!(AsF(a) >= AsF(b))); });
  bits("setp.ne.f32 $d, $a, $b;", "pff", [](U a, U b, U) { return U(AsF(a) < AsF(b) || AsF(a) > AsF(b)); });
  bits("setp.nan.f32 $d, $a, $b;", "pff", [](U a, U b, U) { return U(std::isnan(AsF(a)) || std::isnan(AsF(b))); });
  bits("copysign.f32 $d, $a, $b;", "fff", [](U a, U b, U) { return (b & 0x7FFFFFFF) | (a & 0x80000000); });
  bits("testp.subnormal.f32 $d, $a;", "pf", [](U a, U, U) { return U(std::fpclassify(AsF(a)) == FP_SUBNORMAL); });
  bits("cvt.rzi.s32.f32 $d, $a;", "wf", [](U a, U, U) {
    const float x = AsF(a);
    return std::isnan(x) ? 0 : U(int64_t(std::clamp<double>(std::trunc(double{x}), INT32_MIN, INT32_MAX)));
  });
  bits("cvt.rni.u32.f32 $d, $a;", "wf", [](U a, U, U) {
    const float x = AsF(a);
    return std::isnan(x) ? 0 : U(std::clamp<double>(std::nearbyint(double{x}), 0, UINT32_MAX));
  });
  bits("cvt.rmi.f32.f32 $d, $a;", "ff",
       [](U a, U, U) { return std::isnan(AsF(a)) ? kQuietNan : F(std::floor(AsF(a))); });
  bits("cvt.rn.f32.s32 $d, $a;", "fw",
       [](U a, U, U) { return Rounded(Wide(Signed(a, 32)), kF32, Direction::kNearest); });
  bits("cvt.rp.f32.u64 $d, $a;", "fq", [](U a, U, U) { return Rounded(Wide(a), kF32, Direction::kUp); });
  bits("cvt.rn.bf16.s64 $d, $a;", "bq",
       [](U a, U, U) { return Rounded(Wide(int64_t(a)), kBf16, Direction::kNearest); });
  bits("cvt.rn.f64.u64 $d, $a;", "dq", [](U a, U, U) { return Rounded(Wide(a), kF64, Direction::kNearest); });
  bits("cvt.s64.s8 $d, $a;", "qw", [](U a, U, U) { return U(Signed(a, 8)); });
  bits("cvt.sat.s8.s32 $d, $a;", "ww", [](U a, U, U) { return U(std::clamp<int64_t>(Signed(a, 32), -128, 127)); });
  bits("cvt.sat.u16.s32 $d, $a;", "sw", [](U a, U, U) { return U(std::clamp<int64_t>(Signed(a, 32), 0, 65535)); });
  bits("cvt.rn.f16x2.f32 $d, $a, $b;", "Hff", [](U a, U b, U) {
    auto half = [](U x) { return Rounded(Number(x, kF32), kF16, Direction::kNearest); };
    return half(b) | half(a) << 16;
  });
  bits("cvt.rna.tf32.f32 $d, $a;", "wf",
       [](U a, U, U) { return std::isnan(AsF(a)) ? 0x7FFFFFFF : (a + 0x1000) & ~U{0x1FFF}; });
}

class PtxOperationsTest : public ::testing::Test {
 protected:
  static std::string KernelOf(const Case& c, size_t index) {
    std::string body = absl::StrReplaceAll(c.code, {{"$d", RegisterOf(c.kinds[0], 0)},
                                                    {"$a", c.kinds.size() > 1 ? RegisterOf(c.kinds[1], 1) : ""},
                                                    {"$b", c.kinds.size() > 2 ? RegisterOf(c.kinds[2], 2) : ""},
                                                    {"$c", c.kinds.size() > 3 ? RegisterOf(c.kinds[3], 3) : ""}});
    std::string text = absl::StrCat(".visible .entry k", index, R"((.param .u64 in, .param .u64 out) {
  .reg .b64 %x<8>; .reg .b32 %y<8>; .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  mov.u32 %y0, %tid.x; mov.u32 %y1, %ctaid.x; mov.u32 %y2, %ntid.x; mad.lo.s32 %y0, %y1, %y2, %y0;
  ld.param.u64 %x0, [in]; mad.wide.u32 %x0, %y0, 24, %x0;
  ld.param.u64 %x1, [out]; mad.wide.u32 %x1, %y0, 8, %x1;
)");
    for (size_t i = 1; i < c.kinds.size(); ++i) {
      const int bits = BitsOf(c.kinds[i]);
      const std::string address = absl::StrCat(", [%x0+", 8 * (i - 1), "];\n");
      if (bits == 1)
        absl::StrAppend(&text, "ld.global.u32 %y4", address, "setp.ne.u32 ", RegisterOf('p', i), ", %y4, 0;\n");
      else
        absl::StrAppend(&text, "ld.global.b", bits, " ", RegisterOf(c.kinds[i], i), address);
    }
    absl::StrAppend(&text, body, "\n");
    const int bits = BitsOf(c.kinds[0]);
    if (bits == 1)
      absl::StrAppend(&text, "selp.b64 %x2, 1, 0, %p0;\n");
    else
      absl::StrAppend(&text, bits == 64 ? "mov.b64 %x2, " : absl::StrCat("cvt.u64.u", bits, " %x2, "),
                      RegisterOf(c.kinds[0], 0), ";\n");
    return text + "st.global.b64 [%x1], %x2; ret; }\n";
  }

  static void Check(const std::vector<Case>& cases) {
    std::string text = ".version 8.8\n.target sm_100\n.address_size 64\n";
    for (size_t i = 0; i < cases.size(); ++i) text += KernelOf(cases[i], i);
    const auto compiled = compilePtx(text, {.name = "operations.ptx"});
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    auto device = *simt::SimtDevice::Create({});
    auto module = device->LoadModule(ImageFormat::kSimtObject, compiled->image);
    ASSERT_TRUE(module.ok()) << module.status();
    for (size_t i = 0; i < cases.size(); ++i) Run(cases[i], *device, *(*module)->GetKernel(absl::StrCat("k", i)));
  }

  static void Run(const Case& c, Device& device, DeviceKernel* kernel) {
    SCOPED_TRACE(c.code);
    std::vector<U> in;
    std::vector<U> values[3];
    for (size_t i = 0; i < 3; ++i) values[i] = i + 1 < c.kinds.size() ? SpecialsOf(c.kinds[i + 1]) : std::vector<U>{0};
    for (U a : values[0])
      for (U b : values[1])
        for (U x : values[2]) in.insert(in.end(), {a, b, x});
    constexpr size_t kThreads = 128;
    while (in.size() / 3 % kThreads != 0) in.insert(in.end(), {values[0][0], values[1][0], values[2][0]});
    const size_t count = in.size() / 3;
    std::vector<U> out(count);
    DevicePtr from = *device.Allocate(in.size() * 8), to = *device.Allocate(count * 8);
    ASSERT_TRUE(device.CopyToDevice(from, in.data(), in.size() * 8).ok());
    void* arguments[] = {&from, &to};
    LaunchShape shape;
    shape.grid[0] = static_cast<uint32_t>(count / kThreads);
    shape.block[0] = kThreads;
    const absl::Status launched = device.Launch(kernel, shape, arguments);
    ASSERT_TRUE(launched.ok()) << launched;
    ASSERT_TRUE(device.CopyToHost(out.data(), to, count * 8).ok());
    ASSERT_TRUE(device.Free(from).ok() && device.Free(to).ok());
    const int bits = BitsOf(c.kinds[0]);
    const U mask = bits == 64 ? ~U{0} : (U{1} << bits) - 1;
    for (size_t i = 0; i < count; ++i) {
      const U expected = c.formula(in[3 * i], in[3 * i + 1], in[3 * i + 2]) & mask;
      ASSERT_TRUE(IsSame(c.kinds[0], out[i], expected))
          << std::hex << "0x" << out[i] << " instead of 0x" << expected << " of 0x" << in[3 * i] << ", 0x"
          << in[3 * i + 1] << ", 0x" << in[3 * i + 2];
    }
  }
};

TEST_F(PtxOperationsTest, IntegersAreTheirFormulas) {
  std::vector<Case> cases;
  AddIntegers(cases);
  Check(cases);
}

TEST_F(PtxOperationsTest, FloatsAreTheirFormulas) {
  std::vector<Case> cases;
  AddFloats(cases);
  Check(cases);
}

/// Returns the error of a kernel with these statements.
std::string ErrorOf(const std::string& statements) {
  const auto compiled = compilePtx(
      ".version 8.3\n.target sm_90a\n.address_size 64\n.entry k(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %rd<4>; "
      ".reg .pred %p1;\n" +
          statements + "\n}",
      {.name = "a.ptx"});
  return std::string(compiled.status().message());
}

TEST_F(PtxOperationsTest, RefusesWhatTheTableLacks) {
  EXPECT_EQ(ErrorOf("frobnicate.u32 %r1;"),
            "a.ptx:5:1: the SIMT device has no instruction 'frobnicate': 'frobnicate.u32 %r1;'");
  EXPECT_NE(ErrorOf("tcgen05.commit.cta_group::1.b64 [%rd1];").find("the tensor memory of sm_100 is not there yet"),
            std::string::npos);
  EXPECT_EQ(ErrorOf("fma.rn.f32.f64 %r1, %r1, %r1, %r1;").substr(0, 54),
            "a.ptx:5:1: the SIMT device has no such form of 'fma'; ");
  EXPECT_EQ(ErrorOf("add.s64 %rd1, %r1, %rd2;"),
            "a.ptx:5:1: '%r1' has 32 bits, the instruction takes .s64: 'add.s64 %rd1, %r1, %rd2;'");
  EXPECT_EQ(ErrorOf("add.s32 %r9, %r1, 1;"), "a.ptx:5:1: the destination '%r9' is no register: 'add.s32 %r9, %r1, 1;'");
  EXPECT_EQ(ErrorOf("add.s32 %r1, %r2;"), "a.ptx:5:1: expected 3 operands, got 2: 'add.s32 %r1, %r2;'");
  EXPECT_EQ(ErrorOf("bra nowhere;"), "a.ptx:5:1: there is no label 'nowhere' here: 'bra nowhere;'");
  EXPECT_EQ(ErrorOf("@%r1 ret;"), "a.ptx:5:1: '%r1' is a .b32, the instruction takes .pred: '@%r1 ret;'");
  EXPECT_EQ(ErrorOf("ld.global.b32 %r1, [%r2];"),
            "a.ptx:5:1: the address register '%r2' has 32 bits, expected 64: 'ld.global.b32 %r1, [%r2];'");
  EXPECT_EQ(ErrorOf("ret;"), "");
}

TEST_F(PtxOperationsTest, RefusesWhatItWouldDrop) {
  EXPECT_EQ(ErrorOf("selp.b32 %r1, %r2, %r3, !1;"), "a.ptx:5:1: '!' is for predicates: 'selp.b32 %r1, %r2, %r3, !1;'");
  EXPECT_EQ(ErrorOf("setp.eq.u32 !%p1, %r1, 1;"), "a.ptx:5:1: '!' before a destination: 'setp.eq.u32 !%p1, %r1, 1;'");
  EXPECT_NE(ErrorOf("lop3.b32 %r1, %r2, %r3, %r0, !1;").find("must be an integer literal"), std::string::npos);
  for (const char* statement : {"ld.global.b32 %r1, [%rd1, {%r2}];", "ld.param.b32 %r1, [p, {%r2}];"})
    EXPECT_NE(ErrorOf(statement).find("coordinates are for copies by tensor maps"), std::string::npos) << statement;
  for (const char* name : {"trap", "exit", "membar.gl", "fence.proxy.async", "fence.mbarrier_init.release.cluster",
                           "barrier.cluster.arrive", "barrier.cluster.wait", "griddepcontrol.wait",
                           "cp.async.commit_group", "cp.async.wait_all", "cp.async.bulk.commit_group",
                           "wgmma.fence.sync.aligned", "wgmma.commit_group.sync.aligned"}) {
    EXPECT_NE(ErrorOf(std::string(name) + " %r1;").find("expected 0 operands, got 1"), std::string::npos) << name;
    EXPECT_EQ(ErrorOf(std::string(name) + ";"), "");
  }
  for (const char* label : {"!L", "L+4", "7", "[L]"})
    EXPECT_NE(ErrorOf(std::string("L: bra ") + label + ";").find("a branch takes the name of a label"),
              std::string::npos)
        << label;
  EXPECT_NE(ErrorOf("prefetch.global.L2;").find("expected 1 operands, got 0"), std::string::npos);
  EXPECT_NE(ErrorOf("createpolicy.fractional.L2::evict_last.b64 %rd1, 0f3F800000, 1;").find("expected 1 to 2 operands"),
            std::string::npos);
}

TEST_F(PtxOperationsTest, RefusesLiteralsOfAnotherType) {
  auto errorOf = [](const std::string& variable) {
    const std::string text = ".version 8.3\n.target sm_80\n.address_size 64\n" + variable;
    return std::string(compilePtx(text, {.name = "a.ptx"}).status().message());
  };
  EXPECT_EQ(errorOf(".global .f32 x[2] = {0f3F800000, 1};"),
            "a.ptx:4:34: an integer where the type is .f32: write 0f or 0d and the bits: '.global .f32 x[2] = "
            "{0f3F800000, 1};'");
  EXPECT_EQ(errorOf(".global .b16 x = 1.0;"),
            "a.ptx:4:18: a floating-point literal where the type is .b16: '.global .b16 x = 1.0;'");
  for (const char* statement : {"mov.f32 %r1, 1;", "selp.f32 %r1, 1, %r2, %p1;", "slct.f32.s32 %r1, 1, %r2, %r3;",
                                "st.global.f32 [%rd1], 1;", "st.global.v2.f32 [%rd1], {%r1, 1};"})
    EXPECT_NE(ErrorOf(statement).find("an integer where the type is .f32"), std::string::npos) << statement;
  EXPECT_NE(ErrorOf("cvt.u32.u16 %r1, 1.0;").find("a floating-point literal where the type is .u16"),
            std::string::npos);
}

TEST_F(PtxOperationsTest, RefusesCombinationsOfWordsThatPtxLacks) {
  for (const char* statement : {"min.xorsign.f32 %r1, %r2, %r3;", "max.abs.xorsign.f32 %r1, %r2, %r3;",
                                "min.abs.f16x2 %r1, %r2, %r3;", "slct.ftz.s32.s32 %r1, %r2, %r3, %r0;",
                                "set.lt.ftz.u32.f64 %r1, %rd1, %rd2;", "set.lt.ftz.u32.bf16x2 %r1, %r2, %r3;"})
    EXPECT_NE(ErrorOf(statement).find("the SIMT device has no such form of"), std::string::npos) << statement;
  EXPECT_EQ(ErrorOf("min.abs.f32 %r1, %r2, %r3;"),
            "a.ptx:5:1: expected 4 operands, got 3: 'min.abs.f32 %r1, %r2, %r3;'");
  for (const char* statement : {"min.f64 %rd1, %rd2, %rd3, %rd0;", "max.xorsign.abs.f16x2 %r1, %r2, %r3, %r0;",
                                "min.f16x2 %r1, %r2, %r3, %r0;"})
    EXPECT_NE(ErrorOf(statement).find("expected 3 operands, got 4"), std::string::npos) << statement;
}

}  // namespace
}  // namespace mmtune::ptx
