// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/debug_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>

#include "kernels/compiler/compiler.h"
#include "kernels/tools/compile_command.h"
#include "llvm/Support/ErrorHandling.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

[[maybe_unused, gnu::noinline]] int Deep(int n) {  // NOLINT(misc-no-recursion)
  volatile char page[4096];
  page[0] = static_cast<char>(n);
  return n < 0 ? 0 : Deep(n + 1) + page[0];
}

/// All of it, or 8 MiB where it has no bound.
[[maybe_unused]] void UseUpStack() {
  rlimit limit;
  getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = std::min(limit.rlim_cur, rlim_t{8} << 20);
  setrlimit(RLIMIT_STACK, &limit);
  Deep(0);
}

class CrashReproducerTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "crash_reproducer_test." + std::to_string(getpid());
    fs::create_directory(folder_);
    path_ = folder_ + "/again.mlir";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    return names;
  }

  std::string folder_, path_;
};

TEST_F(CrashReproducerTest, CrashWritesTheReproducer) {
  const auto crash = [this](void (*how)()) {
    InstallCrashHandler();
    auto reproducer = CrashReproducer::At(path_, /*force=*/true).value();
    reproducer->Expect("old");
    reproducer->Expect("module\n");
    how();
  };
  const auto message = HasSubstr("mmtune-opt --run-reproducer " + path_);
  EXPECT_EXIT(crash([] { std::abort(); }), ExitedWithCode(kExitFailed), message);
  EXPECT_EQ(Content(), "module\n");
  fs::remove(path_);
  EXPECT_EXIT(crash([] { (void)raise(SIGSEGV); }), ExitedWithCode(kExitFailed), message);
  EXPECT_EQ(Content(), "module\n");
  EXPECT_THAT(Names(), ElementsAre("again.mlir"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // They take such a fault for themselves.
  fs::remove(path_);
  EXPECT_EXIT(crash([] { UseUpStack(); }), ExitedWithCode(kExitFailed), message);
  EXPECT_EQ(Content(), "module\n");
#endif
}

TEST_F(CrashReproducerTest, WritesNothingWithoutAReproducer) {
  const auto crash = [this] {
    InstallCrashHandler();
    auto reproducer = CrashReproducer::At(path_, /*force=*/false).value();
    reproducer->Expect("module\n");
    reproducer->Expect("");
    std::abort();
  };
  EXPECT_EXIT(crash(), ExitedWithCode(kExitFailed), "");
  const auto later = [this] {
    InstallCrashHandler();
    CrashReproducer::At(path_, /*force=*/false).value()->Expect("module\n");
    std::abort();
  };
  EXPECT_EXIT(later(), ExitedWithCode(kExitFailed), "");
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(CrashReproducerTest, KeepsFileCreatedMeanwhile) {
  const auto crash = [this] {
    InstallCrashHandler();
    auto reproducer = CrashReproducer::At(path_, /*force=*/false).value();
    reproducer->Expect("module\n");
    std::ofstream(path_) << "other";
    std::abort();
  };
  EXPECT_EXIT(crash(), ExitedWithCode(kExitFailed), "");
  EXPECT_EQ(Content(), "other");
  EXPECT_THAT(Names(), ElementsAre("again.mlir"));
}

// One line each, which says what failed and at what.
TEST(CrashHandlerTest, EndsTheProcessWithOneLine) {
  const auto end = [](void (*how)()) {
    InstallCrashHandler();
    CrashSubject subject("code for the kernels of @k");
    how();
  };
  const auto line = [](const std::string& what) {
    return testing::MatchesRegex("mmtune-compile: error: code for the kernels of @k: " + what + "[^\n]*\n");
  };
  const auto code = ExitedWithCode(kExitFailed);
  EXPECT_EXIT(end([] { llvm::report_fatal_error("Cannot select: intrinsic %x\nIn function: main_kernel"); }), code,
              line("Cannot select: intrinsic %x In function: main_kernel"));
  EXPECT_EXIT(end([] { std::abort(); }), code, line("crashed: the process aborted \\(SIGABRT\\)"));
  EXPECT_EXIT(end([] { (void)raise(SIGFPE); }), code, line("crashed: an invalid operation"));
  EXPECT_EXIT(end([] { (void)raise(SIGILL); }), code, line("crashed: an invalid instruction"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // They take such faults for themselves.
  EXPECT_EXIT(end([] { UseUpStack(); }), code, line("the module nests operations"));
  const auto run_out = [] {
    try {
      throw std::bad_alloc();
    } catch (...) {
      std::terminate();
    }
  };
  EXPECT_EXIT(end(run_out), code, line("memory is used up"));
#endif
}

TEST_F(CrashReproducerTest, WriteStoresTheFailure) {
  auto reproducer = CrashReproducer::At(path_, /*force=*/false).value();
  EXPECT_TRUE(reproducer->Write().ok());
  EXPECT_THAT(Names(), IsEmpty());
  reproducer->Expect("module\n");
  EXPECT_TRUE(reproducer->Write().ok());
  EXPECT_EQ(Content(), "module\n");
}

TEST_F(CrashReproducerTest, RejectsUnwritableFolder) {
  EXPECT_THAT(std::string(CrashReproducer::At(folder_, true).status().message()), HasSubstr("it is a folder"));
  EXPECT_THAT(std::string(CrashReproducer::At(folder_ + "/no/such", true).status().message()),
              HasSubstr("cannot write " + folder_ + "/no/such: No such file"));
  std::ofstream(path_) << "old";
  EXPECT_THAT(std::string(CrashReproducer::At(path_, false).status().message()), HasSubstr("--force replaces it"));
}

}  // namespace
}  // namespace mmtune
