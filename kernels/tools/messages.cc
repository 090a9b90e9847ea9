// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/messages.h"

#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

const char* g_name = "mmtune-compile";

}  // namespace

void SetMessageName(const char* name) { g_name = name; }

const char* MessageName() { return g_name; }

int PrintError(const absl::Status& status, int exit_code) {
  std::fprintf(stderr, "%s: error: %s\n", g_name, std::string(status.message()).c_str());
  return exit_code;
}

void PrintNote(std::string_view text) { PrintDiagnostic(absl::StrCat(g_name, ": note: ", ToAbsl(text))); }

void PrintDiagnostic(std::string_view text) {
  const bool ended = !text.empty() && text.back() == '\n';
  std::fprintf(stderr, "%.*s%s", static_cast<int>(text.size()), text.data(), ended ? "" : "\n");
}

}  // namespace mmtune
