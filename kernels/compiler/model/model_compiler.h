// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Final compilation: a user's MLIR module, with the best schedules of a tuning spec, to code. No MLIR type crosses it.
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

/// Who looks on while a module is compiled; each function may be empty.
struct CompileObserver {
  /// Called with the parsed module (as pass 0, "parsed"), and behind each pass that changed it: which pass on the whole
  /// module it was, its name, the module as MLIR text. Passes on a part of the module run in one of the whole, which
  /// has the name of the last of them. An error is the compilation's, and ends the calls.
  std::function<absl::Status(int number, std::string_view pass, std::string_view text)> after_pass;
  /// Called before each stage that passes make, with what repeats it: the module as it is, with the passes to run on it
  /// (`mmtune-opt --run-reproducer`).
  std::function<void(std::string reproducer)> before_stage;
  /// Called when the passes of a stage have succeeded.
  std::function<void()> after_stage;
};

struct ModelOptions {
  CompileTarget target;
  TuningSpec spec;
  /// Another schedule stands in where the spec's own for a problem is not valid; otherwise that is an error.
  bool allow_fallback = false;
  /// Sums that the module rounds to f16 or bf16 at each step are rounded so, and no tuned kernel computes matmuls with
  /// such; otherwise they are of f32, rounded once.
  bool sums_as_written = false;
  /// How matmuls of f32 are multiplied; as the type says where no kernel of the target multiplies so.
  MathMode math = MathMode::kIeee;
  /// f64 arithmetic on values of f32 whose results become f32 again is done in f32; otherwise as written.
  bool narrow_f64 = false;
  /// Operations that follow one another are computed in one kernel. False: each in its own, but for what is directly
  /// behind a matmul; to find out which kernel is wrong, or slow.
  bool fuse = true;
  /// Called with the public functions as the module has them, before anything is compiled; what is not OK ends the
  /// compilation with it. Their tensors are described as the memrefs that they become. May be empty.
  std::function<absl::Status(const std::vector<ModelFunction>&)> check_functions;
  std::string prefix;          ///< What the names of public functions begin with for callers; empty: nothing.
  bool packed_entries = true;  ///< Export PackedSymbol(), which ModelRunner calls, too.
  bool one_stream = false;     ///< Put everything on one stream, in program order.
  bool process_args = true;    ///< False: the functions' arguments are device memory already.
  /// Shared-memory buffers of a kernel never share bytes, and watch mode has red zones between them: for code that is
  /// watched. False: as shipped, where they may.
  bool shared_apart = false;
  int host_opt_level = 2;  ///< 0 to 3.
  bool bytecode = false;   ///< MLIR is put out as bytecode, not as text.
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

/// A type of a function's argument or result.
struct ModelType {
  enum class Kind { kScalar, kMemref };
  Kind kind = Kind::kScalar;
  std::string element;         ///< "f32", "f64", "i32", "i64", "index", "i1", …
  std::vector<int64_t> shape;  ///< Of a memref; -1 is dynamic.
  bool identity_layout = true;
  bool is_writable_tensor = false;  ///< An argument of the module as it was parsed, by `bufferization.writable`.
  std::string text;                 ///< "memref<4x?xf32>".

  bool operator==(const ModelType&) const = default;
};

/// A public function of the module.
struct ModelFunction {
  std::string name;  ///< With ModelOptions::prefix before it.
  std::vector<ModelType> arguments;
  std::vector<ModelType> results;

  /// Exported as _mlir_ciface_<name>: memrefs by address of their descriptor, results through a leading pointer.
  std::string CSymbol() const { return "_mlir_ciface_" + name; }
  /// Exported too with ModelOptions::packed_entries: void(void** arguments, one pointer to each argument and then one
  /// to each result).
  std::string PackedSymbol() const { return "_mlir_packed_" + name; }
};

/// A gpu.module that became device code.
struct ModelKernel {
  std::string module;
  ImageFormat format = ImageFormat::kSimtObject;
  std::string image;
  std::string code_digest;  ///< SHA-256 of the image, as Measurement::code_digest.

  // For a scheduled matmul; empty for other kernels.
  std::string problem;          ///< MatmulProblem::Text().
  std::string schedule;         ///< Schedule::Text().
  std::string source;           ///< "spec", "nearest", "default"; ", unproven" behind it.
  std::string expected_digest;  ///< What the spec's measurement had; empty when it promises nothing.
  std::string why_other_code;   ///< Why the code is not the measured one; empty: it is, or nothing explains it.
};

struct StageTime {
  std::string stage;
  double ms = 0;
};

struct CompiledModel {
  std::vector<ModelFunction> functions;
  std::vector<ModelKernel> kernels;  ///< From kBinary on.
  std::vector<StageTime> times;
  std::string output;  ///< Of the stage: MLIR (text or bytecode), LLVM IR text, or the object.
};

/// Reusable; not thread-safe. MLIR can abort the process on bad input: only a process of its own calls it.
class ModelCompiler {
 public:
  /// Where diagnostics go (errors, warnings, remarks), in MLIR's style with the source line: one call for each.
  using DiagnosticSink = std::function<void(std::string_view text)>;

  static absl::StatusOr<std::unique_ptr<ModelCompiler>> Create();
  virtual ~ModelCompiler() = default;

  /// `text` is MLIR assembly or bytecode, `name` its file's name for diagnostics. InvalidArgument when the module is
  /// not valid MLIR, is empty or has something that cannot be compiled; the sink got the located diagnostics.
  virtual absl::StatusOr<CompiledModel> Compile(std::string_view text, std::string_view name,
                                                const ModelOptions& options, ModelStage last,
                                                const DiagnosticSink& sink) = 0;

  /// The same module for the CPU alone: linalg as loops, no device code; the result has stage kObject. A reference for
  /// modules without gpu operations; InvalidArgument for others. `sums_as_written` as ModelOptions has it.
  /// With `zero_activation_limits` gelu and silu are 0 at minus infinity, where their formulas have NaN.
  virtual absl::StatusOr<CompiledModel> CompileReference(std::string_view text, std::string_view name,
                                                         bool sums_as_written, const DiagnosticSink& sink,
                                                         bool zero_activation_limits = false) = 0;
};

/// Whether a text names a pipeline of passes on a module, as mmtune-opt's --pass-pipeline takes it: "canonicalize,cse",
/// maybe in "builtin.module(…)", of the passes of MLIR and mmtune. InvalidArgument says in one line what is wrong, and
/// at which column.
absl::Status CheckPassPipeline(std::string_view pipeline);

/// The module after such a pipeline, as bytecode. It may have operations of any dialect of MLIR before, and only those
/// that ModelCompiler takes behind it. InvalidArgument when it is not valid MLIR or a pass fails; the sink got the
/// diagnostics.
absl::StatusOr<std::string> RunPassPipeline(std::string_view text, std::string_view name, std::string_view pipeline,
                                            const CompileObserver& observer, const ModelCompiler::DiagnosticSink& sink);

}  // namespace mmtune
