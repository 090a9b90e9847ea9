// The constructors and destructors of a linked object.
#pragma once

#include <vector>

#include "kernels/runtime/jit/object_plugin.h"

namespace mmtune {

/// ORC without its runtime library leaves .init_array, .fini_array and their predecessors .ctors and .dtors alone: this
/// plugin keeps them from being stripped and collects their entries. The functions may be called once the object is
/// linked.
class InitSections : public ObjectPlugin {
 public:
  using Function = void (*)();

  /// In the order in which they have to run.
  const std::vector<Function>& constructors() const { return constructors_; }
  const std::vector<Function>& destructors() const { return destructors_; }

  void modifyPassConfig(llvm::orc::MaterializationResponsibility& responsibility, llvm::jitlink::LinkGraph& graph,
                        llvm::jitlink::PassConfiguration& config) override;

 private:
  llvm::Error Keep(llvm::jitlink::LinkGraph& graph) const;
  llvm::Error Collect(llvm::jitlink::LinkGraph& graph);

  std::vector<Function> constructors_;
  std::vector<Function> destructors_;
};

}  // namespace mmtune
