// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs ptxas on PTX text, and returns its errors line by line.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "kernels/compiler/codegen/ptxas.h"

namespace mmtune::ptx {

/// Returns the first error of ptxas for each line of the text; 0 stands for errors without a line.
inline std::map<int, std::string> PtxasErrors(const std::string& text, std::string_view target) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/ptxas_errors_", ::getpid(), ".ptx");
  std::ofstream(path) << text;
  std::FILE* pipe = ::popen(
      absl::StrCat("'", findPtxas(), "' -arch ", std::string(target), " '", path, "' -o /dev/null 2>&1").c_str(), "r");
  std::string output;
  char buffer[4096];
  while (const size_t bytes = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, bytes);
  const bool failed = ::pclose(pipe) != 0;
  ::unlink(path.c_str());
  std::map<int, std::string> errors;
  for (absl::string_view line : absl::StrSplit(output, '\n')) {
    // ptxas a.ptx, line 12; error   : Unknown symbol '%r1'
    const size_t at = line.find(", line ");
    int number = 0;
    if (at == absl::string_view::npos || line.find("; warning") != absl::string_view::npos) continue;
    if (!absl::SimpleAtoi(line.substr(at + 7, line.find(';', at) - at - 7), &number)) continue;
    errors.emplace(number, std::string(line.substr(line.find(": ") + 2)));
  }
  if (failed && errors.empty()) errors.emplace(0, output);
  return errors;
}

/// Returns why a test cannot compare with ptxas, whose rules are those of CUDA 13; an empty string if it can.
inline std::string WhyNoPtxas() {
  if (findPtxas().empty()) return "no ptxas";
  return ptxasVersion().starts_with("13.") ? "" : "ptxas is version " + ptxasVersion() + ", not 13";
}

}  // namespace mmtune::ptx
