// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stand-in for the driver (fake_cuda.cc): modules, launches, streams and events.
#include <elf.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "kernels/runtime/cuda/cuda_device.h"
#include "tests/kernels/runtime/fake_cuda.h"

using namespace mmtune::cuda;
using namespace fake_cuda;

namespace {

void AddEntries(const std::string& text, ModuleObject* module) {
  const std::string entry = ".entry ";
  for (size_t at = text.find(entry); at != std::string::npos; at = text.find(entry, at + 1)) {
    const size_t begin = at + entry.size();
    const std::string name = text.substr(begin, text.find_first_of("( \n", begin) - begin);
    module->functions[name].name = name;
  }
}

/// PTX; of an ELF file, what comes behind its header: the cubin of a stand-in for ptxas.
std::string TextOf(const char* image) {
  return std::strncmp(image, "\177ELF", 4) == 0 ? image + sizeof(Elf64_Ehdr) : image;
}

/// The host has waited for all that was enqueued.
Result Waited() {
  FakeDriver().waited = FakeDriver().now;
  return FakeDriver().sticky;
}

}  // namespace

extern "C" {

Result cuModuleLoadDataEx(Module* module, const void* image, unsigned options, JitOption* names, void** values) {
  FAIL_AS_SCRIPTED();
  const std::string text = TextOf(static_cast<const char*>(image));
  if (text.find(".version") == std::string::npos) {
    for (unsigned i = 0; i < options; ++i) {
      if (names[i] == kJitErrorLogBuffer) {
        std::strcpy(static_cast<char*>(values[i]), "ptxas fatal : no version\nline 1\n");
      }
    }
    return kInvalidPtx;
  }
  const bool ours = text.find(kCanaryKernel) != std::string::npos || text.find(kDelayKernel) != std::string::npos;
  if (const Result fault = ours ? kSuccess : FaultOf("image").error; fault != kSuccess) {
    if (fault >= kIllegalAddress) FakeDriver().sticky = fault;
    return fault;
  }
  const char* const slow = std::getenv("FAKE_CUDA_LOAD_MS");
  if (!ours && slow != nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(slow)));
  *module = new ModuleObject;
  AddEntries(text, *module);
  return kSuccess;
}

Result cuModuleUnload(Module module) {
  FAIL_AS_SCRIPTED();
  delete module;
  return kSuccess;
}

Result cuModuleGetFunction(Function* function, Module module, const char* name) {
  FAIL_AS_SCRIPTED();
  auto it = module->functions.find(name);
  REQUIRE(it != module->functions.end(), kNotFound);
  *function = &it->second;
  return kSuccess;
}

Result cuFuncGetAttribute(int* value, FunctionAttribute attribute, Function function) {
  FAIL_AS_SCRIPTED();
  *value = attribute == kSharedSizeBytes ? kStaticSharedBytes : function->max_dynamic_shared_bytes;
  return kSuccess;
}

Result cuFuncSetAttribute(Function function, FunctionAttribute attribute, int value) {
  FAIL_AS_SCRIPTED();
  REQUIRE(attribute == kMaxDynamicSharedSizeBytes, kInvalidValue);
  function->max_dynamic_shared_bytes = value;
  return kSuccess;
}

Result cuLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                      unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream, void** parameters, void**) {
  FAIL_AS_SCRIPTED();
  REQUIRE(static_cast<int>(shared_bytes) <= function->max_dynamic_shared_bytes, kInvalidValue);
  const unsigned shape[] = {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes};
  Execute(*function, shape, parameters);
  return kSuccess;
}

// report() gets the cluster instead of the limit of shared memory.
Result cuLaunchKernelEx(const LaunchConfig* config, Function function, void** parameters, void**) {
  FAIL_AS_SCRIPTED();
  REQUIRE(config->attribute_count == 1 && config->attributes[0].id == kLaunchAttributeClusterDimension, kInvalidValue);
  const Result result =
      cuLaunchKernel(function, config->grid[0], config->grid[1], config->grid[2], config->block[0], config->block[1],
                     config->block[2], config->shared_bytes, config->stream, parameters, nullptr);
  const uint32_t* cluster = config->attributes[0].cluster;
  uint32_t* out = nullptr;
  std::memcpy(&out, parameters[0], sizeof(out));
  out[7] = cluster[0] * 100 + cluster[1] * 10 + cluster[2];
  return result;
}

// Its map is the operands, as 64-bit words: type, rank, address, extents, strides, box.
Result cuTensorMapEncodeTiled(TensorMap* map, int data_type, uint32_t rank, void* address, const uint64_t* extents,
                              const uint64_t* strides, const uint32_t* box, const uint32_t* element_strides,
                              int interleave, int swizzle, int l2_promotion, int fill) {
  FAIL_AS_SCRIPTED();
  REQUIRE(element_strides[0] == 1, kInvalidValue);
  auto* words = reinterpret_cast<uint64_t*>(map);
  *words++ = static_cast<uint64_t>(data_type);
  *words++ = rank;
  *words++ = reinterpret_cast<uint64_t>(address);
  for (uint32_t i = 0; i < rank; ++i) *words++ = extents[i];
  for (uint32_t i = 0; i + 1 < rank; ++i) *words++ = strides[i];
  for (uint32_t i = 0; i < rank; ++i) *words++ = box[i];
  *words = uint64_t{1} * interleave * 1000 + swizzle * 100 + l2_promotion * 10 + fill;
  return kSuccess;
}

Result cuStreamCreate(Stream* stream, unsigned flags) {
  FAIL_AS_SCRIPTED();
  REQUIRE(flags == kStreamNonBlocking, kInvalidValue);
  *stream = reinterpret_cast<Stream>(std::malloc(1));
  FakeDriver().streams.insert(*stream);
  return kSuccess;
}

Result cuStreamDestroy_v2(Stream stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(FakeDriver().streams.erase(stream) == 1, kInvalidHandle);
  std::free(stream);
  return kSuccess;
}

Result cuStreamSynchronize(Stream stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(stream == nullptr || FakeDriver().streams.count(stream), kInvalidHandle);
  return Waited();
}

Result cuStreamWaitEvent(Stream stream, Event, unsigned) {
  FAIL_AS_SCRIPTED();
  REQUIRE(FakeDriver().streams.count(stream), kInvalidHandle);
  return kSuccess;
}

Result cuEventCreate(Event* event, unsigned) {
  FAIL_AS_SCRIPTED();
  *event = new EventObject;
  return kSuccess;
}

Result cuEventDestroy_v2(Event event) {
  FAIL_AS_SCRIPTED();
  delete event;
  return kSuccess;
}

Result cuEventRecord(Event event, Stream) {
  FAIL_AS_SCRIPTED();
  event->time = FakeDriver().now;
  return kSuccess;
}

Result cuEventQuery(Event event) {
  FAIL_AS_SCRIPTED();
  return event->time <= FakeDriver().waited ? kSuccess : kNotReady;
}

Result cuEventSynchronize(Event) {
  FAIL_AS_SCRIPTED();
  return Waited();
}

Result cuEventElapsedTime(float* milliseconds, Event start, Event end) {
  FAIL_AS_SCRIPTED();
  REQUIRE(start->time >= 0 && end->time >= 0, kInvalidHandle);
  *milliseconds = static_cast<float>(end->time - start->time) / 1e6f;
  return kSuccess;
}

/// Not part of the driver: lets the device be busy for so long, as with the work of a library.
void FakeCudaAdvance(int64_t nanoseconds) { FakeDriver().now += nanoseconds; }

}  // extern "C"
