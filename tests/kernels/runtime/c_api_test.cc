// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libmmtune_runtime.so as a program with a compiled model sees it. A process has one device, so each test is run in a
// process of its own.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "mmtune_runtime.h"

extern "C" void* mgpuModuleLoadJIT(const void* data, int32_t optimization_level);
extern "C" void* mgpuMemAlloc(uint64_t bytes, void* stream, bool host_shared);

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Matrix {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};
using Matmul = void (*)(Matrix* result, Matrix* a, Matrix* b);

std::string Text(const char* text) { return text == nullptr ? "" : text; }

/// A model in a shared library; its constructors have loaded its image.
class Model {
 public:
  Model() : library_(dlopen(TEST_MODEL, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) ADD_FAILURE() << dlerror();
  }
  void Unload() { dlclose(library_); }

  /// [1 2] * [3 4]^T.
  float Product() {
    auto matmul = reinterpret_cast<Matmul>(dlsym(library_, "_mlir_ciface_matmul"));
    float a_data[] = {1, 2}, b_data[] = {3, 4};
    Matrix a = {a_data, a_data, 0, {1, 2}, {2, 1}}, b = {b_data, b_data, 0, {2, 1}, {1, 1}}, c = {};
    matmul(&c, &a, &b);
    const float product = c.aligned[c.offset];
    std::free(c.allocated);
    return product;
  }

 private:
  void* library_;
};

TEST(CApiTest, AModelRunsOnTheDeviceItWasCompiledForAndReleasesAll) {
  Model model;
  EXPECT_EQ(mmtune_device_name(), nullptr);
  EXPECT_EQ(model.Product(), 11);
  EXPECT_EQ(Text(mmtune_take_error()), "");
  EXPECT_THAT(Text(mmtune_device_name()), StartsWith("simt-cpu"));
  model.Unload();
  mmtune_counters counters;
  mmtune_get_counters(&counters);
  EXPECT_EQ(counters.launches, 1);
  EXPECT_EQ(counters.allocations, 3);
  EXPECT_EQ(counters.frees, 3);
  EXPECT_EQ(counters.streams_created, 1);
  EXPECT_EQ(counters.streams_destroyed, 1);
  EXPECT_EQ(counters.events_created, counters.events_destroyed);
  EXPECT_EQ(counters.modules_loaded, 1);
  EXPECT_EQ(counters.modules_unloaded, 1);
}

TEST(CApiTest, TheDeviceIsChosenBeforeItIsUsedAndThenStays) {
  Model model;
  EXPECT_THAT(Text(mmtune_set_device("toaster")), HasSubstr("toaster"));
  EXPECT_THAT(Text(mmtune_set_device("auto")), HasSubstr("simt, cuda"));
  EXPECT_EQ(Text(mmtune_set_device("simt")), "");
  EXPECT_EQ(model.Product(), 11);
  EXPECT_EQ(Text(mmtune_set_device("simt")), "");
  EXPECT_THAT(Text(mmtune_set_device("cuda:1")), HasSubstr("uses the device simt already"));
  EXPECT_EQ(model.Product(), 11);
  EXPECT_EQ(Text(mmtune_take_error()), "");
}

TEST(CApiTest, AnImageOfAnotherKindOfDeviceIsAnErrorThatNamesBoth) {
  EXPECT_EQ(Text(mmtune_set_device("simt")), "");
  EXPECT_EQ(mgpuModuleLoadJIT(".version 7.8", 2), nullptr);
  const std::string error = Text(mmtune_take_error());
  EXPECT_THAT(error, HasSubstr("PTX for a CUDA device"));
  EXPECT_THAT(error, HasSubstr("device in use, simt"));
  EXPECT_EQ(Text(mmtune_take_error()), "");
}

TEST(CApiTest, TheEnvironmentNamesTheDevice) {
  setenv("MMTUNE_DEVICE", "cuda:99", /*overwrite=*/1);
  Model model;
  EXPECT_EQ(mgpuMemAlloc(16, nullptr, false), nullptr);
  EXPECT_THAT(Text(mmtune_take_error()), StartsWith("MMTUNE_DEVICE=cuda:99: "));
  setenv("MMTUNE_DEVICE", "simt", /*overwrite=*/1);
  EXPECT_EQ(model.Product(), 11);
}

TEST(CApiTest, AModelThatIsStillLoadedDoesNotHinderTheExit) {
  Model model;
  EXPECT_EQ(model.Product(), 11);
}

TEST(CApiTest, PrintsUntakenErrorAtExit) {
  EXPECT_EQ(Text(mmtune_set_device("simt")), "");
  EXPECT_EQ(mgpuModuleLoadJIT(".version 7.8", 2), nullptr);
}

TEST(CApiTest, NothingElseIsExported) {
  void* library = dlopen(RUNTIME_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_NE(dlsym(library, "memrefCopy"), nullptr);
  EXPECT_NE(dlsym(library, "mgpuLaunchKernel"), nullptr);
  EXPECT_NE(dlsym(library, "__truncdfbf2"), nullptr);  // GCC 12's library lacks it.
  EXPECT_EQ(dlsym(library, "mmtune_simt_barrier"), nullptr);
  EXPECT_EQ(Text(mmtune_version()), MMTUNE_VERSION);
}

}  // namespace
