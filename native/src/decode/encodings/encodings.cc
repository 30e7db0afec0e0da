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
    {kPlain, {DecodePlain, nullptr}},
    {kDelta, {DecodeDelta, PickDelta}},
    {kDictionary, {DecodeDictionary, PickDictionary}},
    {kRle, {DecodeRle, PickRle}},
    {kBitPack, {DecodeBitPack, PickBitPack}},
    {kDecimal, {DecodeDecimal, PickDecimal}},
    {kAffine, {DecodeAffine, PickAffine}},
    {kPatched, {DecodePatched, PickPatched}},
    {kEntropy, {DecodeEntropy, nullptr}},
    {kBits, {DecodeBits, nullptr}},
    {kCodes, {DecodeCodes, PickCodes}},
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
