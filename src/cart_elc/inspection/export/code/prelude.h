#ifdef __FAST_MATH__
#error "missing values are NaN: compile without -ffast-math"
#endif
/* A product and a sum fused into one instruction would round differently from the model. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif
