// A stand-in for libcuda.so.1: the driver functions that we use, over host memory, with faults on demand. It knows no
// GPU code: an image is text, and `.entry NAME` in it makes a kernel of one of the behaviours of Execute().
//
// FAKE_CUDA_FAULT="cuMemAlloc_v2=2": that function answers with that code. FAKE_CUDA_DEVICES: how many there are (2).

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

#define FAKE(symbol, parameters)        \
  extern "C" Result symbol parameters { \
    if (Result fault = Scripted(#symbol); fault != kSuccess) return fault;
#define FAKE_END   \
  return kSuccess; \
  }
#define REQUIRE(condition, otherwise) \
  if (!(condition)) return otherwise;

FAKE(cuInit, (unsigned)) FAKE_END FAKE(cuDriverGetVersion, (int* version)) * version = 13000;
FAKE_END

extern "C" Result cuGetErrorName(Result error, const char** text) {
  static const std::map<int, const char*> names = {
      {1, "CUDA_ERROR_INVALID_VALUE"},    {2, "CUDA_ERROR_OUT_OF_MEMORY"}, {100, "CUDA_ERROR_NO_DEVICE"},
      {101, "CUDA_ERROR_INVALID_DEVICE"}, {218, "CUDA_ERROR_INVALID_PTX"}, {500, "CUDA_ERROR_NOT_FOUND"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  auto it = names.find(error);
  if (it == names.end()) return kInvalidValue;
  *text = it->second;
  return kSuccess;
}
extern "C" Result cuGetErrorString(Result error, const char** text) {
  if (cuGetErrorName(error, text) != kSuccess) return kInvalidValue;
  *text = "described by the fake";
  return kSuccess;
}

FAKE(cuDeviceGetCount, (int* count))
const char* devices = std::getenv("FAKE_CUDA_DEVICES");
*count = devices != nullptr ? std::atoi(devices) : 2;
FAKE_END
FAKE(cuDeviceGet, (DeviceId * device, int ordinal))
int count = 0;
cuDeviceGetCount(&count);
REQUIRE(ordinal >= 0 && ordinal < count, kInvalidDevice)
*device = 10 + ordinal;
FAKE_END
FAKE(cuDeviceGetName, (char* name, int length, DeviceId device))
std::strncpy(name, device == 10 ? "Fake H100" : "Fake T4", length);
FAKE_END
FAKE(cuDeviceGetUuid_v2, (Uuid * uuid, DeviceId device))
for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<unsigned char>(16 * i + device);
FAKE_END
FAKE(cuDeviceTotalMem_v2, (size_t* bytes, DeviceId)) * bytes = kMemoryBytes;
FAKE_END
FAKE(cuDeviceGetAttribute, (int* value, DeviceAttribute attribute, DeviceId device))
const bool first = device == 10;
const std::map<DeviceAttribute, int> values = {
    {kMaxThreadsPerBlock, 1024},
    {kMultiprocessorCount, first ? 132 : 40},
    {kL2CacheSize, 1 << 20},
    {kMaxThreadsPerMultiprocessor, first ? 2048 : 1024},
    {kComputeCapabilityMajor, first ? 9 : 7},
    {kComputeCapabilityMinor, first ? 0 : 5},
    {kMaxSharedMemoryPerMultiprocessor, (first ? 228 : 64) * 1024},
    {kMaxRegistersPerMultiprocessor, 65536},
    {kMaxSharedMemoryPerBlockOptin, (first ? 227 : 64) * 1024},
};
REQUIRE(values.count(attribute), kInvalidValue)
*value = values.at(attribute);
FAKE_END

FAKE(cuDevicePrimaryCtxRetain, (Context * context, DeviceId device))
++retained;
*context = reinterpret_cast<Context>(static_cast<intptr_t>(device));
FAKE_END
FAKE(cuDevicePrimaryCtxRelease_v2, (DeviceId))-- retained;
FAKE_END
extern "C" Result cuCtxSetCurrent(Context context) {  // Launches no work, so it does not report what went wrong there.
  const Result fault = Scripted("cuCtxSetCurrent");
  current = context;
  return fault == sticky ? kSuccess : fault;
}

FAKE(cuMemAlloc_v2, (DevicePointer * pointer, size_t bytes))
REQUIRE(current != nullptr && bytes > 0, kInvalidValue)
REQUIRE(used_bytes + bytes <= kMemoryBytes, kOutOfMemory)
*pointer = reinterpret_cast<DevicePointer>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
allocations[*pointer] = bytes;
used_bytes += bytes;
FAKE_END
FAKE(cuMemFree_v2, (DevicePointer pointer))
REQUIRE(allocations.count(pointer), kInvalidValue)
used_bytes -= allocations[pointer];
allocations.erase(pointer);
std::free(reinterpret_cast<void*>(pointer));
FAKE_END
FAKE(cuMemcpyHtoDAsync_v2, (DevicePointer destination, const void* source, size_t bytes, Stream))
REQUIRE(Known(destination, bytes), kInvalidValue)
std::memcpy(reinterpret_cast<void*>(destination), source, bytes);
FAKE_END
FAKE(cuMemcpyDtoHAsync_v2, (void* destination, DevicePointer source, size_t bytes, Stream))
REQUIRE(Known(source, bytes), kInvalidValue)
std::memcpy(destination, reinterpret_cast<const void*>(source), bytes);
FAKE_END
FAKE(cuMemcpyDtoDAsync_v2, (DevicePointer destination, DevicePointer source, size_t bytes, Stream))
REQUIRE(Known(source, bytes) && Known(destination, bytes), kInvalidValue)
std::memmove(reinterpret_cast<void*>(destination), reinterpret_cast<const void*>(source), bytes);
FAKE_END
FAKE(cuMemsetD32Async, (DevicePointer destination, unsigned value, size_t count, Stream))
REQUIRE(Known(destination, count * 4), kInvalidValue)
for (size_t i = 0; i < count; ++i) reinterpret_cast<unsigned*>(destination)[i] = value;
FAKE_END

FAKE(cuModuleLoadDataEx, (Module * module, const void* image, unsigned options, JitOption* names, void** values))
const std::string text = static_cast<const char*>(image);
if (text.find(".version") == std::string::npos) {
  for (unsigned i = 0; i < options; ++i) {
    if (names[i] == kJitErrorLogBuffer)
      std::strcpy(static_cast<char*>(values[i]), "ptxas fatal : no version\nline 1\n");
  }
  return kInvalidPtx;
}
*module = new ModuleObject;
AddEntries(text, *module);
FAKE_END
FAKE(cuModuleUnload, (Module module)) delete module;
FAKE_END
FAKE(cuModuleGetFunction, (Function * function, Module module, const char* name))
auto it = module->functions.find(name);
REQUIRE(it != module->functions.end(), kNotFound)
*function = &it->second;
FAKE_END
FAKE(cuFuncGetAttribute, (int* value, FunctionAttribute attribute, Function function))
*value = attribute == kSharedSizeBytes ? kStaticSharedBytes : function->max_dynamic_shared_bytes;
FAKE_END
FAKE(cuFuncSetAttribute, (Function function, FunctionAttribute attribute, int value))
REQUIRE(attribute == kMaxDynamicSharedSizeBytes, kInvalidValue)
function->max_dynamic_shared_bytes = value;
FAKE_END
FAKE(cuLaunchKernel, (Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                      unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream, void** parameters, void**))
REQUIRE(static_cast<int>(shared_bytes) <= function->max_dynamic_shared_bytes, kInvalidValue)
const unsigned shape[] = {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes};
return Execute(*function, shape, parameters);
FAKE_END

FAKE(cuStreamCreate, (Stream * stream, unsigned flags))
REQUIRE(flags == kStreamNonBlocking, kInvalidValue)
*stream = reinterpret_cast<Stream>(std::malloc(1));
streams.insert(*stream);
FAKE_END
FAKE(cuStreamDestroy_v2, (Stream stream))
REQUIRE(streams.erase(stream) == 1, kInvalidHandle)
std::free(stream);
FAKE_END
FAKE(cuStreamSynchronize, (Stream stream))
REQUIRE(stream == nullptr || streams.count(stream), kInvalidHandle) FAKE_END
    FAKE(cuStreamWaitEvent, (Stream stream, Event, unsigned)) REQUIRE(streams.count(stream), kInvalidHandle) FAKE_END
    FAKE(cuEventCreate, (Event * event, unsigned)) * event = new EventObject;
FAKE_END
FAKE(cuEventDestroy_v2, (Event event)) delete event;
FAKE_END
FAKE(cuEventRecord, (Event event, Stream)) event->time = now;
FAKE_END
FAKE(cuEventSynchronize, (Event))
FAKE_END FAKE(cuEventElapsedTime, (float* milliseconds, Event start, Event end))
    REQUIRE(start->time >= 0 && end->time >= 0,
            kInvalidHandle) * milliseconds = static_cast<float>(end->time - start->time) / 1e6f;
FAKE_END

/// Not part of the driver: contexts retained and not released, allocations not freed; and forgets a sticky error.
extern "C" int FakeCudaLeaks() { return retained + static_cast<int>(allocations.size() + streams.size()); }
extern "C" void FakeCudaReset() { sticky = kSuccess; }
