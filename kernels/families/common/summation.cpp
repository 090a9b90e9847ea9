// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/summation.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/registry.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {

#define MMTUNE_DECLARE_SUMMATION(NAME, TITLE) FamilySummation Get##TITLE##Summation();
MMTUNE_KERNEL_FAMILIES(MMTUNE_DECLARE_SUMMATION)
#undef MMTUNE_DECLARE_SUMMATION

namespace {

absl::StatusOr<FamilySummation> FindSummation(std::string_view family) {
#define MMTUNE_FIND_SUMMATION(NAME, TITLE) \
  if (family == #NAME) return Get##TITLE##Summation();
  MMTUNE_KERNEL_FAMILIES(MMTUNE_FIND_SUMMATION)
#undef MMTUNE_FIND_SUMMATION
  return FindKernelFamily(family).status();
}

constexpr char kExact[] = "exact integers";
constexpr char kDeterministicName[] = "deterministic";
constexpr char kBatchInvariantName[] = "batch-invariant";
constexpr std::string_view kSameAsPrefix = "same-as ";
constexpr std::string_view kStreamK = "stream-k of ";
/// The most bytes of a signature: all that families make are shorter.
constexpr size_t kMostSignature = 256;

/// Returns which parts the tiles of a problem have with stream-k. Of divisions with the same parts, most have the same
/// text: sizes that exceed the matrix are not told apart.
std::string DivisionText(const MatmulProblem& problem, const BlockGrid& grid) {
  const StreamKShares shares = grid.Shares();
  if (grid.kTiles == 1 || (shares.longer == 0 && shares.each % grid.kTiles == 0)) return "whole tiles";
  return absl::StrCat(shares.blocks, " blocks, tiles of ", std::min(grid.bm, problem.m), "x",
                      std::min(grid.bn, problem.n), "x", grid.bk, " of ", problem.batch, "*", problem.m, "x", problem.n,
                      " in groups of ", grid.groupM, ", added in order");
}

}  // namespace

std::string SummationSignature::Text() const {
  if (instruction == kExact) return instruction;
  std::string text = absl::StrCat(instruction, " over k");
  const int64_t chains = slices * lanes;
  const std::string ofParts = isAtomic ? "added in any order" : "added in order";
  if (partsFirst && partK > 0) absl::StrAppend(&text, "; parts of ", partK, " k, ", ofParts);
  if (partsFirst) absl::StrAppend(&text, stream.empty() ? "" : "; ", stream);
  if (chains > 1) {
    absl::StrAppend(&text, "; ");
    if (lanes > 1) absl::StrAppend(&text, lanes, " lanes", slices > 1 ? " of " : "");
    if (slices > 1) absl::StrAppend(&text, slices, " slices");
    absl::StrAppend(&text, lanes > 1 ? ", each of " : " of ", chunk, " k", shortFirst ? ", the short ones first" : "",
                    lanes > 1 ? ", lanes added in pairs" : ", added in order");
  }
  if (!partsFirst && partK > 0) absl::StrAppend(&text, "; parts of ", partK, " k, ", ofParts);
  if (!partsFirst) absl::StrAppend(&text, stream.empty() ? "" : "; ", stream);
  return text;
}

SummationSignature FusedMultiplyAdds(const MatmulProblem& problem) {
  SummationSignature signature;
  switch (problem.AccumulatorType()) {
    case DataType::kF32:
      signature.instruction = "fma.f32";
      break;
    case DataType::kF64:
      signature.instruction = "fma.f64";
      break;
    default:
      signature.instruction = kExact;
      break;
  }
  return signature;
}

std::string TensorInstruction(std::string_view instruction, const DeviceInfo& device) {
  return absl::StrCat(ToAbsl(instruction), "@", device.kind == DeviceKind::kSimt ? "simt" : device.arch);
}

void AddParts(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction, SummationSignature& signature) {
  if (grid.IsStreamK()) {
    signature.isForAnyRows = false;
    signature.stream = absl::StrCat(ToAbsl(kStreamK), DivisionText(problem, grid));
  } else if (grid.splitK > 1) {
    signature.partK = grid.tilesPerSplit * grid.bk;
  }
  signature.isAtomic = reduction == kAtomicReduction;
  const bool isOneRound = signature.lanes == 1 && problem.k <= signature.slices * signature.chunk;
  if (!isOneRound || signature.partK > 0 || !signature.stream.empty()) return;
  // Slices of one round are added as parts are.
  signature.partK = signature.chunk < problem.k ? signature.chunk : 0;
  signature.slices = 1;
  signature.chunk = 0;
  signature.shortFirst = false;
}

void AddSlices(const MatmulProblem& problem, int64_t slices, int64_t chunk, bool shortFirst,
               SummationSignature& signature) {
  if (slices == 1) return;
  signature.slices = slices;
  signature.chunk = chunk;
  signature.shortFirst = shortFirst && problem.k % (slices * chunk) != 0;
}

absl::StatusOr<Numerics> Numerics::Parse(std::string_view text) {
  if (text.empty() || text == "any") return Numerics();
  if (text == kDeterministicName) return Numerics{Contract::kDeterministic, ""};
  if (text == kBatchInvariantName) return Numerics{Contract::kBatchInvariant, ""};
  if (text.starts_with(kSameAsPrefix)) {
    const std::string_view signature = text.substr(kSameAsPrefix.size());
    const bool isPrintable = std::all_of(signature.begin(), signature.end(),
                                         [](char c) { return absl::ascii_isprint(static_cast<unsigned char>(c)); });
    if (!signature.empty() && signature.size() <= kMostSignature && isPrintable)
      return Numerics{Contract::kSameAs, std::string(signature)};
    return InvalidArgument(absl::StrCat("'", Shortened(std::string(text), 64),
                                        "' names no summation signature: give 1 to ", kMostSignature,
                                        " printable characters after same-as"));
  }
  return InvalidArgument(absl::StrCat("'", Shortened(std::string(text), 64), "' is no numerics contract: give any, ",
                                      kDeterministicName, ", ", kBatchInvariantName,
                                      ", or same-as with a record of the log"));
}

std::string Numerics::Text() const {
  switch (contract) {
    case Contract::kDeterministic:
      return kDeterministicName;
    case Contract::kBatchInvariant:
      return kBatchInvariantName;
    case Contract::kSameAs:
      return absl::StrCat(ToAbsl(kSameAsPrefix), signature);
    case Contract::kAny:
      break;
  }
  return "any";
}

bool Numerics::UsesStreamK() const { return signature.find(kStreamK) != signature.npos; }

bool Numerics::Accepts(const SummationSignature& own) const {
  switch (contract) {
    case Contract::kDeterministic:
      return own.IsReproducible();
    case Contract::kBatchInvariant:
      return own.IsReproducible() && own.isForAnyRows;
    case Contract::kSameAs:
      return own.IsReproducible() && own.Text() == signature;
    case Contract::kAny:
      break;
  }
  return true;
}

absl::StatusOr<SummationSignature> SummationOf(const MatmulProblem& problem, const Schedule& schedule,
                                               const DeviceInfo& device) {
  RETURN_IF_ERROR(ValidateSchedule(problem, schedule, device));
  ASSIGN_OR_RETURN(const FamilySummation sums, FindSummation(schedule.family));
  ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(schedule.family));
  std::vector<int64_t> values;
  for (const ScheduleParameter& parameter : static_cast<const KernelFamily*>(family)->Parameters(problem, device))
    values.push_back(parameter.ValueIn(schedule).value_or(1));  // A valid schedule has them all.
  return sums.signature(problem, device, values.data(), values.size());
}

bool HasNumerics(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                 const Numerics& numerics) {
  if (numerics.contract == Numerics::Contract::kAny) return true;
  const absl::StatusOr<SummationSignature> signature = SummationOf(problem, schedule, device);
  return signature.ok() && numerics.Accepts(*signature);
}

absl::StatusOr<ScheduleConstraint> SummationRule(std::string_view family, const MatmulProblem& problem,
                                                 const DeviceInfo& device, const Numerics& numerics) {
  ASSIGN_OR_RETURN(const FamilySummation sums, FindSummation(family));
  ASSIGN_OR_RETURN(const FamilyBase* base, FindKernelFamily(family));
  ScheduleConstraint rule;
  rule.name = absl::StrCat("sums as --numerics asks: ", numerics.Text());
  rule.ready = sums.reads;
  // Which parts a tile has depends on parameters that schedules without stream-k do not read.
  if (numerics.UsesStreamK()) rule.ready = static_cast<const KernelFamily*>(base)->Parameters(problem, device).size();
  rule.holds = [signature = sums.signature, problem, device, numerics, reads = rule.ready](const int64_t* values) {
    return numerics.Accepts(signature(problem, device, values, reads));
  };
  return rule;
}

}  // namespace mmtune
