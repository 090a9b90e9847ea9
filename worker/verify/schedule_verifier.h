// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies a schedule with the SIMT device's race detector and schedule fuzzing.
//
// The schedule is compiled for race detection, for the small problems of VerificationShapes(), on the SIMT device that
// stands in for the architecture. Each is run
//   in race detection, in the plain order and that of one seed, on exact operands: findings of any kind, a result that
//   is not bit-equal and a changed input fail; in schedule fuzzing, `fuzzing_runs` seeds, on exact operands: the same,
//   less the findings; and, in the plain order and in every stress order, on random operands: the same bits make it
//   deterministic.
// Where it is asked for, race detection also runs at the size of the problem.
// What this shows, and what it does not, is in docs/verification.md.
//
// The answer is remembered by the problems, the checked images, their launch plans and the toolchain: a schedule is
// verified once, until a compiler makes other code of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "worker/children/measurer.h"

namespace mmtune {

/// Remembers what was verified of which code: reports by key, in memory and as one file each in a folder. Files appear
/// whole; those of another version, and those that hold anything else, are ignored. Several processes may use one
/// folder. Not thread-safe.
class VerificationCache {
 public:
  /// `folder` is made when it is needed; empty: memory only.
  explicit VerificationCache(std::string folder) : folder_(std::move(folder)) {}

  std::optional<VerificationReport> Find(const std::string& key);
  /// When the file cannot be written, that is logged, and another process makes the verification again.
  void Add(const std::string& key, const VerificationReport& report);

 private:
  std::string PathOf(const std::string& key) const { return folder_ + "/" + key + ".json"; }

  const std::string folder_;
  std::map<std::string, VerificationReport> known_;
};

class ScheduleVerifier : public Verifier {
 public:
  /// `compiler` must outlive it. `cache_folder` empty: remembers for its own life only.
  ScheduleVerifier(Compiler* compiler, std::string cache_folder)
      : compiler_(compiler), cache_(std::move(cache_folder)) {}

  absl::StatusOr<VerificationReport> Verify(const VerificationRequest& request) override;

  /// How many verifications were made rather than remembered.
  int verifications_made() const { return verifications_made_; }

 private:
  Compiler* compiler_;
  VerificationCache cache_;
  int verifications_made_ = 0;
};

/// A problem and the code that is verified to compute it.
struct VerificationSubject {
  MatmulProblem problem;
  CompiledKernel kernel;  ///< Compiled for race detection.
  bool watch_only =
      false;  ///< Race detection alone, the result verified as at full size; not one of the report's shapes.
};

/// The part without a compiler: runs `subjects` on SIMT devices that stand in for `arch`. All but the digest is filled
/// in. Errors are the worker's own.
absl::StatusOr<VerificationReport> RunVerification(const std::vector<VerificationSubject>& subjects,
                                                   const std::string& arch, int fuzzing_runs);

}  // namespace mmtune
