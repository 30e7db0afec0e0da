// All encodings, one line each, by number.
#include "decode/encodings/encoding.h"

#include <cstddef>

namespace colkit {
namespace {

struct Registered {
  Encoding encoding;
  EncodingKernels kernels;
};

constexpr Registered kRegistered[] = {
    {kPlain, {DecodePlain}},
    {kDelta, {DecodeDelta}},
    {kDictionary, {DecodeDictionary}},
    {kRle, {DecodeRle}},
    {kBitPack, {DecodeBitPack}},
    {kDecimal, {DecodeDecimal}},
    {kAffine, {DecodeAffine}},
    {kPatched, {DecodePatched}},
    {kEntropy, {DecodeEntropy}},
    {kBits, {DecodeBits}},
    {kCodes, {DecodeCodes}},
};

constexpr size_t kCount = sizeof kRegistered / sizeof kRegistered[0];

constexpr bool AreByNumber() {
  for (size_t i = 0; i < kCount; ++i) {
    if (kRegistered[i].encoding != i) return false;
  }
  return true;
}
static_assert(AreByNumber(), "an encoding stands at its number");

}  // namespace

const EncodingKernels* KernelsOf(uint8_t encoding) {
  return encoding < kCount ? &kRegistered[encoding].kernels : nullptr;
}

}  // namespace colkit
