#include "kernels/codegen/temporary_folder.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<TemporaryFolder> TemporaryFolder::Create() {
  const char *root = std::getenv("TMPDIR");
  std::string folder = absl::StrCat(root && *root ? root : "/tmp", "/mmtune-XXXXXX");
  if (!mkdtemp(folder.data()))
    return Unavailable(absl::StrCat("cannot make a temporary folder ", folder, ": ",
                                    std::strerror(errno), "; set TMPDIR to a writable folder"));
  return TemporaryFolder(folder);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : folder(std::move(other.folder)) {
  other.folder.clear();
}

TemporaryFolder::~TemporaryFolder() {
  if (folder.empty())
    return;
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (error)
    LogWarning("temporary_folder_left", {{"path", folder}, {"error", error.message()}});
}

std::string TemporaryFolder::path(std::string_view file) const {
  return absl::StrCat(folder, "/", ToAbsl(file));
}

absl::Status writeFile(const std::string &path, std::string_view content) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  return stream ? absl::OkStatus() : Unavailable(absl::StrCat("cannot write ", path));
}

absl::StatusOr<std::string> readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return Unavailable(absl::StrCat("cannot read ", path));
  return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

} // namespace mmtune
