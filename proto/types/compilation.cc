#include "proto/types/compilation.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "proto/base/digest.h"
#include "proto/base/status.h"

namespace mmtune {

absl::Status CheckTime(std::string_view field, double value) {
  if (std::isfinite(value) && value >= 0) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(field), " is ", value, "; a time is finite and >= 0"));
}

absl::Status PhaseTimes::Validate() const {
  for (double phase : {emit_ms, mlir_ms, llvm_ms, assemble_ms, host_ms, load_ms, check_ms, timing_ms}) {
    RETURN_IF_ERROR(CheckTime("phases", phase));
  }
  return absl::OkStatus();
}

std::string Toolchain::CanonicalJson() const {
  return nlohmann::json{{"assembler", assembler}, {"families", families}, {"mlir", mlir}, {"mmtune", mmtune}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string Toolchain::Digest() const { return Sha256Hex(CanonicalJson()); }

}  // namespace mmtune
