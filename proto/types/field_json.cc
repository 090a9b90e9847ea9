// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/field_json.h"

#include <cmath>

namespace mmtune {

nlohmann::json DoubleToJson(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

nlohmann::json ToJson(const Schedule& value) {
  nlohmann::json json = nlohmann::json::object();
  json["family"] = value.family;
  json["params"] = value.params;
  return json;
}

std::string Dump(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace mmtune
