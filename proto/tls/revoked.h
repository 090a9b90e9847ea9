// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a list of revoked certificates, as `tune certs revoke` writes and the server reads it.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// The one spelling of a serial: lower case, without leading zeros.
std::string PlainSerial(std::string_view serial);

/// One serial a line, in hexadecimal digits; from # on, a line is a remark. As PlainSerial spells them. InvalidArgument
/// names the bad line.
absl::StatusOr<std::set<std::string, std::less<>>> ParseRevoked(std::string_view text);

}  // namespace mmtune
