// The loops for every processor, and which table this one gets.
#define COLKIT_RAW_TARGET
#define COLKIT_RAW_REGISTER 16
#define COLKIT_RAW_TABLE kBaselineRawKernels
#include "raw/raw_kernel_table.h"

namespace colkit {

const RawKernels& RawKernelsOf(KernelFamily family) {
  return HasAvx2(family) ? kAvx2RawKernels : kBaselineRawKernels;
}

}  // namespace colkit
