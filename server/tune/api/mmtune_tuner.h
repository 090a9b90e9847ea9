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
// no library of mmtune is linked with the caller. Every result is in the log before it is reported: a call that is
// stopped, or whose caller crashes, loses nothing, and the same call goes on with it.
//
// Problems and shapes. A problem is the text that `tune matmul` takes: "MxNxK", with M, N, K from 1 up, and behind
// colons what is not the default, such as "512x512x64:f16:batch=16:transpose-b:scale:0.125". It is C[M,N] = A[M,K] *
// B[K,N], then the epilogue. Matrices are row-major and dense; with transpose-a, A is stored as [K,M], with
// transpose-b, B as [N,K]. Operands of a batch lie one behind the other.
//
// Units. Times are nanoseconds of one call; gflops counts 2*M*N*K operations of each matrix of the batch.
//
// Errors are values; no function throws, except for what the caller's own callbacks throw, and bad_alloc. A thrown
// exception stops the call like `stop`. Reading value() of an error, or error() of a value, is undefined.
//
// Thread safety. A Tuner is immutable: its functions may be called from any number of threads. A call blocks, and calls
// back on the thread that made it. Calls with one log share its coordinator; times of a device are taken one by one.
// The child does not share the process group of the caller: Ctrl-C reaches it when the caller requests a stop, or ends.
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

/// Why a call failed: the exit codes of all programs of mmtune.
enum class ErrorCode {
  kNoResult = 1,     ///< Nothing valid was found, or any failure without a code of its own.
  kUsage = 2,        ///< The problem, an option or the model is wrong: repeating the call does not help.
  kLog = 3,          ///< The log is missing, not writable, not a tuning log, or damaged.
  kServer = 4,       ///< The server, or that of the log's database, cannot be reached, or has another version.
  kDevice = 5,       ///< There is no such device, or its workers failed.
  kCertificate = 6,  ///< A certificate, ours or the server's, or our password for the log's database is refused.
  kForbidden = 7,    ///< The role of our certificate, or ours in the log's database, does not allow it.
  kLimit = 8,        ///< A limit of the server is reached.
  kLogVersion = 9,   ///< The log is of another schema version.
  kInterrupted = 130,
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

/// How far a call has come. Events with a note have the counts of the last one.
struct Progress {
  int64_t done = 0;     ///< Schedules with a result, those of the log included.
  int64_t planned = 0;  ///< How many there will be; 0: no limit.
  int64_t failed = 0;   ///< How many of these gave no valid time.
  double best_ns = 0;   ///< The best time so far of the problem, or of all matmuls of the model; 0: none.
  std::string note;     ///< A line for people, such as what the call waits for; mostly empty.
};

/// Where a Tuner measures, and where it keeps the results.
struct TunerOptions {
  std::string log = {};     ///< A file, or a postgres:// URL; empty: the default one of `tune`.
  std::string server = {};  ///< Tunes by this coordinator, "HOST:PORT" or "unix:/path", and by its log; empty: none.
  std::string device = "auto";  ///< "auto" (a GPU if there is one), "cuda", "cuda:1" or "simt".
  std::string arch = {};        ///< Code for this architecture, such as "sm_90a"; empty: that of the device.
  std::string program = {};  ///< The path of `tune`; empty: ../bin/tune of this library's folder, else `tune` of $PATH.
};

/// The limits of a call, and how it is followed.
struct TuneOptions {
  /// Schedules to try. Absent: 64, of a model 64 for each matmul; with `seconds`, no limit.
  std::optional<int64_t> trials = {};
  double seconds = 0;  ///< Proposes no further schedules after this time; 0: no limit.
  uint64_t seed = 1;
  std::function<void(const Progress&)> on_progress = {};
  std::stop_token stop = {};            ///< Ends the call within 20 s; what was measured counts.
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
  int64_t done = 0;                    ///< Schedules with a result.
  int64_t from_log = 0;                ///< How many of these the log had already.
  bool interrupted = false;            ///< `stop` ended the call.
  std::string json;                    ///< All that `tune matmul --json` says.
};

/// A matmul of a model.
struct ModelProduct {
  std::string problem;
  double calls = 0;      ///< How often one call of the model's functions computes it.
  double before_ns = 0;  ///< The time of one call with the schedule that was used before, or an estimate of it.
  double after_ns = 0;   ///< The time of the best schedule; 0 if there is none.
  std::string schedule;  ///< The best schedule; empty if there is none.
};

/// The result of TuneModel().
struct TunedModel {
  std::vector<ModelProduct> products;
  double before_ns = 0, after_ns = 0;  ///< The time of all matmuls of one call of the model, before and after.
  int64_t trials = 0;
  bool interrupted = false;  ///< `stop` ended the call: no spec and no library were written.
  std::string json;          ///< All that `tune model --json` says.
};

/// The files that TuneModel() writes; an empty text: none.
struct ModelFiles {
  std::string library = {};  ///< The library to build, a .so or .o.
  std::string spec = {};     ///< The tuning spec to write, which Compile() takes.
  bool overwrite = false;    ///< Replaces a library that exists.
};

/// The result of Compile().
struct Compiled {
  std::string library;             ///< The file that was written.
  std::vector<std::string> notes;  ///< Such as which matmuls have no schedule in the log.
};

struct CompileOptions {
  std::string spec = {};   ///< The schedules; empty: the best ones of the log, which must not be a server's.
  bool overwrite = false;  ///< Replaces a library that exists.
  std::stop_token stop = {};
  std::vector<std::string> words = {};  ///< Further words of the command line of `tune compile`.
};

class MMTUNE_TUNER_API Tuner {
 public:
  explicit Tuner(TunerOptions options = {}) : options_(std::move(options)) {}

  /// Searches for the fastest schedule of a problem. If `stop` ends it, returns what was found until then, or
  /// kInterrupted if that is nothing.
  Result<Tuned> Tune(const std::string& problem, const TuneOptions& options = {}) const;

  /// Tunes all matmuls of an MLIR module for the shortest time of the whole, as `tune model` does, and writes `files`.
  Result<TunedModel> TuneModel(const std::string& model, const ModelFiles& files = {},
                               const TuneOptions& options = {}) const;

  /// Returns the verified schedules that the log has for a problem on each class of devices, the fastest first, at most
  /// `limit` of each; none if it has none. Nothing is measured. Needs a log: that of a server is read by its path or
  /// URL.
  Result<std::vector<MeasuredSchedule>> Best(const std::string& problem, int64_t limit = 10) const;

  /// Compiles an MLIR module to a library (.so or .o), with a C header beside it, as `tune compile` does. Needs a
  /// device other than "auto", or an `arch`. On an error nothing is written.
  Result<Compiled> Compile(const std::string& model, const std::string& library,
                           const CompileOptions& options = {}) const;

 private:
  TunerOptions options_;
};

}  // namespace mmtune
