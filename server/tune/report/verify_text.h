// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `tune verify` prints.
#pragma once

#include <string>

#include "proto/json/request_json.h"

namespace mmtune {

/// Proven at small shapes, and right at its own size.
bool IsProven(const VerifyAnswer& answer);
std::string VerdictText(const VerifyRequest& request, const VerifyAnswer& answer);
/// One JSON object on one line.
std::string VerdictJson(const VerifyRequest& request, const VerifyAnswer& answer);

}  // namespace mmtune
