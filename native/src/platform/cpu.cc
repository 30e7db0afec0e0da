// See cpu.h. A processor's own answer is not enough: the system must also save the wide registers (XCR0).
#include "platform/cpu.h"

#include "platform/intrinsics.h"

#if COLKIT_X86 && !defined(_MSC_VER)
#include <cpuid.h>
#endif

namespace colkit {
namespace {

#if COLKIT_X86

struct CpuidResult {
  uint32_t eax, ebx, ecx, edx;
};

CpuidResult Cpuid(uint32_t leaf) {
  CpuidResult r = {0, 0, 0, 0};
#if defined(_MSC_VER)
  int registers[4];
  __cpuidex(registers, static_cast<int>(leaf), 0);
  r = {static_cast<uint32_t>(registers[0]), static_cast<uint32_t>(registers[1]), static_cast<uint32_t>(registers[2]),
       static_cast<uint32_t>(registers[3])};
#else
  if (__get_cpuid_max(leaf & 0x80000000u, nullptr) >= leaf) __cpuid_count(leaf, 0, r.eax, r.ebx, r.ecx, r.edx);
#endif
  return r;
}

uint64_t EnabledState() {
#if defined(_MSC_VER)
  return _xgetbv(0);
#else
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<uint64_t>(high) << 32) | low;
#endif
}

KernelFamily Detect() {
  constexpr uint32_t kOsxsaveAvxPopcnt = (1u << 27) | (1u << 28) | (1u << 23);  // leaf 1 ecx
  // leaf 7 ebx: AVX2, BMI1, BMI2
  constexpr uint32_t kAvx2Bmi = (1u << 5) | (1u << 3) | (1u << 8);
  // leaf 7 ebx: F, DQ, BW, VL
  constexpr uint32_t kAvx512 = (1u << 16) | (1u << 17) | (1u << 30) | (1u << 31);
  const CpuidResult features = Cpuid(1);
  if ((features.ecx & kOsxsaveAvxPopcnt) != kOsxsaveAvxPopcnt || (EnabledState() & 0x6) != 0x6)
    return KernelFamily::kBaseline;
  const CpuidResult extended = Cpuid(7);
  if ((extended.ebx & kAvx2Bmi) != kAvx2Bmi) return KernelFamily::kBaseline;
  if ((extended.ebx & kAvx512) == kAvx512 && (EnabledState() & 0xe6) == 0xe6) return KernelFamily::kAvx512;
  return KernelFamily::kAvx2;
}

unsigned DetectCarrylessMultiply() {
  if ((Cpuid(1).ecx & (1u << 1)) == 0) return 0;
  return Detect() != KernelFamily::kBaseline && (Cpuid(7).ecx & (1u << 10)) != 0 ? 256 : 128;
}

#elif defined(__aarch64__) || defined(_M_ARM64)

unsigned DetectCarrylessMultiply() { return 0; }

KernelFamily Detect() { return KernelFamily::kNeon; }  // part of every 64-bit ARM; the compiler uses it by itself

#else

unsigned DetectCarrylessMultiply() { return 0; }

KernelFamily Detect() { return KernelFamily::kBaseline; }

#endif

}  // namespace

KernelFamily SupportedFamily() {
  static const KernelFamily family = Detect();
  return family;
}

unsigned CarrylessMultiplyBits() {
  static const unsigned bits = DetectCarrylessMultiply();
  return bits;
}

const char* FamilyName(KernelFamily family) {
  switch (family) {
    case KernelFamily::kBaseline:
      return "baseline";
    case KernelFamily::kNeon:
      return "neon";
    case KernelFamily::kAvx2:
      return "avx2";
    case KernelFamily::kAvx512:
      return "avx512";
  }
  return "baseline";
}

}  // namespace colkit
