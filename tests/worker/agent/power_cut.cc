// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/worker/agent/power_cut.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace mmtune {
namespace {

/// The contents of the disk, by path.
struct Disk {
  std::map<std::string, std::string> contents;
  std::set<std::string> names;
};
Disk* disk = nullptr;

std::string Contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void NoteSync(int fd) {
  if (disk == nullptr) return;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
  if (std::filesystem::is_regular_file(path, error)) disk->contents[path] = Contents(path);
  if (!std::filesystem::is_directory(path, error)) return;
  for (const auto& entry : std::filesystem::directory_iterator(path)) disk->names.insert(entry.path());
}

}  // namespace

PowerCut::PowerCut() { disk = new Disk; }

PowerCut::~PowerCut() {
  delete disk;
  disk = nullptr;
}

void PowerCut::Cut(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::canonical(folder))) {
    if (!disk->names.contains(entry.path())) {
      std::filesystem::remove(entry.path());
    } else {
      std::ofstream(entry.path(), std::ios::binary | std::ios::trunc) << disk->contents[entry.path()];
    }
  }
}

}  // namespace mmtune

// A program's own definitions go before those of the C library.
extern "C" int fsync(int fd) {
  mmtune::NoteSync(fd);
  return static_cast<int>(syscall(SYS_fsync, fd));
}
extern "C" int fdatasync(int fd) {
  mmtune::NoteSync(fd);
  return static_cast<int>(syscall(SYS_fdatasync, fd));
}
