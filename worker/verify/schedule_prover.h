// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves a schedule with the SIMT device's watch and stress modes.
//
// The schedule is compiled for watch mode, for the small problems of VerificationShapes(), on the SIMT device that stands in
// for the architecture. Each is run
//   in watch mode, in the plain order and that of one seed, on exact operands: findings of any kind, a result that is
//   not bit-equal and a changed input fail;
//   in stress mode, `stress_runs` seeds, on exact operands: the same, less the findings;
//   and, in the plain order and in every stress order, on random operands: the same bits make it deterministic.
// Where it is asked for, watch mode also runs at the size of the problem.
// What this shows, and what it does not, is in docs/verification.md.
//
// The answer is remembered by the problems, the checked images, their launch plans and the toolchain: a schedule is
// proven once, until a compiler makes other code of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "worker/children/measurer.h"

namespace mmtune {

/// Remembers what was proven of which code: reports by key, in memory and as one file each in a folder. Files appear
/// whole; those of another version, and those that hold anything else, are ignored. Several processes may use one
/// folder. Not thread-safe.
class ProofCache {
 public:
  /// `folder` is made when it is needed; empty: memory only.
  explicit ProofCache(std::string folder) : folder_(std::move(folder)) {}

  std::optional<VerificationReport> Find(const std::string& key);
  /// When the file cannot be written, that is logged, and another process makes the proof again.
  void Add(const std::string& key, const VerificationReport& report);

 private:
  std::string PathOf(const std::string& key) const { return folder_ + "/" + key + ".json"; }

  const std::string folder_;
  std::map<std::string, VerificationReport> known_;
};

class ScheduleProver : public Prover {
 public:
  /// `compiler` must outlive it. `cache_folder` empty: remembers for its own life only.
  ScheduleProver(Compiler* compiler, std::string cache_folder) : compiler_(compiler), cache_(std::move(cache_folder)) {}

  absl::StatusOr<VerificationReport> Prove(const ProofRequest& request) override;

  /// How many proofs were made rather than remembered.
  int proofs_made() const { return proofs_made_; }

 private:
  Compiler* compiler_;
  ProofCache cache_;
  int proofs_made_ = 0;
};

/// A problem and the code that is proven to compute it.
struct ProofSubject {
  MatmulProblem problem;
  CompiledKernel kernel;    ///< Compiled for watch mode.
  bool watch_only = false;  ///< Watch mode alone, the result proven as at full size; not one of the report's shapes.
};

/// The part without a compiler: runs `subjects` on SIMT devices that stand in for `arch`. All but the digest is filled
/// in. Errors are the worker's own.
absl::StatusOr<VerificationReport> RunProof(const std::vector<ProofSubject>& subjects, const std::string& arch,
                                     int stress_runs);

}  // namespace mmtune
