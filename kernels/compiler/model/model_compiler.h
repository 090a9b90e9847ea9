// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a user's MLIR module (a model). Its matmuls are replaced by kernels with the best schedules of a tuning
// spec, a file with the best schedules of tuned problems. The program mmtune-compile uses this interface, in which no
// MLIR type appears.
//
//   auto compiler = *ModelCompiler::Create();
//   ModelOptions options{.target = {.device = device}, .spec = spec};
//   CompiledModel model = *compiler->Compile(text, "model.mlir", options, ModelStage::kObject, print_diagnostic);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/compiler.h"
#include "proto/json/model_matmuls.h"
#include "proto/json/tuning_spec.h"

namespace mmtune {

struct ModelFunction;

/// Functions that observe a compilation; each may be empty.
struct CompileObserver {
  /// Called with the parsed module (number 0, "parsed"), then after each pass that changed the module. `number` counts
  /// the passes on the whole module, `pass` is the pass's name, and `text` the module after it. Successive passes on
  /// parts of the module count as one pass, named after the last of them. An error ends the compilation.
  std::function<absl::Status(int number, std::string_view pass, std::string_view text)> after_pass;
  /// Called before each group of passes that run together, with the module and the passes for `mmtune-opt
  /// --run-reproducer`.
  std::function<void(std::string reproducer)> before_stage;
  /// Called after such a group, if all of its passes have succeeded.
  std::function<void()> after_stage;
};

/// The target, schedules and options of a compilation.
struct ModelOptions {
  CompileTarget target;
  TuningSpec spec;
  /// Use another schedule if the spec's entry for a problem is not valid. If false, an invalid entry is an error.
  bool allow_fallback = false;
  /// Round f16 and bf16 sums at each step, as the module says, which no tuned kernel does. If false, such sums are
  /// accumulated in f32 and rounded once.
  bool sums_as_written = false;
  /// The math mode of f32 matmuls. A matmul for which the target has no kernel of this mode uses ieee.
  MathMode math = MathMode::kIeee;
  /// Compute in f32 where the module converts f32 values to f64, computes, and converts the results back to f32.
  bool narrow_f64 = false;
  /// Fuse operations into common kernels. If false, only epilogues are fused; this helps to find a wrong or slow
  /// kernel.
  bool fuse = true;
  /// Called with the module's public functions before anything is compiled. An error ends the compilation. Tensors are
  /// described as the memrefs that they become. May be empty.
  std::function<absl::Status(const std::vector<ModelFunction>&)> check_functions;
  std::string prefix;          ///< Prefix of the public functions' symbols; may be empty.
  bool packed_entries = true;  ///< Also export ModelFunction::PackedSymbol(), which ModelRunner calls.
  bool one_stream = false;     ///< Put all device operations on one stream, in program order.
  bool process_args = true;    ///< Copy functions' arguments to the device; false if they are device memory already.
  /// Give each shared-memory buffer of a kernel its own bytes, and with target.race_detection a red zone (unused bytes)
  /// behind it. This is for race detection. Otherwise buffers may share bytes.
  bool shared_apart = false;
  /// Host code counts the matmuls that it computes (GetMgpuMatmulCalls()). For modules that ModelRunner runs.
  bool count_matmuls = false;
  int host_opt_level = 2;  ///< LLVM optimization level of host code, 0 to 3.
  bool bytecode = false;   ///< Output MLIR as bytecode, not as text.
  CompileObserver observer;
};

/// The stage at which a compilation ends.
enum class ModelStage {
  kGpu,     ///< MLIR with launches, transfers and streams; kernels are in gpu.modules.
  kBinary,  ///< MLIR in which kernels are compiled (gpu.binary).
  kLlvm,    ///< MLIR in the LLVM dialect.
  kLlvmIr,  ///< LLVM IR.
  kObject,  ///< Relocatable object.
};

/// The type of an argument or result of a function.
struct ModelType {
  enum class Kind { kScalar, kMemref };
  Kind kind = Kind::kScalar;
  std::string element;              ///< MLIR type of the elements or of the scalar: "f32", "i64", "index", "i1", ...
  std::vector<int64_t> shape;       ///< Sizes of a memref; -1 if dynamic.
  bool identity_layout = true;      ///< True if a memref is dense and row-major.
  bool is_writable_tensor = false;  ///< True for a tensor argument with the attribute `bufferization.writable`.
  std::string text;                 ///< The whole type: "memref<4x?xf32>".

  bool operator==(const ModelType&) const = default;
};

/// A public function of the module.
struct ModelFunction {
  std::string name;  ///< Name, with ModelOptions::prefix.
  std::vector<ModelType> arguments;
  std::vector<ModelType> results;

  /// Returns the symbol of the function with MLIR's C interface. Memrefs are passed by the address of their descriptor.
  /// A single scalar is returned by value, other results through a pointer that is the first argument.
  std::string CSymbol() const { return "_mlir_ciface_" + name; }
  /// Returns the symbol of the function in the form void(void** pointers). `pointers` has one pointer to each argument,
  /// then one to each result. The symbol is exported if ModelOptions::packed_entries is true.
  std::string PackedSymbol() const { return "_mlir_packed_" + name; }
};

/// A gpu.module that became device code.
struct ModelKernel {
  std::string module;  ///< Name of the gpu.module.
  ImageFormat format = ImageFormat::kSimtObject;
  std::string image;
  std::string code_digest;  ///< SHA-256 of the image, as in Measurement::code_digest.

  // Empty unless the module is a matmul with a schedule:
  std::string problem;   ///< MatmulProblem::Text().
  std::string schedule;  ///< Schedule::Text().
  std::string source;    ///< Where the schedule comes from: "spec", "nearest" or "default"; ", unverified" may follow.
  std::string expected_digest;  ///< The code digest in the spec; may be empty.
  std::vector<RowRange> rows;   ///< The numbers of rows for which it is used, if kernels are selected by that number.
  /// Why the code differs from the measured code; empty if it does not, or if there is no explanation.
  std::string why_other_code;
};

/// The time of one stage of a compilation.
struct StageTime {
  std::string stage;
  double ms = 0;
};

/// The result of a compilation.
struct CompiledModel {
  std::vector<ModelFunction> functions;
  ModelMatmuls matmuls;              ///< The matmul problems, and how often the module computes each.
  std::vector<ModelKernel> kernels;  ///< Filled from stage kBinary on.
  std::vector<StageTime> times;
  std::string output;  ///< MLIR (text or bytecode), LLVM IR text or the object file, by stage.
};

/// Compiles any number of modules. Not thread-safe. MLIR can abort the process on bad input, so use it in a separate
/// process.
class ModelCompiler {
 public:
  /// Receives each diagnostic (error, warning, remark) as MLIR prints it, with the source line.
  using DiagnosticSink = std::function<void(std::string_view text)>;

  static absl::StatusOr<std::unique_ptr<ModelCompiler>> Create();
  virtual ~ModelCompiler() = default;

  /// Compiles a module up to stage `last`. `text` is MLIR assembly or bytecode, and `name` its file name for
  /// diagnostics. Returns InvalidArgument if the module is not valid MLIR, is empty, or is to become host code and has
  /// no public function with a body. Returns FailedPrecondition if a pass fails; `sink` then has the diagnostics. Also
  /// returns the errors of ModelOptions::check_functions and of the observer.
  virtual absl::StatusOr<CompiledModel> Compile(std::string_view text, std::string_view name,
                                                const ModelOptions& options, ModelStage last,
                                                const DiagnosticSink& sink) = 0;

  /// Compiles the module for the CPU alone, as a reference for results: linalg operations become loops, and the output
  /// is an object file. Returns InvalidArgument for modules with gpu operations, and otherwise the errors of Compile().
  /// If `zero_activation_limits` is true, gelu and silu return 0 at minus infinity, where their formulas give NaN.
  virtual absl::StatusOr<CompiledModel> CompileReference(std::string_view text, std::string_view name,
                                                         bool sums_as_written, const DiagnosticSink& sink,
                                                         bool zero_activation_limits = false) = 0;
};

/// Checks a pass pipeline in the syntax of mmtune-opt's --pass-pipeline: "canonicalize,cse", possibly within
/// "builtin.module(...)". If it is wrong, returns InvalidArgument with one line that says what is wrong at which
/// column.
absl::Status CheckPassPipeline(std::string_view pipeline);

/// Runs a pass pipeline, in the syntax of CheckPassPipeline(), on a module and returns the result as bytecode. The
/// input may use any dialect of MLIR, the result only those that ModelCompiler supports. Returns InvalidArgument if the
/// pipeline or the module is invalid or the result has another dialect, FailedPrecondition if a pass fails, and the
/// errors of the observer. `sink` then has the diagnostics.
absl::StatusOr<std::string> RunPassPipeline(std::string_view text, std::string_view name, std::string_view pipeline,
                                            const CompileObserver& observer, const ModelCompiler::DiagnosticSink& sink);

}  // namespace mmtune
