// What became of a candidate: the outcome, the kernel, the check, the times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// A bad candidate is data, never a Status. Stored by name.
enum class Outcome {
  kOk,
  kRejected,       ///< The family's validity rule said no.
  kCompileFailed,  ///< The pipeline or the assembler said no.
  kLaunchFailed,   ///< The driver said no.
  kWrongResult,
  kTimedOut,
  kCrashed,
  kUnstable,
};
inline constexpr Outcome kAllOutcomes[] = {Outcome::kOk,           Outcome::kRejected,    Outcome::kCompileFailed,
                                           Outcome::kLaunchFailed, Outcome::kWrongResult, Outcome::kTimedOut,
                                           Outcome::kCrashed,      Outcome::kUnstable};

/// "ok", "rejected", "compile_failed", "launch_failed", "wrong_result", "timed_out", "crashed", "unstable".
std::string_view OutcomeName(Outcome outcome);
absl::StatusOr<Outcome> ParseOutcome(std::string_view name);

/// Read back from the assembled kernel; -1 is unknown (PTX left to the driver, the SIMT device).
struct KernelResources {
  int64_t registers = -1;
  int64_t spill_bytes = -1;  ///< Spill stores plus loads.
  int64_t shared_bytes = 0;  ///< Per block, static plus dynamic.
  int64_t threads = 0;       ///< Per block.
  int64_t grid_x = 0, grid_y = 0, grid_z = 0;

  bool operator==(const KernelResources&) const = default;
};

struct CheckReport {
  bool performed = false;
  bool passed = false;
  /// Those passed, "exact" or "exact, rounding"; of a failed check the one that failed. Exact: integers, bit-equal for
  /// any order of summation. Rounding: random normal operands, each element within the bound of any order.
  std::string tier;
  int64_t wrong_row = -1, wrong_col = -1;  ///< The first wrong element of C; rows count through a batch's matrices.
  double expected = 0, got = 0;
  std::string detail;

  // Of the rounding tier; absent where it was not performed.
  std::optional<double> bound_fraction;  ///< Largest error of an element, in parts of its bound.
  std::optional<double> relative_error;  ///< Largest error relative to |A||B| of the element.
  std::optional<bool> deterministic;     ///< Two runs gave the same bits.

  bool operator==(const CheckReport&) const = default;
};

/// What check and stress modes of the SIMT device showed of a schedule at small shapes, before it was timed.
struct ProofReport {
  bool performed = false;
  bool passed = false;         ///< Correct and free of findings.
  std::string reason;          ///< Why it was not performed: "turned off"; empty in records older than proofs.
  bool correct = false;        ///< Bit-equal results at every shape, in every run.
  bool race_free = false;      ///< Check mode found nothing, races or otherwise.
  bool deterministic = false;  ///< The same bits whatever the order of threads and blocks; atomics may give others.
  std::vector<std::string> shapes;  ///< "256x256x128", as MatmulProblem::Text.
  int64_t stress_runs = 0;          ///< Of each shape.
  std::string digest;               ///< SHA-256 over problems, launch plans, checked images and toolchain.
  std::string finding;              ///< The first thing wrong, in a line.
  std::string detail;               ///< The first findings in full.

  bool operator==(const ProofReport&) const = default;
};

/// In a line: "proven", "failed", "not performed (turned off)".
std::string ProofText(const ProofReport& proof);

/// Times of one launch of the whole schedule (memset and reduction included), in nanoseconds.
struct Timing {
  std::vector<double> samples_ns;
  double median_ns = 0;
  double low_ns = 0, high_ns = 0;  ///< Distribution-free 95% interval of the median; min and max under 6 samples.
  std::string regime;              ///< "warm" or "cold" operands.
  std::string clock;               ///< "cuda-event" or "steady".

  bool operator==(const Timing&) const = default;
};

/// Milliseconds of each phase; 0 when it did not run.
struct PhaseTimes {
  double emit_ms = 0, mlir_ms = 0, llvm_ms = 0, assemble_ms = 0, host_ms = 0, load_ms = 0, check_ms = 0, timing_ms = 0;

  bool operator==(const PhaseTimes&) const = default;
};

/// What compiled the kernel. A change of any field makes old measurements another toolchain's.
struct Toolchain {
  std::string mmtune;     ///< Version of this program.
  std::string mlir;       ///< "22.1.8".
  std::string assembler;  ///< "ptxas 13.0", "driver 13.0", "llvm 22.1.8".
  std::string families;   ///< "direct=1 simt=1".

  std::string CanonicalJson() const;
  std::string Digest() const;
  bool operator==(const Toolchain&) const = default;
};

struct Measurement {
  Outcome outcome = Outcome::kOk;
  std::string message;      ///< Why, when not ok. One line.
  std::string code_digest;  ///< SHA-256 of the device image; empty when none was made.
  KernelResources resources;
  ProofReport proof;
  CheckReport check;
  Timing timing;
  PhaseTimes phases;

  bool operator==(const Measurement&) const = default;
};

/// A row of the tuning log.
struct TuningRecord {
  int64_t id = 0;    ///< In this log; 0 before it is stored.
  std::string uuid;  ///< Across logs.
  std::string job_uuid;
  MatmulProblem problem;
  Schedule schedule;
  DeviceInfo device;
  Toolchain toolchain;
  Measurement measurement;
  std::string worker;
  int64_t attempt = 1;
  bool canonical = true;  ///< False for a late report of a fenced lease.
  int64_t unix_millis = 0;

  /// Flops over the median time; 0 unless the outcome is ok.
  double Gflops() const;
};

}  // namespace mmtune
