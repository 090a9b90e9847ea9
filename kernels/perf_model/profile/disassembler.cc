// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/disassembler.h"

#include <chrono>

#include "absl/strings/str_cat.h"
#include "proto/base/subprocess.h"
#include "proto/base/folders.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

constexpr std::chrono::minutes kTimeout{2};

}  // namespace

std::string FindDisassembler() { return FindCudaTool("nvdisasm", "MMTUNE_NVDISASM"); }

absl::StatusOr<SassListing> Disassemble(std::string_view cubin, std::string_view arch) {
  const std::string program = FindDisassembler();
  if (program.empty()) {
    return FailedPrecondition(
        "no nvdisasm in MMTUNE_NVDISASM, PATH, $CUDA_HOME/bin or /usr/local/cuda/bin: install the CUDA toolkit's, or "
        "PyPI's nvidia-cuda-nvdisasm");
  }
  ASSIGN_OR_RETURN(OwnedFolder folder, OwnedFolder::Temporary("mmtune-nvdisasm-"));
  const std::string file = absl::StrCat(folder.path(), "/kernel.cubin");
  RETURN_IF_ERROR(WriteWholeFile(file, cubin));
  SubprocessOptions options;
  options.argv = {program, "-c", "-hex", file};
  options.output_path = absl::StrCat(folder.path(), "/output");
  ASSIGN_OR_RETURN(Subprocess process, Subprocess::Spawn(options));
  const std::optional<ExitStatus> ended = process.Wait(kTimeout);
  if (!ended) return Internal("nvdisasm did not finish within 2 minutes");
  ASSIGN_OR_RETURN(const std::string output, ReadWholeFile(options.output_path));
  if (!ended->ok()) {
    const std::string complaint = output.substr(0, output.find('\n'));
    return InvalidArgument(
        absl::StrCat("nvdisasm: ", ended->Text(), complaint.empty() ? " and no output" : ": ", complaint));
  }
  ASSIGN_OR_RETURN(SassListing listing, ParseSass(output));
  if (listing.arch != arch) {
    return InvalidArgument(absl::StrCat("the cubin is of ", listing.arch, ", not of ", ToAbsl(arch)));
  }
  return listing;
}

}  // namespace mmtune
