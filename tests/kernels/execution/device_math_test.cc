// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels compute for each operation of the math dialect, type by type, over the whole range of the operands: the
// error against arithmetic of more bits, on the SIMT device and in the code for GPUs. There is no GPU here, so the code
// that the NVPTX backend is given, linked and optimised, runs on the host.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/execution/gpu_code_on_host.h"
#include "tests/kernels/gpu_module_compiler.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

using Real = long double;

/// An IEEE format, and its numbers as Real.
struct Format {
  const char* name;
  int bytes, precision, max_exponent;  ///< max_exponent is that of the largest power of two.

  int min_exponent() const { return 1 - max_exponent; }
  int fraction() const { return precision - 1; }
  uint64_t infinity() const { return static_cast<uint64_t>(2 * max_exponent + 1) << fraction(); }
  uint64_t sign() const { return uint64_t{1} << (8 * bytes - 1); }

  Real Decode(uint64_t bits) const {
    const Real of_sign = (bits & sign()) != 0 ? -1 : 1;
    const uint64_t magnitude = bits & (sign() - 1), tail = magnitude & ((uint64_t{1} << fraction()) - 1);
    if (magnitude > infinity()) return std::copysign(std::numeric_limits<Real>::quiet_NaN(), of_sign);
    if (magnitude == infinity()) return of_sign * std::numeric_limits<Real>::infinity();
    const auto exponent = static_cast<int>(magnitude >> fraction());
    if (exponent == 0) return of_sign * std::ldexp(static_cast<Real>(tail), min_exponent() - fraction());
    return of_sign *
           std::ldexp(static_cast<Real>(tail | uint64_t{1} << fraction()), exponent - max_exponent - fraction());
  }

  /// The number nearest to `value`, give or take one.
  uint64_t Encode(Real value) const {
    const uint64_t of_sign = std::signbit(value) ? sign() : 0;
    if (std::isnan(value)) return infinity() | uint64_t{1} << (fraction() - 1);
    const Real magnitude = std::fabs(value);
    if (magnitude >= std::ldexp(Real{1}, max_exponent + 1)) return of_sign | infinity();
    if (magnitude == 0) return of_sign;
    const int exponent = std::max(std::ilogb(magnitude), min_exponent());
    const auto tail = static_cast<uint64_t>(std::llrint(std::ldexp(magnitude, fraction() - exponent)));
    // A leading one, and a carry, count the exponent up.
    return of_sign | ((static_cast<uint64_t>(exponent - min_exponent()) << fraction()) + tail);
  }

  /// The error of `bits` in units in the last place of `want`; infinite for another kind of number.
  double Error(uint64_t bits, Real want) const {
    constexpr double kWrong = std::numeric_limits<double>::infinity();
    Real got = Decode(bits);
    if (std::isnan(want) || std::isnan(got)) return std::isnan(want) == std::isnan(got) ? 0 : kWrong;
    if (std::signbit(got) != std::signbit(want)) return kWrong;
    const Real beyond = std::ldexp(Real{1}, max_exponent + 1);
    if (std::isinf(got)) got = std::copysign(beyond, got);
    if (std::fabs(want) > beyond) want = std::copysign(beyond, want);
    if (got == want) return 0;
    const int exponent = std::clamp(want == 0 ? min_exponent() : std::ilogb(want), min_exponent(), max_exponent);
    return static_cast<double>(std::fabs(got - want) / std::ldexp(Real{1}, exponent - fraction()));
  }
};

constexpr Format kF16 = {"f16", 2, 11, 15}, kBf16 = {"bf16", 2, 8, 127}, kF32 = {"f32", 4, 24, 127},
                 kF64 = {"f64", 8, 53, 1023};

struct Operation {
  std::string name;
  std::string code;  ///< Gives %r of %x, %y and the type T.
  std::function<Real(Real x, Real y)> exact;
  double f32 = 3, f64 = 3;    ///< Most units in the last place.
  const char* exponent = "";  ///< The type of %y, where it is one of integers.
  int operands = 2;
};

std::function<Real(Real, Real)> Of(Real (*function)(Real)) {
  return [function](Real x, Real) { return function(x); };
}

Operation Unary(std::string name, Real (*function)(Real), double f32 = 3, double f64 = 3) {
  return {name, "%r = math." + name + " %x : T", Of(function), f32, f64, "", 1};
}

/// A power with a constant exponent.
Operation Constant(const std::string& exponent, Real value, bool is_integer = false) {
  std::string name = absl::StrReplaceAll(exponent, {{"-", "minus_"}, {".", "_"}});
  if (is_integer) {
    return {absl::StrCat("fpowi_", name),
            absl::StrCat("%c = arith.constant ", exponent, " : i32 %r = math.fpowi %x, %c : T, i32"),
            [value](Real x, Real) { return std::pow(x, value); },
            3,
            3,
            "",
            1};
  }
  return {absl::StrCat("powf_", name),
          absl::StrCat("%c = arith.constant ", exponent, " : T %r = math.powf %x, %c : T"),
          [value](Real x, Real) { return std::pow(x, value); },
          3,
          3,
          "",
          1};
}

Operation IntegerPower(const char* type) {
  return {absl::StrCat("fpowi_", type),
          absl::StrCat("%r = math.fpowi %x, %y : T, ", type),
          [](Real x, Real y) { return std::pow(x, y); },
          3,
          3,
          type};
}

std::vector<Operation> Operations() {
  std::vector<Operation> operations = {
      Unary("absf", std::fabs, 0, 0),
      Unary("acos", std::acos),
      Unary("acosh", std::acosh),
      Unary("asin", std::asin),
      Unary("asinh", std::asinh),
      Unary("atan", std::atan),
      Unary("atanh", std::atanh),
      Unary("cbrt", std::cbrt),
      Unary("ceil", std::ceil, 0, 0),
      Unary("cos", std::cos),
      Unary("cosh", std::cosh),
      Unary("erf", std::erf),
      Unary("erfc", std::erfc, 5),
      Unary("exp", std::exp, 2, 2),
      Unary("exp2", std::exp2, 2, 2),
      Unary("expm1", std::expm1),
      Unary("floor", std::floor, 0, 0),
      Unary("log", std::log),
      Unary("log10", std::log10),
      Unary("log1p", std::log1p),
      Unary("log2", std::log2),
      Unary("round", std::round, 0, 0),
      Unary("roundeven", std::rint, 0, 0),
      {"rsqrt", "%r = math.rsqrt %x : T", [](Real x, Real) { return 1 / std::sqrt(x); }, 1.5, 1.5, "", 1},
      Unary("sin", std::sin),
      Unary("sinh", std::sinh),
      Unary("sqrt", std::sqrt, .5001, .5001),
      Unary("tan", std::tan, 3.5),
      Unary("tanh", std::tanh, 2),
      Unary("trunc", std::trunc, 0, 0),
      {"fast_exp", "%r = math.exp %x fastmath<fast> : T", Of(std::exp), 2, 2, "", 1},
      {"sincos", "%r, %c = math.sincos %x : T", Of(std::sin), 3, 3, "", 1},
      {"atan2", "%r = math.atan2 %x, %y : T", [](Real x, Real y) { return std::atan2(x, y); }},
      {"copysign", "%r = math.copysign %x, %y : T", [](Real x, Real y) { return std::copysign(x, y); }, 0, 0},
      {"fma", "%r = math.fma %x, %x, %y : T", [](Real x, Real y) { return std::fma(x, x, y); }, .5001, .51},
      {"powf", "%r = math.powf %x, %y : T", [](Real x, Real y) { return std::pow(x, y); }, 2, 2},
      {"remf", "%r = arith.remf %x, %y : T", [](Real x, Real y) { return std::fmod(x, y); }, 0, 0},
  };
  for (const char* type : {"i8", "i32", "i64"}) operations.push_back(IntegerPower(type));
  for (const char* exponent : {"0.0", "1.0", "2.0", "3.0", "4.0", "5.0", "-1.0", "-2.0", "0.5", "-0.5", "0.75", "2.5"})
    operations.push_back(Constant(exponent, std::strtold(exponent, nullptr)));
  for (const char* exponent : {"0", "1", "2", "3", "4", "5", "-1", "-2", "-3", "1000001", "16777217"})
    operations.push_back(Constant(exponent, std::strtold(exponent, nullptr), /*is_integer=*/true));
  return operations;
}

/// One kernel for each operation, block by block: result[i] = operation(x[i], y[i]); on vectors of two elements with
/// `is_vector`.
std::string ModuleText(const std::vector<Operation>& operations, const std::string& type, bool is_vector) {
  auto whole = [&](const std::string& element) {
    return is_vector ? absl::StrCat("vector<2x", element, ">") : element;
  };
  std::string text = "gpu.module @kernels {\n";
  for (const Operation& operation : operations) {
    const std::string second = *operation.exponent != '\0' ? operation.exponent : type;
    std::string code = operation.code;
    if (is_vector) {
      const size_t constant = code.find("arith.constant ");
      if (constant != code.npos) {
        const size_t begin = constant + std::strlen("arith.constant "), end = code.find(" : ", begin);
        code = absl::StrCat(code.substr(0, begin), "dense<", code.substr(begin, end - begin), ">", code.substr(end));
      }
      for (const char* integers : {"i8", "i32", "i64"})
        code = absl::StrReplaceAll(code, {{absl::StrCat(": ", integers), absl::StrCat(": vector<2x", integers, ">")},
                                          {absl::StrCat(", ", integers), absl::StrCat(", vector<2x", integers, ">")}});
    }
    code = absl::StrReplaceAll(code, {{": T", absl::StrCat(": ", whole(type))}});
    absl::StrAppend(&text, "gpu.func @", operation.name, "(%a: memref<?x", whole(type), ">, %b: memref<?x",
                    whole(second), ">, %c0: memref<?x", whole(type),
                    ">) kernel {\n  %i = gpu.block_id x\n  %x = memref.load %a[%i] : memref<?x", whole(type),
                    ">\n  %y = memref.load %b[%i] : memref<?x", whole(second), ">\n  ", code,
                    "\n  memref.store %r, %c0[%i] : memref<?x", whole(type), ">\n  gpu.return\n}\n");
  }
  return text + "}\n";
}

std::vector<Real> Specials(const Format& format) {
  std::vector<Real> values;
  for (Real value : {Real{0},
                     format.Decode(1),
                     format.Decode(3),
                     format.Decode(uint64_t{1} << (format.fraction() - 1)),
                     std::ldexp(Real{1}, format.min_exponent()),
                     std::ldexp(Real{1.5}, format.min_exponent()),
                     1e-10L,
                     1e-5L,
                     .1L,
                     .25L,
                     .5L,
                     1 - std::ldexp(Real{1}, -format.precision),
                     1.0L,
                     1 + std::ldexp(Real{1}, -format.fraction()),
                     1.5L,
                     2.0L,
                     2.5L,
                     3.0L,
                     3.5L,
                     4.0L,
                     5.0L,
                     10.0L,
                     11.0L,
                     33.0L,
                     87.5L,
                     88.0L,
                     89.0L,
                     100.0L,
                     103.9L,
                     127.0L,
                     128.0L,
                     149.0L,
                     150.0L,
                     709.0L,
                     745.0L,
                     1000.0L,
                     1e5L,
                     123457.0L,
                     1e8L,
                     16777215.0L,
                     16777216.0L,
                     1e15L,
                     9007199254740991.0L,
                     1e30L,
                     1e300L,
                     format.Decode(format.infinity() - 1),
                     std::numeric_limits<Real>::infinity()}) {
    values.push_back(value);
    values.push_back(-value);
  }
  values.push_back(std::numeric_limits<Real>::quiet_NaN());
  return values;
}

const Real kExponents[] = {0,
                           1,
                           -1,
                           2,
                           -2,
                           3,
                           -3,
                           4,
                           5,
                           7,
                           -8,
                           12,
                           31,
                           -64,
                           100,
                           127,
                           -128,
                           1001,
                           -30001,
                           16777217,
                           -16777219,
                           2147483647,
                           -2147483648.0L,
                           4294967297.0L,
                           -1099511627777.0L,
                           9007199254740993.0L};

/// Operands, of the operation's types: bits of floats, or integers.
struct Operands {
  std::vector<uint64_t> x, y;
};

class Drawing {
 public:
  Drawing(const Format& format, const Operation& operation, uint64_t seed, size_t count)
      : format_(format), operation_(operation), random_(seed) {
    for (Real x : Specials(format)) {
      if (operation.operands == 1) Add(format.Encode(x), 0);
      for (Real y : operation.operands == 1 ? std::vector<Real>() : Seconds()) Add(format.Encode(x), SecondBits(y));
    }
    for (size_t i = 0; i < count; ++i) {
      const uint64_t x = Random(i);
      Add(x, IsInteger() ? SecondBits(kExponents[random_() % std::size(kExponents)]) : Random(i / 5));
    }
    if (operands_.x.size() % 2 != 0) Add(0, 0);  // Vectors have two.
  }

  const Operands& operands() const { return operands_; }

 private:
  bool IsInteger() const { return *operation_.exponent != '\0'; }
  int IntegerBits() const { return std::stoi(operation_.exponent + 1); }
  std::vector<Real> Seconds() const {
    return IsInteger() ? std::vector<Real>(std::begin(kExponents), std::end(kExponents)) : Specials(format_);
  }
  uint64_t SecondBits(Real value) const {
    if (!IsInteger()) return format_.Encode(value);
    const int spare = 64 - IntegerBits();
    return static_cast<uint64_t>(static_cast<int64_t>(value)) << spare >> spare;
  }
  void Add(uint64_t x, uint64_t y) {
    operands_.x.push_back(x);
    operands_.y.push_back(y);
  }
  Real Uniform() { return static_cast<Real>(static_cast<int64_t>(random_())) / std::ldexp(Real{1}, 63); }
  /// Any bits, and numbers where functions bend.
  uint64_t Random(size_t kind) {
    switch (kind % 5) {
      case 0:
        return random_() >> (64 - 8 * format_.bytes);
      case 1:
        return format_.Encode(Uniform() * 1.2L);
      case 2:
        return format_.Encode(Uniform() * 10);
      case 3:
        return format_.Encode(Uniform() * 1000);
      default:
        return format_.Encode(std::rint(Uniform() * 20));
    }
  }

  const Format& format_;
  const Operation& operation_;
  std::mt19937_64 random_;
  Operands operands_;
};

std::string Packed(const std::vector<uint64_t>& values, size_t bytes) {
  std::string packed;
  for (uint64_t value : values) packed.append(reinterpret_cast<const char*>(&value), bytes);
  return packed;
}

/// A memref of one dimension, as kernels take it.
struct Buffer {
  uint64_t allocated, aligned;
  int64_t offset = 0, size, stride = 1;

  void AppendTo(std::vector<void*>& arguments) {
    for (void* field : {static_cast<void*>(&allocated), static_cast<void*>(&aligned), static_cast<void*>(&offset),
                        static_cast<void*>(&size), static_cast<void*>(&stride)})
      arguments.push_back(field);
  }
};

struct TypeCase {
  Format format;
  bool is_vector;
};

class DeviceMathTest : public testing::TestWithParam<TypeCase> {
 protected:
  static constexpr size_t kRandom = 4000;

  void SetUp() override {
    operations_ = Operations();
    text_ = ModuleText(operations_, format().name, GetParam().is_vector);
    device_ = *ptx::createPtxDevice({.arch = "sm_80"});
  }

  const Format& format() const { return GetParam().format; }
  size_t width() const { return GetParam().is_vector ? 2 : 1; }
  size_t SecondBytes(const Operation& operation) const {
    return *operation.exponent != '\0' ? static_cast<size_t>(std::stoi(operation.exponent + 1)) / 8
                                       : static_cast<size_t>(format().bytes);
  }

  std::vector<uint64_t> Unpacked(const std::string& bytes) const {
    const auto each = static_cast<size_t>(format().bytes);
    std::vector<uint64_t> values(bytes.size() / each);
    for (size_t i = 0; i < values.size(); ++i) std::memcpy(&values[i], bytes.data() + i * each, each);
    return values;
  }

  std::vector<uint64_t> RunOnSimt(DeviceModule& module, const Operation& operation, const Operands& operands) {
    std::string parts[] = {Packed(operands.x, static_cast<size_t>(format().bytes)),
                           Packed(operands.y, SecondBytes(operation)),
                           std::string(operands.x.size() * static_cast<size_t>(format().bytes), '\xff')};
    const auto count = static_cast<int64_t>(operands.x.size() / width());
    Buffer buffers[3];
    std::vector<void*> arguments;
    for (int i = 0; i < 3; ++i) {
      const DevicePtr at = *device_->Allocate(parts[i].size());
      EXPECT_TRUE(device_->CopyToDevice(at, parts[i].data(), parts[i].size()).ok());
      buffers[i] = {at, at, 0, count, 1};
      buffers[i].AppendTo(arguments);
    }
    auto kernel = module.GetKernel(operation.name);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    if (!kernel.ok()) return {};
    LaunchShape shape;
    shape.grid[0] = static_cast<uint32_t>(count);
    const absl::Status launched = device_->Launch(*kernel, shape, arguments.data());
    EXPECT_TRUE(launched.ok()) << launched;
    EXPECT_TRUE(device_->CopyToHost(parts[2].data(), buffers[2].aligned, parts[2].size()).ok());
    for (Buffer& buffer : buffers) EXPECT_TRUE(device_->Free(buffer.aligned).ok());
    return Unpacked(parts[2]);
  }

  std::vector<uint64_t> RunGpuCode(const GpuCodeOnHost& code, const Operation& operation, const Operands& operands) {
    std::string parts[] = {Packed(operands.x, static_cast<size_t>(format().bytes)),
                           Packed(operands.y, SecondBytes(operation)),
                           std::string(operands.x.size() * static_cast<size_t>(format().bytes), '\xff')};
    const auto count = static_cast<int64_t>(operands.x.size() / width());
    Buffer buffers[3];
    std::vector<void*> arguments;
    for (int i = 0; i < 3; ++i) {
      const auto at = reinterpret_cast<uint64_t>(parts[i].data());
      buffers[i] = {at, at, 0, count, 1};
      buffers[i].AppendTo(arguments);
    }
    const absl::Status ran = code.Run(operation.name, static_cast<uint32_t>(count), /*threads=*/1, arguments.data());
    EXPECT_TRUE(ran.ok()) << ran;
    return Unpacked(parts[2]);
  }

  /// Most units in the last place. What is computed in f32 and rounded again is off by little more than half of one.
  double Limit(const Operation& operation) const {
    if (format().precision == kF64.precision) return operation.f64;
    if (format().precision == kF32.precision) return operation.f32;
    return operation.f32 == 0 ? 0 : .51 + (operation.f32 + 1) * std::ldexp(1.0, format().precision - kF32.precision);
  }

  void ExpectNear(const Operation& operation, const Operands& operands, const std::vector<uint64_t>& results) {
    const int spare = *operation.exponent != '\0' ? 64 - 8 * static_cast<int>(SecondBytes(operation)) : 0;
    double worst = 0;
    size_t at = 0;
    for (size_t i = 0; i < results.size(); ++i) {
      const Real y = *operation.exponent != '\0'
                         ? static_cast<Real>(static_cast<int64_t>(operands.y[i] << spare) >> spare)
                         : format().Decode(operands.y[i]);
      const double error = format().Error(results[i], operation.exact(format().Decode(operands.x[i]), y));
      if (error <= worst) continue;
      worst = error;
      at = i;
    }
    const Real x = format().Decode(operands.x[at]);
    const Real y = spare != 0 || *operation.exponent != '\0'
                       ? static_cast<Real>(static_cast<int64_t>(operands.y[at] << spare) >> spare)
                       : format().Decode(operands.y[at]);
    EXPECT_LE(worst, Limit(operation)) << operation.name << " of " << format().name << " at " << static_cast<double>(x)
                                       << ", " << static_cast<double>(y) << " is "
                                       << static_cast<double>(format().Decode(results[at])) << ", and should be "
                                       << static_cast<double>(operation.exact(x, y));
    std::printf("%-5s %-16s %.3f\n", format().name, operation.name.c_str(), worst);
  }

  std::vector<Operation> operations_;
  std::string text_;
  std::unique_ptr<Device> device_;
};

TEST_P(DeviceMathTest, IsAccurateOverTheWholeRangeAndTheSameOnEveryDevice) {
  const uint64_t seed = FreshTestSeed();
  auto gpu = GpuCodeOnHost::Compile(text_, "sm_80");
  ASSERT_TRUE(gpu.ok()) << gpu.status();
  CompileTarget target;
  target.device = device_->info();
  ImageFormat image_format;
  auto image = CompileGpuModule(text_, "math.mlir", target, &image_format);
  ASSERT_TRUE(image.ok()) << image.status();
  auto module = device_->LoadModule(image_format, *image);
  ASSERT_TRUE(module.ok()) << module.status();
  for (const Operation& operation : operations_) {
    const Drawing drawing(format(), operation, seed, TestCount(kRandom, 20 * kRandom));
    const std::vector<uint64_t> of_gpu = RunGpuCode(*gpu, operation, drawing.operands());
    ExpectNear(operation, drawing.operands(), of_gpu);
    const std::vector<uint64_t> of_simt = RunOnSimt(**module, operation, drawing.operands());
    ASSERT_EQ(of_gpu.size(), of_simt.size());
    for (size_t i = 0; i < of_gpu.size(); ++i) {
      if (std::isnan(format().Decode(of_gpu[i])) && std::isnan(format().Decode(of_simt[i]))) continue;
      ASSERT_EQ(of_gpu[i], of_simt[i]) << operation.name << " of "
                                       << static_cast<double>(format().Decode(drawing.operands().x[i]));
    }
  }
}

TEST_P(DeviceMathTest, ThePtxThatShipsComputesTheSame) {
  const uint64_t seed = FreshTestSeed();
  const auto load = [&](const char* arch, bool shipped_ptx) -> absl::StatusOr<std::unique_ptr<DeviceModule>> {
    CompileTarget target;
    target.device = *ArchitectureLimits(arch);
    target.device.kind = DeviceKind::kSimt;
    target.shipped_ptx = shipped_ptx;
    ImageFormat image_format;
    auto image = CompileGpuModule(text_, "math.mlir", target, &image_format);
    if (!image.ok()) return image.status();
    EXPECT_EQ(image_format, shipped_ptx ? ImageFormat::kPtx : ImageFormat::kSimtObject);
    return device_->LoadModule(image_format, *image);
  };
  const auto own = load("sm_80", /*shipped_ptx=*/false);
  ASSERT_TRUE(own.ok()) << own.status();
  for (const char* arch : {"sm_80", "sm_90"}) {
    if (arch == std::string("sm_90") && !WholeSweeps()) continue;
    SCOPED_TRACE(arch);
    const auto shipped = load(arch, /*shipped_ptx=*/true);
    ASSERT_TRUE(shipped.ok()) << shipped.status();
    for (const Operation& operation : operations_) {
      const Drawing drawing(format(), operation, seed, TestCount(kRandom / 20, kRandom));
      const std::vector<uint64_t> through_ptx = RunOnSimt(**shipped, operation, drawing.operands());
      ExpectNear(operation, drawing.operands(), through_ptx);
      const std::vector<uint64_t> through_own = RunOnSimt(**own, operation, drawing.operands());
      ASSERT_EQ(through_ptx.size(), through_own.size());
      for (size_t i = 0; i < through_ptx.size(); ++i) {
        if (std::isnan(format().Decode(through_ptx[i])) && std::isnan(format().Decode(through_own[i]))) continue;
        ASSERT_EQ(through_ptx[i], through_own[i]) << operation.name;
      }
    }
  }
}

TEST_P(DeviceMathTest, PtxHasNoApproximateInstruction) {
  CompileTarget target;
  target.device = *ArchitectureLimits("sm_80");
  target.device.kind = DeviceKind::kCuda;
  target.assemble = false;
  ImageFormat image_format;
  auto ptx = CompileGpuModule(text_, "math.mlir", target, &image_format);
  ASSERT_TRUE(ptx.ok()) << ptx.status();
  for (const char* approximate : {".approx", ".ftz", "div.full", "__nv_"})
    EXPECT_FALSE(absl::StrContains(*ptx, approximate)) << approximate;
}

INSTANTIATE_TEST_SUITE_P(Types, DeviceMathTest,
                         testing::Values(TypeCase{kF16, false}, TypeCase{kBf16, false}, TypeCase{kF32, false},
                                         TypeCase{kF64, false}, TypeCase{kF16, true}, TypeCase{kF32, true}),
                         [](const auto& info) {
                           return absl::StrCat(info.param.format.name, info.param.is_vector ? "_vectors" : "");
                         });

/// A kernel in the LLVM dialect, as frontends write it: intrinsics, and calls of libdevice.
constexpr char kLlvmKernel[] = R"(
gpu.module @kernels {
  llvm.func @__nv_fast_powf(f32, f32) -> f32
  llvm.func @kernel(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.load %p : !llvm.ptr -> f32
    %1 = llvm.call_intrinsic "llvm.exp.f32"(%0) : (f32) -> f32
    %2 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %1, %2 : f32, !llvm.ptr
    %4 = llvm.intr.tan(%0) : (f32) -> f32
    %5 = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %4, %5 : f32, !llvm.ptr
    %6 = llvm.call @__nv_fast_powf(%0, %0) : (f32, f32) -> f32
    %7 = llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %6, %7 : f32, !llvm.ptr
    llvm.return
  }
}
)";

TEST(LlvmKernelTest, IntrinsicsAndFastFormsAreTheSameFunctions) {
  constexpr float kX = -3;
  auto code = GpuCodeOnHost::Compile(kLlvmKernel, "sm_80");
  ASSERT_TRUE(code.ok()) << code.status();
  float values[4] = {kX};
  void* at = values;
  void* arguments[] = {&at};
  ASSERT_TRUE(code->Run("kernel", 1, 1, arguments).ok());
  EXPECT_FLOAT_EQ(values[1], std::exp(kX));
  EXPECT_FLOAT_EQ(values[2], std::tan(kX));
  EXPECT_FLOAT_EQ(values[3], std::pow(kX, kX));
}

TEST(LlvmKernelTest, NamesFunctionsThatAreNotThere) {
  std::string text = absl::StrReplaceAll(kLlvmKernel, {{"__nv_fast_powf", "__nv_unheard_of"}});
  EXPECT_TRUE(absl::StrContains(GpuCodeOnHost::Compile(text, "sm_80").status().message(), "__nv_unheard_of"));
  text = absl::StrReplaceAll(kLlvmKernel, {{"__nv_fast_powf", "__nv_pow"}});
  EXPECT_TRUE(absl::StrContains(GpuCodeOnHost::Compile(text, "sm_80").status().message(),
                                "__nv_pow is declared with another type than libdevice has"));
}

TEST(SimtModuleTest, RefusesObjectsThatCallTheHostsMathLibrary) {
  auto object = HostObjectOf(
      "declare float @expf(float)\n"
      "define void @k__simt(ptr %context, ptr %arguments) {\n"
      "  %x = load float, ptr %arguments\n  %y = call float @expf(float %x)\n"
      "  store float %y, ptr %arguments\n  ret void\n}\n");
  ASSERT_TRUE(object.ok()) << object.status();
  auto device = *simt::SimtDevice::Create({.arch = "sm_80"});
  auto module = device->LoadModule(ImageFormat::kSimtObject, *object);
  ASSERT_FALSE(module.ok());
  EXPECT_TRUE(absl::StrContains(module.status().message(), "expf")) << module.status();
}

std::string ReadFile(const std::string& name) {
  std::ifstream file(absl::StrCat(DEVICE_MATH_MODULES "/", name));
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Modules of the second examination: in kernels the exponent has to be seen, or the power to be right without.
class ConstantExponentTest : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(ConstantExponentTest, PowersOfNegativeNumbersAreRightInCodeForGpus) {
  const auto& [name, exponent] = GetParam();
  auto code = GpuCodeOnHost::CompileModel(ReadFile(name), "sm_80");
  ASSERT_TRUE(code.ok()) << code.status();
  ASSERT_EQ(code->kernels().size(), 1u);
  std::vector<float> x(64), result(64);
  for (size_t i = 0; i < x.size(); ++i) x[i] = (static_cast<float>(i) - 31) / 4;
  Buffer buffers[2];
  std::vector<void*> arguments;
  for (std::vector<float>* values : {&x, &result}) {
    const auto at = reinterpret_cast<uint64_t>(values->data());
    Buffer& buffer = buffers[values == &result];
    buffer = {at, at, 0, 64, 1};
    buffer.AppendTo(arguments);
  }
  ASSERT_TRUE(code->Run(code->kernels()[0], /*blocks=*/1, /*threads=*/64, arguments.data()).ok());
  for (size_t i = 0; i < x.size(); ++i) {
    const double expected = std::pow(x[i], exponent);
    EXPECT_NEAR(result[i], expected, std::abs(expected) * 0x1p-22) << x[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Modules, ConstantExponentTest,
                         testing::Values(std::pair("powf_of_negative_base.mlir", 4),
                                         std::pair("fpowi_of_negative_base.mlir", 5)),
                         [](const auto& info) { return std::string(info.param.first).substr(0, 5); });

}  // namespace
}  // namespace mmtune
