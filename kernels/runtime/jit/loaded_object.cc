// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/jit/loaded_object.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/jit/init_sections.h"
#include "kernels/runtime/jit/support_routines.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/ObjectFileInterface.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/MemoryBuffer.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using llvm::orc::ExecutionSession;
using llvm::orc::JITDylib;

class OrcObject : public LoadedObject {
 public:
  static absl::StatusOr<std::unique_ptr<LoadedObject>> Load(std::string_view image, const Symbols& symbols) {
    auto process =
        llvm::orc::SelfExecutorProcessControl::Create(nullptr, std::make_unique<llvm::orc::InPlaceTaskDispatcher>());
    if (!process) return Internal(absl::StrCat("cannot start the linker: ", llvm::toString(process.takeError())));
    std::unique_ptr<OrcObject> object(new OrcObject(std::move(*process)));
    if (llvm::Error error = object->Link(image, symbols)) {
      return InvalidArgument(absl::StrCat("cannot link the object: ", object->Explain(std::move(error))));
    }
    return object;
  }

  ~OrcObject() override {
    if (llvm::Error error = session_.endSession()) llvm::consumeError(std::move(error));
  }

  void RunConstructors() override {
    for (InitSections::Function function : init_sections_->constructors()) function();
  }

  void RunDestructors() override {
    for (InitSections::Function function : init_sections_->destructors()) function();
  }

  absl::StatusOr<void*> Lookup(std::string_view symbol) override {
    llvm::orc::SymbolStringPtr name = session_.intern({symbol.data(), symbol.size()});
    if (!exports_.count(name)) return NotFound(absl::StrCat("the object has no symbol ", ToAbsl(symbol)));
    auto found = session_.lookup({dylib_}, name);
    if (!found) return Internal(absl::StrCat(ToAbsl(symbol), ": ", Explain(found.takeError())));
    return found->getAddress().toPtr<void*>();
  }

 private:
  explicit OrcObject(std::unique_ptr<llvm::orc::ExecutorProcessControl> process)
      : session_(std::move(process)),
        dylib_(&session_.createBareJITDylib("object")),
        layer_(session_),
        init_sections_(std::make_shared<InitSections>()) {
    layer_.addPlugin(init_sections_);
    session_.setErrorReporter([this](llvm::Error error) {
      if (!reported_.empty()) reported_ += "; ";
      reported_ += llvm::toString(std::move(error));
    });
  }

  /// Adds the object and asks for all it exports, so that every fault in it shows now.
  llvm::Error Link(std::string_view image, const Symbols& symbols) {
    llvm::StringRef bytes(image.data(), image.size());
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, "object");
    auto interface = llvm::orc::getObjectFileInterface(session_, buffer->getMemBufferRef());
    if (!interface) return interface.takeError();
    if (llvm::Error error = DefineSymbols(symbols)) return error;
    llvm::orc::SymbolLookupSet wanted;
    for (const auto& [name, flags] : interface->SymbolFlags) {
      if (name == interface->InitSymbol) continue;
      exports_.insert(name);
      wanted.add(name);
    }
    if (llvm::Error error = layer_.add(*dylib_, std::move(buffer), std::move(*interface))) return error;
    return session_.lookup({{dylib_, llvm::orc::JITDylibLookupFlags::MatchExportedSymbolsOnly}}, std::move(wanted))
        .takeError();
  }

  llvm::Error DefineSymbols(const Symbols& symbols) {
    llvm::orc::SymbolMap map;
    for (const Symbols& table : {SupportRoutines(), symbols}) {
      for (const auto& [name, address] : table) {
        map[session_.intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                      llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
      }
    }
    if (llvm::Error error = dylib_->define(llvm::orc::absoluteSymbols(std::move(map)))) return error;
    auto process_symbols = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0');
    if (!process_symbols) return process_symbols.takeError();
    dylib_->addGenerator(std::move(*process_symbols));
    return llvm::Error::success();
  }

  /// The cause is reported to the session; `error` may say no more than that there was one.
  std::string Explain(llvm::Error error) {
    std::string text = llvm::toString(std::move(error));
    if (reported_.empty()) return text;
    return std::exchange(reported_, std::string());
  }

  std::string reported_;
  ExecutionSession session_;
  JITDylib* dylib_;
  llvm::orc::ObjectLinkingLayer layer_;
  std::shared_ptr<InitSections> init_sections_;
  llvm::DenseSet<llvm::orc::SymbolStringPtr> exports_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<LoadedObject>> LoadedObject::Load(std::string_view image, const Symbols& symbols) {
  return OrcObject::Load(image, symbols);
}

}  // namespace mmtune
