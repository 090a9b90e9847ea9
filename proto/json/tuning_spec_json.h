// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tuning spec as JSON text: what `tune records spec` writes and final compilation reads.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/tuning_spec.h"

namespace mmtune {

/// Returns the SHA-256 over everything else that the entry says. Whoever makes an entry of a record sets its digest.
std::string EntryDigest(const TuningSpecEntry& entry);

/// Indented, sorted by problem and device, the same for equal specs; ends with a newline. Format: proto/json/README.md.
std::string TuningSpecToJson(const TuningSpec& spec);

/// Reads what TuningSpecToJson wrote. InvalidArgument names the entry and field that is wrong; FailedPrecondition when
/// the text is of a newer version. Entries are valid: Validate() of the problem, at most one for a problem and class.
/// One whose digest is not EntryDigest() is not what was measured and proven: it is read as not proven.
absl::StatusOr<TuningSpec> TuningSpecFromJson(std::string_view text);

}  // namespace mmtune
