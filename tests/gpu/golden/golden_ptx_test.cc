// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas, where there is one, assembles the kernels of all golden vectors: what can be known of them without a GPU.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "absl/strings/str_cat.h"
#include "tests/gpu/golden/golden_ptx.h"

namespace mmtune {
namespace {

/// PTX with one kernel each as one module.
class PtxModule {
 public:
  void Add(const std::string& ptx) {
    const size_t entry = ptx.find(".visible");
    if (text_.empty()) text_ = ptx.substr(0, entry);
    std::string kernel = ptx.substr(entry);
    const std::string name = absl::StrCat(".entry ", kGoldenKernel);
    kernel.replace(kernel.find(name), name.size(), absl::StrCat(name, count_++));
    text_ += kernel;
  }

  /// Returns the messages of ptxas; empty if there are none.
  std::string Assemble(const std::string& target) const {
    const std::string folder = testing::TempDir();
    const std::string source = folder + "/golden_" + target + ".ptx", log = source + ".log";
    std::ofstream(source) << text_;
    const std::string command =
        absl::StrCat(GOLDEN_PTXAS, " -arch=", target, " -o /dev/null ", source, " > ", log, " 2>&1");
    if (std::system(command.c_str()) == 0) return "";
    std::ifstream file(log);
    return absl::StrCat(source, ":\n", std::string(std::istreambuf_iterator<char>(file), {}));
  }

 private:
  std::string text_;
  int count_ = 0;
};

TEST(GoldenPtx, IsAssembled) {
  if (!std::filesystem::exists(GOLDEN_PTXAS)) GTEST_SKIP() << "no ptxas";
  std::map<std::string, PtxModule> modules;
  for (const char* name : {"shuffle.txt", "vote.txt", "reduce.txt", "elect.txt", "match.txt", "ldmatrix.txt",
                           "stmatrix.txt", "mma.txt", "wgmma.txt"}) {
    for (const GoldenOp& golden : ReadGoldenOps(name)) modules[GoldenTarget(golden)].Add(GoldenPtx(golden));
  }
  for (const char* name : {"tensor_load.txt", "tensor_store.txt", "tensor_reduce.txt"}) {
    for (const GoldenTensorCopy& golden : ReadGoldenTensorCopies(name)) modules["sm_90"].Add(GoldenPtx(golden));
  }
  for (const auto& [target, module] : modules) EXPECT_EQ(module.Assemble(target), "");
}

}  // namespace
}  // namespace mmtune
