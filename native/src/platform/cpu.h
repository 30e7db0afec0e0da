// Which kernel forms this processor runs, asked once; the cores that this process may use, and which of them its
// threads run on.
#ifndef COLKIT_NATIVE_CPU_H_
#define COLKIT_NATIVE_CPU_H_

#include <cstdint>

namespace colkit {

enum class KernelFamily : uint8_t { kBaseline, kNeon, kAvx2, kAvx512 };

KernelFamily SupportedFamily();
// Whether kernels for AVX2 run on processors of a family; on this one.
inline bool HasAvx2(KernelFamily family) { return family == KernelFamily::kAvx2 || family == KernelFamily::kAvx512; }
inline bool HasAvx2() { return HasAvx2(SupportedFamily()); }
const char* FamilyName(KernelFamily family);
// Bits of the registers whose halves an x86 processor multiplies without carries (for the CRC): 128, or 256 at once; 0
// for none, and on others.
unsigned CarrylessMultiplyBits();

// Cores that this process may use: the affinity mask, hyperthreads of one core counted once where Linux tells which are
// siblings.
unsigned PhysicalCores();

// Where the calling thread runs; -1 where the system does not tell.
int CurrentCore();

// The system's number of the calling thread.
int CurrentThread();

// Lets `thread` run on the cores that the process's first thread may use but for `core`; on that too where it is the
// only one, or -1.
void KeepOffCore(int thread, int core);

}  // namespace colkit

#endif  // COLKIT_NATIVE_CPU_H_
