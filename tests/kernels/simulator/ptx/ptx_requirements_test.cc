// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The targets and versions that instructions require: each form of the table has examples, which ptxas assembles at
// what the rules say, and not one step below it.
#include "kernels/simulator/ptx/requirements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/simulator/ptx/module.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "tests/kernels/simulator/ptx/ptxas_errors.h"

namespace mmtune::ptx {
namespace {

/// The plain targets that ptxas of CUDA 13 assembles for and that some rule names.
constexpr unsigned kNumbers[] = {75, 80, 86, 87, 89, 90, 100};
constexpr unsigned kOldest = 63;  ///< The version of PTX that has sm_75.

std::string NameOf(const Architecture& architecture) {
  return absl::StrCat("sm_", architecture.number, std::string(architecture.suffix != 0, architecture.suffix));
}
std::string VersionName(unsigned version) { return absl::StrCat(version / 10, ".", version % 10); }

struct Example {
  std::string line;
  std::string opcode;
  size_t operands = 0;
  Architecture target;  ///< The smallest target that ptxas has.
  unsigned version = 0;
  bool isOnlyOne = false;  ///< True if later targets do not have it.
};

constexpr int kLinesBefore = 8;

/// A kernel with one of `lines` in each line behind kLinesBefore, and at its end an error, so that ptxas generates no
/// code, if `stops`.
std::string KernelOf(const std::vector<std::string>& lines, const std::string& target, unsigned version, bool stops) {
  std::string text =
      absl::StrCat(".version ", VersionName(version), "\n.target ", target,
                   "\n.address_size 64\n.func f() { ret; }\n.visible .entry k(.param .u64 p0) {\n",
                   ".reg .pred %p<9>; .reg .b16 %h<32>; .reg .b32 %r<200>; .reg .b64 %rd<64>; .param .b64 pf;\n",
                   version >= 83 ? ".reg .b128 %q<9>;" : "", "\nTARGETS: .branchtargets DONE;\n");
  for (const std::string& line : lines) text += line + "\n";
  return text + (stops ? "DONE: no_such_instruction;" : "DONE:") + "\nret; }\n";
}

class PtxRequirementsTest : public ::testing::Test {
 protected:
  PtxRequirementsTest() {
    std::ifstream in(OPERATION_EXAMPLES);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
      if (!line.starts_with("//")) lines.push_back(line);
    text_ = KernelOf(lines, "sm_100a", 90, /*stops=*/false);
    const auto module = parse(Source("examples.ptx", text_));
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = *module;
    const std::vector<Instruction>& instructions = module_.functions.back().instructions;
    EXPECT_EQ(instructions.size(), lines.size() + 1);
    for (size_t i = 0; i < lines.size(); ++i) {
      Example& example = examples_.emplace_back();
      example.line = lines[i];
      example.opcode = instructions[i].opcode;
      example.operands = instructions[i].operands.size();
      const Requirement requirement = requirementOf(example.opcode, example.operands);
      const bool isOpen = requirement.target.ends_with("+");
      example.target = *findArchitecture(requirement.target.substr(0, requirement.target.size() - isOpen));
      example.isOnlyOne = example.target.suffix == 'a' && !isOpen;
      if (example.target.number < kNumbers[0]) example.target = {kNumbers[0], 0};
      example.version = std::max({requirement.version, oldestVersion(example.target), kOldest});
    }
  }

  using Group = std::pair<std::string, unsigned>;  ///< A target and a version.

  std::string text_;
  Module module_;
  std::vector<Example> examples_;
};

TEST_F(PtxRequirementsTest, EveryFormHasAnExample) {
  std::set<const Operation*> found;
  std::string why;
  for (const Example& example : examples_) {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(example.opcode).split(words, '.');
    const Operation* operation = findOperation(words, why);
    EXPECT_TRUE(operation) << example.line << ": " << why;
    found.insert(operation);
  }
  for (const Operation* operation : allOperations()) EXPECT_TRUE(found.count(operation)) << operation->form.str();
}

// What ptxas has to say stands in its own test; here the rules are applied.
TEST_F(PtxRequirementsTest, ExamplesAreAcceptedAtTheirMinimumAndRefusedBelow) {
  std::map<Group, std::vector<std::string>> groups;
  for (const Example& example : examples_) {
    const std::string target = NameOf(example.target), version = VersionName(example.version);
    // The SIMT device lacks ordered accesses of vectors.
    if (!example.line.starts_with("ld.relaxed.cta.v4") && !example.line.starts_with("st.relaxed.cta.v4"))
      groups[{target, example.version}].push_back(example.line);
    EXPECT_EQ(unmetRequirement(example.opcode, example.operands, target, version), "") << example.line;
    EXPECT_EQ(unmetRequirement(example.opcode, example.operands, "sm_80", "7.0").empty(),
              example.target.number <= 80 && example.version <= 70)
        << example.line;
  }
  for (const auto& [group, lines] : groups) {
    const auto compiled = compilePtx(KernelOf(lines, group.first, group.second, /*stops=*/false), {});
    EXPECT_TRUE(compiled.ok()) << group.first << " " << group.second << ": " << compiled.status();
  }
}

TEST_F(PtxRequirementsTest, PtxasAssemblesExamplesAtTheirMinimumAndNotBelow) {
  if (const std::string why = WhyNoPtxas(); !why.empty()) GTEST_SKIP() << why;
  std::map<Group, std::vector<const Example*>> good, bad;
  for (const Example& example : examples_) {
    good[{NameOf(example.target), example.version}].push_back(&example);
    // A smaller target, with the newest version.
    if (example.target.suffix != 0) {
      bad[{NameOf({example.target.number, 0}), 90}].push_back(&example);
    } else if (example.target.number > kNumbers[0]) {
      const auto* at = std::find(std::begin(kNumbers), std::end(kNumbers), example.target.number);
      ASSERT_NE(at, std::end(kNumbers)) << example.line;
      bad[{NameOf({at[-1], 0}), 90}].push_back(&example);
    }
    if (example.isOnlyOne) bad[{"sm_100a", 90}].push_back(&example);
    // An older version, if it has the target.
    unsigned older = example.version - 1;
    while (older >= kOldest && !findVersion(VersionName(older))) --older;
    if (older >= std::max(oldestVersion(example.target), kOldest))
      bad[{NameOf(example.target), older}].push_back(&example);
  }
  for (const auto& [isGood, groups] : {std::pair(true, good), std::pair(false, bad)})
    for (const auto& [group, examples] : groups) {
      std::vector<std::string> lines;
      for (const Example* example : examples) lines.push_back(example->line);
      const auto errors = PtxasErrors(KernelOf(lines, group.first, group.second, /*stops=*/true), group.first);
      for (size_t i = 0; i < lines.size(); ++i) {
        const auto error = errors.find(kLinesBefore + 1 + static_cast<int>(i));
        EXPECT_EQ(error == errors.end(), isGood) << lines[i] << " for " << group.first << " in version " << group.second
                                                 << ": " << (error == errors.end() ? "accepted" : error->second);
      }
    }
}

TEST_F(PtxRequirementsTest, MessagesNameTheWordsAndWhatTheTextHas) {
  auto unmet = [](std::string_view opcode, std::string_view target, std::string_view version) {
    return unmetRequirement(opcode, 2, target, version);
  };
  EXPECT_EQ(unmet("wgmma.fence.sync.aligned", "sm_80", "8.3"), "'wgmma' needs .target sm_90a, and the text has sm_80");
  EXPECT_EQ(unmet("wgmma.fence.sync.aligned", "sm_100a", "8.6"),
            "'wgmma' needs .target sm_90a, and the text has sm_100a");
  EXPECT_EQ(unmet("ld.global.L2::cache_hint.b32", "sm_75", "8.3"),
            "'.L2::cache_hint' needs .target sm_80 or later, and the text has sm_75");
  EXPECT_EQ(unmet("ld.global.L2::256B.b32", "sm_80", "7.0"),
            "'ld.L2::256B' needs .version 7.4 or later, and the text has 7.0");
  EXPECT_EQ(unmet("setmaxnreg.inc.sync.aligned.u32", "sm_90", "8.3"),
            "'setmaxnreg' needs .target sm_90a, or a later one with the suffix a or f, and the text has sm_90");
  EXPECT_EQ(unmet("setmaxnreg.inc.sync.aligned.u32", "sm_120f", "8.8"), "");
  EXPECT_EQ(unmet("redux.sync.min.f32", "sm_100", "8.8"),
            "'redux.f32' needs .target sm_100f or sm_100a, or another one of its family, and the text has sm_100");
  EXPECT_EQ(unmet("redux.sync.min.f32", "sm_103a", "8.8"), "");
  EXPECT_NE(unmet("redux.sync.min.f32", "sm_120a", "8.8"), "");
  EXPECT_EQ(unmet("ld.volatile.ca.b32", "sm_90", "8.0"), "'ld.volatile.ca': these modifiers exclude each other");
}

TEST_F(PtxRequirementsTest, KnowsTargetsAndVersions) {
  for (const char* name : {"sm_75", "sm_90a", "sm_100f", "sm_121a"}) EXPECT_TRUE(findArchitecture(name)) << name;
  for (const char* name : {"sm_85", "sm_80a", "sm_90f", "sm_", "sm_9x", "90", ""})
    EXPECT_FALSE(findArchitecture(name)) << name;
  EXPECT_EQ(findVersion("8.3"), 83u);
  for (const char* name : {"99.0", "8.9", "9", "8.30", "x"}) EXPECT_FALSE(findVersion(name)) << name;
}

}  // namespace
}  // namespace mmtune::ptx
