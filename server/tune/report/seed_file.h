// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the best schedules of a log in the formats of other tuners, as seeds: where their search may begin. They are
// the winners of mmtune's kernels, and another kernel with the same tiles may be slow. So every file says what it is,
// by the names of columns, metadata or files, and has no name that a program would load as its own results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

enum class SeedFormat {
  kT4,       ///< A results file of the T4 format of Kernel Tuner, for one problem and device.
  kTriton,   ///< A JSON list of the arguments of triton.Config(), with Inductor's names of the tiles (BLOCK_M, ...).
  kVllm,     ///< For each N and K, a JSON object of configurations by M, of which vLLM and SGLang take the nearest.
  kCutlass,  ///< CSV with the columns of the CUTLASS profiler.
};

/// Returns the format "t4", "triton", "vllm" or "cutlass"; otherwise InvalidArgument.
absl::StatusOr<SeedFormat> ParseSeedFormat(std::string_view name);

/// A file of seeds.
struct SeedFile {
  std::string name;  ///< Its name in the folder of kVllm; empty for the other formats, which are one file.
  std::string text;
};

/// The files, and how many schedules are in them.
struct SeedFiles {
  std::vector<SeedFile> files;
  size_t seeds = 0;
  /// The number of schedules that kernels of Triton and vLLM cannot have: tiles or numbers of warps that are no powers
  /// of two, tiles below 16, or several blocks for one tile. 0 for the other formats.
  size_t left_out = 0;
};

/// Returns the schedules of rankings (TuningLogReader::BestOfEach()) in a format. For kVllm, takes from each ranking
/// only the best schedule that the kernels of vLLM can have. Returns InvalidArgument if none is left, or if kT4 gets
/// more than one ranking.
absl::StatusOr<SeedFiles> MakeSeedFiles(const std::vector<RankedRecord>& rankings, SeedFormat format);

}  // namespace mmtune
