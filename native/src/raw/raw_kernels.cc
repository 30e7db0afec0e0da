// The loops for every processor, and which table this one gets.
#define COLKIT_RAW_TARGET
#define COLKIT_RAW_REGISTER 16
#define COLKIT_RAW_TABLE kBaselineRawKernels
#include "raw/raw_kernel_table.h"

namespace colkit {

const RawKernels& RawKernelsOf(KernelFamily family) {
  const bool wide = family == KernelFamily::kAvx2 || family == KernelFamily::kAvx512;
  return wide ? kAvx2RawKernels : kBaselineRawKernels;
}

}  // namespace colkit
