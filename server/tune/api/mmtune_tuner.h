// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tunes matrix multiplications and models from a C++ program, and compiles models with what was found.
//
//   mmtune::Tuner tuner({.log = "tuning.db"});
//   auto tuned = tuner.Tune("1024x1024x1024:bf16:bias,relu", {.trials = 64});
//   if (!tuned.ok()) return Fail(tuned.error().message);
//   printf("%.1f GFLOP/s: %s\n", tuned->best[0].gflops, tuned->best[0].schedule.c_str());
//   auto built = tuner.Compile("model.mlir", "libmodel.so");
//
// A call runs the program `tune` as a child process, so that no crash of a compiler or kernel reaches the caller, and
// no library of mmtune is linked with the caller. Every result is in the log before it is reported. So nothing is lost
// if a call is stopped or its caller crashes, and a repeated call continues from there.
//
// Problems and shapes. A problem is the text that `tune matmul` takes: "MxNxK", with M, N, K from 1 up, followed by
// colons and the properties that are not the default, such as "512x512x64:f16:batch=16:transpose-b:scale:0.125". It is
// C[M,N] = A[M,K] * B[K,N], then the epilogue. Matrices are row-major and dense; with transpose-a, A is stored as
// [K,M], with transpose-b, B as [N,K]. The matrices of a batch are stored one after another.
//
// Units. Times are nanoseconds of one call; gflops counts 2*M*N*K operations of each matrix of the batch.
//
// Errors are values. No function throws, except bad_alloc and exceptions of the caller's own callbacks. Such an
// exception stops the call as `stop` does. Reading value() of an error, or error() of a value, is undefined.
//
// Thread safety. A Tuner is immutable: its functions may be called from any number of threads. A call blocks, and calls
// back on the thread that made it. Simultaneous calls with the same log share one coordinator, and kernels are timed on
// a device one at a time. The child has a process group of its own, so Ctrl-C does not reach it: it ends if the caller
// requests a stop, or ends.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#define MMTUNE_TUNER_API __attribute__((visibility("default")))

namespace mmtune {

/// The reason why a call failed. The values are the exit codes of all programs of mmtune.
enum class ErrorCode {
  kNoResult = 1,       ///< Nothing valid was found, or any failure without a code of its own.
  kUsage = 2,          ///< The problem, an option or the model is wrong: repeating the call does not help.
  kLog = 3,            ///< The log is missing, not writable, not a tuning log, or damaged.
  kServer = 4,         ///< The server, or that of the log's database, cannot be reached, or has another version.
  kDevice = 5,         ///< There is no such device, or its workers failed.
  kCertificate = 6,    ///< A certificate, ours or the server's, or our password for the log's database is refused.
  kForbidden = 7,      ///< The role in our certificate, or our role in the log's database, does not allow the call.
  kLimit = 8,          ///< A limit of the server is reached.
  kLogVersion = 9,     ///< The log is of another schema version.
  kInterrupted = 130,  ///< `stop` ended the call before there was a result.
};

/// An error: one line of text that says what is wrong and what to do.
struct Error {
  ErrorCode code = ErrorCode::kNoResult;
  std::string message;
};

/// A value or an error.
template <typename T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  /// True if there is a value.
  bool ok() const { return state_.index() == 0; }
  T& value() { return *std::get_if<T>(&state_); }
  const T& value() const { return *std::get_if<T>(&state_); }
  const T* operator->() const { return std::get_if<T>(&state_); }
  const Error& error() const { return *std::get_if<Error>(&state_); }

 private:
  std::variant<T, Error> state_;
};

/// The progress of a call. An event with a note repeats the counts of the event before.
struct Progress {
  int64_t done = 0;     ///< The number of schedules with a result, including results from the log.
  int64_t planned = 0;  ///< The number of schedules that there will be; 0: no limit.
  int64_t failed = 0;   ///< The number of those in `done` that gave no valid time.
  double best_ns = 0;   ///< The best time so far of the problem, or of all matmuls of the model; 0: none.
  std::string note;     ///< A line for people, such as what the call waits for; mostly empty.
};

/// The devices on which a Tuner measures, and the log in which it stores the results.
struct TunerOptions {
  std::string log = {};  ///< A file, or a postgres:// URL; empty: the default log of `tune`.
  /// The coordinator that tunes, and whose log is used: "HOST:PORT" or "unix:/path". Empty: the coordinator that has
  /// `log` open, or a new one.
  std::string server = {};
  std::string device = "auto";  ///< "auto" (a GPU if there is one), "cuda", "cuda:1" or "simt".
  /// The architecture for which code is generated, such as "sm_90a"; empty: that of the device.
  std::string arch = {};
  /// The path of `tune`. Empty: ../bin/tune beside this library's folder or, if there is none, `tune` on $PATH.
  std::string program = {};
};

/// The limits of a call, and the functions that follow it.
struct TuneOptions {
  /// The number of schedules to try. If absent: no limit if `seconds` is set; otherwise 64, or 64 for each matmul of a
  /// model.
  std::optional<int64_t> trials = {};
  double seconds = 0;  ///< Proposes no further schedules after this time; 0: no limit.
  uint64_t seed = 1;   ///< The seed of the search's random choices.
  std::function<void(const Progress&)> on_progress = {};  ///< Called when there is progress; may be empty.
  std::stop_token stop = {};            ///< Ends the call within 20 s. Schedules that were measured before count.
  std::vector<std::string> words = {};  ///< Further words of the command line, as in {"--strategy", "random"}.
};

/// A schedule with its time.
struct MeasuredSchedule {
  std::string schedule;  ///< The family, then its parameters: "fma bk=16 bm=64 ...".
  std::string record;    ///< The record's uuid: `tune records show UUID`.
  std::string device;    ///< The name of the device that was used.
  double median_ns = 0;
  double low_ns = 0, high_ns = 0;  ///< The 95 % interval of the median.
  double gflops = 0;
  bool verified = false;  ///< Verified at small shapes before it was timed.
};

/// The result of Tune().
struct Tuned {
  std::vector<MeasuredSchedule> best;  ///< The fastest first, as `tune matmul` ranks them; at least one.
  int64_t done = 0;                    ///< The number of schedules with a result.
  int64_t from_log = 0;                ///< The number of these results that the log had already.
  bool interrupted = false;            ///< True if `stop` ended the call.
  std::string json;                    ///< The whole output of `tune matmul --json`.
};

/// A matmul of a model.
struct ModelMatmul {
  std::string problem;
  double calls = 0;      ///< How often it is computed in one call of the model.
  double before_ns = 0;  ///< The time of one call with the schedule that was used before, or an estimate of it.
  double after_ns = 0;   ///< The time of the best schedule; 0 if there is none.
  std::string schedule;  ///< The best schedule; empty if there is none.
};

/// The result of TuneModel().
struct TunedModel {
  std::vector<ModelMatmul> matmuls;
  double before_ns = 0, after_ns = 0;  ///< The time of all matmuls of one call of the model, before and after.
  int64_t trials = 0;
  bool interrupted = false;  ///< True if `stop` ended the call. Then no spec and no library were written.
  std::string json;          ///< The whole output of `tune model --json`.
};

/// The files that TuneModel() writes. A file with an empty name is not written.
struct ModelFiles {
  std::string library = {};  ///< The library to build, a .so or .o.
  std::string spec = {};     ///< The tuning spec to write, which Compile() takes.
  bool overwrite = false;    ///< Replaces a library that exists.
};

/// The result of Compile().
struct Compiled {
  std::string library;             ///< The file that was written.
  std::vector<std::string> notes;  ///< Lines for people, such as which matmuls have no schedule in the log.
};

struct CompileOptions {
  std::string spec = {};   ///< A tuning spec; empty: the best schedules of the log, which must not be a server's.
  bool overwrite = false;  ///< Replaces a library that exists.
  std::stop_token stop = {};
  std::vector<std::string> words = {};  ///< Further words of the command line of `tune compile`.
};

class MMTUNE_TUNER_API Tuner {
 public:
  explicit Tuner(TunerOptions options = {}) : options_(std::move(options)) {}

  /// Searches for the fastest schedule of a problem. If `stop` ends the search, returns the schedules found until then,
  /// or kInterrupted if there are none.
  Result<Tuned> Tune(const std::string& problem, const TuneOptions& options = {}) const;

  /// Tunes all matmuls of an MLIR module for the shortest time of the whole, as `tune model` does, and writes `files`.
  Result<TunedModel> TuneModel(const std::string& model, const ModelFiles& files = {},
                               const TuneOptions& options = {}) const;

  /// Returns the verified schedules that the log has for a problem: for each class of devices at most `limit`, the
  /// fastest first. Nothing is measured. The log is read directly: a Tuner with a server returns kUsage.
  Result<std::vector<MeasuredSchedule>> Best(const std::string& problem, int64_t limit = 10) const;

  /// Compiles an MLIR module to a library (.so or .o), with a C header beside it, as `tune compile` does. Needs a
  /// device other than "auto", or an `arch`. On an error nothing is written.
  Result<Compiled> Compile(const std::string& model, const std::string& library,
                           const CompileOptions& options = {}) const;

 private:
  TunerOptions options_;
};

}  // namespace mmtune
