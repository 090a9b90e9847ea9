// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of ldmatrix, stmatrix and mma of operands of 8 bits, in all spellings. tests/kernels/simulator/ops/golden
// has vectors of the other operations of warps.
#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "tests/kernels/simulator/ptx/block_programs.h"

namespace mmtune::ptx {
namespace {

std::string registers(unsigned first, unsigned count) {
  std::string list = "{";
  for (unsigned i = 0; i < count; ++i) absl::StrAppend(&list, i == 0 ? "%r" : ", %r", first + i);
  return list + "}";
}

/// The halves of word `word` of the shared array are twice its index and the next number.
uint32_t wordOf(uint32_t low, uint32_t high) { return low | high << 16; }

std::vector<Program> tilePrograms(const Opcode& opcode) {
  const unsigned count = opcode.has("x1") ? 1 : opcode.has("x2") ? 2 : 4;
  const bool isTransposed = opcode.has("trans"), loads = opcode.name() == "ldmatrix";
  const bool isShared = opcode.has("shared") || opcode.has("shared::cta");
  std::string body = "mad.lo.u32 %r9, %r0, 16, %r1; cvt.u64.u32 %rd9, %r9; cvta.shared.u64 %rd9, %rd9;\n";
  const std::string address = isShared ? "[%r9]" : "[%rd9]";
  Program program;
  program.threads = 32;
  program.expected.resize(128);
  if (loads) {
    for (unsigned i = 0; i < 4; ++i)
      absl::StrAppend(
          &body, "add.u32 %r10, %r0, ", 32 * i,
          "; shl.b32 %r11, %r10, 1; add.u32 %r12, %r11, 1; shl.b32 %r12, %r12, 16; or.b32 %r11, %r11, %r12; "
          "mad.lo.u32 %r12, %r10, 4, %r1; st.shared.u32 [%r12], %r11;\n");
    absl::StrAppend(&body, "bar.warp.sync 0xffffffff; ", opcode.text(), " ", registers(20, count), ", ", address,
                    ";\n");
    for (unsigned i = 0; i < count; ++i) {
      absl::StrAppend(&body, "st.global.u32 [%rd2+", 128 * i, "], %r", 20 + i, ";\n");
      for (uint32_t t = 0; t < 32; ++t) {
        const uint32_t row = t / 4, column = t % 4 * 2;
        const uint32_t first = 64 * i + (isTransposed ? column * 8 + row : row * 8 + column);
        program.expected[32 * i + t] = wordOf(first, first + (isTransposed ? 8 : 1));
      }
    }
  } else {
    for (unsigned i = 0; i < count; ++i)
      absl::StrAppend(&body, "mad.lo.u32 %r10, %r0, 2, ", 1000 * i,
                      "; add.u32 %r11, %r10, 1; shl.b32 %r11, %r11, 16; or.b32 %r", 20 + i, ", %r10, %r11;\n");
    absl::StrAppend(&body, opcode.text(), " ", address, ", ", registers(20, count), "; bar.warp.sync 0xffffffff;\n");
    for (unsigned i = 0; i < count; ++i)
      absl::StrAppend(&body, "ld.shared.u32 %r10, [%r2+", 128 * i, "]; st.global.u32 [%rd2+", 128 * i, "], %r10;\n");
    for (uint32_t word = 0; word < 32 * count; ++word) {
      auto half = [&](uint32_t element) {
        const uint32_t matrix = element / 64, row = element % 64 / 8, column = element % 8;
        const uint32_t along = isTransposed ? column : row, across = isTransposed ? row : column;
        const uint32_t lane = along * 4 + across / 2;
        return 1000 * matrix + 2 * lane + across % 2;
      };
      program.expected[word] = wordOf(half(2 * word), half(2 * word + 1));
    }
  }
  program.body = body;
  return {program};
}

/// Small numbers of a type of 8 bits: codes and values.
std::pair<uint32_t, double> element(const std::string& type, uint32_t index) {
  constexpr double kNumbers[] = {0, 1, -1, 2, 0.5, -2, 1, 0};
  constexpr uint32_t kE4m3[] = {0, 0x38, 0xB8, 0x40, 0x30, 0xC0, 0x38, 0},
                     kE5m2[] = {0, 0x3C, 0xBC, 0x40, 0x38, 0xC0, 0x3C, 0};
  const uint32_t i = (index * 5 + index / 7) % 8;
  if (type == "e4m3") return {kE4m3[i], kNumbers[i]};
  if (type == "e5m2") return {kE5m2[i], kNumbers[i]};
  const uint32_t byte = (index * 37 + 11) & 0xFF;
  return {byte, type == "s8" ? static_cast<double>(static_cast<int8_t>(byte)) : static_cast<double>(byte)};
}

/// mma.sync of operands of 8 bits: D = A * B + C.
std::vector<Program> multiplication(const Opcode& opcode) {
  const std::string& shape = opcode.words[3];
  const uint32_t m = shape.starts_with("m8") ? 8 : 16, k = shape.ends_with("k32") ? 32 : 16;
  std::vector<std::string> types;
  for (const std::string& word : opcode.words)
    for (const char* type : {"f32", "f16", "s32", "s8", "u8", "e4m3", "e5m2"})
      if (word == type) types.push_back(word);
  const std::string &sum = types[0], &ofA = types[1], &ofB = types[2];
  if (ofA == "f16") return {};  // Golden vectors have it.
  const uint32_t inA = m * k / 128, inB = k / 16, inC = m * 8 / (sum == "f16" ? 64 : 32);
  auto a = [&](uint32_t row, uint32_t i) { return element(ofA, row * k + i); };
  auto b = [&](uint32_t i, uint32_t column) { return element(ofB, column * k + i + 3); };
  // C is near the limits of s32 in some places, where .satfinite shows.
  auto c = [&](uint32_t row, uint32_t column) -> double {
    const uint32_t index = row * 8 + column;
    if (sum != "s32") return index % 11 - 5.0;
    return index % 3 == 0 ? 2147483640.0 : index % 3 == 1 ? -2147483600.0 : index;
  };
  auto bitsOfSum = [&](double value) -> uint32_t {
    if (sum == "f32") return std::bit_cast<uint32_t>(static_cast<float>(value));
    if (sum == "f16") return static_cast<uint32_t>(Rounded(Wide(value), kF16, Direction::kNearest));
    if (opcode.has("satfinite")) value = std::clamp(value, -2147483648.0, 2147483647.0);
    return static_cast<uint32_t>(static_cast<int64_t>(value));
  };
  Program program;
  program.threads = 32;
  program.expected.resize(32 * inC);
  program.in.resize(32 * 16);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t group = lane / 4, in_group = lane % 4;
    uint32_t* words = &program.in[16 * lane];
    // Registers of A: rows g and g + 8 in turn, then the next 16 columns. Four elements in a register.
    const uint32_t halves = m / 8;
    for (uint32_t i = 0; i < inA; ++i)
      for (uint32_t j = 0; j < 4; ++j)
        words[i] |= a(group + 8 * (i % halves), 16 * (i / halves) + 4 * in_group + j).first << 8 * j;
    for (uint32_t i = 0; i < inB; ++i)
      for (uint32_t j = 0; j < 4; ++j) words[4 + i] |= b(16 * i + 4 * in_group + j, group).first << 8 * j;
    for (uint32_t i = 0; i < m / 8 * 2; ++i) {
      const uint32_t row = group + 8 * (i / 2), column = 2 * in_group + i % 2;
      double total = c(row, column);
      for (uint32_t j = 0; j < k; ++j) total += a(row, j).second * b(j, column).second;
      const uint32_t before = bitsOfSum(c(row, column)), after = bitsOfSum(total);
      const uint32_t index = sum == "f16" ? i / 2 : i, shift = sum == "f16" ? 16 * (i % 2) : 0;
      words[8 + index] |= before << shift;
      program.expected[32 * index + lane] |= after << shift;
    }
  }
  std::string body;
  for (uint32_t i = 0; i < 16; ++i) absl::StrAppend(&body, "ld.global.u32 %r", 10 + i, ", [%rd3+", 4 * i, "];\n");
  absl::StrAppend(&body, opcode.text(), " ", registers(30, inC), ", ", registers(10, inA), ", ", registers(14, inB),
                  ", ", registers(18, inC), ";\n");
  for (uint32_t i = 0; i < inC; ++i) absl::StrAppend(&body, "st.global.u32 [%rd2+", 128 * i, "], %r", 30 + i, ";\n");
  program.body = body;
  return {program};
}

}  // namespace

std::vector<Program> warpPrograms(const Opcode& opcode) {
  if (opcode.name() == "ldmatrix" || opcode.name() == "stmatrix") return tilePrograms(opcode);
  const bool isOf8 = opcode.has("s8") || opcode.has("u8") || opcode.has("e4m3") || opcode.has("e5m2");
  if (opcode.name() == "mma" && isOf8) return multiplication(opcode);
  return {};
}

}  // namespace mmtune::ptx
