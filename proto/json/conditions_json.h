// Conditions as a JSON object: part of a measurement's, and a column of the log.
#pragma once

#include "nlohmann/json.hpp"
#include "proto/json/object_reader.h"
#include "proto/types/conditions.h"

namespace mmtune {

/// Parts that say nothing are left out.
nlohmann::json ToJson(const Conditions& value);
/// Errors go to the reader; Finish() is called.
void FromJson(ObjectReader reader, Conditions* out);

}  // namespace mmtune
