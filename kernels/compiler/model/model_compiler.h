// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a user's MLIR module, with the best schedules of a tuning spec. No MLIR type appears in this interface.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/compiler.h"
#include "proto/json/tuning_spec.h"

namespace mmtune {

struct ModelFunction;

/// Observes a compilation; each function may be empty.
struct CompileObserver {
  /// Called with the parsed module (as pass 0, "parsed"), and after each pass that changed it, with the number and name
  /// of the pass on the whole module and the MLIR text. Successive passes on parts of the module count as one, which is
  /// named after the last of them. An error ends the compilation.
  std::function<absl::Status(int number, std::string_view pass, std::string_view text)> after_pass;
  /// Called before each stage of passes, with a reproducer for `mmtune-opt --run-reproducer`: the module and its
  /// passes.
  std::function<void(std::string reproducer)> before_stage;
  /// Called when the passes of a stage have succeeded.
  std::function<void()> after_stage;
};

struct ModelOptions {
  CompileTarget target;
  TuningSpec spec;
  /// Use another schedule if the spec's own for a problem is invalid; otherwise that is an error.
  bool allow_fallback = false;
  /// Keep f16 and bf16 sums that round at each step, which no tuned kernel computes; otherwise they accumulate in f32
  /// and round once.
  bool sums_as_written = false;
  /// How f32 matmuls are multiplied; ieee where no kernel of the target supports it.
  MathMode math = MathMode::kIeee;
  /// Do f64 arithmetic between f32 values in f32.
  bool narrow_f64 = false;
  /// Fuse operations into one kernel. If false, only epilogues are fused: to find out which kernel is wrong or slow.
  bool fuse = true;
  /// Called with the module's public functions before anything is compiled; an error ends the compilation. Tensors are
  /// described as the memrefs that they become. May be empty.
  std::function<absl::Status(const std::vector<ModelFunction>&)> check_functions;
  std::string prefix;          ///< Prefix of the public functions' symbols.
  bool packed_entries = true;  ///< Also export PackedSymbol(), which ModelRunner calls.
  bool one_stream = false;     ///< Put everything on one stream, in program order.
  bool process_args = true;    ///< If false, the functions' arguments are in device memory already.
  /// Give shared-memory buffers of a kernel separate bytes, with red zones if target.watched. For race detection;
  /// otherwise buffers may share bytes.
  bool shared_apart = false;
  int host_opt_level = 2;  ///< 0 to 3.
  bool bytecode = false;   ///< Output MLIR as bytecode, not as text.
  CompileObserver observer;
};

/// Where a compilation may end.
enum class ModelStage {
  kGpu,     ///< MLIR: launches, transfers, streams; kernels in gpu.modules.
  kBinary,  ///< MLIR: kernels are gpu.binary.
  kLlvm,    ///< MLIR in the LLVM dialect.
  kLlvmIr,  ///< LLVM IR.
  kObject,  ///< Relocatable object.
};

/// The type of a function's argument or result.
struct ModelType {
  enum class Kind { kScalar, kMemref };
  Kind kind = Kind::kScalar;
  std::string element;         ///< "f32", "f64", "i32", "i64", "index", "i1", …
  std::vector<int64_t> shape;  ///< Sizes of a memref; -1 is dynamic.
  bool identity_layout = true;
  bool is_writable_tensor = false;  ///< True for a tensor argument with `bufferization.writable`.
  std::string text;                 ///< "memref<4x?xf32>".

  bool operator==(const ModelType&) const = default;
};

/// A public function of the module.
struct ModelFunction {
  std::string name;  ///< Includes ModelOptions::prefix.
  std::vector<ModelType> arguments;
  std::vector<ModelType> results;

  /// Returns the symbol that takes memrefs by address of their descriptor, and results through a leading pointer.
  std::string CSymbol() const { return "_mlir_ciface_" + name; }
  /// Returns the symbol, exported with ModelOptions::packed_entries, of void(void** pointers): one to each argument,
  /// then one to each result.
  std::string PackedSymbol() const { return "_mlir_packed_" + name; }
};

/// A gpu.module that became device code.
struct ModelKernel {
  std::string module;
  ImageFormat format = ImageFormat::kSimtObject;
  std::string image;
  std::string code_digest;  ///< SHA-256 of the image, as Measurement::code_digest.

  // The following are empty unless it is a scheduled matmul.
  std::string problem;          ///< MatmulProblem::Text().
  std::string schedule;         ///< Schedule::Text().
  std::string source;           ///< "spec", "nearest" or "default", possibly followed by ", unverified".
  std::string expected_digest;  ///< The digest that the spec records; may be empty.
  std::string
      why_other_code;  ///< Why the code differs from the measured code; empty if it does not, or if unexplained.
};

struct StageTime {
  std::string stage;
  double ms = 0;
};

struct CompiledModel {
  std::vector<ModelFunction> functions;
  std::vector<ModelKernel> kernels;  ///< From stage kBinary on.
  std::vector<StageTime> times;
  std::string output;  ///< By stage: MLIR (text or bytecode), LLVM IR text, or the object.
};

/// Reusable; not thread-safe. MLIR can abort the process on bad input, so call it in a process of its own.
class ModelCompiler {
 public:
  /// Receives each diagnostic (error, warning, remark) in MLIR's style with the source line.
  using DiagnosticSink = std::function<void(std::string_view text)>;

  static absl::StatusOr<std::unique_ptr<ModelCompiler>> Create();
  virtual ~ModelCompiler() = default;

  /// `text` is MLIR assembly or bytecode, `name` its file's name for diagnostics. Returns InvalidArgument if the module
  /// is invalid, empty or cannot be compiled; the sink receives the located diagnostics.
  virtual absl::StatusOr<CompiledModel> Compile(std::string_view text, std::string_view name,
                                                const ModelOptions& options, ModelStage last,
                                                const DiagnosticSink& sink) = 0;

  /// Compiles the module for the CPU alone, as a reference: linalg as loops, no device code, stage kObject. Returns
  /// InvalidArgument for modules with gpu operations. With `zero_activation_limits` gelu and silu are 0 at minus
  /// infinity, where their formulas are NaN.
  virtual absl::StatusOr<CompiledModel> CompileReference(std::string_view text, std::string_view name,
                                                         bool sums_as_written, const DiagnosticSink& sink,
                                                         bool zero_activation_limits = false) = 0;
};

/// Checks a pipeline of passes on a module, as mmtune-opt's --pass-pipeline takes it: "canonicalize,cse", possibly in
/// "builtin.module(…)". InvalidArgument says in one line what is wrong, and at which column.
absl::Status CheckPassPipeline(std::string_view pipeline);

/// Runs such a pipeline and returns the module as bytecode. The input may use any dialect of MLIR, the output only
/// those that ModelCompiler supports. Returns InvalidArgument if the module is invalid or a pass fails; the sink
/// receives the diagnostics.
absl::StatusOr<std::string> RunPassPipeline(std::string_view text, std::string_view name, std::string_view pipeline,
                                            const CompileObserver& observer, const ModelCompiler::DiagnosticSink& sink);

}  // namespace mmtune
