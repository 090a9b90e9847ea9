// Files that appear under their name only when they are whole.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace mmtune {

/// "cannot <doing> <file>: <errno's text>"; InvalidArgument.
absl::Status FileError(std::string_view doing, const std::string& file);

/// Lets `write` write beside `file`, then renames. On an error `file` is as it was.
absl::Status WriteWholeFile(const std::string& file, const std::function<absl::Status(std::ostream&)>& write);

}  // namespace mmtune
