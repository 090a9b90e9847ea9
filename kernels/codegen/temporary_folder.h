// A folder of its own for the files of one assembler run.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// Under $TMPDIR or /tmp; removed with everything in it when destroyed. Move-only.
class TemporaryFolder {
public:
  static absl::StatusOr<TemporaryFolder> Create();
  TemporaryFolder(TemporaryFolder &&other) noexcept;
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();

  std::string path(std::string_view file) const;

private:
  explicit TemporaryFolder(std::string folder) : folder(std::move(folder)) {}
  std::string folder;
};

absl::Status writeFile(const std::string &path, std::string_view content);
absl::StatusOr<std::string> readFile(const std::string &path);

} // namespace mmtune
