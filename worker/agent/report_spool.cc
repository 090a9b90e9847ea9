// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/report_spool.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

constexpr size_t kDigestBytes = 8;
constexpr size_t kHeaderBytes = 4 + kDigestBytes;
constexpr std::string_view kSuffix = ".spool";
// So that every name of a certificate (64 characters at most) fits before the id, within kMaxName.
constexpr size_t kMaxSpoolsOfHost = 32;

absl::Status Errno(std::string_view what, const std::string& path) {
  return FailedPrecondition(
      absl::StrCat(ToAbsl(what), " ", path, ": ", strerror(errno), "; give with --spool a folder that can be written"));
}

// The first bytes of the hexadecimal digest, which is as good as any other 8 bytes.
std::string Checksum(std::string_view bytes) { return Sha256Hex(bytes).substr(0, kDigestBytes); }

void AppendEntry(std::string& out, const v1::CandidateReport& report) {
  std::string bytes = report.SerializeAsString();
  for (int i = 0; i < 4; ++i) out += static_cast<char>(bytes.size() >> (8 * i));
  out += Checksum(bytes);
  out += bytes;
}

absl::Status WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Errno("cannot write", path);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

std::string CleanHostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  std::string clean;
  for (char c : std::string_view(name)) {
    if (isalnum(static_cast<unsigned char>(c))) clean += c;
  }
  clean.resize(std::min(clean.size(), kMaxSpoolsOfHost));
  return clean.empty() ? "host" : clean;
}

/// The locked file, or -1 when another process holds it.
int OpenAndLock(const std::string& path) {
  int fd = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
    close(fd);
    return -1;
  }
  return fd;
}

/// A file's name outlives a power cut once its folder is synced.
absl::Status SyncFolder(const std::string& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = fd >= 0 && fsync(fd) == 0;
  absl::Status status = synced ? absl::OkStatus() : Errno("cannot sync", folder);
  if (fd >= 0) close(fd);
  return status;
}

/// Spool files of this server, those with reports in them first.
std::vector<std::string> FindFiles(const std::string& folder, const std::string& prefix) {
  std::vector<std::pair<bool, std::string>> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    const bool ours =
        name.size() > prefix.size() + kSuffix.size() && name.starts_with(prefix) && name.ends_with(kSuffix);
    if (!ours || !entry.is_regular_file(error)) continue;
    found.emplace_back(entry.file_size(error) == 0, name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [empty, name] : found) names.push_back(std::move(name));
  return names;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ReportSpool>> ReportSpool::Open(const std::string& folder,
                                                               std::string_view server_address) {
  std::error_code error;
  if (std::filesystem::create_directories(folder, error)) chmod(folder.c_str(), 0700);
  const std::string prefix = absl::StrCat("worker-", Sha256Hex(server_address).substr(0, 8), "-");
  std::vector<std::string> names = FindFiles(folder, prefix);
  names.push_back(absl::StrCat(prefix, CleanHostName(), "-", RandomToken().substr(0, 8), ToAbsl(kSuffix)));
  for (const std::string& name : names) {
    const std::string path = absl::StrCat(folder, "/", name);
    int fd = OpenAndLock(path);
    if (fd < 0) continue;
    std::string id = name.substr(prefix.size(), name.size() - prefix.size() - kSuffix.size());
    std::unique_ptr<ReportSpool> spool(new ReportSpool(path, fd, std::move(id)));
    RETURN_IF_ERROR(SyncFolder(folder));
    RETURN_IF_ERROR(spool->ReadLeftovers());
    return spool;
  }
  return Errno("cannot open", absl::StrCat(folder, "/", names.back()));
}

ReportSpool::~ReportSpool() { close(fd_); }

absl::Status ReportSpool::ReadLeftovers() {
  ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(path_));
  std::string_view rest = bytes;
  while (rest.size() >= kHeaderBytes) {
    size_t size = 0;
    for (int i = 0; i < 4; ++i) size |= static_cast<size_t>(static_cast<unsigned char>(rest[i])) << (8 * i);
    if (size > rest.size() - kHeaderBytes) break;
    std::string_view entry = rest.substr(kHeaderBytes, size);
    v1::CandidateReport report;
    if (Checksum(entry) != rest.substr(4, kDigestBytes) || !report.ParseFromString(std::string(entry))) break;
    leftovers_.push_back(std::move(report));
    rest.remove_prefix(kHeaderBytes + size);
  }
  if (rest.empty()) return absl::OkStatus();
  LogWarning("spool_torn", {{"path", path_}, {"bytes_dropped", rest.size()}});
  return Keep(leftovers_);
}

absl::Status ReportSpool::Append(const std::vector<v1::CandidateReport>& reports) {
  std::string bytes;
  for (const v1::CandidateReport& report : reports) AppendEntry(bytes, report);
  RETURN_IF_ERROR(WriteAll(fd_, bytes, path_));
  if (fdatasync(fd_) != 0) return Errno("cannot sync", path_);
  return absl::OkStatus();
}

absl::Status ReportSpool::Keep(const std::vector<v1::CandidateReport>& reports) {
  // Not atomic: a crash here can lose entries that were acknowledged long ago or are about to be appended again; an
  // unacknowledged one that is lost is measured again when its lease expires.
  if (ftruncate(fd_, 0) != 0) return Errno("cannot truncate", path_);
  return reports.empty() ? absl::OkStatus() : Append(reports);
}

}  // namespace mmtune
