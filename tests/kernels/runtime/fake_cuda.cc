// A stand-in for libcuda.so.1: the driver functions that we use, over host memory, with faults on demand. It knows no
// GPU code: an image is text, and `.entry NAME` in it makes a kernel of one of the behaviours of Execute().
//
// FAKE_CUDA_FAULT="cuMemAlloc_v2=2": that function answers with that code. FAKE_CUDA_DEVICES: how many there are (2).
// FAKE_CUDA_LOST="0": the attributes of that device cannot be read.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "kernels/runtime/cuda/driver_types.h"

using namespace mmtune::cuda;

namespace mmtune::cuda {
struct FunctionObject {
  std::string name;
  int max_dynamic_shared_bytes = 48 * 1024 - 1024;
};
struct ModuleObject {
  std::map<std::string, FunctionObject> functions;
};
struct EventObject {
  int64_t time = -1;
};
}  // namespace mmtune::cuda

namespace {

constexpr size_t kMemoryBytes = size_t{1} << 30;
constexpr int kStaticSharedBytes = 1024;

Result sticky = kSuccess;  // As in the driver: after some errors every call fails.
Context current = nullptr;
int retained = 0;
int64_t now = 0;  // Advanced by every launch: 1 ms.
size_t used_bytes = 0;
std::map<DevicePointer, size_t> allocations;
std::set<Stream> streams;

Result Scripted(const char* symbol) {
  const char* fault = std::getenv("FAKE_CUDA_FAULT");
  const size_t length = std::strlen(symbol);
  if (fault != nullptr && std::strncmp(fault, symbol, length) == 0 && fault[length] == '=') {
    return static_cast<Result>(std::atoi(fault + length + 1));
  }
  return sticky;
}

bool Known(DevicePointer pointer, size_t bytes) {
  auto next = allocations.upper_bound(pointer);
  if (next == allocations.begin()) return false;
  --next;
  return pointer - next->first + bytes <= next->second;
}

template <typename T>
T Parameter(void** parameters, int index) {
  T value;
  std::memcpy(&value, parameters[index], sizeof(T));
  return value;
}

/// report(u32* out): the launch. scale(f32* data, i32 count, f32 factor). wild(): an illegal address.
Result Execute(const FunctionObject& function, const unsigned* shape, void** parameters) {
  now += 1000000;
  if (function.name == "wild") {
    sticky = kIllegalAddress;  // Asynchronous: the launch itself succeeds.
    return kSuccess;
  }
  if (function.name == "report") {
    auto* out = reinterpret_cast<uint32_t*>(Parameter<DevicePointer>(parameters, 0));
    std::memcpy(out, shape, 7 * sizeof(uint32_t));
    out[7] = static_cast<uint32_t>(function.max_dynamic_shared_bytes);
    return kSuccess;
  }
  auto* data = reinterpret_cast<float*>(Parameter<DevicePointer>(parameters, 0));
  for (int i = 0; i < Parameter<int>(parameters, 1); ++i) data[i] *= Parameter<float>(parameters, 2);
  return kSuccess;
}

void AddEntries(const std::string& text, ModuleObject* module) {
  const std::string entry = ".entry ";
  for (size_t at = text.find(entry); at != std::string::npos; at = text.find(entry, at + 1)) {
    const size_t begin = at + entry.size();
    const std::string name = text.substr(begin, text.find_first_of("( \n", begin) - begin);
    module->functions[name].name = name;
  }
}

}  // namespace

#define FAIL_AS_SCRIPTED() \
  if (Result fault = Scripted(__func__); fault != kSuccess) return fault
#define REQUIRE(condition, otherwise) \
  if (!(condition)) return otherwise

extern "C" {

Result cuInit(unsigned) {
  FAIL_AS_SCRIPTED();
  return kSuccess;
}

Result cuDriverGetVersion(int* version) {
  FAIL_AS_SCRIPTED();
  *version = 13000;
  return kSuccess;
}

Result cuGetErrorName(Result error, const char** text) {
  static const std::map<int, const char*> names = {
      {1, "CUDA_ERROR_INVALID_VALUE"},    {2, "CUDA_ERROR_OUT_OF_MEMORY"}, {100, "CUDA_ERROR_NO_DEVICE"},
      {101, "CUDA_ERROR_INVALID_DEVICE"}, {218, "CUDA_ERROR_INVALID_PTX"}, {500, "CUDA_ERROR_NOT_FOUND"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  auto it = names.find(error);
  REQUIRE(it != names.end(), kInvalidValue);
  *text = it->second;
  return kSuccess;
}

Result cuGetErrorString(Result error, const char** text) {
  REQUIRE(cuGetErrorName(error, text) == kSuccess, kInvalidValue);
  *text = "described by the fake";
  return kSuccess;
}

Result cuDeviceGetCount(int* count) {
  FAIL_AS_SCRIPTED();
  const char* devices = std::getenv("FAKE_CUDA_DEVICES");
  *count = devices != nullptr ? std::atoi(devices) : 2;
  return kSuccess;
}

Result cuDeviceGet(DeviceId* device, int ordinal) {
  FAIL_AS_SCRIPTED();
  int count = 0;
  cuDeviceGetCount(&count);
  REQUIRE(ordinal >= 0 && ordinal < count, kInvalidDevice);
  *device = 10 + ordinal;
  return kSuccess;
}

Result cuDeviceGetName(char* name, int length, DeviceId device) {
  FAIL_AS_SCRIPTED();
  std::strncpy(name, device == 10 ? "Fake H100" : "Fake T4", length);
  return kSuccess;
}

Result cuDeviceGetUuid_v2(Uuid* uuid, DeviceId device) {
  FAIL_AS_SCRIPTED();
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<unsigned char>(16 * i + device);
  return kSuccess;
}

Result cuDeviceTotalMem_v2(size_t* bytes, DeviceId) {
  FAIL_AS_SCRIPTED();
  *bytes = kMemoryBytes;
  return kSuccess;
}

Result cuDeviceGetAttribute(int* value, DeviceAttribute attribute, DeviceId device) {
  FAIL_AS_SCRIPTED();
  const char* lost = std::getenv("FAKE_CUDA_LOST");
  REQUIRE(lost == nullptr || device != 10 + std::atoi(lost), kInvalidDevice);
  const bool first = device == 10;
  const std::map<DeviceAttribute, int> values = {
      {kMaxThreadsPerBlock, 1024},
      {kClockRate, 1980000},
      {kMultiprocessorCount, first ? 132 : 40},
      {kL2CacheSize, 1 << 20},
      {kMaxThreadsPerMultiprocessor, first ? 2048 : 1024},
      {kComputeCapabilityMajor, first ? 9 : 7},
      {kComputeCapabilityMinor, first ? 0 : 5},
      {kMaxSharedMemoryPerMultiprocessor, (first ? 228 : 64) * 1024},
      {kMaxRegistersPerMultiprocessor, 65536},
      {kMaxSharedMemoryPerBlockOptin, (first ? 227 : 64) * 1024},
  };
  REQUIRE(values.count(attribute), kInvalidValue);
  *value = values.at(attribute);
  return kSuccess;
}

Result cuDevicePrimaryCtxRetain(Context* context, DeviceId device) {
  FAIL_AS_SCRIPTED();
  ++retained;
  *context = reinterpret_cast<Context>(static_cast<intptr_t>(device));
  return kSuccess;
}

Result cuDevicePrimaryCtxRelease_v2(DeviceId) {
  FAIL_AS_SCRIPTED();
  --retained;
  return kSuccess;
}

Result cuCtxSetCurrent(Context context) {  // Launches no work, so it does not report what went wrong there.
  const Result fault = Scripted(__func__);
  current = context;
  return fault == sticky ? kSuccess : fault;
}

Result cuMemAlloc_v2(DevicePointer* pointer, size_t bytes) {
  FAIL_AS_SCRIPTED();
  REQUIRE(current != nullptr && bytes > 0, kInvalidValue);
  REQUIRE(used_bytes + bytes <= kMemoryBytes, kOutOfMemory);
  *pointer = reinterpret_cast<DevicePointer>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  allocations[*pointer] = bytes;
  used_bytes += bytes;
  return kSuccess;
}

Result cuMemFree_v2(DevicePointer pointer) {
  FAIL_AS_SCRIPTED();
  REQUIRE(allocations.count(pointer), kInvalidValue);
  used_bytes -= allocations[pointer];
  allocations.erase(pointer);
  std::free(reinterpret_cast<void*>(pointer));
  return kSuccess;
}

Result cuMemcpyHtoDAsync_v2(DevicePointer destination, const void* source, size_t bytes, Stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(Known(destination, bytes), kInvalidValue);
  std::memcpy(reinterpret_cast<void*>(destination), source, bytes);
  return kSuccess;
}

Result cuMemcpyDtoHAsync_v2(void* destination, DevicePointer source, size_t bytes, Stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(Known(source, bytes), kInvalidValue);
  std::memcpy(destination, reinterpret_cast<const void*>(source), bytes);
  return kSuccess;
}

Result cuMemcpyDtoDAsync_v2(DevicePointer destination, DevicePointer source, size_t bytes, Stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(Known(source, bytes) && Known(destination, bytes), kInvalidValue);
  std::memmove(reinterpret_cast<void*>(destination), reinterpret_cast<const void*>(source), bytes);
  return kSuccess;
}

Result cuMemsetD32Async(DevicePointer destination, unsigned value, size_t count, Stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(Known(destination, count * sizeof(value)), kInvalidValue);
  for (size_t i = 0; i < count; ++i) reinterpret_cast<unsigned*>(destination)[i] = value;
  return kSuccess;
}

Result cuModuleLoadDataEx(Module* module, const void* image, unsigned options, JitOption* names, void** values) {
  FAIL_AS_SCRIPTED();
  const std::string text = static_cast<const char*>(image);
  if (text.find(".version") == std::string::npos) {
    for (unsigned i = 0; i < options; ++i) {
      if (names[i] == kJitErrorLogBuffer) {
        std::strcpy(static_cast<char*>(values[i]), "ptxas fatal : no version\nline 1\n");
      }
    }
    return kInvalidPtx;
  }
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
  return Execute(*function, shape, parameters);
}

// report() gets the cluster instead of the limit of shared memory.
Result cuLaunchKernelEx(const LaunchConfig* config, Function function, void** parameters, void**) {
  FAIL_AS_SCRIPTED();
  REQUIRE(config->attribute_count == 1 && config->attributes[0].id == kLaunchAttributeClusterDimension, kInvalidValue);
  const Result result =
      cuLaunchKernel(function, config->grid[0], config->grid[1], config->grid[2], config->block[0], config->block[1],
                     config->block[2], config->shared_bytes, config->stream, parameters, nullptr);
  const uint32_t* cluster = config->attributes[0].cluster;
  auto* out = reinterpret_cast<uint32_t*>(Parameter<DevicePointer>(parameters, 0));
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
  *words = static_cast<uint64_t>(interleave * 1000 + swizzle * 100 + l2_promotion * 10 + fill);
  return kSuccess;
}

Result cuStreamCreate(Stream* stream, unsigned flags) {
  FAIL_AS_SCRIPTED();
  REQUIRE(flags == kStreamNonBlocking, kInvalidValue);
  *stream = reinterpret_cast<Stream>(std::malloc(1));
  streams.insert(*stream);
  return kSuccess;
}

Result cuStreamDestroy_v2(Stream stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(streams.erase(stream) == 1, kInvalidHandle);
  std::free(stream);
  return kSuccess;
}

Result cuStreamSynchronize(Stream stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(stream == nullptr || streams.count(stream), kInvalidHandle);
  return kSuccess;
}

Result cuStreamWaitEvent(Stream stream, Event, unsigned) {
  FAIL_AS_SCRIPTED();
  REQUIRE(streams.count(stream), kInvalidHandle);
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
  event->time = now;
  return kSuccess;
}

Result cuEventQuery(Event) {
  FAIL_AS_SCRIPTED();
  return kSuccess;
}

Result cuEventSynchronize(Event) {
  FAIL_AS_SCRIPTED();
  return kSuccess;
}

Result cuEventElapsedTime(float* milliseconds, Event start, Event end) {
  FAIL_AS_SCRIPTED();
  REQUIRE(start->time >= 0 && end->time >= 0, kInvalidHandle);
  *milliseconds = static_cast<float>(end->time - start->time) / 1e6f;
  return kSuccess;
}

/// Not part of the driver: contexts, allocations and streams still held; and what forgets a sticky error.
int FakeCudaLeaks() { return retained + static_cast<int>(allocations.size() + streams.size()); }
void FakeCudaReset() { sticky = kSuccess; }

}  // extern "C"
