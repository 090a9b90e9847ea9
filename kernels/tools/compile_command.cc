// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_command.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/compiler/codegen/llvm_codegen.h"
#include "kernels/compiler/codegen/ptxas.h"
#include "kernels/compiler/compiler.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/code_check.h"
#include "kernels/tools/compile_options.h"
#include "kernels/tools/compile_report.h"
#include "kernels/tools/model_library.h"
#include "kernels/tools/output_files.h"
#include "proto/base/status.h"
#include "proto/command_line/help.h"
#include "proto/json/tuning_spec.h"

namespace mmtune {
namespace {

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Returns "libmodel.h" for "libmodel.so" and ".h".
std::string WithSuffix(const std::string& path, std::string_view suffix) {
  const size_t name = path.size() - BaseName(path).size();
  const size_t dot = path.rfind('.');
  const bool has_suffix = dot != std::string::npos && dot > name;
  return absl::StrCat(has_suffix ? path.substr(0, dot) : path, ToAbsl(suffix));
}

absl::StatusOr<EmitKind> KindOf(const CompileOptions& options) {
  if (!options.emit.empty()) return ParseEmitKind(options.emit);
  if (options.output == "-") return InvalidArgument("-o - (standard output) needs --emit KIND");
  return EmitKindOfFile(options.output);
}

std::string HeaderPath(const CompileOptions& options, EmitKind kind) {
  if (options.no_header || !options.header.empty() || options.output == "-") return options.header;
  const bool linked = kind == EmitKind::kObject || kind == EmitKind::kSharedLibrary;
  return linked ? WithSuffix(options.output, ".h") : "";
}

std::string TargetText(const DeviceInfo& device) {
  return absl::StrCat(device.kind == DeviceKind::kSimt ? "the SIMT device, " : "", device.arch);
}

absl::Status CheckKind(EmitKind kind, const CompileOptions& options, const DeviceInfo& device) {
  const bool gpu_code = kind == EmitKind::kPtx || kind == EmitKind::kCubin;
  if (gpu_code && device.kind == DeviceKind::kSimt) {
    return InvalidArgument(absl::StrCat("the SIMT device has no ", ToAbsl(EmitKindName(kind)),
                                        ": give --arch, such as --arch sm_90, without --device simt"));
  }
  if (kind == EmitKind::kSharedLibrary && options.output == "-") {
    return InvalidArgument("a shared library cannot go to standard output");
  }
  if (options.emit_bytecode && !IsMlir(kind)) {
    return InvalidArgument("--emit-bytecode is for MLIR: give --emit mlir-gpu, mlir-binary or mlir-llvm");
  }
  if (kind != EmitKind::kSharedLibrary && !options.shared_libraries.empty()) {
    return InvalidArgument("--shared-libs is for --run and for shared libraries (-o model.so): nothing else is linked");
  }
  return absl::OkStatus();
}

/// Returns the output's path if there is one kernel module, else "out.<module>.ptx".
std::string ImagePath(const CompileOptions& options, const CompiledModel& model, const ModelKernel& kernel) {
  if (model.kernels.size() == 1) return options.output;
  const std::string suffix = options.output.substr(WithSuffix(options.output, "").size());
  return WithSuffix(options.output, absl::StrCat(".", CIdentifier(kernel.module), suffix));
}

absl::Status WriteImages(const CompileOptions& options, const CompiledModel& model, OutputFiles* files) {
  if (model.kernels.empty()) return InvalidArgument("the module has no kernels");
  if (model.kernels.size() > 1 && options.output == "-") {
    return InvalidArgument(
        absl::StrCat(model.kernels.size(), " kernel modules cannot go to standard output: give -o FILE"));
  }
  for (const ModelKernel& kernel : model.kernels) {
    RETURN_IF_ERROR(files->Write(ImagePath(options, model, kernel), kernel.image));
  }
  return absl::OkStatus();
}

absl::Status WriteLibrary(const CompileOptions& options, const CompiledModel& model, OutputFiles* files) {
  ASSIGN_OR_RETURN(std::string library, files->Reserve(options.output));
  ASSIGN_OR_RETURN(std::string object, files->Scratch(options.output));
  ASSIGN_OR_RETURN(std::string messages, files->Scratch(options.output));
  RETURN_IF_ERROR(files->Fill(object, model.output));
  ASSIGN_OR_RETURN(std::vector<std::string> libraries, FindLibraries(options.shared_libraries));
  return LinkSharedLibrary(object, library, BaseName(options.output), libraries, messages);
}

NamedOutput MainOutput(const CompileOptions& options, EmitKind kind) {
  return {kind == EmitKind::kSharedLibrary ? "the library" : "the output", options.output};
}

std::vector<NamedOutput> OutputsOf(const CompileOptions& options, EmitKind kind, const CompiledModel& model) {
  std::vector<NamedOutput> outputs;
  if (kind == EmitKind::kPtx || kind == EmitKind::kCubin) {
    for (const ModelKernel& kernel : model.kernels) {
      outputs.push_back({absl::StrCat("kernel module ", kernel.module), ImagePath(options, model, kernel)});
    }
  } else {
    outputs.push_back(MainOutput(options, kind));
  }
  if (const std::string header = HeaderPath(options, kind); !header.empty()) outputs.push_back({"the header", header});
  return outputs;
}

/// Refuses to replace an input, even with --force.
absl::Status CheckReplacesNoInput(const CompileOptions& options, const NamedOutput& output) {
  for (const std::string& input : {options.input, options.spec}) {
    std::error_code none;
    if (std::filesystem::equivalent(output.path, input, none)) {
      return InvalidArgument(absl::StrCat(output.what, " would replace ", input, ", which it is made from"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckReproducer(const CompileOptions& options) {
  if (options.crash_reproducer == "-")
    return InvalidArgument("--crash-reproducer needs a file, not standard output (-)");
  return CheckReplacesNoInput(options, {"the reproducer", options.crash_reproducer});
}

absl::Status WriteOutputs(const CompileOptions& options, EmitKind kind, const ModelRequest& request,
                          const CompiledModel& model) {
  RETURN_IF_ERROR(CheckDistinct(OutputsOf(options, kind, model)));
  OutputFiles files(options.force);
  if (kind == EmitKind::kPtx || kind == EmitKind::kCubin) {
    RETURN_IF_ERROR(WriteImages(options, model, &files));
  } else if (kind == EmitKind::kSharedLibrary) {
    RETURN_IF_ERROR(WriteLibrary(options, model, &files));
  } else {
    const bool matmuls = kind == EmitKind::kMatmuls;
    RETURN_IF_ERROR(files.Write(options.output, matmuls ? ModelMatmulsToJson(model.matmuls) : model.output));
  }
  if (const std::string header = HeaderPath(options, kind); !header.empty()) {
    HeaderOptions header_options;
    header_options.file_name = BaseName(header);
    header_options.source = BaseName(request.name);
    header_options.target = TargetText(request.options.target.device);
    header_options.device_arguments = options.device_arguments;
    header_options.kernels = &model.kernels;
    RETURN_IF_ERROR(files.Write(header, ModelHeader(model.functions, header_options)));
  }
  return files.Commit();
}

void PrintReport(const CompileOptions& options, const CompiledModel& model) {
  FILE* out = options.output == "-" ? stderr : stdout;
  std::fprintf(out, "%s", CompileReport(options, model, OutputColumns()).c_str());
}

/// Reads the spec. Errors begin with its name, like those of a compiler.
absl::StatusOr<TuningSpec> ReadSpec(const CompileOptions& options) {
  if (options.spec.empty()) return TuningSpec{};
  ASSIGN_OR_RETURN(std::string text, ReadInput(options.spec));
  absl::StatusOr<TuningSpec> spec = TuningSpecFromJson(text);
  const std::string& name = options.spec_name.empty() ? options.spec : options.spec_name;
  if (!spec.ok()) return WithContext(spec.status(), name);
  if (options.allow_unverified) return spec;
  for (const TuningSpecEntry& entry : spec->entries) {
    if (entry.verified || entry.digest == EntryDigest(entry)) continue;  // Reading makes an edited one unverified.
    return InvalidArgument(absl::StrCat(
        name, ": the entry of ", entry.problem.Text(), " on ", entry.device.name, " (", entry.device.arch, ") ",
        entry.digest.empty() ? "has no digest" : "was edited: its digest does not match",
        ", so that nothing says that its schedule was verified: write the spec again with tune records spec, or take "
        "the schedule unverified with --allow-unverified"));
  }
  const size_t unverified = std::erase_if(spec->entries, [](const TuningSpecEntry& entry) { return !entry.verified; });
  if (unverified > 0 && !options.quiet) {
    PrintNote(absl::StrCat(name, ": ", unverified,
                           " schedules that are not verified are left out (--allow-unverified uses them)"));
  }
  return spec;
}

/// Checks the processor of --host-cpu. If the code runs in this process, this machine must be able to execute it.
absl::StatusOr<std::string> ChooseHostCpu(const CompileOptions& options) {
  const bool runs = !options.run.function.empty() || options.verify.verify;
  const absl::Status status = runs ? checkRunsHere(options.host_cpu) : findHostCpu(options.host_cpu).status();
  if (!status.ok()) return options.host_cpu.empty() ? status : WithContext(status, "--host-cpu");
  return options.host_cpu;
}

/// Returns a sink that prints diagnostics, and sets `*reported` if one is an error.
ModelCompiler::DiagnosticSink PrintAndNote(bool* reported) {
  return [reported](std::string_view text) {
    if (absl::StrContains(ToAbsl(text), "error:")) *reported = true;
    PrintDiagnostic(text);
  };
}

/// Writes the reproducer of a failure, if one is wanted, and returns the failure.
absl::Status WithReproducer(const ModelRequest& request, const absl::Status& failure, bool* reported) {
  const absl::Status written = request.debug_outputs->WriteReproducer();
  if (written.ok()) return failure;
  if (!*reported) PrintError(failure, kExitFailed);
  *reported = false;
  return written;
}

/// Loads libraries into the process, so that code linked into it finds their functions.
absl::Status OpenSharedLibraries(const std::vector<std::string>& libraries) {
  for (const std::string& library : libraries) {
    if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      return InvalidArgument(absl::StrCat("--shared-libs: ", dlerror()));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckOutputs(const CompileOptions& options, EmitKind kind, const DeviceInfo& device) {
  std::vector<NamedOutput> outputs = {MainOutput(options, kind)};
  if (const std::string header = HeaderPath(options, kind); !header.empty()) outputs.push_back({"the header", header});
  if (!options.crash_reproducer.empty()) outputs.push_back({"the reproducer", options.crash_reproducer});
  RETURN_IF_ERROR(CheckDistinct(outputs));
  OutputFiles files(options.force);
  for (const NamedOutput& output : outputs) {
    RETURN_IF_ERROR(CheckReplacesNoInput(options, output));
    if (output.path != "-") RETURN_IF_ERROR(files.Reserve(output.path).status());
  }
  if (kind == EmitKind::kSharedLibrary) {
    RETURN_IF_ERROR(FindRuntimeLibrary().status());
    RETURN_IF_ERROR(FindLinker().status());
    RETURN_IF_ERROR(FindLibraries(options.shared_libraries).status());
  }
  if (device.kind == DeviceKind::kSimt || kind == EmitKind::kPtx || StageOf(kind) == ModelStage::kGpu) {
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(checkPtxas());
  if (kind != EmitKind::kCubin || !findPtxas().empty()) return absl::OkStatus();
  return InvalidArgument(
      "a cubin needs ptxas, which is not in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin: install it, or emit PTX");
}

absl::Status WriteMatmuls(const CompileOptions& options, const ModelMatmuls& matmuls) {
  OutputFiles files(options.force);
  RETURN_IF_ERROR(files.Write(options.output, ModelMatmulsToJson(matmuls)));
  return files.Commit();
}

absl::StatusOr<ModelRequest> ReadRequest(const CompileOptions& options) {
  ModelRequest request;
  request.name = options.input == "-" ? "<stdin>" : options.input;
  // A file is read first, so that a mistyped name is the first error. A terminal is read when nothing else is wrong.
  if (options.input != "-") {
    ASSIGN_OR_RETURN(request.text, ReadInput(options.input));
  }
  ASSIGN_OR_RETURN(request.options.spec, ReadSpec(options));
  absl::StatusOr<DeviceInfo> target = ChooseTarget(options, HostDevices::Real(), &request.options.spec);
  if (!target.ok() && !request.options.spec.entries.empty()) {
    const absl::Status refused =
        WithContext(target.status(), options.spec_name.empty() ? options.spec : options.spec_name);
    if (!options.spec_optional) return refused;
    request.options.spec = {};
    target = ChooseTarget(options, HostDevices::Real(), &request.options.spec);
    if (target.ok() && !options.quiet) {
      PrintNote(absl::StrCat(std::string(refused.message()), ": default schedules are used"));
    }
  }
  if (!target.ok()) return target.status();
  request.options.target.device = *std::move(target);
  request.options.allow_fallback = options.allow_fallback;
  request.options.sums_as_written = options.sums_as_written;
  ASSIGN_OR_RETURN(request.options.math, ParseMathMode(options.math));
  request.options.narrow_f64 = options.narrow_f64;
  request.options.fuse = !options.no_fusion;
  request.options.one_stream = options.streams == "one";
  request.options.process_args = !options.device_arguments;
  request.options.prefix = options.prefix;
  request.options.host_opt_level = options.host_opt_level;
  ASSIGN_OR_RETURN(request.options.target.host_cpu, ChooseHostCpu(options));
  request.pass_pipeline = options.pass_pipeline;
  if (!options.pass_pipeline.empty()) RETURN_IF_ERROR(CheckPassPipeline(options.pass_pipeline));
  RETURN_IF_ERROR(CheckReproducer(options));
  ASSIGN_OR_RETURN(request.debug_outputs, DebugOutputs::For(options));
  request.options.observer = request.debug_outputs->Observer();
  if (!options.run.function.empty()) RETURN_IF_ERROR(OpenSharedLibraries(options.shared_libraries));
  if (options.input == "-") {
    ASSIGN_OR_RETURN(request.text, ReadInput(options.input));
  }
  return request;
}

absl::Status RunUserPasses(ModelRequest* request, bool* reported) {
  *reported = false;
  if (request->pass_pipeline.empty()) return absl::OkStatus();
  absl::StatusOr<std::string> text = RunPassPipeline(request->text, request->name, request->pass_pipeline,
                                                     request->options.observer, PrintAndNote(reported));
  if (!text.ok()) return WithReproducer(*request, text.status(), reported);
  request->text = *std::move(text);
  return absl::OkStatus();
}

absl::StatusOr<CompiledModel> CompileRequest(ModelCompiler& compiler, const ModelRequest& request, ModelStage last,
                                             bool* reported) {
  *reported = false;
  absl::StatusOr<CompiledModel> model =
      compiler.Compile(request.text, request.name, request.options, last, PrintAndNote(reported));
  return model.ok() ? std::move(model) : WithReproducer(request, model.status(), reported);
}

absl::StatusOr<CompiledModel> RunPassesAndCompile(const CompileOptions& options, ModelCompiler& compiler,
                                                  ModelRequest* request, ModelStage last, bool* reported) {
  RETURN_IF_ERROR(RunUserPasses(request, reported));
  ASSIGN_OR_RETURN(CompiledModel model, CompileRequest(compiler, *request, last, reported));
  const DeviceInfo& target = request->options.target.device;
  const Toolchain own = CompilerToolchain(target.kind);
  model.matmuls.toolchain = own;
  RETURN_IF_ERROR(CheckCode(options, target, request->options.spec, own, &model.kernels));
  return model;
}

int FailedCompilation(const absl::Status& status, bool reported) {
  const int code = absl::IsInvalidArgument(status) ? kExitUsage : kExitFailed;
  return reported ? code : PrintError(status, code);
}

int RunCompileCommand(const CompileOptions& options) {
  absl::StatusOr<EmitKind> kind = KindOf(options);
  if (!kind.ok()) return PrintError(kind.status(), kExitUsage);
  absl::StatusOr<ModelRequest> request = ReadRequest(options);
  if (!request.ok()) return PrintError(request.status(), kExitUsage);
  request->options.target.assemble = *kind != EmitKind::kPtx;
  request->options.packed_entries = false;  // Callers have the header.
  request->options.bytecode = options.emit_bytecode || IsBytecodeFile(options.output);
  if (absl::Status status = CheckKind(*kind, options, request->options.target.device); !status.ok()) {
    return PrintError(status, kExitUsage);
  }
  if (absl::Status status = CheckOutputs(options, *kind, request->options.target.device); !status.ok()) {
    return PrintError(status, absl::IsInvalidArgument(status) ? kExitUsage : kExitFailed);
  }
  absl::StatusOr<std::unique_ptr<ModelCompiler>> compiler = ModelCompiler::Create();
  if (!compiler.ok()) return PrintError(compiler.status(), kExitFailed);
  bool reported = false;
  absl::StatusOr<CompiledModel> model = RunPassesAndCompile(options, **compiler, &*request, StageOf(*kind), &reported);
  if (!model.ok()) return FailedCompilation(model.status(), reported);
  if (absl::Status status = WriteOutputs(options, *kind, *request, *model); !status.ok()) {
    return PrintError(status, absl::IsInvalidArgument(status) ? kExitUsage : kExitFailed);
  }
  PrintReport(options, *model);
  return kExitOk;
}

}  // namespace mmtune
