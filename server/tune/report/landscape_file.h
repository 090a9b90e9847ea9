// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Landscapes from files: records of ours as JSON lines, or a table or cache of Kernel Tuner of any tunable kernel.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "search/replay/landscape.h"
#include "server/tune/report/landscape_csv.h"

namespace mmtune {

/// Named FILE.jsonl: what `tune records export` writes, of one problem and one class of devices; the last ok record of
/// a schedule counts, or its failure where it has none. Anything else is a cache of Kernel Tuner, if it is JSON, or
/// CSV; their parameters mean what `description` says, a file of kernel_description.h; empty: the one beside it,
/// FILE.json for FILE.csv, if there is one; without it they mean nothing. InvalidArgument names the file, and the line
/// where there is one.
absl::StatusOr<Landscape> ReadLandscapeFile(const std::string& path, const LandscapeColumns& columns,
                                            const std::string& description);

}  // namespace mmtune
