; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The functions that math operations of kernels call, under the names that convert-gpu-to-nvvm gives them (those of
; NVIDIA's libdevice). Most are functions of libclc; the rest is here because libclc's is wrong somewhere or slow where
; models need it often. docs/numerics.md says how accurate they are. The build links the file with libclc
; (embed_device_math.cmake), and linkDeviceMath() links the result into kernels.
target triple = "nvptx64-unknown-unknown"

declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fabs.f32(float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.copysign.f32(float, float)

; p * 2^n for p from 1/2 to 2 and n from -252 to 252, where %anchored = n + 1.5 * 2^23; rounded once.
define internal float @times_power_of_two(float %p, float %anchored) alwaysinline nounwind memory(none) {
  %bits = bitcast float %anchored to i32
  %n = sub i32 %bits, 1262485504
  %half = ashr i32 %n, 1
  %rest = sub i32 %n, %half
  %e0 = add i32 %half, 127
  %e1 = add i32 %rest, 127
  %b0 = shl i32 %e0, 23
  %b1 = shl i32 %e1, 23
  %s0 = bitcast i32 %b0 to float
  %s1 = bitcast i32 %b1 to float
  %q = fmul float %p, %s0
  %r = fmul float %q, %s1
  ret float %r
}

; exp(x) = 2^n * exp(r), n = rint(x / ln(2)), r = x - n * ln(2), exp(r) = 1 + r + r^2 * c(r). libclc's is 0 where the result is
; subnormal.
define float @__nv_expf(float %x) nounwind memory(none) {
  %low = call float @llvm.maxnum.f32(float %x, float 0xC05A000000000000)
  %t = call float @llvm.minnum.f32(float %low, float 0x4056400000000000)
  %anchored = call float @llvm.fma.f32(float %t, float 0x3FF7154760000000, float 0x4168000000000000)
  %n = fsub float %anchored, 0x4168000000000000
  %r0 = call float @llvm.fma.f32(float %n, float 0xBFE62E4000000000, float %t)
  %r = call float @llvm.fma.f32(float %n, float 0xBEB7F7D1C0000000, float %r0)
  %c3 = call float @llvm.fma.f32(float 0x3F56A5CBA0000000, float %r, float 0x3F8123C7C0000000)
  %c2 = call float @llvm.fma.f32(float %c3, float %r, float 0x3FA5558A60000000)
  %c1 = call float @llvm.fma.f32(float %c2, float %r, float 0x3FC55548E0000000)
  %c0 = call float @llvm.fma.f32(float %c1, float %r, float 0x3FDFFFFFC0000000)
  %square = fmul float %r, %r
  %tail = call float @llvm.fma.f32(float %c0, float %square, float %r)
  %p = fadd float %tail, 0x3FF0000000000000
  %power = call float @times_power_of_two(float %p, float %anchored)
  %isnan = fcmp uno float %x, 0x0000000000000000
  %result = select i1 %isnan, float %x, float %power
  ret float %result
}

; 2^x = 2^n * (1 + r * c(r)), n = rint(x), r = x - n.
define float @__nv_exp2f(float %x) nounwind memory(none) {
  %low = call float @llvm.maxnum.f32(float %x, float 0xC062E00000000000)
  %t = call float @llvm.minnum.f32(float %low, float 0x4060200000000000)
  %anchored = fadd float %t, 0x4168000000000000
  %n = fsub float %anchored, 0x4168000000000000
  %r = fsub float %t, %n
  %c4 = call float @llvm.fma.f32(float 0x3F24185CA0000000, float %r, float 0x3F55F0DA40000000)
  %c3 = call float @llvm.fma.f32(float %c4, float %r, float 0x3F83B2DCC0000000)
  %c2 = call float @llvm.fma.f32(float %c3, float %r, float 0x3FAC6AF740000000)
  %c1 = call float @llvm.fma.f32(float %c2, float %r, float 0x3FCEBFBDC0000000)
  %c0 = call float @llvm.fma.f32(float %c1, float %r, float 0x3FE62E4300000000)
  %p = call float @llvm.fma.f32(float %c0, float %r, float 0x3FF0000000000000)
  %power = call float @times_power_of_two(float %p, float %anchored)
  %isnan = fcmp uno float %x, 0x0000000000000000
  %result = select i1 %isnan, float %x, float %power
  ret float %result
}

; tanh(x) = x + x^3 * c(x^2) near 0, else 1 - 2 / (exp(2 * |x|) + 1) with the sign of x.
define float @__nv_tanhf(float %x) nounwind memory(none) {
  %t = call float @llvm.fabs.f32(float %x)
  %double = fadd float %t, %t
  %e = call float @__nv_expf(float %double)
  %denominator = fadd float %e, 0x3FF0000000000000
  %quotient = fdiv float 0x4000000000000000, %denominator
  %far = fsub float 0x3FF0000000000000, %quotient
  %s = fmul float %x, %x
  %c3 = call float @llvm.fma.f32(float 0xBF79C97BC0000000, float %s, float 0x3F95982CA0000000)
  %c2 = call float @llvm.fma.f32(float %c3, float %s, float 0xBFAB932000000000)
  %c1 = call float @llvm.fma.f32(float %c2, float %s, float 0x3FC110D6A0000000)
  %c0 = call float @llvm.fma.f32(float %c1, float %s, float 0xBFD55554C0000000)
  %cube = fmul float %t, %s
  %near = call float @llvm.fma.f32(float %cube, float %c0, float %t)
  %isnear = fcmp olt float %t, 0x3FE19999A0000000
  %magnitude = select i1 %isnear, float %near, float %far
  %result = call float @llvm.copysign.f32(float %magnitude, float %x)
  ret float %result
}

; erf(x) = x + x * c(x^2) near 0, else 1 - exp(-t - t * d(t)) with t = |x| and the sign of x.
define float @__nv_erff(float %x) nounwind memory(none) {
  %s = fmul float %x, %x
  %c4 = call float @llvm.fma.f32(float 0xBF43989120000000, float %s, float 0x3F74723DE0000000)
  %c3 = call float @llvm.fma.f32(float %c4, float %s, float 0xBF9B689B60000000)
  %c2 = call float @llvm.fma.f32(float %c3, float %s, float 0x3FBCE1A880000000)
  %c1 = call float @llvm.fma.f32(float %c2, float %s, float 0xBFD8126E80000000)
  %c0 = call float @llvm.fma.f32(float %c1, float %s, float 0x3FC06EBA60000000)
  %near = call float @llvm.fma.f32(float %x, float %c0, float %x)
  %magnitude = call float @llvm.fabs.f32(float %x)
  %t = call float @llvm.minnum.f32(float %magnitude, float 0x4010000000000000)
  %d4 = call float @llvm.fma.f32(float 0xBF2BFCEAE0000000, float %t, float 0x3F6A4E9C80000000)
  %d3 = call float @llvm.fma.f32(float %d4, float %t, float 0xBF976D7E60000000)
  %d2 = call float @llvm.fma.f32(float %d3, float %t, float 0x3FBAF15160000000)
  %d1 = call float @llvm.fma.f32(float %d2, float %t, float 0x3FE457E840000000)
  %d0 = call float @llvm.fma.f32(float %d1, float %t, float 0x3FC0730AA0000000)
  %minus = fneg float %t
  %exponent = call float @llvm.fma.f32(float %minus, float %d0, float %minus)
  %e = call float @__nv_expf(float %exponent)
  %complement = fsub float 0x3FF0000000000000, %e
  %far = call float @llvm.copysign.f32(float %complement, float %x)
  ; NaN is near.
  %isnear = fcmp ult float %magnitude, 0x3FEDC28F60000000
  %result = select i1 %isnear, float %near, float %far
  ret float %result
}

; log(x) = n * ln(2) + f - f^2 / 2 + f^3 * c(f), x = 2^n * (1 + f) with f from -1/3 to 1/3.
define float @__nv_logf(float %x) nounwind memory(none) {
  %issubnormal = fcmp olt float %x, 0x3810000000000000
  %scaled = fmul float %x, 0x4160000000000000
  %a = select i1 %issubnormal, float %scaled, float %x
  %n0 = select i1 %issubnormal, float 0xC037000000000000, float 0x0000000000000000
  %bits = bitcast float %a to i32
  %above = sub i32 %bits, 1059760811
  %field = and i32 %above, -8388608
  %significand = sub i32 %bits, %field
  %m = bitcast i32 %significand to float
  %e = sitofp i32 %field to float
  %n = call float @llvm.fma.f32(float %e, float 0x3E80000000000000, float %n0)
  %f = fsub float %m, 0x3FF0000000000000
  %c6 = call float @llvm.fma.f32(float 0xBFC07AA360000000, float %f, float 0x3FC1E72A00000000)
  %c5 = call float @llvm.fma.f32(float %c6, float %f, float 0xBFBF33C720000000)
  %c4 = call float @llvm.fma.f32(float %c5, float %f, float 0x3FC1ED4520000000)
  %c3 = call float @llvm.fma.f32(float %c4, float %f, float 0xBFC559C2E0000000)
  %c2 = call float @llvm.fma.f32(float %c3, float %f, float 0x3FC99D05C0000000)
  %c1 = call float @llvm.fma.f32(float %c2, float %f, float 0xBFCFFFEFA0000000)
  %c0 = call float @llvm.fma.f32(float %c1, float %f, float 0x3FD5555060000000)
  %tail = call float @llvm.fma.f32(float %c0, float %f, float 0xBFE0000000000000)
  %square = fmul float %f, %f
  %near = call float @llvm.fma.f32(float %tail, float %square, float %f)
  %log = call float @llvm.fma.f32(float %n, float 0x3FE62E4300000000, float %near)
  %isinfinite = fcmp oeq float %x, 0x7FF0000000000000
  %usual = select i1 %isinfinite, float %x, float %log
  %iszero = fcmp oeq float %x, 0x0000000000000000
  %pole = select i1 %iszero, float 0xFFF0000000000000, float 0x7FF8000000000000
  %ispositive = fcmp ogt float %x, 0x0000000000000000
  %result = select i1 %ispositive, float %usual, float %pole
  ret float %result
}

; libclc's is 0 where the result is subnormal.
define float @__nv_erfcf(float %x) nounwind memory(none) {
entry:
  %issmall = fcmp ogt float %x, 0x4022000000000000
  br i1 %issmall, label %small, label %usual
small:
  %wide = fpext float %x to double
  %exact = call double @_Z4erfcd(double %wide)
  %narrow = fptrunc double %exact to float
  ret float %narrow
usual:
  %result = call float @_Z4erfcf(float %x)
  ret float %result
}

; libclc's is wrong of subnormal divisors.
define float @__nv_fmodf(float %x, float %y) nounwind memory(none) {
entry:
  %divisor = call float @llvm.fabs.f32(float %y)
  %issmall = fcmp olt float %divisor, 0x39B0000000000000
  br i1 %issmall, label %small, label %usual
small:
  %widex = fpext float %x to double
  %widey = fpext float %y to double
  %exact = call double @_Z4fmoddd(double %widex, double %widey)
  %narrow = fptrunc double %exact to float
  ret float %narrow
usual:
  %result = call float @_Z4fmodff(float %x, float %y)
  ret float %result
}

; libclc's overflows on the way to powers of huge exponents. From 2^65 on exponents are even, and powers 0, 1 or infinite.
define double @__nv_pow(double %x, double %y) nounwind memory(none) {
  %ishigh = fcmp ogt double %y, 0x4400000000000000
  %low = select i1 %ishigh, double 0x4400000000000000, double %y
  %islow = fcmp olt double %low, 0xC400000000000000
  %exponent = select i1 %islow, double 0xC400000000000000, double %low
  %result = call double @_Z3powdd(double %x, double %exponent)
  ret double %result
}

; The sign of zero, which libclc's lose.
define double @__nv_asin(double %x) nounwind memory(none) {
  %value = call double @_Z4asind(double %x)
  %iszero = fcmp oeq double %x, 0.0
  %result = select i1 %iszero, double %x, double %value
  ret double %result
}
define double @__nv_atan(double %x) nounwind memory(none) {
  %value = call double @_Z4atand(double %x)
  %iszero = fcmp oeq double %x, 0.0
  %result = select i1 %iszero, double %x, double %value
  ret double %result
}
define double @__nv_erf(double %x) nounwind memory(none) {
  %value = call double @_Z3erfd(double %x)
  %iszero = fcmp oeq double %x, 0.0
  %result = select i1 %iszero, double %x, double %value
  ret double %result
}
define double @__nv_expm1(double %x) nounwind memory(none) {
  %value = call double @_Z5expm1d(double %x)
  %iszero = fcmp oeq double %x, 0.0
  %result = select i1 %iszero, double %x, double %value
  ret double %result
}
define double @__nv_sin(double %x) nounwind memory(none) {
  %value = call double @_Z3sind(double %x)
  %iszero = fcmp oeq double %x, 0.0
  %result = select i1 %iszero, double %x, double %value
  ret double %result
}
define double @__nv_tan(double %x) nounwind memory(none) {
  %value = call double @_Z3tand(double %x)
  %iszero = fcmp oeq double %x, 0.0
  %result = select i1 %iszero, double %x, double %value
  ret double %result
}

; As libclc has them.
define float @__nv_acosf(float %x) nounwind memory(none) {
  %result = call float @_Z4acosf(float %x)
  ret float %result
}
define float @__nv_acoshf(float %x) nounwind memory(none) {
  %result = call float @_Z5acoshf(float %x)
  ret float %result
}
define float @__nv_asinf(float %x) nounwind memory(none) {
  %result = call float @_Z4asinf(float %x)
  ret float %result
}
define float @__nv_asinhf(float %x) nounwind memory(none) {
  %result = call float @_Z5asinhf(float %x)
  ret float %result
}
define float @__nv_atanf(float %x) nounwind memory(none) {
  %result = call float @_Z4atanf(float %x)
  ret float %result
}
define float @__nv_atanhf(float %x) nounwind memory(none) {
  %result = call float @_Z5atanhf(float %x)
  ret float %result
}
define float @__nv_cbrtf(float %x) nounwind memory(none) {
  %result = call float @_Z4cbrtf(float %x)
  ret float %result
}
define float @__nv_cosf(float %x) nounwind memory(none) {
  %result = call float @_Z3cosf(float %x)
  ret float %result
}
define float @__nv_coshf(float %x) nounwind memory(none) {
  %result = call float @_Z4coshf(float %x)
  ret float %result
}
define float @__nv_expm1f(float %x) nounwind memory(none) {
  %result = call float @_Z5expm1f(float %x)
  ret float %result
}
define float @__nv_log10f(float %x) nounwind memory(none) {
  %result = call float @_Z5log10f(float %x)
  ret float %result
}
define float @__nv_log1pf(float %x) nounwind memory(none) {
  %result = call float @_Z5log1pf(float %x)
  ret float %result
}
define float @__nv_log2f(float %x) nounwind memory(none) {
  %result = call float @_Z4log2f(float %x)
  ret float %result
}
define float @__nv_sinf(float %x) nounwind memory(none) {
  %result = call float @_Z3sinf(float %x)
  ret float %result
}
define float @__nv_sinhf(float %x) nounwind memory(none) {
  %result = call float @_Z4sinhf(float %x)
  ret float %result
}
define float @__nv_tanf(float %x) nounwind memory(none) {
  %result = call float @_Z3tanf(float %x)
  ret float %result
}
define float @__nv_atan2f(float %x, float %y) nounwind memory(none) {
  %result = call float @_Z5atan2ff(float %x, float %y)
  ret float %result
}
define float @__nv_powf(float %x, float %y) nounwind memory(none) {
  %result = call float @_Z3powff(float %x, float %y)
  ret float %result
}
define double @__nv_acos(double %x) nounwind memory(none) {
  %result = call double @_Z4acosd(double %x)
  ret double %result
}
define double @__nv_acosh(double %x) nounwind memory(none) {
  %result = call double @_Z5acoshd(double %x)
  ret double %result
}
define double @__nv_asinh(double %x) nounwind memory(none) {
  %result = call double @_Z5asinhd(double %x)
  ret double %result
}
define double @__nv_atanh(double %x) nounwind memory(none) {
  %result = call double @_Z5atanhd(double %x)
  ret double %result
}
define double @__nv_cbrt(double %x) nounwind memory(none) {
  %result = call double @_Z4cbrtd(double %x)
  ret double %result
}
define double @__nv_cos(double %x) nounwind memory(none) {
  %result = call double @_Z3cosd(double %x)
  ret double %result
}
define double @__nv_cosh(double %x) nounwind memory(none) {
  %result = call double @_Z4coshd(double %x)
  ret double %result
}
define double @__nv_erfc(double %x) nounwind memory(none) {
  %result = call double @_Z4erfcd(double %x)
  ret double %result
}
define double @__nv_exp(double %x) nounwind memory(none) {
  %result = call double @_Z3expd(double %x)
  ret double %result
}
define double @__nv_exp2(double %x) nounwind memory(none) {
  %result = call double @_Z4exp2d(double %x)
  ret double %result
}
define double @__nv_log(double %x) nounwind memory(none) {
  %result = call double @_Z3logd(double %x)
  ret double %result
}
define double @__nv_log10(double %x) nounwind memory(none) {
  %result = call double @_Z5log10d(double %x)
  ret double %result
}
define double @__nv_log1p(double %x) nounwind memory(none) {
  %result = call double @_Z5log1pd(double %x)
  ret double %result
}
define double @__nv_log2(double %x) nounwind memory(none) {
  %result = call double @_Z4log2d(double %x)
  ret double %result
}
define double @__nv_sinh(double %x) nounwind memory(none) {
  %result = call double @_Z4sinhd(double %x)
  ret double %result
}
define double @__nv_tanh(double %x) nounwind memory(none) {
  %result = call double @_Z4tanhd(double %x)
  ret double %result
}
define double @__nv_atan2(double %x, double %y) nounwind memory(none) {
  %result = call double @_Z5atan2dd(double %x, double %y)
  ret double %result
}
define double @__nv_fmod(double %x, double %y) nounwind memory(none) {
  %result = call double @_Z4fmoddd(double %x, double %y)
  ret double %result
}

define void @__nv_sincosf(float %x, ptr %sin, ptr %cos) nounwind {
  %s = call float @__nv_sinf(float %x)
  %c = call float @__nv_cosf(float %x)
  store float %s, ptr %sin
  store float %c, ptr %cos
  ret void
}
define void @__nv_sincos(double %x, ptr %sin, ptr %cos) nounwind {
  %s = call double @__nv_sin(double %x)
  %c = call double @__nv_cos(double %x)
  store double %s, ptr %sin
  store double %c, ptr %cos
  ret void
}

define double @__nv_powi(double %x, i32 %n) nounwind memory(none) {
  %y = sitofp i32 %n to double
  %result = call double @__nv_pow(double %x, double %y)
  ret double %result
}
define float @__nv_powif(float %x, i32 %n) nounwind memory(none) {
  %wide = fpext float %x to double
  %power = call double @__nv_powi(double %wide, i32 %n)
  %result = fptrunc double %power to float
  ret float %result
}

declare double @_Z3cosd(double)
declare double @_Z3erfd(double)
declare double @_Z3expd(double)
declare double @_Z3logd(double)
declare double @_Z3powdd(double, double)
declare double @_Z3sind(double)
declare double @_Z3tand(double)
declare double @_Z4acosd(double)
declare double @_Z4asind(double)
declare double @_Z4atand(double)
declare double @_Z4cbrtd(double)
declare double @_Z4coshd(double)
declare double @_Z4erfcd(double)
declare double @_Z4exp2d(double)
declare double @_Z4fmoddd(double, double)
declare double @_Z4log2d(double)
declare double @_Z4sinhd(double)
declare double @_Z4tanhd(double)
declare double @_Z5acoshd(double)
declare double @_Z5asinhd(double)
declare double @_Z5atan2dd(double, double)
declare double @_Z5atanhd(double)
declare double @_Z5expm1d(double)
declare double @_Z5log10d(double)
declare double @_Z5log1pd(double)
declare float @_Z3cosf(float)
declare float @_Z3powff(float, float)
declare float @_Z3sinf(float)
declare float @_Z3tanf(float)
declare float @_Z4acosf(float)
declare float @_Z4asinf(float)
declare float @_Z4atanf(float)
declare float @_Z4cbrtf(float)
declare float @_Z4coshf(float)
declare float @_Z4erfcf(float)
declare float @_Z4fmodff(float, float)
declare float @_Z4log2f(float)
declare float @_Z4sinhf(float)
declare float @_Z5acoshf(float)
declare float @_Z5asinhf(float)
declare float @_Z5atan2ff(float, float)
declare float @_Z5atanhf(float)
declare float @_Z5expm1f(float)
declare float @_Z5log10f(float)
declare float @_Z5log1pf(float)
