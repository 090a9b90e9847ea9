// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies a schedule (a kernel family with its parameters, such as tile sizes) before it is timed. Its kernels run
// small problems that cover all code paths on the SIMT device (the CPU simulator), under race detection and under
// schedule fuzzing (random thread orders). The SIMT device runs the PTX for the device's architecture, and simulates a
// GPU of that architecture. docs/verification.md says what this shows and what it does not.
//
// Each small problem is run
// - with race detection, in the plain order and in one random order, on operands for which every correct kernel gives
//   the same bits. A finding of any kind, a wrong bit, or a changed input fails the schedule;
// - with schedule fuzzing, in `fuzzing_runs` random orders, on the same operands. (The random order of the race
//   detection counts as one of these and is not repeated.) A wrong bit or a changed input fails the schedule;
// - on random operands, in the plain order and in every random order. If all results have the same bits, the schedule
//   is deterministic.
//
// Then a few blocks of the kernel, or all of them if requested, are run at the problem's own size with race detection
// (block_sample.h).
//
// Results are cached under a key of the problems, the PTX, the launches and the toolchain; small shapes and the sample
// of blocks have separate keys. So a schedule is not verified again until the compiler generates other PTX for it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "kernels/compiler/compiler.h"
#include "worker/children/measurer.h"

namespace mmtune {

/// The cache of verifications: reports by key, in memory and as one file each in a folder. Files are written
/// atomically. Files of another version or with other content are ignored. Several processes may use one folder. Not
/// thread-safe.
class VerificationCache {
 public:
  /// Keeps reports in `folder`, which is created when needed, or only in memory if `folder` is empty.
  explicit VerificationCache(std::string folder) : folder_(std::move(folder)) {}

  /// Returns the report with this key; nullopt if there is none.
  std::optional<VerificationReport> Find(const std::string& key);
  /// Adds a report. A file that cannot be written is logged; other processes then verify again.
  void Add(const std::string& key, const VerificationReport& report);

 private:
  std::string PathOf(const std::string& key) const { return folder_ + "/" + key + ".json"; }

  const std::string folder_;
  std::map<std::string, VerificationReport> known_;
};

/// A problem, and the code that must compute it.
struct VerificationSubject {
  MatmulProblem problem;
  /// Its image is an object file compiled for race detection; code_digest is that of the PTX from which it was
  /// compiled.
  CompiledKernel kernel;
  /// If true, only race detection is run, the result is checked as at full size, and the shape is not listed in the
  /// report.
  bool race_detection_only = false;
};

/// The verifier that real workers use. Not thread-safe.
class ScheduleVerifier : public Verifier {
 public:
  /// Uses `compiler`, which must outlive it. If `cache_folder` is empty, results are kept in memory only.
  ScheduleVerifier(Compiler* compiler, std::string cache_folder)
      : compiler_(compiler), cache_(std::move(cache_folder)) {}

  absl::StatusOr<VerificationReport> Verify(const VerificationRequest& request) override;

  /// Returns the number of verifications at small shapes that were run because the cache did not have them.
  int verifications_made() const { return verifications_made_; }

 private:
  /// Returns the cached report of the subjects, whose images are PTX. If there is none, compiles their images for race
  /// detection and returns the report of `run`, which sets `keep` to true if that report is to be cached.
  absl::StatusOr<VerificationReport> Remember(const VerificationRequest& request, const std::string& prefix,
                                              std::vector<VerificationSubject>* subjects,
                                              absl::FunctionRef<absl::StatusOr<VerificationReport>(bool* keep)> run);

  Compiler* compiler_;
  VerificationCache cache_;
  int verifications_made_ = 0;
};

/// Runs `subjects` on SIMT devices with the limits of `arch`: the part of the verification that needs no compiler.
/// Fills in the report except for its digest. Returns an error only for failures of the worker.
absl::StatusOr<VerificationReport> RunVerification(const std::vector<VerificationSubject>& subjects,
                                                   const std::string& arch, int fuzzing_runs);

}  // namespace mmtune
