// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/simulator/ptx/operation_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "kernels/simulator/simt_device.h"
#include "tests/test_seed.h"

namespace mmtune::ptx {
namespace {

constexpr size_t kThreads = 128, kMostResults = 8, kFirstOperand = 8;
constexpr char kOperandNames[] = "abce";
/// The text of a module stays below the size from which code for race detection is optimised.
constexpr size_t kKernelsInModule = 48;

std::string registerOf(char kind, size_t index) {
  const int bits = bitsOf(kind);
  return absl::StrCat(bits == 1 ? "%p" : bits == 16 ? "%h" : bits == 32 ? "%r" : "%rd", index);
}

std::string header() {
  return absl::StrCat(
      ".version 8.8\n.target sm_100a\n.address_size 64\n.const .align 32 .b8 table[32] = {",
      absl::StrJoin(kConstantBytes, ", ", [](std::string* out, char c) { absl::StrAppend(out, int{c}); }),
      "};\n.shared .align 32 .b8 mem[", kThreads * kOperandBytes, "];\n");
}

std::string kernelOf(const Case& c, size_t index) {
  std::string text = absl::StrCat(".visible .entry k", index, R"((.param .u64 in, .param .u64 out, .param .u64 zeros,
  .param .align 32 .b8 block[32]) {
  .reg .b64 %x<8>; .reg .b32 %y<8>; .reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<16>; .reg .b64 %rd<16>;
  mov.u32 %y0, %tid.x; mov.u32 %y1, %ctaid.x; mov.u32 %y2, %ntid.x; mad.lo.s32 %y3, %y1, %y2, %y0;
  ld.param.u64 %x0, [in]; mad.wide.u32 %x0, %y3, 32, %x0; ld.param.u64 %x1, [out]; mad.wide.u32 %x1, %y3, 64, %x1;
)");
  if (absl::StrContains(c.code, "%x3")) text += "ld.param.u64 %x3, [zeros]; mad.wide.u32 %x3, %y3, 32, %x3;\n";
  if (absl::StrContains(c.code, "%x4")) text += "mov.b64 %x4, 0;\n";
  if (absl::StrContains(c.code, "%y6")) text += "mov.u32 %y6, mem; mad.lo.u32 %y6, %y0, 32, %y6;\n";
  std::vector<std::pair<std::string, std::string>> names;
  for (size_t i = 0; i < c.results.size(); ++i) names.emplace_back(absl::StrCat("$r", i), registerOf(c.results[i], i));
  for (size_t i = 0; i < c.operands.size(); ++i) {
    const int bits = bitsOf(c.operands[i]);
    const std::string name = registerOf(c.operands[i], kFirstOperand + i);
    names.emplace_back(absl::StrCat("$", std::string(1, kOperandNames[i])), name);
    if (bits == 1)
      absl::StrAppend(&text, "ld.global.u32 %y4, [%x0+", 8 * i, "]; setp.ne.u32 ", name, ", %y4, 0;\n");
    else
      absl::StrAppend(&text, "ld.global.b", bits, " ", name, ", [%x0+", 8 * i, "];\n");
  }
  absl::StrAppend(&text, absl::StrReplaceAll(c.code, names), "\n");
  for (size_t i = 0; i < c.results.size(); ++i) {
    const int bits = bitsOf(c.results[i]);
    const std::string name = registerOf(c.results[i], i);
    absl::StrAppend(&text,
                    bits == 1    ? "selp.b64 %x2, 1, 0, "
                    : bits == 64 ? "mov.b64 %x2, "
                                 : absl::StrCat("cvt.u64.u", bits, " %x2, "),
                    name, "; st.global.b64 [%x1+", 8 * i, "], %x2;\n");
  }
  return text + "ret; }\n";
}

/// Returns the operands of each thread, four for each.
std::vector<U> operandsOf(const Case& c, size_t most, std::mt19937_64& random) {
  std::vector<const std::vector<U>*> values;
  size_t combinations = 1;
  for (char kind : c.operands) {
    values.push_back(&specialsOf(kind));
    combinations *= values.back()->size();
  }
  const bool isWhole = combinations <= most;
  const size_t count = isWhole ? combinations : most;
  std::vector<U> operands((count + kThreads - 1) / kThreads * kThreads * 4);
  for (size_t i = 0; i < operands.size() / 4; ++i) {
    size_t rest = i;
    for (size_t j = 0; j < values.size(); ++j) {
      const std::vector<U>& from = *values[j];
      operands[4 * i + j] = from[isWhole ? rest % from.size() : random() % from.size()];
      rest /= from.size();
    }
  }
  return operands;
}

Wide magnitude(Wide x) { return x < 0 ? -x : x; }

bool isNear(U actual, U expected, const Format& format, const Case& c) {
  if (actual == expected) return true;
  const Wide a = Number(actual, format), b = Number(expected, format), infinity = Wide(__builtin_inf());
  if (IsNan(a) || IsNan(b)) return IsNan(a) && IsNan(b);
  if (c.relative == 0 && c.absolute == 0) return false;
  if (magnitude(a) == infinity || magnitude(b) == infinity || (a == 0 && b == 0) || (b == 0 && c.absolute == 0))
    return false;
  // The last bit of a subnormal number is more than the relative error.
  const Wide least = Number(1, format);
  return magnitude(a - b) <= magnitude(b) * Wide(c.relative) + Wide(c.absolute) + least;
}

/// True if the results are the same, both NaN, or differ by what the case allows; for packed types, lane by lane.
bool isSame(char kind, U actual, U expected, const Case& c) {
  const Format* format = formatOf(kind);
  if (!format) return actual == expected;
  for (int shift = 0; shift < bitsOf(kind); shift += format->bits)
    if (!isNear(lowBits(actual >> shift, format->bits), lowBits(expected >> shift, format->bits), *format, c))
      return false;
  return true;
}

void checkRefusal(const Case& c, bool raceDetection) {
  const auto compiled = compilePtx(header() + kernelOf(c, 0), {.name = "a.ptx", .race_detection = raceDetection});
  EXPECT_NE(compiled.status().message().find(c.refusal), std::string::npos) << c.code << ": " << compiled.status();
}

/// Runs a kernel for all operands.
void runCase(const Case& c, Device& device, DeviceKernel* kernel, const std::vector<U>& in) {
  const size_t count = in.size() / 4, inBytes = in.size() * 8, outBytes = count * kMostResults * 8;
  std::vector<U> out(count * kMostResults), zeros(in.size());
  DevicePtr from = *device.Allocate(inBytes), to = *device.Allocate(outBytes), scratch = *device.Allocate(inBytes);
  ASSERT_TRUE(device.CopyToDevice(from, in.data(), inBytes).ok() &&
              device.CopyToDevice(scratch, zeros.data(), inBytes).ok());
  std::array<char, kOperandBytes> block = kConstantBytes;
  void* arguments[] = {&from, &to, &scratch, block.data()};
  LaunchShape shape;
  shape.grid[0] = static_cast<uint32_t>(count / kThreads);
  shape.block[0] = kThreads;
  const absl::Status launched = device.Launch(kernel, shape, arguments);
  EXPECT_TRUE(launched.ok()) << launched;
  EXPECT_TRUE(device.CopyToHost(out.data(), to, outBytes).ok());
  for (DevicePtr ptr : {from, to, scratch}) EXPECT_TRUE(device.Free(ptr).ok());
  if (!launched.ok()) return;
  for (size_t i = 0; i < count; ++i) {
    const U* operands = &in[4 * i];
    const std::vector<U> expected = c.formula(operands);
    for (size_t j = 0; j < c.results.size(); ++j) {
      const U want = lowBits(expected[j], bitsOf(c.results[j]));
      ASSERT_TRUE(isSame(c.results[j], out[kMostResults * i + j], want, c))
          << std::hex << "result " << j << " is 0x" << out[kMostResults * i + j] << " instead of 0x" << want << " of 0x"
          << operands[0] << ", 0x" << operands[1] << ", 0x" << operands[2] << ", 0x" << operands[3];
    }
  }
}

}  // namespace

void checkCases(const std::vector<Case>& cases, bool raceDetection, size_t most) {
  std::mt19937_64 random(FreshTestSeed());
  simt::SimtOptions options;
  options.arch = "sm_100";
  options.race_detector = raceDetection;
  auto device = *simt::SimtDevice::Create(options);
  std::vector<const Case*> runnable;
  for (const Case& c : cases) {
    if (c.refusal.empty())
      runnable.push_back(&c);
    else
      checkRefusal(c, raceDetection);
  }
  for (size_t first = 0; first < runnable.size(); first += kKernelsInModule) {
    const size_t count = std::min(kKernelsInModule, runnable.size() - first);
    std::string text = header();
    for (size_t i = 0; i < count; ++i) text += kernelOf(*runnable[first + i], i);
    const auto compiled = compilePtx(text, {.name = "operations.ptx", .race_detection = raceDetection});
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    auto module = device->LoadModule(ImageFormat::kSimtObject, compiled->image);
    ASSERT_TRUE(module.ok()) << module.status();
    for (size_t i = 0; i < count; ++i) {
      const Case& c = *runnable[first + i];
      SCOPED_TRACE(c.code);
      runCase(c, *device, *(*module)->GetKernel(absl::StrCat("k", i)), operandsOf(c, most, random));
    }
  }
}

}  // namespace mmtune::ptx
