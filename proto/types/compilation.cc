#include "proto/types/compilation.h"

#include "nlohmann/json.hpp"
#include "proto/base/digest.h"

namespace mmtune {

std::string Toolchain::CanonicalJson() const {
  return nlohmann::json{{"assembler", assembler}, {"families", families}, {"mlir", mlir}, {"mmtune", mmtune}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string Toolchain::Digest() const { return Sha256Hex(CanonicalJson()); }

}  // namespace mmtune
