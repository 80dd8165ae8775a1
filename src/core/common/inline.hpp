// A function that is always inlined, where the compiler can be told so.
#pragma once

#if defined(__GNUC__)
#define ELC_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define ELC_INLINE __forceinline
#else
#define ELC_INLINE inline
#endif
