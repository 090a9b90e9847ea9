// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/loop_facts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace mmtune {
namespace {

constexpr int64_t kInstructionBytes = 16;
constexpr int64_t kLanes = 32;

struct NamedUnit {
  absl::string_view prefix;
  SassUnit unit;
  absl::string_view name;  ///< Empty: the prefix.
};
/// The first entry whose prefix matches counts: longer prefixes come before shorter ones of theirs.
constexpr NamedUnit kUnits[] = {
    {"FFMA", SassUnit::kFma, ""},
    {"FHFMA", SassUnit::kFma, ""},
    {"HMMA", SassUnit::kTensor, ""},
    {"IMMA", SassUnit::kTensor, ""},
    {"DMMA", SassUnit::kTensor, ""},
    {"HGMMA", SassUnit::kTensor, ""},
    {"IGMMA", SassUnit::kTensor, ""},
    {"DFMA", SassUnit::kDouble, ""},
    {"DADD", SassUnit::kDouble, "DADD, DMUL"},
    {"DMUL", SassUnit::kDouble, "DADD, DMUL"},
    {"LDGSTS", SassUnit::kAsyncCopy, ""},
    {"LDGDEPBAR", SassUnit::kCommit, ""},
    {"DEPBAR", SassUnit::kWaitCopies, ""},
    {"LDSM", SassUnit::kSharedLoad, ""},
    {"LDS", SassUnit::kSharedLoad, ""},
    {"STS", SassUnit::kSharedStore, ""},
    {"LDG", SassUnit::kGlobal, ""},
    {"STG", SassUnit::kGlobal, ""},
    {"LDL", SassUnit::kGlobal, ""},
    {"STL", SassUnit::kGlobal, ""},
    {"RED", SassUnit::kGlobal, ""},
    {"ATOM", SassUnit::kGlobal, ""},
    {"BAR", SassUnit::kBarrier, ""},
    {"IMAD", SassUnit::kIntegerMultiply, ""},
    {"HADD2", SassUnit::kHalf, ""},
    {"HFMA2", SassUnit::kAlu, ""},
    {"FADD", SassUnit::kFma, "FADD, FMUL"},
    {"FMUL", SassUnit::kFma, "FADD, FMUL"},
    {"FSEL", SassUnit::kAlu, "FSEL"},
    {"FMNMX", SassUnit::kAlu, "FMNMX"},
    {"F2F", SassUnit::kAlu, "conversions"},
    {"ISETP", SassUnit::kAlu, "ISETP"},
    {"FSETP", SassUnit::kAlu, "FSETP"},
    {"PLOP3", SassUnit::kAlu, "predicates"},
    {"P2R", SassUnit::kAlu, "predicates"},
    {"R2P", SassUnit::kAlu, "predicates"},
    {"IADD", SassUnit::kAlu, "IADD, LEA"},
    {"VIADD", SassUnit::kAlu, "IADD, LEA"},
    {"LEA", SassUnit::kAlu, "IADD, LEA"},
    {"MOV", SassUnit::kAlu, "MOV, SEL"},
    {"SEL", SassUnit::kAlu, "MOV, SEL"},
    {"CS2R", SassUnit::kAlu, "MOV, SEL"},
    {"LOP", SassUnit::kAlu, "LOP, SHF, PRMT"},
    {"SHF", SassUnit::kAlu, "LOP, SHF, PRMT"},
    {"PRMT", SassUnit::kAlu, "LOP, SHF, PRMT"},
    {"WARPGROUP.ARRIVE", SassUnit::kOther, ""},
    {"WARPGROUP.DEPBAR", SassUnit::kOther, ""},
    {"SYNCS", SassUnit::kOther, ""},
    {"USETMAXREG", SassUnit::kOther, ""},
    {"UTMALDG", SassUnit::kOther, ""},
    {"UTMASTG", SassUnit::kOther, ""},
    {"UTMA", SassUnit::kOther, "UTMA"},
    {"U", SassUnit::kUniform, "uniform"},
    {"R2UR", SassUnit::kUniform, "uniform"},
    {"S2UR", SassUnit::kUniform, "uniform"},
    {"BRA", SassUnit::kOther, "branches"},
    {"BSSY", SassUnit::kOther, "branches"},
    {"BSYNC", SassUnit::kOther, "branches"},
    {"WARPSYNC", SassUnit::kOther, "branches"},
};

bool HasPart(const SassInstruction& instruction, absl::string_view part) {
  const std::vector<absl::string_view> parts = absl::StrSplit(instruction.opcode, '.');
  return std::ranges::find(parts, part) != parts.end();
}

/// Returns the number of a general register operand: 12 for "-R12.reuse".
std::optional<int> RegisterOf(absl::string_view operand) {
  while (!operand.empty() && (operand[0] == '-' || operand[0] == '|' || operand[0] == '~')) operand.remove_prefix(1);
  if (operand.size() < 2 || operand[0] != 'R') return std::nullopt;
  const size_t digits = std::min(operand.find_first_not_of("0123456789", 1), operand.size());
  int number = 0;
  if (!absl::SimpleAtoi(operand.substr(1, digits - 1), &number)) return std::nullopt;
  return number;
}

}  // namespace

int64_t LaneBytes(const SassInstruction& instruction) {
  const SassUnit unit = ClassOf(instruction).unit;
  if (unit < SassUnit::kSharedLoad || unit > SassUnit::kGlobal) return 0;
  if (absl::StartsWith(instruction.opcode, "LDSM")) {
    if (HasPart(instruction, "4")) return 16;
    return HasPart(instruction, "2") ? 8 : 4;
  }
  if (HasPart(instruction, "128")) return 16;
  if (HasPart(instruction, "64")) return 8;
  if (HasPart(instruction, "U16") || HasPart(instruction, "S16") || HasPart(instruction, "16")) return 2;
  return HasPart(instruction, "U8") || HasPart(instruction, "S8") ? 1 : 4;
}

SassClass ClassOf(const SassInstruction& instruction) {
  if (instruction.IsPadding()) return {SassUnit::kOther, "padding"};
  const absl::string_view opcode = instruction.opcode;
  for (const NamedUnit& row : kUnits) {
    if (!absl::StartsWith(opcode, row.prefix)) continue;
    std::string name(row.name.empty() ? row.prefix : row.name);
    const bool is_memory = row.unit >= SassUnit::kSharedLoad && row.unit <= SassUnit::kGlobal;
    if (is_memory && HasPart(instruction, "128")) absl::StrAppend(&name, ".128");
    if (is_memory && HasPart(instruction, "64")) absl::StrAppend(&name, ".64");
    if (row.prefix == "LDSM" && HasPart(instruction, "4")) absl::StrAppend(&name, ".x4");
    if (row.prefix == "LDSM" && HasPart(instruction, "2")) absl::StrAppend(&name, ".x2");
    if (row.prefix == "UTMALDG" && HasPart(instruction, "MULTICAST")) absl::StrAppend(&name, ".MULTICAST");
    return {row.unit, std::move(name)};
  }
  return {SassUnit::kOther, "other"};
}

std::vector<bool> RegisterBankConflicts(const SassFunction& function, const SassLoop& loop) {
  std::vector<bool> conflicts;
  std::array<std::optional<int>, 3> cached;
  for (size_t i = loop.first; i <= loop.last; ++i) {
    const SassInstruction& instruction = function.instructions[i];
    std::array<std::optional<int>, 3> sources;
    for (size_t slot = 0; slot < 3 && slot + 1 < instruction.operands.size(); ++slot) {
      sources[slot] = RegisterOf(instruction.operands[slot + 1]);
    }
    std::set<int> fetched[2];
    for (size_t slot = 0; slot < 3; ++slot) {
      if (sources[slot] && cached[slot] != sources[slot]) fetched[*sources[slot] % 2].insert(*sources[slot]);
    }
    conflicts.push_back(ClassOf(instruction).unit == SassUnit::kFma &&
                        std::max(fetched[0].size(), fetched[1].size()) >= 3);
    for (size_t slot = 0; slot < 3; ++slot) {
      cached[slot] = (instruction.control.reuse >> slot & 1) != 0 ? sources[slot] : std::nullopt;
    }
  }
  return conflicts;
}

ProfiledLoop FactsOf(const SassFunction& function, const SassLoop& loop) {
  ProfiledLoop facts;
  std::map<std::string, int64_t> mix;
  facts.instructions = static_cast<int64_t>(loop.size());
  facts.code_bytes = facts.instructions * kInstructionBytes;
  for (size_t i = loop.first; i <= loop.last; ++i) {
    const SassInstruction& instruction = function.instructions[i];
    const SassClass kind = ClassOf(instruction);
    ++mix[kind.name];
    const int64_t multiply_adds = MultiplyAdds(instruction, loop.of_integers);
    facts.multiply_adds += multiply_adds;
    facts.multiplying += multiply_adds > 0 ? 1 : 0;
    facts.alu += kind.unit == SassUnit::kAlu ? 1 : 0;
    if (kind.unit == SassUnit::kSharedLoad) facts.shared_read_bytes += kLanes * LaneBytes(instruction);
    if (absl::StartsWith(kind.name, "LDL") || absl::StartsWith(kind.name, "STL")) ++facts.local_accesses;
    facts.stalls += std::max(instruction.control.stall, 1);
    facts.yields += instruction.control.yields ? 1 : 0;
    facts.scoreboard_waits += instruction.control.waits != 0 ? 1 : 0;
    facts.reused_operands += std::popcount(static_cast<unsigned>(instruction.control.reuse));
  }
  for (const auto& [name, count] : mix) facts.mix.push_back({name, count});
  std::ranges::stable_sort(facts.mix, std::greater(), &InstructionCount::count);
  const std::vector<bool> conflicts = RegisterBankConflicts(function, loop);
  facts.register_bank_conflicts = std::ranges::count(conflicts, true);
  return facts;
}

namespace {

bool IsShared(SassUnit unit) { return unit >= SassUnit::kSharedLoad && unit <= SassUnit::kAsyncCopy; }

bool IsMatrix(const SassInstruction& instruction) { return absl::StartsWith(instruction.opcode, "LDSM"); }

/// Counted wavefronts by kind and width of access.
class CountedWavefronts {
 public:
  explicit CountedWavefronts(const ProfiledCounters& counters) {
    for (const ProfiledPoint& point : counters.points) {
      const bool load = point.kind == "shared load";
      if (!load && point.kind != "shared store") continue;
      const std::string kind =
          KindOf(load, absl::StrContains(point.operation, "ldmatrix"), absl::StrContains(point.operation, "cp.async"));
      for (const int64_t width : {int64_t{0}, point.lane_bytes}) {
        Sum& sum = sums_[{kind, width}];
        sum.units += load ? point.merged : point.units;
        sum.ideal += point.ideal;
      }
    }
  }

  /// Returns the counted wavefronts over those without conflicts; 0 where no access of the kind was counted.
  double FactorOf(const SassInstruction& instruction) const {
    const SassUnit unit = ClassOf(instruction).unit;
    const bool matrix = IsMatrix(instruction);
    const std::string kind = KindOf(unit == SassUnit::kSharedLoad, matrix, unit == SassUnit::kAsyncCopy);
    for (const int64_t width : {matrix ? int64_t{0} : LaneBytes(instruction), int64_t{0}}) {
      const auto sum = sums_.find({kind, width});
      if (sum != sums_.end() && sum->second.ideal > 0) return sum->second.units / sum->second.ideal;
    }
    return 0;
  }

 private:
  struct Sum {
    double units = 0, ideal = 0;
  };
  static std::string KindOf(bool load, bool matrix, bool copy) {
    if (load) return matrix ? "matrix" : "load";
    return copy ? "copy" : "store";
  }

  std::map<std::pair<std::string, int64_t>, Sum> sums_;  ///< By kind and width; width 0 sums all widths.
};

double AssumedFactor(const SassInstruction& instruction) {
  const bool pairs = ClassOf(instruction).unit == SassUnit::kSharedLoad && !IsMatrix(instruction);
  return pairs && LaneBytes(instruction) == 16 ? 0.5 : 1;
}

}  // namespace

std::vector<double> WavefrontsOf(const SassFunction& function, const SassLoop& loop, const ProfiledCounters* counters) {
  const CountedWavefronts counted(counters != nullptr ? *counters : ProfiledCounters());
  std::vector<double> wavefronts;
  for (size_t i = loop.first; i <= loop.last; ++i) {
    const SassInstruction& instruction = function.instructions[i];
    if (!IsShared(ClassOf(instruction).unit)) {
      wavefronts.push_back(1);
      continue;
    }
    const double without_conflicts = std::max(1.0, static_cast<double>(LaneBytes(instruction)) / 4);
    const double factor = counted.FactorOf(instruction);
    wavefronts.push_back(without_conflicts * (factor > 0 ? factor : AssumedFactor(instruction)));
  }
  return wavefronts;
}

double SharedWavefronts(const SassFunction& function, const SassLoop& loop, const std::vector<double>& wavefronts) {
  double sum = 0;
  for (size_t i = 0; i < loop.size(); ++i) {
    if (IsShared(ClassOf(function.instructions[loop.first + i]).unit)) sum += wavefronts[i];
  }
  return sum;
}

}  // namespace mmtune
