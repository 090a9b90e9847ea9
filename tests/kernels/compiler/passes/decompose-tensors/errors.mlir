// RUN: mmtune-opt %s --decompose-tensors --verify-diagnostics

// expected-error @below {{a global of type 'tensor<?xf32>' cannot be compiled: it must be a tensor of static shape, and have its initial value in this module}}
ml_program.global private mutable @weights(#ml_program.extern : tensor<?xf32>) : tensor<?xf32>
func.func @f() -> tensor<?xf32> {
  %w = ml_program.global_load @weights : tensor<?xf32>
  return %w : tensor<?xf32>
}
