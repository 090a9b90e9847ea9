// One instruction a kernel: each where it takes few lines. check_architecture_test says what is done with them.
gpu.module @kernels {
  llvm.func @sreg_laneid(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.laneid : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_warpsize(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.warpsize : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_warpid(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.warpid : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_nwarpid(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.nwarpid : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_smid(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.smid : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_nsmid(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.nsmid : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_gridid(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.gridid : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_lanemask_eq(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.lanemask.eq : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_lanemask_gt(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.lanemask.gt : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_tid_x(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.tid.x : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_clusterid_x(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.clusterid.x : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_clusterid_y(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.clusterid.y : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_clusterid_z(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.clusterid.z : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_nclusterid_x(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.nclusterid.x : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_nclusterid_y(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.nclusterid.y : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_nclusterid_z(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.nclusterid.z : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_cluster_ctaid_x(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_cluster_ctaid_y(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_cluster_ctaid_z(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_cluster_nctaid_x(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_cluster_nctaid_y(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_cluster_nctaid_z(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_cluster_ctarank(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.cluster.ctarank : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_cluster_nctarank(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.cluster.nctarank : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_total_smem_size(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.total.smem.size : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_dynamic_smem_size(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.dynamic.smem.size : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_aggr_smem_size(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.aggr.smem.size : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_clock(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.clock : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_globaltimer_lo(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.globaltimer.lo : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_envreg0(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.envreg0 : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_clock64(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.clock64 : i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @sreg_globaltimer(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.read.ptx.sreg.globaltimer : i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @rcp(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.rcp.approx.ftz.f %f : f32
    llvm.store %r, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_add(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync add %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_and(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync and %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_max(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync max %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_min(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync min %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_or(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync or %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_umax(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync umax %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_umin(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync umin %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_xor(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync xor %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_fmin(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync fmin %f, %i : f32 -> f32
    llvm.store %r, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_abs_nan_fmin(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync fmin %f, %i {abs = true, nan = true} : f32 -> f32
    llvm.store %r, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_fmax(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync fmax %f, %i : f32 -> f32
    llvm.store %r, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @redux_abs_nan_fmax(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.redux.sync fmax %f, %i {abs = true, nan = true} : f32 -> f32
    llvm.store %r, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @nanosleep(%i: i32) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.nanosleep %i
    llvm.return
  }
  llvm.func @pmevent() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.pmevent id = 3
    llvm.return
  }
  llvm.func @pmevent_mask() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.pmevent mask = 3
    llvm.return
  }
  llvm.func @mbarrier_init_p(%i: i32, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.init %p, %i : !llvm.ptr, i32
    llvm.return
  }
  llvm.func @mbarrier_init_pred_p(%i: i32, %b: i1, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.init %p, %i, predicate = %b : !llvm.ptr, i32, i1
    llvm.return
  }
  llvm.func @mbarrier_inval_p(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.inval %p : !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_p(%p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %p : !llvm.ptr -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_count_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %p, %i : !llvm.ptr -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_relaxed_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %p, %i {relaxed = true} : !llvm.ptr -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_cluster_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %p, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_drop_p(%p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop %p : !llvm.ptr -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_drop_count_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop %p, %i : !llvm.ptr -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_nocomplete_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive.nocomplete %p, %i : !llvm.ptr, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_drop_nocomplete_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop.nocomplete %p, %i : !llvm.ptr, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_expect_tx_p(%i: i32, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.arrive.expect_tx %p, %i : !llvm.ptr, i32
    llvm.return
  }
  llvm.func @mbarrier_arrive_expect_tx_r_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive.expect_tx %p, %i : !llvm.ptr, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_expect_tx_pred_p(%i: i32, %b: i1, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.arrive.expect_tx %p, %i, predicate = %b : !llvm.ptr, i32, i1
    llvm.return
  }
  llvm.func @mbarrier_arrive_drop_expect_tx_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop.expect_tx %p, %i : !llvm.ptr, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_try_wait_parity_p(%i: i32, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.try_wait.parity %p, %i, %i : !llvm.ptr, i32, i32
    llvm.return
  }
  // The state is loaded: ptxas 13.0 crashes for sm_80 where it is a parameter.
  llvm.func @mbarrier_test_wait_p(%p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %l = llvm.load %out : !llvm.ptr -> i64
    %r = nvvm.mbarrier.test.wait %p, %l : !llvm.ptr, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_test_wait_parity_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.test.wait %p, %i : !llvm.ptr, i32 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_try_wait_p(%l: i64, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.try_wait %p, %l : !llvm.ptr, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_init_s(%i: i32, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.init %s, %i : !llvm.ptr<3>, i32
    llvm.return
  }
  llvm.func @mbarrier_init_pred_s(%i: i32, %b: i1, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.init %s, %i, predicate = %b : !llvm.ptr<3>, i32, i1
    llvm.return
  }
  llvm.func @mbarrier_inval_s(%s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.inval %s : !llvm.ptr<3>
    llvm.return
  }
  llvm.func @mbarrier_arrive_s(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %s : !llvm.ptr<3> -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_count_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %s, %i : !llvm.ptr<3> -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_relaxed_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %s, %i {relaxed = true} : !llvm.ptr<3> -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_cluster_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %s, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_drop_s(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop %s : !llvm.ptr<3> -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_drop_count_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop %s, %i : !llvm.ptr<3> -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_nocomplete_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive.nocomplete %s, %i : !llvm.ptr<3>, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_drop_nocomplete_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop.nocomplete %s, %i : !llvm.ptr<3>, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_expect_tx_s(%i: i32, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.arrive.expect_tx %s, %i : !llvm.ptr<3>, i32
    llvm.return
  }
  llvm.func @mbarrier_arrive_expect_tx_r_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive.expect_tx %s, %i : !llvm.ptr<3>, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_arrive_expect_tx_pred_s(%i: i32, %b: i1, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %b : !llvm.ptr<3>, i32, i1
    llvm.return
  }
  llvm.func @mbarrier_arrive_drop_expect_tx_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop.expect_tx %s, %i : !llvm.ptr<3>, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_try_wait_parity_s(%i: i32, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.try_wait.parity %s, %i, %i : !llvm.ptr<3>, i32, i32
    llvm.return
  }
  // The state is loaded: ptxas 13.0 crashes for sm_80 where it is a parameter.
  llvm.func @mbarrier_test_wait_s(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %l = llvm.load %out : !llvm.ptr -> i64
    %r = nvvm.mbarrier.test.wait %s, %l : !llvm.ptr<3>, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_test_wait_parity_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.test.wait %s, %i : !llvm.ptr<3>, i32 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_try_wait_s(%l: i64, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.try_wait %s, %l : !llvm.ptr<3>, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mbarrier_expect_tx(%i: i32, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.expect_tx %s, %i : !llvm.ptr<3>, i32
    llvm.return
  }
  llvm.func @mbarrier_complete_tx(%i: i32, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.complete_tx %s, %i : !llvm.ptr<3>, i32
    llvm.return
  }
  llvm.func @barrier0() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.barrier0
    llvm.return
  }
  llvm.func @barrier() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.barrier
    llvm.return
  }
  llvm.func @barrier_id(%i: i32) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.barrier id = %i number_of_threads = %i
    llvm.return
  }
  llvm.func @barrier_red(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.barrier #nvvm.reduction<popc> %i -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @barrier_arrive(%i: i32) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.barrier.arrive number_of_threads = %i
    llvm.return
  }
  llvm.func @barrier_arrive_id(%i: i32) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.barrier.arrive id = %i number_of_threads = %i
    llvm.return
  }
  llvm.func @cluster_arrive() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cluster.arrive
    llvm.return
  }
  llvm.func @cluster_arrive_aligned() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cluster.arrive {aligned}
    llvm.return
  }
  llvm.func @cluster_arrive_relaxed() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cluster.arrive.relaxed
    llvm.return
  }
  llvm.func @cluster_wait() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cluster.wait
    llvm.return
  }
  llvm.func @membar_cta() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.memory.barrier #nvvm.mem_scope<cta>
    llvm.return
  }
  llvm.func @membar_gpu() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    llvm.return
  }
  llvm.func @membar_sys() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.memory.barrier #nvvm.mem_scope<sys>
    llvm.return
  }
  llvm.func @membar_cluster() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.memory.barrier #nvvm.mem_scope<cluster>
    llvm.return
  }
  llvm.func @fence_sc_cluster() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.sc.cluster
    llvm.return
  }
  llvm.func @fence_sync_restrict() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}
    llvm.return
  }
  llvm.func @fence_mbarrier_init() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.mbarrier.init
    llvm.return
  }
  llvm.func @fence_proxy_alias() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
    llvm.return
  }
  llvm.func @fence_proxy_async() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    llvm.return
  }
  llvm.func @fence_proxy_async_global() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
    llvm.return
  }
  llvm.func @fence_proxy_async_shared() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    llvm.return
  }
  llvm.func @fence_proxy_async_shared_cluster() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
    llvm.return
  }
  llvm.func @fence_proxy_acquire(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %z = llvm.mlir.constant(128 : i32) : i32
    nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %p, %z
    llvm.return
  }
  llvm.func @fence_proxy_release() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.proxy.release #nvvm.mem_scope<gpu>
    llvm.return
  }
  llvm.func @fence_proxy_sync_restrict() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
    llvm.return
  }
  llvm.func @setmaxregister() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.setmaxregister increase 232
    llvm.return
  }
  llvm.func @shfl(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.shfl.sync bfly %i, %i, %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @vote(%i: i32, %b: i1, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.vote.sync ballot %i, %b -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @bar_warp_sync(%i: i32) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.bar.warp.sync %i : i32
    llvm.return
  }
  llvm.func @elect_sync(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.elect.sync -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @prmt(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.prmt #nvvm.permute_mode<f4e> %i, %i, %i : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @cp_async(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @cp_async_4(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.shared.global %s, %g, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @cp_async_zfill(%i: i32, %s: !llvm.ptr<3>, %g: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg, %i : !llvm.ptr<3>, !llvm.ptr<1>, i32
    llvm.return
  }
  llvm.func @cp_async_commit() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.commit.group
    llvm.return
  }
  llvm.func @cp_async_wait() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.wait.group 0
    llvm.return
  }
  llvm.func @cp_async_mbarrier_arrive(%s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.mbarrier.arrive %s : !llvm.ptr<3>
    llvm.return
  }
  llvm.func @cp_async_mbarrier_arrive_p(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.mbarrier.arrive %p {noinc = true} : !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_tf32_rna(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_tf32_sat_rna(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>, sat = #nvvm.sat_mode<satfinite>}
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_tf32_rn(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>}
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_tf32_relu_rn(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>, relu=true}
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_tf32_sat_rn(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>}
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_tf32_rz(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rz>}
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_tf32_relu_rz(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rz>, relu=true}
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_tf32_sat_rz(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>}
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f4(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.f4x2 %f, %f : i8 (f4E2M1FN)
    llvm.store %r, %out : i8, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f6(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.f6x2 %f, %f : i16 (f6E2M3FN)
    llvm.store %r, %out : i16, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f8_e4m3(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
    llvm.store %r, %out : i16, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f8_e5m2(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E5M2)
    llvm.store %r, %out : i16, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f8_e8m0(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E8M0FNU)
    llvm.store %r, %out : i16, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f16_f8(%h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f16x2.to.f8x2 %h2 : vector<2xf16> -> i16 (f8E4M3FN)
    llvm.store %r, %out : i16, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_bf16_f8(%bh2: vector<2xbf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.bf16x2.to.f8x2 %bh2 {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16> -> i16 (f8E8M0FNU)
    llvm.store %r, %out : i16, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f8_f16(%v2i8: vector<2xi8>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f8x2.to.f16x2 %v2i8 : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
    llvm.store %r, %out : vector<2xf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f8_bf16(%v2i8: vector<2xi8>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f8x2.to.bf16x2 %v2i8 : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>
    llvm.store %r, %out : vector<2xbf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f6_f16(%v2i8: vector<2xi8>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f6x2.to.f16x2 %v2i8 : vector<2xi8> (f6E2M3FN) -> vector<2xf16>
    llvm.store %r, %out : vector<2xf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f4_f16(%i8: i8, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f4x2.to.f16x2 %i8 : i8 (f4E2M1FN) -> vector<2xf16>
    llvm.store %r, %out : vector<2xf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x2_f16x2(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.f16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
    llvm.store %r, %out : vector<2xf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x2_relu_f16x2(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.f16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, relu = true} : vector<2xf16>
    llvm.store %r, %out : vector<2xf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x2_sat_f16x2(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.f16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : vector<2xf16>
    llvm.store %r, %out : vector<2xf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x2_rs_f16x2(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.f16x2 %f, %f, %i {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
    llvm.store %r, %out : vector<2xf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x2_bf16x2(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.bf16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    llvm.store %r, %out : vector<2xbf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x2_relu_bf16x2(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.bf16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, relu = true} : vector<2xbf16>
    llvm.store %r, %out : vector<2xbf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x2_sat_bf16x2(%f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.bf16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : vector<2xbf16>
    llvm.store %r, %out : vector<2xbf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x2_rs_bf16x2(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x2.to.bf16x2 %f, %f, %i {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xbf16>
    llvm.store %r, %out : vector<2xbf16>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x4_f8(%i: i32, %v4f: vector<4xf32>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x4.to.f8x4 %v4f, %i {relu = false} : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
    llvm.store %r, %out : vector<4xi8>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x4_f6(%i: i32, %v4f: vector<4xf32>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x4.to.f6x4 %v4f, %i : vector<4xf32> -> vector<4xi8> (f6E2M3FN)
    llvm.store %r, %out : vector<4xi8>, !llvm.ptr
    llvm.return
  }
  llvm.func @cvt_f32x4_f4(%i: i32, %v4f: vector<4xf32>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.convert.f32x4.to.f4x4 %v4f, %i : vector<4xf32> -> i16 (f4E2M1FN)
    llvm.store %r, %out : i16, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m8n8k4_f16_f32(%f: f32, %h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%h2,%h2] B[%h2,%h2] C[%f,%f,%f,%f,%f,%f,%f,%f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (vector<2xf16>,vector<2xf16>,f32) -> !llvm.struct<(f32,f32,f32,f32,f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m8n8k4_f16_f16(%h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%h2,%h2] B[%h2,%h2] C[%h2,%h2,%h2,%h2] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (vector<2xf16>,vector<2xf16>,vector<2xf16>) -> !llvm.struct<(vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>)>
    llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k8_f16_f16(%h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%h2,%h2] B[%h2] C[%h2,%h2] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>,vector<2xf16>,vector<2xf16>) -> !llvm.struct<(vector<2xf16>,vector<2xf16>)>
    llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k8_f16_f32(%f: f32, %h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%h2,%h2] B[%h2] C[%f,%f,%f,%f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>,vector<2xf16>,f32) -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k16_f16_f16(%h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%h2,%h2,%h2,%h2] B[%h2,%h2] C[%h2,%h2] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>,vector<2xf16>,vector<2xf16>) -> !llvm.struct<(vector<2xf16>,vector<2xf16>)>
    llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k16_f16_f32(%f: f32, %h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%h2,%h2,%h2,%h2] B[%h2,%h2] C[%f,%f,%f,%f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>,vector<2xf16>,f32) -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k8_bf16(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i] B[%i] C[%f,%f,%f,%f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>} : (i32,i32,f32) -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k16_bf16(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i,%i,%i] B[%i,%i] C[%f,%f,%f,%f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>} : (i32,i32,f32) -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k4_tf32(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i] B[%i] C[%f,%f,%f,%f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 4>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>} : (i32,i32,f32) -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k8_tf32(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i,%i,%i] B[%i,%i] C[%f,%f,%f,%f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>} : (i32,i32,f32) -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m8n8k16_s8_wrapped(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i] B[%i] C[%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 16>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>} : (i32,i32,i32) -> !llvm.struct<(i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k16_s8_wrapped(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i] B[%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k32_s8_wrapped(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i,%i,%i] B[%i,%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 32>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m8n8k32_s4_wrapped(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i] B[%i] C[%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 32>, multiplicandAPtxType = #nvvm.mma_type<s4>, multiplicandBPtxType = #nvvm.mma_type<s4>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>} : (i32,i32,i32) -> !llvm.struct<(i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k32_s4_wrapped(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i] B[%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 32>, multiplicandAPtxType = #nvvm.mma_type<s4>, multiplicandBPtxType = #nvvm.mma_type<s4>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k64_u4_wrapped(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i,%i,%i] B[%i,%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 64>, multiplicandAPtxType = #nvvm.mma_type<u4>, multiplicandBPtxType = #nvvm.mma_type<u4>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m8n8k16_s8_satfinite(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i] B[%i] C[%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 16>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>} : (i32,i32,i32) -> !llvm.struct<(i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k16_s8_satfinite(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i] B[%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k32_s8_satfinite(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i,%i,%i] B[%i,%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 32>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m8n8k32_s4_satfinite(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i] B[%i] C[%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 32>, multiplicandAPtxType = #nvvm.mma_type<s4>, multiplicandBPtxType = #nvvm.mma_type<s4>, intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>} : (i32,i32,i32) -> !llvm.struct<(i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k32_s4_satfinite(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i] B[%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 32>, multiplicandAPtxType = #nvvm.mma_type<s4>, multiplicandBPtxType = #nvvm.mma_type<s4>, intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k64_u4_satfinite(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i,%i,%i] B[%i,%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 64>, multiplicandAPtxType = #nvvm.mma_type<u4>, multiplicandBPtxType = #nvvm.mma_type<u4>, intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m8n8k128_b1_xor_popc(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i] B[%i] C[%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 128>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, b1Op = #nvvm.mma_b1op<xor_popc>} : (i32,i32,i32) -> !llvm.struct<(i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k128_b1_xor_popc(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i] B[%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 128>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, b1Op = #nvvm.mma_b1op<xor_popc>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k256_b1_xor_popc(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i,%i,%i] B[%i,%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 256>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, b1Op = #nvvm.mma_b1op<xor_popc>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m8n8k128_b1_and_popc(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i] B[%i] C[%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 128>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, b1Op = #nvvm.mma_b1op<and_popc>} : (i32,i32,i32) -> !llvm.struct<(i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k128_b1_and_popc(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i] B[%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 128>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, b1Op = #nvvm.mma_b1op<and_popc>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m16n8k256_b1_and_popc(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%i,%i,%i,%i] B[%i,%i] C[%i,%i,%i,%i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 256>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, b1Op = #nvvm.mma_b1op<and_popc>} : (i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_m8n8k4_f64(%d: f64, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.sync A[%d] B[%d] C[%d,%d] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64,f64,f64) -> !llvm.struct<(f64,f64)>
    llvm.store %r, %out : !llvm.struct<(f64, f64)>, !llvm.ptr
    llvm.return
  }
  llvm.func @ldmatrix_x1(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.ldmatrix %s {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @ldmatrix_x4(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.ldmatrix %s {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @ldmatrix_t(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.ldmatrix %s {num = 1 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @ldmatrix_m16n16_b8(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.ldmatrix %s {num = 1 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @ldmatrix_m8n16_b8(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.ldmatrix %s {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>, eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b6x16_p32>} : (!llvm.ptr<3>) -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @stmatrix_b16(%i: i32, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.stmatrix %s, %i {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32
    llvm.return
  }
  llvm.func @stmatrix_b8(%i: i32, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.stmatrix %s, %i {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : !llvm.ptr<3>, i32
    llvm.return
  }
  llvm.func @wmma_load_f16(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.wmma.load %p, %i {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr) -> !llvm.struct<(vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>)>
    llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>, !llvm.ptr
    llvm.return
  }
  llvm.func @wmma_load_tf32(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.wmma.load %p, %i {eltype = #nvvm.mma_type<tf32>, frag = #nvvm.mma_frag<a>, k = 8 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr) -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @wmma_load_s8(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.wmma.load %p, %i {eltype = #nvvm.mma_type<s8>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr) -> !llvm.struct<(i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @wmma_store_f32(%i: i32, %f: f32, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.wmma.store %p, %i, %f,%f,%f,%f,%f,%f,%f,%f {eltype = #nvvm.mma_type<f32>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr, f32,f32,f32,f32,f32,f32,f32,f32
    llvm.return
  }
  llvm.func @wmma_store_f32_k8(%i: i32, %f: f32, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.wmma.store %p, %i, %f,%f,%f,%f,%f,%f,%f,%f {eltype = #nvvm.mma_type<f32>, k = 8 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr, f32,f32,f32,f32,f32,f32,f32,f32
    llvm.return
  }
  llvm.func @wmma_mma_f16(%f: f32, %h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.wmma.mma %h2,%h2,%h2,%h2,%h2,%h2,%h2,%h2,%h2,%h2,%h2,%h2,%h2,%h2,%h2,%h2,%f,%f,%f,%f,%f,%f,%f,%f {eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f32>, k = 16 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>,f32,f32,f32,f32,f32,f32,f32,f32) -> !llvm.struct<(f32,f32,f32,f32,f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @wmma_mma_tf32(%i: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.wmma.mma %i,%i,%i,%i,%i,%i,%i,%i,%f,%f,%f,%f,%f,%f,%f,%f {eltypeA = #nvvm.mma_type<tf32>, eltypeB = #nvvm.mma_type<f32>, k = 8 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (i32,i32,i32,i32,i32,i32,i32,i32,f32,f32,f32,f32,f32,f32,f32,f32) -> !llvm.struct<(f32,f32,f32,f32,f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @wmma_mma_s8(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.wmma.mma %i,%i,%i,%i,%i,%i,%i,%i,%i,%i,%i,%i {eltypeA = #nvvm.mma_type<s8>, eltypeB = #nvvm.mma_type<s32>, k = 16 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 16 : i32, n = 16 : i32} : (i32,i32,i32,i32,i32,i32,i32,i32,i32,i32,i32,i32) -> !llvm.struct<(i32,i32,i32,i32,i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_commit() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.commit.group
    llvm.return
  }
  llvm.func @bulk_wait() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.wait_group 0
    llvm.return
  }
  llvm.func @bulk_tensor_load(%i: i32, %p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %p, %s, box[%i,%i] : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_tensor_load_cta(%i: i32, %p: !llvm.ptr, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %p, %s, box[%i,%i] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_tensor_load_group(%i: i32, %p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %p, %s, box[%i,%i] {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_tensor_load_gather4(%i: i32, %p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %p, %s, box[%i,%i,%i,%i,%i] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_tensor_load_im2colw(%i: i32, %h16: i16, %p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %p, %s, box[%i,%i,%i] im2col[%h16,%h16] {mode = #nvvm.tma_load_mode<im2col_w>} : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_tensor_load_im2col(%i: i32, %h16: i16, %p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %p, %s, box[%i,%i,%i] im2col[%h16] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_tensor_load_multicast(%i: i32, %h16: i16, %p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %p, %s, box[%i,%i] multicast_mask = %h16 : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_tensor_store(%i: i32, %p: !llvm.ptr, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.global.shared.cta %p, %s, box[%i,%i] : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
  llvm.func @bulk_tensor_store_scatter4(%i: i32, %p: !llvm.ptr, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.global.shared.cta %p, %s, box[%i,%i,%i,%i,%i] {mode = #nvvm.tma_store_mode<tile_scatter4>} : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
  llvm.func @prefetch(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.prefetch level = L1, %p : !llvm.ptr
    llvm.return
  }
  llvm.func @prefetch_g(%g: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.prefetch level = L2, %g : !llvm.ptr<1>
    llvm.return
  }
  llvm.func @prefetch_evict(%g: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.prefetch level = L2, evict_priority = evict_last, %g : !llvm.ptr<1>
    llvm.return
  }
  llvm.func @prefetch_uniform(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.prefetch level = L1 uniform, %p : !llvm.ptr
    llvm.return
  }
  llvm.func @prefetch_tensormap(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.prefetch tensormap, %p : !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_prefetch(%i: i32, %g: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.prefetch %g, %i : !llvm.ptr<1>
    llvm.return
  }
  llvm.func @bulk_tensor_prefetch(%i: i32, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.prefetch %p, box[%i,%i] : !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_tensor_prefetch_gather4(%i: i32, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.prefetch %p, box[%i,%i,%i,%i,%i] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr
    llvm.return
  }
  llvm.func @bulk_tensor_reduce(%i: i32, %p: !llvm.ptr, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.tensor.reduce %p, %s, box[%i,%i] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
  llvm.func @bulk_g2s_cluster(%i: i32, %s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.shared.cluster.global %c, %g, %s, %i : !llvm.ptr<7>, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @bulk_g2s_cta(%i: i32, %s: !llvm.ptr<3>, %g: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.shared.cluster.global %s, %g, %s, %i : !llvm.ptr<3>, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @bulk_g2s_multicast(%i: i32, %h16: i16, %s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.shared.cluster.global %c, %g, %s, %i multicast_mask = %h16 : !llvm.ptr<7>, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @bulk_s2s(%i: i32, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.shared.cluster.shared.cta %c, %s, %s, %i : !llvm.ptr<7>, !llvm.ptr<3>
    llvm.return
  }
  llvm.func @bulk_s2g(%i: i32, %s: !llvm.ptr<3>, %g: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.global.shared.cta %g, %s, %i : !llvm.ptr<1>, !llvm.ptr<3>
    llvm.return
  }
  llvm.func @bulk_s2g_mask(%i: i32, %h16: i16, %s: !llvm.ptr<3>, %g: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cp.async.bulk.global.shared.cta %g, %s, %i byte_mask = %h16 : !llvm.ptr<1>, !llvm.ptr<3>
    llvm.return
  }
  llvm.func @wgmma_fence() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.wgmma.fence.aligned
    llvm.return
  }
  llvm.func @wgmma_commit() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.wgmma.commit.group.sync.aligned
    llvm.return
  }
  llvm.func @wgmma_wait() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }
  llvm.func @wgmma_mma(%l: i64, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %u = llvm.mlir.undef : !llvm.struct<(f32,f32,f32,f32)>
    %r = nvvm.wgmma.mma_async %l, %l, %u, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <zero>], A [<f16>, #nvvm.wgmma_scale_in<neg>, <col>], B [<f16>, #nvvm.wgmma_scale_in<neg>, <col>] : !llvm.struct<(f32,f32,f32,f32)> -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @griddep_wait() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.griddepcontrol wait
    llvm.return
  }
  llvm.func @griddep_launch() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.griddepcontrol launch_dependents
    llvm.return
  }
  llvm.func @mapa(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mapa %p, %i : !llvm.ptr -> !llvm.ptr
    llvm.store %r, %out : !llvm.ptr, !llvm.ptr
    llvm.return
  }
  llvm.func @mapa_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mapa %s, %i : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %r, %out : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
  llvm.func @match_any(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.match.sync any %i, %i : i32 -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @match_all(%i: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.match.sync all %i, %i : i32 -> !llvm.struct<(i32, i1)>
    llvm.store %r, %out : !llvm.struct<(i32, i1)>, !llvm.ptr
    llvm.return
  }
  llvm.func @st_bulk(%l: i64, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.st.bulk %s, size = %l, init = 0 : !llvm.ptr<3>
    llvm.return
  }
  llvm.func @exit() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.exit
    llvm.return
  }
  llvm.func @breakpoint() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.breakpoint
    llvm.return
  }
  llvm.func @tcgen05_alloc(%i: i32, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.alloc %p, %i : !llvm.ptr, i32
    llvm.return
  }
  llvm.func @tcgen05_dealloc(%i: i32, %t: !llvm.ptr<6>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.dealloc %t, %i : !llvm.ptr<6>, i32
    llvm.return
  }
  llvm.func @tcgen05_relinquish() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.relinquish_alloc_permit
    llvm.return
  }
  llvm.func @tcgen05_fence() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    llvm.return
  }
  llvm.func @tcgen05_wait() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.wait <load>
    llvm.return
  }
  llvm.func @tcgen05_commit(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.commit %p : !llvm.ptr
    llvm.return
  }
  llvm.func @tcgen05_shift(%t: !llvm.ptr<6>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.shift %t : !llvm.ptr<6>
    llvm.return
  }
  llvm.func @tcgen05_cp(%l: i64, %t: !llvm.ptr<6>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.cp %t, %l {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
    llvm.return
  }
  llvm.func @tcgen05_ld(%t: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @tcgen05_st(%i: i32, %t: !llvm.ptr<6>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.st %t, %i {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
    llvm.return
  }
  llvm.func @tcgen05_mma(%i: i32, %l: i64, %b: i1, %t: !llvm.ptr<6>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.mma %t, %l, %l, %i, %b {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    llvm.return
  }
  llvm.func @tcgen05_mma_smem_desc(%i: i32, %i8: i8, %b: i1, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.tcgen05.mma_smem_desc (%i, %i, %i, %i8, %b, %i8) : (i32, i32, i32, i8, i1, i8) -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @dot4(%i: i32, %v4i8: vector<4xi8>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.dot.accumulate.4way %v4i8 <signed>, %v4i8 <signed>, %i : vector<4xi8>, vector<4xi8>
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @dot2(%i: i32, %v4i8: vector<4xi8>, %v2i16: vector<2xi16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.dot.accumulate.2way %v2i16 <signed>, %v4i8 <signed>, %i {b_hi = false} : vector<2xi16>, vector<4xi8>
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @clc_try(%s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.clusterlaunchcontrol.try.cancel %s, %s
    llvm.return
  }
  llvm.func @clc_query(%q: i128, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %q : i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_sp(%i: i32, %f: f32, %h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %r = nvvm.mma.sp.sync A[%h2,%h2] B[%h2,%h2] C[%f,%f,%f,%f] sparseMetadata[%i] selector[%zero] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>,vector<2xf16>,f32) -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @mma_block_scale(%i: i32, %h16: i16, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mma.block_scale A[%i,%i,%i,%i] B[%i,%i] C[%f,%f,%f,%f] scaleA[%i,%h16,%h16] scaleB[%i,%h16,%h16] {shape = #nvvm.shape<m = 16, n = 8, k = 64>, multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e2m1>, scaleVecSize = #nvvm.scale_vec_size<x2>, blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf4>} : (i32,i32,f32) -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fadd_f16(%hf: f16, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fadd %g, %hf monotonic : !llvm.ptr<1>, f16
    llvm.store %r, %out : f16, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fmax_f16(%hf: f16, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fmax %g, %hf monotonic : !llvm.ptr<1>, f16
    llvm.store %r, %out : f16, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fmin_f16(%hf: f16, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fmin %g, %hf monotonic : !llvm.ptr<1>, f16
    llvm.store %r, %out : f16, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fsub_f16(%hf: f16, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fsub %g, %hf monotonic : !llvm.ptr<1>, f16
    llvm.store %r, %out : f16, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fadd_bf16(%bhf: bf16, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fadd %g, %bhf monotonic : !llvm.ptr<1>, bf16
    llvm.store %r, %out : bf16, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fmax_bf16(%bhf: bf16, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fmax %g, %bhf monotonic : !llvm.ptr<1>, bf16
    llvm.store %r, %out : bf16, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fmin_bf16(%bhf: bf16, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fmin %g, %bhf monotonic : !llvm.ptr<1>, bf16
    llvm.store %r, %out : bf16, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fsub_bf16(%bhf: bf16, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fsub %g, %bhf monotonic : !llvm.ptr<1>, bf16
    llvm.store %r, %out : bf16, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fadd_f32(%f: f32, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fadd %g, %f monotonic : !llvm.ptr<1>, f32
    llvm.store %r, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fmax_f32(%f: f32, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fmax %g, %f monotonic : !llvm.ptr<1>, f32
    llvm.store %r, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fmin_f32(%f: f32, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fmin %g, %f monotonic : !llvm.ptr<1>, f32
    llvm.store %r, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fsub_f32(%f: f32, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fsub %g, %f monotonic : !llvm.ptr<1>, f32
    llvm.store %r, %out : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fadd_f64(%d: f64, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fadd %g, %d monotonic : !llvm.ptr<1>, f64
    llvm.store %r, %out : f64, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fmax_f64(%d: f64, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fmax %g, %d monotonic : !llvm.ptr<1>, f64
    llvm.store %r, %out : f64, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fmin_f64(%d: f64, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fmin %g, %d monotonic : !llvm.ptr<1>, f64
    llvm.store %r, %out : f64, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_fsub_f64(%d: f64, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw fsub %g, %d monotonic : !llvm.ptr<1>, f64
    llvm.store %r, %out : f64, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_add_h16(%h16: i16, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw add %g, %h16 monotonic : !llvm.ptr<1>, i16
    llvm.store %r, %out : i16, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_add_i(%i: i32, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw add %g, %i monotonic : !llvm.ptr<1>, i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @atomic_add_l(%l: i64, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.atomicrmw add %g, %l monotonic : !llvm.ptr<1>, i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_test_relaxed_p(%l: i64, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.test.wait %p, %l {relaxed = true} : !llvm.ptr, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_test_cluster_p(%l: i64, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.test.wait %p, %l {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_test_parity_cluster_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.test.wait %p, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr, i32 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_try_relaxed_p(%l: i64, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.try_wait %p, %l {relaxed = true} : !llvm.ptr, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_try_cluster_p(%l: i64, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.try_wait %p, %l {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_try_parity_cluster_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.try_wait %p, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr, i32 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_drop_relaxed_p(%p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop %p {relaxed = true} : !llvm.ptr -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_arr_relaxed1_p(%p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %p {relaxed = true} : !llvm.ptr -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_tx_relaxed_p(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive.expect_tx %p, %i {relaxed = true} : !llvm.ptr, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_test_relaxed_s(%l: i64, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.test.wait %s, %l {relaxed = true} : !llvm.ptr<3>, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_test_cluster_s(%l: i64, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.test.wait %s, %l {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_test_parity_cluster_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.test.wait %s, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_try_relaxed_s(%l: i64, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.try_wait %s, %l {relaxed = true} : !llvm.ptr<3>, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_try_cluster_s(%l: i64, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.try_wait %s, %l {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i64 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_try_parity_cluster_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.try_wait %s, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
    llvm.store %r, %out : i1, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_drop_relaxed_s(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive_drop %s {relaxed = true} : !llvm.ptr<3> -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_arr_relaxed1_s(%s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive %s {relaxed = true} : !llvm.ptr<3> -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_tx_relaxed_s(%i: i32, %s: !llvm.ptr<3>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.mbarrier.arrive.expect_tx %s, %i {relaxed = true} : !llvm.ptr<3>, i32 -> i64
    llvm.store %r, %out : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @mb_arr_c(%c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.arrive %c : !llvm.ptr<7>
    llvm.return
  }
  llvm.func @mb_drop_c(%c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.arrive_drop %c : !llvm.ptr<7>
    llvm.return
  }
  llvm.func @mb_tx_c(%i: i32, %c: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.mbarrier.arrive.expect_tx %c, %i : !llvm.ptr<7>, i32
    llvm.return
  }
  llvm.func @wmma_load_f64(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.wmma.load %p, %i {eltype = #nvvm.mma_type<f64>, frag = #nvvm.mma_frag<a>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : (!llvm.ptr) -> f64
    llvm.store %r, %out : f64, !llvm.ptr
    llvm.return
  }
  llvm.func @wmma_mma_f64(%d: f64, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.wmma.mma %d, %d, %d, %d {eltypeA = #nvvm.mma_type<f64>, eltypeB = #nvvm.mma_type<f64>, k = 4 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 8 : i32, n = 8 : i32} : (f64,f64,f64,f64) -> !llvm.struct<(f64,f64)>
    llvm.store %r, %out : !llvm.struct<(f64, f64)>, !llvm.ptr
    llvm.return
  }
  llvm.func @wmma_store_f64(%i: i32, %d: f64, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.wmma.store %p, %i, %d, %d {eltype = #nvvm.mma_type<f64>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : !llvm.ptr, f64, f64
    llvm.return
  }
  llvm.func @wmma_load_u8(%i: i32, %p: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = nvvm.wmma.load %p, %i {eltype = #nvvm.mma_type<u8>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr) -> !llvm.struct<(i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @wmma_store_s32(%i: i32, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.wmma.store %p, %i, %i,%i,%i,%i,%i,%i,%i,%i {eltype = #nvvm.mma_type<s32>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr, i32,i32,i32,i32,i32,i32,i32,i32
    llvm.return
  }
  llvm.func @wmma_store_f16(%i: i32, %h2: vector<2xf16>, %p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.wmma.store %p, %i, %h2,%h2,%h2,%h2 {eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr, vector<2xf16>,vector<2xf16>,vector<2xf16>,vector<2xf16>
    llvm.return
  }
  llvm.func @mma_sp_ordered(%i: i32, %f: f32, %h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %r = nvvm.mma.sp.sync A[%h2,%h2] B[%h2,%h2] C[%f,%f,%f,%f] sparseMetadata[%i] selector[%zero] {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>,vector<2xf16>,f32) -> !llvm.struct<(f32,f32,f32,f32)>
    llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @wgmma_mma_s8(%l: i64, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %u = llvm.mlir.undef : !llvm.struct<(i32,i32,i32,i32)>
    %r = nvvm.wgmma.mma_async %l, %l, %u, #nvvm.shape<m = 64, n = 8, k = 32>, D [<s32>, <one>], A [<s8>, #nvvm.wgmma_scale_in<one>, <row>], B [<s8>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(i32,i32,i32,i32)> -> !llvm.struct<(i32,i32,i32,i32)>
    llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr
    llvm.return
  }
  llvm.func @fence_cluster() attributes {gpu.kernel, nvvm.kernel} {
    llvm.fence syncscope("cluster") acq_rel
    llvm.return
  }
  llvm.func @fence_block() attributes {gpu.kernel, nvvm.kernel} {
    llvm.fence syncscope("block") acq_rel
    llvm.return
  }
  llvm.func @atomic_cas128(%q: i128, %g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.cmpxchg %g, %q, %q acq_rel monotonic : !llvm.ptr<1>, i128
    llvm.store %r, %out : !llvm.struct<(i128, i1)>, !llvm.ptr
    llvm.return
  }
  llvm.func @load_sc(%g: !llvm.ptr<1>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.load %g atomic seq_cst {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    llvm.store %r, %out : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @vec_f16fma(%h2: vector<2xf16>, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.intr.fma(%h2, %h2, %h2) : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    llvm.store %r, %out : vector<2xf16>, !llvm.ptr
    llvm.return
  }
}
