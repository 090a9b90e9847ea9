// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/compilation.h"

#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/types/field_json.h"

namespace mmtune {

absl::Status CheckAtLeast(std::string_view field, int64_t value, int64_t least) {
  if (value >= least) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(field), " is ", value, "; it must be at least ", least));
}

absl::Status CheckTime(std::string_view field, double value) {
  if (std::isfinite(value) && value >= 0) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(field), " is ", value, "; it must be finite and at least 0"));
}

absl::Status KernelResources::Validate() const {
  absl::Status status;
  Fields(*this, [&](std::string_view field, int64_t value) {
    const bool may_be_unknown = field == "registers" || field == "spill_bytes";
    status.Update(CheckAtLeast(absl::StrCat("resources.", ToAbsl(field)), value, may_be_unknown ? -1 : 0));
  });
  return status;
}

absl::Status PhaseTimes::Validate() const {
  absl::Status status;
  Fields(*this, [&](std::string_view field, double value, auto&&...) {
    status.Update(CheckTime(absl::StrCat("phases.", ToAbsl(field)), value));
  });
  return status;
}

std::string Toolchain::CanonicalJson() const { return Dump(ToJson(*this)); }

std::string Toolchain::Digest() const { return Sha256Hex(CanonicalJson()); }

Toolchain Toolchain::ForFamily(std::string_view family) const {
  Toolchain part = *this;
  part.families.clear();
  const std::string name = absl::StrCat(ToAbsl(family), "=");
  for (const absl::string_view version : absl::StrSplit(families, ' ')) {
    if (absl::StartsWith(version, name)) part.families = std::string(version);
  }
  return part;
}

}  // namespace mmtune
