// The loops with registers of 256 bits: the same code, which the compiler turns into wider vectors.
#include "platform/intrinsics.h"

#if COLKIT_X86
#define COLKIT_RAW_TARGET COLKIT_TARGET("avx2,bmi,bmi2,popcnt")
#else
#define COLKIT_RAW_TARGET
#endif
#define COLKIT_RAW_REGISTER 32
#define COLKIT_RAW_TABLE kAvx2RawKernels
#include "raw/raw_kernel_table.h"
