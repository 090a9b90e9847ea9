// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel adds up the products of an element of C, and what a tuning job asks of that order. Rounding makes the
// order of additions visible: two schedules give the same bits if, and in general only if, their summation signatures
// are equal. docs/numerics.md has the definition, and says how it is checked.
//
//   mma.m16n8k16.bf16@sm_90 over k; 2 slices of 32 k, added in order; parts of 512 k, added in order
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/kernel_family.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

struct BlockGrid;

/// The order and the instructions by which a schedule adds up the products of an element of C, for problems of one K.
///
/// K is divided into parts (split-k, stream-k), a part into slices (warps of a block), a slice into lanes. Each of
/// these has a sum that begins at zero and takes its products in the order of k. Then sums of lanes are added in pairs,
/// those of slices and of parts one after the other. The epilogue follows, the same for all schedules.
struct SummationSignature {
  /// The instruction that adds products to a sum, how many k values it takes, and how it rounds operands. One of tensor
  /// cores ends with the architecture ("@sm_90") or "@simt", because each adds in its own way.
  std::string instruction;
  int64_t slices = 1, lanes = 1;
  /// With slices or lanes: each gets this many consecutive k values, in turn, until K is used up.
  int64_t chunk = 0;
  bool shortFirst = false;  ///< The round that K does not fill is the first one, not the last.
  int64_t partK = 0;        ///< The k values of a part; 0 if there is one.
  bool partsFirst = false;  ///< Parts are added before slices are.
  /// With stream-k, which parts a tile has: the division of the k steps of all tiles among the blocks. Else empty.
  std::string stream;
  bool isAtomic = false;  ///< Parts are added in the order in which blocks end, which differs from run to run.
  /// True if a row of C is added up in the same way for every M. Text() does not say it.
  bool isForAnyRows = true;

  /// Returns the signature in words, such as the one above. Different signatures have different texts.
  std::string Text() const;
  /// True if the order of additions is the same in every run.
  bool IsReproducible() const { return !isAtomic; }
  bool operator==(const SummationSignature& other) const { return Text() == other.Text(); }
};

/// Returns the signature of one sum that fused multiply-adds make in the order of k. Sums of integers are exact, and so
/// the same in any order.
SummationSignature FusedMultiplyAdds(const MatmulProblem& problem);

/// Returns the name of a tensor core's instruction in a signature, with the architecture.
std::string TensorInstruction(std::string_view instruction, const DeviceInfo& device);

/// Adds to `signature` how the partial sums of blocks that share tiles are added. `reduction` is the schedule's
/// parameter of that name (block_grid.h). Must be called after AddSlices(): if K is so small that each slice has a
/// single run of k, slices are described as parts, which give the same bits.
void AddParts(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction, SummationSignature& signature);

/// Adds to `signature` slices of k within a block: `slices` of them, each with `chunk` values of a k step.
void AddSlices(const MatmulProblem& problem, int64_t slices, int64_t chunk, bool shortFirst,
               SummationSignature& signature);

/// Says how the schedules of a family add up. Each family of registry.h defines a function such as GetFmaSummation().
struct FamilySummation {
  /// The number of leading parameters, in the order of KernelFamily::Parameters(), by which the signature of a schedule
  /// without stream-k is determined; at least 1.
  size_t reads;
  /// Returns the signature of a valid schedule by its first `count` parameters; the others have their defaults.
  SummationSignature (*signature)(const MatmulProblem& problem, const DeviceInfo& device, const int64_t* values,
                                  size_t count);
};

/// Says what a tuning job asks of the bits of its results.
struct Numerics {
  enum class Contract {
    kAny,
    kDeterministic,   ///< The same bits in every run.
    kBatchInvariant,  ///< Deterministic, and a row of C has the same bits for every M.
    kSameAs,          ///< The bits of a schedule with this signature.
  };
  Contract contract = Contract::kAny;
  std::string signature;  ///< SummationSignature::Text(), for kSameAs only.

  /// True if the signature is one of stream-k.
  bool UsesStreamK() const;

  /// Parses "any" or an empty text, "deterministic", "batch-invariant", or "same-as " and a signature. Returns
  /// InvalidArgument for any other text.
  static absl::StatusOr<Numerics> Parse(std::string_view text);
  /// Inverts Parse().
  std::string Text() const;
  /// True if a schedule with this signature may be used under the contract.
  bool Accepts(const SummationSignature& signature) const;
};

/// Returns the signature of a schedule, or the error of ValidateSchedule().
absl::StatusOr<SummationSignature> SummationOf(const MatmulProblem& problem, const Schedule& schedule,
                                               const DeviceInfo& device);

/// True if `numerics` accepts every signature (kAny), or the schedule is valid and its signature is accepted.
bool HasNumerics(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                 const Numerics& numerics);

/// Returns the rule that schedules of the family have a signature that `numerics` accepts, to restrict a search with.
/// It assumes that the family's own rules hold. Returns InvalidArgument if the family is unknown.
absl::StatusOr<ScheduleConstraint> SummationRule(std::string_view family, const MatmulProblem& problem,
                                                 const DeviceInfo& device, const Numerics& numerics);

}  // namespace mmtune
