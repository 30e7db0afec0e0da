// Which kernel forms this processor runs, asked once.
#ifndef COLKIT_NATIVE_CPU_H_
#define COLKIT_NATIVE_CPU_H_

#include <cstdint>

namespace colkit {

enum class KernelFamily : uint8_t { kBaseline, kNeon, kAvx2, kAvx512 };

KernelFamily SupportedFamily();
const char* FamilyName(KernelFamily family);
// Whether an x86 processor multiplies without carries (for the CRC); false on others.
bool CpuHasCarrylessMultiply();

}  // namespace colkit

#endif  // COLKIT_NATIVE_CPU_H_
