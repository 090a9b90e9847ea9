// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each form of the operation table that threads execute together, from PTX text: a program runs around each of a sample
// of its opcodes, with race detection and without, or a test elsewhere has the opcode. A form, or a word of it, that no
// test has is a failure.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/simulator/ptx/block_programs.h"
#include "tests/kernels/simulator/ptx/opcode_forms.h"
#include "tests/test_seed.h"

namespace mmtune::ptx {
namespace {

/// Tests that build opcodes from parts: forms that begin with `form`, and a text that the file has.
struct Elsewhere {
  const char *form, *file, *text;
};
constexpr Elsewhere kElsewhere[] = {
    {"wmma.", "ptx_programs_test.cc", "WmmaMultipliesMatricesInEveryShapeAndLayout"},
    {"cp.async.bulk.tensor.", "../../../gpu/golden/golden_ptx.cc",
     "d.shared::cluster.global.mbarrier::complete_tx::bytes"},
    {"cp.reduce.async.bulk.tensor.", "../../../gpu/golden/golden_ptx.cc", "cp.reduce"},
};

std::string readText(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns the opcodes in the texts of the tests of PTX, in the samples that they run, and in the golden vectors.
std::vector<Opcode> opcodesOfTests() {
  std::set<std::string> found;
  for (const char* folder : {PTX_TESTS, PTX_TESTS "/triton", PTX_TESTS "/cutlass", GOLDEN_VECTORS})
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      const std::string name = file.path().filename();
      const bool isTest = absl::EndsWith(name, "_test.cc") && !absl::StartsWith(name, "ptx_refusals");
      if (!isTest && !absl::EndsWith(name, ".ptx") && !absl::EndsWith(name, ".txt")) continue;
      std::string word;
      for (char c : readText(file.path()) + " ") {
        if (absl::ascii_isalnum(c) || c == '_' || c == '.' || c == ':') {
          word += c;
          continue;
        }
        found.insert(word);
        word.clear();
      }
    }
  std::vector<Opcode> opcodes;
  for (const std::string& word : found) opcodes.push_back({absl::StrSplit(word, '.')});
  return opcodes;
}

/// Runs a program; returns the first words of `out`, and what was found.
std::pair<std::vector<uint32_t>, std::string> run(const Program& program, bool raceDetection) {
  const std::string text =
      ".version 8.8\n.target sm_100a\n.address_size 64\n.shared .align 128 .b8 mem[4096];\n"
      ".func (.param .b32 y) triple(.param .b32 x) { .reg .b32 %r; ld.param.b32 %r, [x]; mul.lo.u32 %r, %r, 3; "
      "st.param.b32 [y], %r; ret; }\n"
      ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
      ".reg .pred %p<10>; .reg .b32 %r<50>; .reg .b64 %rd<10>;\n"
      "ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x; mov.u32 %r1, mem;\n"
      "mad.lo.u32 %r2, %r0, 4, %r1; mad.wide.u32 %rd2, %r0, 4, %rd0; mad.wide.u32 %rd3, %r0, 64, %rd1;\n" +
      program.body + "\nret;\n}\n";
  simt::SimtOptions options;
  options.arch = "sm_100";
  options.race_detector = raceDetection;
  auto device = createPtxDevice(options).value();
  auto module = device->LoadModule(ImageFormat::kPtx, text);
  std::vector<uint32_t> words(1024), in = program.in;
  if (!module.ok()) return {words, std::string(module.status().message())};
  in.resize(2048);
  DevicePtr out = *device->Allocate(words.size() * 4), from = *device->Allocate(in.size() * 4);
  EXPECT_TRUE(device->CopyToDevice(out, words.data(), words.size() * 4).ok());
  EXPECT_TRUE(device->CopyToDevice(from, in.data(), in.size() * 4).ok());
  void* arguments[] = {&out, &from};
  LaunchShape shape;
  shape.block[0] = program.threads, shape.grid[0] = program.blocks;
  const absl::Status launched = device->Launch(*(*module)->GetKernel("k"), shape, arguments);
  std::string error(launched.message());
  for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(*device).TakeFindings())
    error += "\n" + simt::FindingText(finding);
  if (launched.ok()) {
    EXPECT_TRUE(device->CopyToHost(words.data(), out, words.size() * 4).ok());
  }
  words.resize(program.expected.size());
  return {words, error};
}

void check(const Program& program) {
  SCOPED_TRACE(program.body);
  for (bool raceDetection : {true, false}) {
    if (!raceDetection && !program.finding.empty()) continue;
    const auto [words, error] = run(program, raceDetection);
    if (!program.finding.empty()) {
      EXPECT_TRUE(absl::StrContains(error, program.finding)) << program.finding << " is not found: " << error;
      continue;
    }
    EXPECT_EQ(error, "");
    EXPECT_EQ(words, program.expected);
  }
}

struct Part {
  const char* name;
  llvm::ArrayRef<Operation> (*operations)();
  std::vector<Program> (*programs)(const Opcode&);
};

constexpr Part kParts[] = {
    {"Control", controlOperations, controlPrograms},
    {"Warp", warpOperations, warpPrograms},
    {"Wmma", wmmaOperations, warpPrograms},
    {"Async", asyncOperations, asyncPrograms},
};

class BlockOperationsTest : public ::testing::TestWithParam<Part> {};

TEST_P(BlockOperationsTest, EachFormHasACaseThatIsRight) {
  const Part& part = GetParam();
  static const auto* others = new std::vector<Opcode>(opcodesOfTests());
  std::mt19937_64 random(FreshTestSeed());
  for (const Operation& operation : part.operations()) {
    const OpcodeForm form = parseForm(operation.form.str());
    WordCoverage coverage(form);
    bool isCovered = false;
    sampleForm(form, TestCount(8, 200), random, [&](const Opcode& opcode) {
      std::vector<Program> programs;
      if (knowsWords(opcode)) programs = part.programs(opcode);
      if (programs.empty()) return false;
      for (const Program& program : programs) check(program);
      coverage.add(matchForm(form, opcode));
      return isCovered = true;
    });
    for (const Opcode& opcode : *others)
      if (const auto words = matchForm(form, opcode); !words.empty()) coverage.add(words), isCovered = true;
    const auto* elsewhere = std::find_if(std::begin(kElsewhere), std::end(kElsewhere),
                                         [&](const Elsewhere& e) { return absl::StartsWith(form.text, e.form); });
    if (elsewhere != std::end(kElsewhere)) continue;
    EXPECT_TRUE(isCovered) << form.text << " has no case";
    EXPECT_EQ(coverage.missing(), "") << form.text << " has no case with these words";
  }
}

INSTANTIATE_TEST_SUITE_P(All, BlockOperationsTest, ::testing::ValuesIn(kParts),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(BlockCoverageTest, TestsElsewhereAreThere) {
  for (const Elsewhere& test : kElsewhere)
    EXPECT_TRUE(absl::StrContains(readText(std::string(PTX_TESTS "/") + test.file), test.text)) << test.file;
}

}  // namespace
}  // namespace mmtune::ptx
