// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/simulator/ptx/operation_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace mmtune::ptx {

bool Opcode::has(std::string_view word) const { return std::find(words.begin(), words.end(), word) != words.end(); }

std::vector<std::string> Opcode::types() const {
  std::vector<std::string> found;
  for (const std::string& word : words)
    if (typeInfo(word).bits != 0) found.push_back(word);
  return found;
}

std::string Opcode::text() const { return absl::StrJoin(words, "."); }

bool knowsWords(const Opcode& opcode) {
  static const std::set<std::string> kWords = absl::StrSplit(
      "1d 2d 3d 4d 5d L1 L1::evict_first L1::evict_last L1::evict_normal L1::evict_unchanged "
      "L1::no_allocate L2 L2::128B L2::256B L2::64B L2::cache_hint L2::evict_first L2::evict_last "
      "L2::evict_normal L2::evict_unchanged NaN a abs acq_rel acquire add aligned all and any approx arrive "
      "arrive_drop async b b4e ballot bfly bulk bulk_group c ca cas cc cg clamp cluster col commit_group "
      "complete_tx const cs cta cv d dec down e4m3 e5m2 ecl ecr eq equ exch expect_tx f4e fence finite "
      "fractional ftz full ge geu gl global gpu gt gtu hi hs idx inc infinite init inval l "
      "launch_dependents le leu lo load local ls lt ltu lu m16n8k16 m16n8k32 m16n8k4 m16n8k8 m8n8 m8n8k16 "
      "m8n8k4 mask max mbarrier mbarrier::complete_tx::bytes mbarrier_init min mma mma_async "
      "multicast::cluster nan nc ne neu noftz noinc normal notanumber num number or pack param param::entry "
      "param::func parity popc prefetch proxy r rc16 rc8 read red reduce relaxed release relu rm rmi rn rna "
      "rni row rp rpi rz rzi sat satfinite sc shared shared::cluster shared::cta shiftamt store subnormal "
      "sync sync_restrict::shared::cluster sync_restrict::shared::cta sys tensor tensormap test_wait tile "
      "to trans try_wait uni up v2 v4 v8 volatile wait wait_all wait_group warp wb weak wide wrap wt x1 x2 "
      "x4 xor xorsign",
      ' ');
  return std::all_of(opcode.words.begin() + 1, opcode.words.end(),
                     [](const std::string& word) { return typeInfo(word).bits != 0 || kWords.count(word) != 0; });
}

Case oneResult(std::string code, std::string results, std::string operands, std::function<U(const U*)> formula) {
  return {std::move(code), std::move(results), std::move(operands),
          [formula = std::move(formula)](const U* x) { return std::vector<U>{formula(x)}; }};
}

TypeInfo typeInfo(std::string_view name) {
  static const std::map<std::string_view, TypeInfo> kTypes = {
      {"pred", {1, 1, false, false, 'p'}},  {"b8", {8, 1, false, false, 'w'}},     {"u8", {8, 1, false, false, 'w'}},
      {"s8", {8, 1, true, false, 'w'}},     {"b16", {16, 1, false, false, 's'}},   {"u16", {16, 1, false, false, 's'}},
      {"s16", {16, 1, true, false, 's'}},   {"b32", {32, 1, false, false, 'w'}},   {"u32", {32, 1, false, false, 'w'}},
      {"s32", {32, 1, true, false, 'w'}},   {"b64", {64, 1, false, false, 'q'}},   {"u64", {64, 1, false, false, 'q'}},
      {"s64", {64, 1, true, false, 'q'}},   {"u16x2", {16, 2, false, false, 'w'}}, {"s16x2", {16, 2, true, false, 'w'}},
      {"b128", {64, 2, false, false, 'q'}}, {"f16", {16, 1, true, true, 'h'}},     {"bf16", {16, 1, true, true, 'b'}},
      {"f32", {32, 1, true, true, 'f'}},    {"f64", {64, 1, true, true, 'd'}},     {"f16x2", {16, 2, true, true, 'H'}},
      {"bf16x2", {16, 2, true, true, 'B'}}, {"f32x2", {32, 2, true, true, 'F'}},   {"tf32", {32, 1, true, true, 'w'}},
      {"e4m3x2", {8, 2, true, true, 's'}},  {"e5m2x2", {8, 2, true, true, 's'}},
  };
  const auto found = kTypes.find(name);
  return found == kTypes.end() ? TypeInfo() : found->second;
}

const Format* formatOf(char kind) {
  switch (kind) {
    case 'f':
    case 'F':
      return &kF32;
    case 'd':
      return &kF64;
    case 'h':
    case 'H':
      return &kF16;
    case 'b':
    case 'B':
      return &kBf16;
    default:
      return nullptr;
  }
}

int bitsOf(char kind) {
  const auto isAmong = [&](std::string_view kinds) { return kinds.find(kind) != std::string_view::npos; };
  return kind == 'p' ? 1 : isAmong("qdF") ? 64 : isAmong("shb") ? 16 : 32;
}

namespace {

/// Numbers at which conversions and functions change: limits of integers, ties, and the limits of narrow formats.
std::vector<Wide> numbers() {
  std::vector<Wide> values;
  for (int exponent : {-1074, -1022, -300, -150, -149, -148, -133, -126, -127, -30, -25, -24, -17,  -16,
                       -15,   -14,   -13,  -10,  -9,   -8,   -2,   -1,   0,    1,   4,   7,   8,    11,
                       15,    16,    24,   31,   32,   53,   63,   64,   126,  127, 128, 200, 1022, 1023}) {
    Wide power = 1;
    for (int i = 0; i < std::abs(exponent); ++i) power = exponent > 0 ? power * 2 : power / 2;
    values.push_back(power);
    // One, one and a half: ties; and neighbours of ties of the formats of 8, 10, 16 and 32 bits.
    for (double factor : {1.5, 1 + 0x1p-3, 1 + 3 * 0x1p-4, 1 + 0x1p-8, 1 + 3 * 0x1p-8, 1 + 0x1p-11, 1 + 3 * 0x1p-11,
                          1 + 0x1p-11 + 0x1p-22, 1 + 0x1p-23, 1 + 0x1p-24, 1 + 3 * 0x1p-24, 2 - 0x1p-11, 2 - 0x1p-23})
      if (exponent == 0 || exponent == -24 || exponent == 15 || factor == 1.5) values.push_back(power * Wide(factor));
  }
  for (double number : {0.1,
                        2.5,
                        3.0,
                        3.14159274,
                        5.0,
                        100.7,
                        127.5,
                        128.5,
                        254.5,
                        255.5,
                        448.0,
                        464.0,
                        465.0,
                        32767.5,
                        32768.5,
                        57344.0,
                        61440.0,
                        65504.0,
                        65519.0,
                        65520.0,
                        65535.5,
                        2147483647.5,
                        2147483648.5,
                        4294967040.0,
                        4294967295.5,
                        9223372036854774784.0,
                        18446744073709549568.0,
                        12345.678})
    values.push_back(Wide(number));
  return values;
}

std::vector<U> specialFloats(const Format& f) {
  const int fraction = f.significand - 1;
  const U infinity = U(f.greatest_exponent - f.least_exponent + 2) << fraction;
  std::vector<U> values = {0,
                           1,
                           2,
                           (U{1} << fraction) - 1,
                           U{1} << fraction,
                           (U{1} << fraction) + 1,
                           (U(-f.least_exponent + 1) << fraction) - 1,
                           infinity - 1,
                           infinity,
                           infinity | 1,
                           infinity | U{1} << (fraction - 1)};
  for (Wide number : numbers()) {
    const U bits = Rounded(number, f, Direction::kZero);
    if (bits < infinity) values.push_back(bits);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (size_t i = 0, size = values.size(); i < size; ++i) values.push_back(values[i] | signBit(f));
  return values;
}

std::vector<U> specialIntegers(int bits) {
  std::vector<U> values;
  for (U value :
       {U{0},          U{1},          U{2},          U{3},          U{7},          U{8},          U{15},
        U{16},         U{31},         U{32},         U{33},         U{63},         U{64},         U{127},
        U{0x80},       U{0xFF},       U{0x100},      U{0x7FFF},     U{0x8000},     U{0xFFFF},     U{0x10000},
        U{0x7FFFFF},   U{0x800000},   U{0x1000001},  U{0x12345678}, U{0x7FFFFFFF}, U{0x80000000}, U{0x80000001},
        U{0xFFFFFF7F}, U{0xFFFFFFFF}, U{0x80FF7F01}, ~U{127},       ~U{128},       ~U{32767},     ~U{32768},
        ~U{0} - 1,     ~U{0}})
    values.push_back(lowBits(value, bits));
  if (bits == 64)
    for (U value : {U{0x100000000}, U{0x20000000000001}, U{0x20000000000003}, U{0x7FFFFFFFFFFFFFFF},
                    U{0x8000000000000000}, U{0xFEDCBA9876543210}, U{0x8000000000000400}, U{0x7FFFFFBFFFFFFFFF},
                    U{0xFFFFFFFF80000000}, U{0xFFFFFFFF7FFFFFFF}, U{0x4000004000000001}})
      values.push_back(value);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<U> specials(char kind) {
  if (kind == 'p') return {0, 1};
  const Format* format = formatOf(kind);
  if (!format) return specialIntegers(bitsOf(kind));
  std::vector<U> values = specialFloats(*format);
  if (bitsOf(kind) == format->bits) return values;
  // Pairs: each value once in each lane.
  std::vector<U> pairs;
  for (size_t i = 0; i < values.size(); ++i)
    pairs.push_back(values[i] | values[(i * 7 + 3) % values.size()] << format->bits);
  return pairs;
}

}  // namespace

const std::vector<U>& specialsOf(char kind) {
  static std::array<std::vector<U>, 128> all;
  std::vector<U>& values = all[static_cast<size_t>(kind)];
  if (values.empty()) values = specials(kind);
  return values;
}

U flushedBits(U value, const Format& format) {
  const U magnitude = value & nanOf(format);
  return magnitude >> (format.significand - 1) == 0 ? value & signBit(format) : value;
}

U saturatedBits(U value, const Format& format) {
  const Wide number = Number(value, format);
  if (!(number > 0)) return 0;
  return number > 1 ? Rounded(1, format, Direction::kNearest) : value;
}

U rectifiedBits(U value, const Format& format) { return Number(value, format) <= 0 ? 0 : value; }

Direction directionOf(const Opcode& opcode) {
  if (opcode.has("rz") || opcode.has("rzi")) return Direction::kZero;
  if (opcode.has("rm") || opcode.has("rmi")) return Direction::kDown;
  return opcode.has("rp") || opcode.has("rpi") ? Direction::kUp : Direction::kNearest;
}

}  // namespace mmtune::ptx
