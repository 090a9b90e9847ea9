// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/worker/children/processes.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/base/digest.h"

namespace mmtune {
namespace {

std::string& Mark() {
  static std::string mark;
  return mark;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

void MarkProcessTree() {
  Mark() = RandomToken();
  setenv("MMTUNE_TEST_MARK", Mark().c_str(), 1);
}

std::vector<pid_t> MarkedProcesses(const std::string& text) {
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    int pid = 0;
    if (!absl::SimpleAtoi(entry.path().filename().string(), &pid) || pid == getpid()) continue;
    // Both are empty for a zombie.
    if (ReadFile(absl::StrCat("/proc/", pid, "/environ")).find(Mark()) == std::string::npos) continue;
    if (ReadFile(absl::StrCat("/proc/", pid, "/cmdline")).find(text) == std::string::npos) continue;
    found.push_back(pid);
  }
  return found;
}

bool Eventually(const std::function<bool()>& condition, Duration limit) {
  const TimePoint deadline = Clock::Real().Now() + limit;
  while (!condition()) {
    if (Clock::Real().Now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace mmtune
