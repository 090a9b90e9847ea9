// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GEMM kernels of CUTLASS for sm_80 and sm_90a (cutlass/README.md), with the race detector: right, and no finding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "proto/types/matmul_problem.h"

namespace mmtune::ptx {
namespace {

std::vector<std::string> Samples() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(CUTLASS_SAMPLES))
    if (file.path().extension() == ".ptx") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string ReadSample(const std::string& name) {
  std::ifstream file(std::string(CUTLASS_SAMPLES "/") + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The launch of a kernel: C = A * B of small integers, which every type has and sums exactly. A is row-major.
class CutlassLaunch {
 public:
  /// Reads the file `<kernel>.params`.
  explicit CutlassLaunch(const std::string& text) {
    std::stringstream lines(text);
    for (std::string line; std::getline(lines, line);) ReadLine(line);
  }

  /// Launches on the device, and expects the right C and no finding.
  void Run(Device& device, DeviceKernel* kernel) {
    std::vector<int> a(m_ * k_), b(k_ * n_), got(m_ * n_);
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * 37 % 23 % 5) - 2;
    for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<int>(i * 29 % 19 % 5) - 2;
    std::map<char, DevicePtr> memory;
    memory['a'] = Upload(device, Encode(a, input_));
    memory['b'] = Upload(device, Encode(b, input_));
    memory['c'] = Upload(device, Encode(got, output_));
    memory['w'] = Upload(device, std::string(1024, '\0'));
    for (const auto& [at, which] : pointers_) std::memcpy(&parameters_[at], &memory[which], sizeof(DevicePtr));
    for (Map& map : maps_) {
      map.tiled.address = memory[map.of];
      const TensorMapBytes bytes = device.EncodeTensorMap(map.tiled).value();
      std::memcpy(&parameters_[map.at], bytes.data(), bytes.size());
    }
    void* arguments[] = {parameters_.data()};
    const absl::Status launched = device.Launch(kernel, shape_, arguments);
    std::string findings;
    for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(device).TakeFindings())
      findings += "\n" + simt::FindingText(finding);
    ASSERT_TRUE(launched.ok()) << launched << findings;

    std::string bytes(got.size() * BytesOf(output_), '\0');
    ASSERT_TRUE(device.CopyToHost(bytes.data(), memory['c'], bytes.size()).ok());
    std::vector<int> expected(got.size());
    for (size_t i = 0; i < m_; ++i)
      for (size_t j = 0; j < n_; ++j)
        for (size_t l = 0; l < k_; ++l)
          expected[i * n_ + j] += a[i * k_ + l] * b[b_by_columns_ ? j * k_ + l : l * n_ + j];
    EXPECT_TRUE(bytes == Encode(expected, output_)) << "C is wrong";
  }

 private:
  struct Map {
    size_t at = 0;
    char of = 0;
    TiledTensorMap tiled;
  };

  void ReadLine(const std::string& line) {
    std::stringstream words(line);
    std::string key;
    words >> key;
    if (key == "types") {
      std::string layout;
      words >> input_ >> output_ >> layout;
      b_by_columns_ = layout == "column";
    } else if (key == "grid") {
      words >> shape_.grid[0] >> shape_.grid[1] >> shape_.grid[2];
    } else if (key == "block") {
      words >> shape_.block[0] >> shape_.block[1] >> shape_.block[2];
    } else if (key == "cluster") {
      words >> shape_.cluster[0] >> shape_.cluster[1] >> shape_.cluster[2];
    } else if (key == "shared") {
      words >> shape_.dynamic_shared_bytes;
    } else if (key == "problem") {
      words >> m_ >> n_ >> k_;
    } else if (key == "pointer") {
      size_t at = 0;
      char which = 0;
      words >> at >> which;
      pointers_.emplace_back(at, which);
    } else if (key == "map") {
      ReadMap(words);
    } else if (key != "bytes") {
      for (size_t i = 0; i + 1 < line.size(); i += 2)
        parameters_.push_back(static_cast<char>(std::stoi(line.substr(i, 2), nullptr, 16)));
    }
  }

  /// Reads `<offset> <matrix> type <t> swizzle <s> fill <f> rank <r> <extents> <strides> <box>`.
  void ReadMap(std::stringstream& words) {
    Map map;
    std::string word;
    uint32_t rank = 0;
    words >> map.at >> map.of >> word >> map.tiled.data_type >> word >> map.tiled.swizzle >> word >>
        map.tiled.out_of_bounds_fill >> word >> rank;
    map.tiled.extents.resize(rank), map.tiled.strides_bytes.resize(rank - 1), map.tiled.box.resize(rank);
    for (uint64_t& extent : map.tiled.extents) words >> extent;
    for (uint64_t& stride : map.tiled.strides_bytes) words >> stride;
    for (uint32_t& extent : map.tiled.box) words >> extent;
    maps_.push_back(map);
  }

  static std::optional<DataType> TypeNamed(const std::string& name) {
    if (name == "f16") return DataType::kF16;
    if (name == "bf16") return DataType::kBf16;
    if (name == "f32") return DataType::kF32;
    return std::nullopt;
  }
  static size_t BytesOf(const std::string& type) {
    const std::optional<DataType> known = TypeNamed(type);
    return known ? DataTypeBytes(*known) : type == "s32" ? 4 : 1;
  }
  static std::string Encode(const std::vector<int>& values, const std::string& type) {
    std::string bytes(values.size() * BytesOf(type), '\0');
    if (const std::optional<DataType> known = TypeNamed(type)) {
      const std::vector<float> floats(values.begin(), values.end());
      TraitsOf(*known).encode(floats.data(), static_cast<int64_t>(floats.size()), bytes.data());
    } else if (type == "s32") {
      std::memcpy(bytes.data(), values.data(), bytes.size());
    } else {
      static constexpr unsigned char kE4M3[] = {0xC0, 0xB8, 0x00, 0x38, 0x40};  // -2 to 2
      for (size_t i = 0; i < values.size(); ++i)
        bytes[i] = static_cast<char>(type == "e4m3" ? kE4M3[values[i] + 2] : values[i]);
    }
    return bytes;
  }
  static DevicePtr Upload(Device& device, const std::string& bytes) {
    const DevicePtr memory = device.Allocate(bytes.size()).value();
    EXPECT_TRUE(device.CopyToDevice(memory, bytes.data(), bytes.size()).ok());
    return memory;
  }

  std::string input_, output_;
  bool b_by_columns_ = false;
  size_t m_ = 0, n_ = 0, k_ = 0;
  LaunchShape shape_;
  std::vector<std::pair<size_t, char>> pointers_;
  std::vector<Map> maps_;
  std::vector<char> parameters_;
};

class CutlassSamplesTest : public ::testing::TestWithParam<std::string> {};

TEST_P(CutlassSamplesTest, IsRightAndWithoutFindings) {
  const auto compiled =
      compilePtx(ReadSample(GetParam() + ".ptx"), {.name = GetParam() + ".ptx", .race_detection = true});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  for (const std::optional<uint64_t> seed : {std::optional<uint64_t>(), std::optional<uint64_t>(7)}) {
    SCOPED_TRACE(seed ? "with schedule fuzzing" : "in the plain order");
    simt::SimtOptions options;
    options.arch = compiled->target == "sm_80" ? "sm_80" : "sm_90";
    options.race_detector = true;
    options.fuzzing_seed = seed;
    auto device = simt::SimtDevice::Create(options).value();
    auto module = device->LoadModule(ImageFormat::kSimtObject, compiled->image).value();
    CutlassLaunch(ReadSample(GetParam() + ".params"))
        .Run(*device, module->GetKernel(compiled->kernels[0].name).value());
  }
}

INSTANTIATE_TEST_SUITE_P(All, CutlassSamplesTest, ::testing::ValuesIn(Samples()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mmtune::ptx
