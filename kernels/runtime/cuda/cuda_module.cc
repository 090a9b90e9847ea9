// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/cuda/cuda_module.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune::cuda {
namespace {

/// Bytes of shared memory that a kernel may have unless its limit is raised.
constexpr uint32_t kSharedWithoutOptIn = 48 * 1024;
/// The longest log of the driver's assembler.
constexpr size_t kLogBytes = 4096;

/// Returns the assembler's log as one line.
std::string OneLine(std::string_view log) {
  std::string line;
  for (char c : log.substr(0, std::min(log.find('\0'), log.size()))) {
    if (c != '\n') {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += "; ";
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == ';')) line.pop_back();
  return line;
}

/// Adds to the error of a driver that is too old for PTX what to do.
absl::Status WithAdvice(const Driver& driver, std::string_view ptx, const absl::Status& status) {
  constexpr std::string_view kVersion = ".version ";
  const size_t at = ptx.find(kVersion);
  ASSIGN_OR_RETURN(const std::string cuda, driver.CudaVersion());
  if (at == std::string_view::npos) return status;
  const std::string_view behind = ptx.substr(at + kVersion.size());
  return absl::UnimplementedError(absl::StrCat(
      status.message(), ": the code is PTX ", ToAbsl(behind.substr(0, behind.find_first_not_of("0123456789."))),
      ", too new for the driver of CUDA ", cuda, ": install a newer driver, or ptxas of the CUDA toolkit"));
}

}  // namespace

absl::Status CudaKernel::AllowSharedMemory(uint32_t dynamic_bytes) {
  const bool fits = dynamic_bytes + static_cast<uint32_t>(static_shared_bytes) <= kSharedWithoutOptIn;
  if (fits || dynamic_bytes <= allowed_dynamic_bytes) return absl::OkStatus();
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(driver, FuncSetAttribute, function, kMaxDynamicSharedSizeBytes,
                                   static_cast<int>(dynamic_bytes)));
  allowed_dynamic_bytes = dynamic_bytes;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<DeviceModule>> CudaModule::Load(const Driver* driver, Context context,
                                                               std::shared_ptr<absl::Status> poisoned,
                                                               ImageFormat format, std::string_view image) {
  if (format == ImageFormat::kSimtObject)
    return InvalidArgument("the image is an object for the SIMT device, not GPU code: compile it for a CUDA device");
  const std::string terminated(image);  // The driver expects PTX to end with a zero.
  std::string log(kLogBytes, '\0');
  JitOption names[] = {kJitErrorLogBuffer, kJitErrorLogBufferSizeBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  Module module = nullptr;
  absl::Status status = MMTUNE_CUDA_CALL(driver, ModuleLoadDataEx, &module, terminated.c_str(), 2, names, values);
  if (status.ok()) return std::unique_ptr<DeviceModule>(new CudaModule(driver, context, std::move(poisoned), module));
  if (absl::IsUnimplemented(status)) return WithAdvice(*driver, image, status);
  const std::string reason = OneLine(log);
  if (reason.empty()) return status;
  return absl::Status(status.code(), absl::StrCat(status.message(), ": ", reason));
}

CudaModule::~CudaModule() {
  if (!poisoned_->ok()) return;  // Nothing can be unloaded from a lost context, and its loss has been told.
  absl::Status status = MMTUNE_CUDA_CALL(driver_, CtxSetCurrent, context_);
  if (status.ok()) status = MMTUNE_CUDA_CALL(driver_, ModuleUnload, module_);
  if (IsSticky(status)) *poisoned_ = status;
  if (!status.ok()) LogWarning("cuda_module_not_unloaded", {{"error", ToStd(status.message())}});
}

absl::StatusOr<DeviceKernel*> CudaModule::GetKernel(std::string_view name) {
  if (auto it = kernels_.find(name); it != kernels_.end()) return it->second.get();
  const std::string context = absl::StrCat("GetKernel: ", ToAbsl(name));
  RETURN_IF_ERROR(WithContext(MMTUNE_CUDA_CALL(driver_, CtxSetCurrent, context_), context));
  std::string kernel_name(name);
  Function function = nullptr;
  RETURN_IF_ERROR(
      WithContext(MMTUNE_CUDA_CALL(driver_, ModuleGetFunction, &function, module_, kernel_name.c_str()), context));
  int static_shared_bytes = 0;
  RETURN_IF_ERROR(WithContext(
      MMTUNE_CUDA_CALL(driver_, FuncGetAttribute, &static_shared_bytes, kSharedSizeBytes, function), context));
  auto kernel = std::make_unique<CudaKernel>(driver_, kernel_name, function, static_shared_bytes);
  return kernels_.emplace(std::move(kernel_name), std::move(kernel)).first->second.get();
}

}  // namespace mmtune::cuda
