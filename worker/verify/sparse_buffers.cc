// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/verify/sparse_buffers.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "proto/base/split_mix64.h"
#include "proto/base/status.h"
#include "proto/base/whole_numbers.h"
#include "worker/measure/element_types.h"

namespace mmtune {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kGuardBytes = size_t{1} << 20;
/// Pages of a chunk, of a small buffer and at least; and how often a chunk is mapped at most. Each time is a mapping of
/// its own, of which a process may have 65530.
constexpr size_t kChunkPages = 251;
constexpr size_t kMostChunks = 4096;
constexpr uint64_t kSeed = 2147483647;
// A NaN of f32, of f16 and bf16 twice, and, twice, of f64. What sums those of the workspace does not write those of C.
constexpr uint32_t kNaNBitsOfC = 0x7ff87ff8, kNaNBitsOfWorkspace = 0x7ffc7ffc;

absl::Status SystemError(std::string_view call) {
  return ResourceExhausted(
      absl::StrCat("no memory for a sample of blocks: ", ToAbsl(call), ": ", std::strerror(errno)));
}

size_t ChunkBytes(size_t buffer_bytes) {
  const size_t pages = CeilDiv(buffer_bytes, kPageBytes);
  return std::min(pages, std::max(kChunkPages, CeilDiv(pages, kMostChunks) | 1)) * kPageBytes;
}

/// Fills `chunk` with random ones of `count` elements of kBytes bytes, at most 256.
template <size_t kBytes>
void FillWith(const char* elements, size_t count, SplitMix64 random, std::vector<char>* chunk) {
  for (size_t at = 0; at < chunk->size();) {
    uint64_t bits = random.Next();
    for (int i = 0; i < 8 && at < chunk->size(); ++i, at += kBytes, bits >>= 8) {
      std::memcpy(&(*chunk)[at], elements + (bits & 255) * count / 256 * kBytes, kBytes);
    }
  }
}

std::vector<char> Integers(DataType type, size_t bytes, uint64_t seed, const SparseValues& values, int exponent) {
  const auto element_bytes = static_cast<size_t>(DataTypeBytes(type));
  const int64_t low = values.only_positive ? 1 : -values.largest;
  std::vector<double> numbers;
  for (int64_t number = low; number <= values.largest; ++number) {
    numbers.push_back(std::ldexp(static_cast<double>(number), -exponent));
  }
  std::vector<char> encoded(numbers.size() * element_bytes), chunk(bytes);
  EncodeElements(type, numbers.data(), std::ssize(numbers), encoded.data());
  const auto fill = element_bytes == 1   ? FillWith<1>
                    : element_bytes == 2 ? FillWith<2>
                    : element_bytes == 4 ? FillWith<4>
                                         : FillWith<8>;
  fill(encoded.data(), numbers.size(), SplitMix64(seed), &chunk);
  return chunk;
}

uint32_t NaNBits(PlanBuffer buffer) { return buffer == PlanBuffer::kC ? kNaNBitsOfC : kNaNBitsOfWorkspace; }

std::vector<char> Poison(PlanBuffer buffer, size_t buffer_bytes) {
  std::vector<char> chunk(ChunkBytes(buffer_bytes));
  const uint32_t bits = NaNBits(buffer);
  for (size_t at = 0; at < chunk.size(); at += sizeof(bits)) std::memcpy(&chunk[at], &bits, sizeof(bits));
  return chunk;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SparseBuffers>> SparseBuffers::Create(simt::SimtDevice* device,
                                                                     const MatmulProblem& problem,
                                                                     int64_t workspace_bytes,
                                                                     const SparseValues& values) {
  std::unique_ptr<SparseBuffers> buffers(new SparseBuffers(device));
  const std::pair<PlanBuffer, int64_t> inputs[] = {{PlanBuffer::kA, problem.ElementsA()},
                                                   {PlanBuffer::kB, problem.ElementsB()},
                                                   {PlanBuffer::kBias, problem.ElementsBias()},
                                                   {PlanBuffer::kAddend, problem.ElementsAddend()}};
  for (const auto& [buffer, elements] : inputs) {
    if (elements == 0) continue;
    const DataType type = TypeOf(problem, buffer);
    const auto bytes = static_cast<size_t>(elements * DataTypeBytes(type));
    RETURN_IF_ERROR(buffers->Reserve(buffer, bytes));
    const int exponent = buffer == PlanBuffer::kA ? values.exponent : 0;
    RETURN_IF_ERROR(buffers->Map(
        buffer, Integers(type, ChunkBytes(bytes), kSeed + static_cast<uint64_t>(buffer), values, exponent), false));
    RETURN_IF_ERROR(device->SetReadOnly(buffers->memories_[buffer].address));
  }
  const std::pair<PlanBuffer, int64_t> outputs[] = {
      {PlanBuffer::kC, problem.ElementsC() * DataTypeBytes(problem.TypeOfC())},
      {PlanBuffer::kWorkspace, workspace_bytes}};
  for (const auto& [buffer, size] : outputs) {
    if (size == 0) continue;
    const auto bytes = static_cast<size_t>(size);
    RETURN_IF_ERROR(buffers->Reserve(buffer, bytes));
    RETURN_IF_ERROR(buffers->Map(buffer, Poison(buffer, bytes), true));
  }
  return buffers;
}

SparseBuffers::~SparseBuffers() {
  for (const PlanMemory& memory : memories_.buffers) {
    if (memory.address != 0) device_->UnregisterHost(reinterpret_cast<void*>(memory.address)).IgnoreError();
  }
  for (const auto& [address, bytes] : mappings_) munmap(address, bytes);
}

absl::Status SparseBuffers::Reserve(PlanBuffer buffer, size_t bytes) {
  const size_t total = RoundUp(bytes, kPageBytes) + 2 * kGuardBytes;
  void* reserved = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return SystemError("mmap");
  mappings_.emplace_back(reserved, total);
  char* first = static_cast<char*>(reserved) + kGuardBytes;
  RETURN_IF_ERROR(device_->RegisterHost(first, bytes));
  memories_[buffer] = {reinterpret_cast<DevicePtr>(first), bytes};
  return absl::OkStatus();
}

absl::Status SparseBuffers::Map(PlanBuffer buffer, const std::vector<char>& chunk, bool is_writable) {
  char* const first = reinterpret_cast<char*>(memories_[buffer].address);
  const size_t bytes = RoundUp(memories_[buffer].bytes, kPageBytes);
  const int protection = is_writable ? PROT_READ | PROT_WRITE : PROT_READ;
  if (chunk.empty()) {
    void* mapped = mmap(first, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (mapped == MAP_FAILED) return SystemError("mmap");
    madvise(first, bytes, MADV_NOHUGEPAGE);  // Fails where there are no huge pages, which is as good.
    return absl::OkStatus();
  }
  const int file = memfd_create("mmtune-sparse", MFD_CLOEXEC);
  if (file < 0) return SystemError("memfd_create");
  const absl::Cleanup close_file = [file] { close(file); };
  for (size_t written = 0; written < chunk.size();) {
    const ssize_t more = write(file, chunk.data() + written, chunk.size() - written);
    if (more < 0) return SystemError("write");
    written += static_cast<size_t>(more);
  }
  for (size_t offset = 0; offset < bytes; offset += chunk.size()) {
    void* mapped = mmap(first + offset, std::min(chunk.size(), bytes - offset), protection,
                        MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, file, 0);
    if (mapped == MAP_FAILED) return SystemError("mmap");
  }
  return absl::OkStatus();
}

absl::Status SparseBuffers::ClearC() {
  c_is_zero_ = true;
  return Map(PlanBuffer::kC, {}, true);
}

absl::StatusOr<std::vector<std::pair<size_t, size_t>>> SparseBuffers::WrittenBytes(PlanBuffer buffer) const {
  // See pagemap in the kernel's documentation: a page that was written is present or swapped, and no page of the file.
  constexpr uint64_t kPresent = uint64_t{1} << 63, kSwapped = uint64_t{1} << 62, kOfFile = uint64_t{1} << 61;
  constexpr size_t kEntriesAtOnce = size_t{1} << 15;
  const PlanMemory& memory = memories_[buffer];
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return absl::UnavailableError(absl::StrCat("cannot open /proc/self/pagemap: ", std::strerror(errno)));
  const absl::Cleanup close_file = [file] { close(file); };
  const size_t pages = CeilDiv(memory.bytes, kPageBytes);
  std::vector<std::pair<size_t, size_t>> written;
  std::vector<uint64_t> entries(std::min(pages, kEntriesAtOnce));
  for (size_t first = 0; first < pages; first += entries.size()) {
    const size_t count = std::min(entries.size(), pages - first);
    const auto at = static_cast<off_t>((memory.address / kPageBytes + first) * sizeof(uint64_t));
    const ssize_t bytes = static_cast<ssize_t>(count * sizeof(uint64_t));
    if (pread(file, entries.data(), count * sizeof(uint64_t), at) != bytes) {
      return absl::UnavailableError("cannot read all of /proc/self/pagemap");
    }
    for (size_t i = 0; i < count; ++i) {
      if ((entries[i] & (kPresent | kSwapped)) == 0 || (entries[i] & kOfFile) != 0) continue;
      const size_t begin = (first + i) * kPageBytes, end = std::min(begin + kPageBytes, memory.bytes);
      if (!written.empty() && written.back().second == begin) {
        written.back().second = end;
      } else {
        written.emplace_back(begin, end);
      }
    }
  }
  return written;
}

bool SparseBuffers::IsUntouched(PlanBuffer buffer, const char* element, size_t bytes) const {
  if (buffer == PlanBuffer::kC && c_is_zero_) {
    return std::all_of(element, element + bytes, [](char byte) { return byte == 0; });
  }
  const uint32_t bits = NaNBits(buffer);
  for (size_t at = 0; at < bytes; at += 2) {
    if (std::memcmp(element + at, &bits, 2) != 0) return false;
  }
  return true;
}

}  // namespace mmtune
