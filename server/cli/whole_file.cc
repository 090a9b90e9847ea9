#include "server/cli/whole_file.h"

#include <string.h>

#include <cerrno>
#include <cstdio>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "server/cli/format.h"

namespace mmtune {

absl::Status FileError(std::string_view doing, const std::string& file) {
  return InvalidArgument(absl::StrCat("cannot ", ToAbsl(doing), " ", PlainText(file), ": ", strerror(errno)));
}

absl::Status WriteWholeFile(const std::string& file, const std::function<absl::Status(std::ostream&)>& write) {
  const std::string partial = absl::StrCat(file, ".partial");
  std::ofstream out(partial, std::ios::trunc);
  if (!out) return FileError("write", partial);
  absl::Status status = write(out);
  out.close();
  if (status.ok() && !out) status = FileError("write", partial);
  if (status.ok() && std::rename(partial.c_str(), file.c_str()) != 0) status = FileError("write", file);
  if (!status.ok()) std::remove(partial.c_str());
  return status;
}

}  // namespace mmtune
