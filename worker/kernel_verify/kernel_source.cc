// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/kernel_verify/kernel_source.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/json_tree.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 16;
constexpr std::string_view kElf =
                               "\x7f"
                               "ELF",
                           kFatBinary = "\x50\xed\x55\xba";

absl::Status Refuse(const std::string& path, std::string_view what) {
  return InvalidArgument(absl::StrCat(path, " ", ToAbsl(what)));
}

/// Returns an error for what is not PTX by its name or first bytes.
absl::Status CheckKind(const std::string& path, std::string_view text) {
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".cu" || extension == ".cuh") {
    return Refuse(path, absl::StrCat("is CUDA C++, but only PTX is verified: nvcc -ptx -lineinfo -arch=sm_80 ", path,
                                     " makes it"));
  }
  if (extension == ".cubin" || extension == ".fatbin" || text.starts_with(kElf) || text.starts_with(kFatBinary)) {
    return Refuse(path, absl::StrCat("is machine code, but only PTX is verified: cuobjdump -ptx ", path,
                                     " > kernel.ptx extracts it, if it is there"));
  }
  return absl::OkStatus();
}

/// Reads the fields of Triton's JSON file that concern the launch.
absl::StatusOr<KernelLaunch> ReadTritonLaunch(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadTextFile(path));
  absl::StatusOr<JsonTree> tree = ParseStrictJson(text, kMaxDepth);
  if (!tree.ok()) return WithContext(tree.status(), path);
  const JsonValue json(*tree);
  const auto number = [&](const char* key) -> std::optional<int64_t> {
    const std::optional<JsonValue> value = json.Find(key);
    return value ? value->Int() : std::nullopt;
  };
  const std::optional<JsonValue> name = json.Find("name");
  const std::optional<int64_t> warps = number("num_warps"), shared = number("shared");
  if (!name || !name->is_string() || !warps || !shared)
    return Refuse(path, "is not a kernel's JSON file in Triton's cache: it has no name, num_warps or shared");
  KernelLaunch launch;
  launch.kernel = std::string(name->Text());
  launch.block = absl::StrCat(32 * *warps);
  launch.shared = absl::StrCat(*shared);
  std::vector<std::string> cluster;
  if (const std::optional<JsonValue> extents = json.Find("cluster_dims"); extents && extents->is_array()) {
    for (const JsonValue extent : *extents) cluster.push_back(absl::StrCat(extent.Int().value_or(1)));
  }
  if (!cluster.empty()) launch.cluster = absl::StrJoin(cluster, ",");
  return launch;
}

/// Returns the only PTX file of a folder that has a JSON file beside it.
absl::StatusOr<fs::path> FindTritonPtx(const std::string& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    fs::path json = entry.path();
    if (json.extension() == ".ptx" && fs::exists(json.replace_extension(".json"), error)) found.push_back(entry.path());
  }
  if (found.size() == 1) return found.front();
  return Refuse(folder, absl::StrCat("has ", found.size(), " PTX files with a JSON file beside them: give the folder ",
                                     "of one kernel in Triton's cache (~/.triton/cache/…), or a PTX file"));
}

}  // namespace

absl::StatusOr<KernelSource> ReadKernelSource(const std::string& path) {
  KernelSource source;
  std::string file = path;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    ASSIGN_OR_RETURN(const fs::path found, FindTritonPtx(path));
    file = found.string();
    ASSIGN_OR_RETURN(source.launch, ReadTritonLaunch(fs::path(found).replace_extension(".json").string()));
  }
  if (fs::exists(file, error)) RETURN_IF_ERROR(CheckKind(file, ""));
  const auto bytes = fs::file_size(file, error);
  if (!error && bytes > static_cast<uintmax_t>(kMostPtxBytes)) {
    return Refuse(file, absl::StrCat("has ", bytes, " bytes; PTX of up to ", kMostPtxBytes,
                                     " is read: leave only the kernel and the functions that it calls"));
  }
  ASSIGN_OR_RETURN(source.ptx, ReadWholeFile(file, 0, kMostPtxBytes));
  RETURN_IF_ERROR(CheckKind(file, source.ptx));
  source.name = fs::path(file).filename().string();
  return source;
}

void CompleteLaunch(const KernelSource& source, KernelLaunch* launch) {
  if (!source.launch) return;
  const KernelLaunch plain;
  for (auto field : {&KernelLaunch::kernel, &KernelLaunch::block, &KernelLaunch::cluster, &KernelLaunch::shared}) {
    if (launch->*field == plain.*field) launch->*field = (*source.launch).*field;
  }
}

}  // namespace mmtune
