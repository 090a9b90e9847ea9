// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request that `tune verify FILE` sends to a worker process, to verify a kernel in PTX that mmtune did not
// generate, and the worker's answer, as JSON. docs/verify-any-kernel.md describes the texts in a launch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/fields.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// One launch of a kernel. Sizes are lists of expressions ("cdiv(M,64),1"), in which M, N and K are the sizes of the
/// matmul that is verified.
struct KernelLaunch {
  std::string kernel = {};    ///< Empty: the only kernel of the module.
  std::string grid = "1";     ///< The number of blocks in x, y and z; extents that are left out are 1.
  std::string block = {};     ///< Empty: the size that the PTX requires (.reqntid).
  std::string cluster = "1";  ///< The size of a cluster in blocks.
  std::string shared = "0";   ///< Bytes of dynamic shared memory.
  /// The arguments in the order of the kernel's parameters: "A=buffer:f16[M,K]=random" is a buffer named A, "i32=M" a
  /// number, and "A" passes the buffer A again.
  std::vector<std::string> arguments = {};

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("kernel", self.kernel, OmitIf{std::string()});
    visit("grid", self.grid, OmitIf{std::string("1")});
    visit("block", self.block, OmitIf{std::string()});
    visit("cluster", self.cluster, OmitIf{std::string("1")});
    visit("shared", self.shared, OmitIf{std::string("0")});
    visit("arguments", self.arguments, OmitIf{std::vector<std::string>()});
  }
  bool operator==(const KernelLaunch&) const = default;
};

/// The launches to verify, and what they compute: the content of a file for --launches.
struct KernelLaunches {
  std::vector<KernelLaunch> launches;
  /// "A,B,C": the buffers of C = A*B. If empty, the launches count as no matmul, and only the results of different
  /// thread orders are compared.
  std::string gemm;
  /// "64x64x64": the values of M, N and K. If empty, a matmul whose launches use M, N or K gets default shapes.
  std::vector<std::string> shapes;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("launches", self.launches);
    visit("gemm", self.gemm, OmitIf{std::string()});
    visit("shapes", self.shapes, OmitIf{std::vector<std::string>()});
  }
  bool operator==(const KernelLaunches&) const = default;
};

/// Asks for the verification of launches of kernels in one PTX text.
struct KernelVerifyRequest {
  std::string path;  ///< A file of PTX, or a folder of Triton's cache.
  KernelLaunches work;
  /// The architecture whose limits the SIMT device (the CPU simulator) has; empty: the target of the PTX.
  std::string arch;
  int64_t fuzzing_runs = 3;    ///< Runs with random thread orders, at each shape.
  int64_t limit_seconds = 60;  ///< The time limit of the compilation, and of each run.

  MMTUNE_FIELDS(path, work, arch, fuzzing_runs, limit_seconds)
};

/// The result of a KernelVerifyRequest.
struct KernelVerifyAnswer {
  std::string name;    ///< The file's name.
  std::string kernel;  ///< The kernels that were launched, in order: "init, matmul".
  std::string target;  ///< The target that the PTX names: "sm_90a".
  std::string arch;    ///< The architecture whose limits the SIMT device had.
  /// Its `reason` says why the last step of the verification was not completed ("no end within 60 s …"). Its `shapes`
  /// are those that were run to the end.
  VerificationReport verification;
  CheckReport check;  ///< The rounding check, or the first result that is wrong; performed for matmuls only.

  MMTUNE_FIELDS(name, kernel, target, arch, verification, check)
};

/// Parses the content of a file of launches. InvalidArgument says which field is wrong.
absl::StatusOr<KernelLaunches> KernelLaunchesFromJson(std::string_view text);

std::string KernelVerifyRequestToJson(const KernelVerifyRequest& request);
absl::StatusOr<KernelVerifyRequest> KernelVerifyRequestFromJson(std::string_view text);
std::string KernelVerifyAnswerToJson(const KernelVerifyAnswer& answer);
absl::StatusOr<KernelVerifyAnswer> KernelVerifyAnswerFromJson(std::string_view text);

}  // namespace mmtune
