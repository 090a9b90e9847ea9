// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/compiler_context.h"

#include <gtest/gtest.h>

#include <optional>

#include "mlir/IR/Location.h"

namespace mmtune {
namespace {

TEST(CompilerContextTest, TakesOverTheContextOfTheLastCompilation) {
  const mlir::DialectRegistry registry = createCompilerRegistry();
  std::optional<CompilerContext> first(std::in_place, registry);
  const mlir::MLIRContext* mlir = &first->mlir();
  first.reset();
  EXPECT_EQ(&CompilerContext(registry).mlir(), mlir);
}

TEST(CompilerContextTest, HasItsOwnContextWhileAnotherCompilationRuns) {
  const mlir::DialectRegistry registry = createCompilerRegistry();
  CompilerContext outer(registry), inner(registry);
  EXPECT_NE(&outer.mlir(), &inner.mlir());
}

TEST(CompilerContextTest, ForgetsTheErrorsOfEarlierCompilations) {
  const mlir::DialectRegistry registry = createCompilerRegistry();
  std::optional<CompilerContext> first(std::in_place, registry);
  mlir::emitError(mlir::UnknownLoc::get(&first->mlir()), "no such tile");
  EXPECT_EQ(first->failure("emitting").message(), "emitting: no such tile");
  first.reset();
  EXPECT_EQ(CompilerContext(registry).failure("emitting").message(), "emitting: no diagnostic");
}

}  // namespace
}  // namespace mmtune
