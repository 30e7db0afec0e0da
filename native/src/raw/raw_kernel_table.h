// Included where COLKIT_RAW_TARGET (the instruction set), COLKIT_RAW_REGISTER (bytes of a register) and
// COLKIT_RAW_TABLE (the table's name) are defined: compiles the loops of raw_loops.h and raw_sums.h into functions, and
// lists them. Has no guard, since each instruction set includes it once.
#include "raw/raw_computing.h"
#include "raw/raw_loops.h"
#include "raw/raw_sums.h"

namespace colkit {
namespace {

template <typename T>
COLKIT_RAW_TARGET void WithinOf(const uint8_t* items, size_t count, const uint8_t* bounds, uint8_t flip,
                                uint8_t* mask) {
  raw_loops::Within<T>(items, count, bounds, flip, mask);
}

template <typename T>
COLKIT_RAW_TARGET void IntegerSumOf(const uint8_t* items, size_t count, RawSum* sum) {
  raw_loops::SumIntegers<T>(items, count, sum);
}

template <typename T>
COLKIT_RAW_TARGET void FloatSumOf(const uint8_t* items, size_t count, RawSum* sum) {
  raw_loops::SumFloats<T, COLKIT_RAW_REGISTER>(items, count, sum);
}

template <typename T, typename Bits>
COLKIT_RAW_TARGET int64_t LargestWholeOf(const uint8_t* items, size_t count, uint64_t less, uint64_t turned) {
  return raw_loops::Largest<T, Bits, COLKIT_RAW_REGISTER>(items, count, std::numeric_limits<T>::min(),
                                                          static_cast<Bits>(less), static_cast<Bits>(turned));
}

COLKIT_RAW_TARGET int16_t LargestHalfOf(const uint8_t* items, size_t count, int16_t turned) {
  return raw_loops::LargestHalf(items, count, turned);
}

template <typename T, typename Bits>
COLKIT_RAW_TARGET double LargestFloatOf(const uint8_t* items, size_t count, bool turned) {
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  return raw_loops::Largest<T, Bits, COLKIT_RAW_REGISTER>(items, count, -std::numeric_limits<T>::infinity(), 0,
                                                          turned ? kSign : 0);
}

template <typename T>
COLKIT_RAW_TARGET void LoadOf(const uint8_t* items, size_t count, double* out) {
  raw_loops::LoadDoubles<T>(items, count, out);
}

template <RawStep kStep>
COLKIT_RAW_TARGET void ComputeOf(double* left, const double* right, size_t count) {
  raw_loops::Compute<kStep>(left, right, count);
}

template <RawComparison kComparison>
COLKIT_RAW_TARGET void CompareOf(const double* left, const double* right, size_t count, uint8_t flip, uint8_t* mask) {
  raw_loops::Compare<kComparison>(left, right, count, flip, mask);
}

template <typename T>
COLKIT_RAW_TARGET void PackOf(const uint8_t* items, size_t count, const uint8_t* mask, uint8_t* out) {
  raw_loops::PackItems<T>(items, count, mask, out);
}

COLKIT_RAW_TARGET size_t CountOnesOf(const uint8_t* mask, size_t count) { return raw_loops::CountOnes(mask, count); }

COLKIT_RAW_TARGET void AndMasksOf(const uint8_t* other, size_t count, uint8_t* mask) {
  raw_loops::AndMasks(other, count, mask);
}

COLKIT_RAW_TARGET void OrMasksOf(const uint8_t* other, size_t count, uint8_t* mask) {
  raw_loops::OrMasks(other, count, mask);
}

COLKIT_RAW_TARGET void BitsOfMaskOf(const uint8_t* mask, size_t count, uint8_t* bits) {
  raw_loops::BitsOfMask(mask, count, bits);
}

}  // namespace

// In the order of RawType: bool, int8 … int64, uint8 … uint64, float16, float32, float64, ticks, bytes, points.
const RawKernels COLKIT_RAW_TABLE = {
    {WithinOf<uint8_t>, WithinOf<int8_t>, WithinOf<int16_t>, WithinOf<int32_t>, WithinOf<int64_t>, WithinOf<uint8_t>,
     WithinOf<uint16_t>, WithinOf<uint32_t>, WithinOf<uint64_t>, WithinOf<raw_loops::Half>, WithinOf<float>,
     WithinOf<double>, WithinOf<int64_t>, nullptr, nullptr},
    {IntegerSumOf<bool>, IntegerSumOf<int8_t>, IntegerSumOf<int16_t>, IntegerSumOf<int32_t>, IntegerSumOf<int64_t>,
     IntegerSumOf<uint8_t>, IntegerSumOf<uint16_t>, IntegerSumOf<uint32_t>, IntegerSumOf<uint64_t>,
     FloatSumOf<raw_loops::Half>, FloatSumOf<float>, FloatSumOf<double>, nullptr, nullptr, nullptr},
    {LargestWholeOf<int8_t, uint8_t>, LargestWholeOf<int16_t, uint16_t>, LargestWholeOf<int32_t, uint32_t>,
     LargestWholeOf<int64_t, uint64_t>},
    LargestHalfOf,
    {LargestFloatOf<float, uint32_t>, LargestFloatOf<double, uint64_t>},
    {LoadOf<bool>, LoadOf<int8_t>, LoadOf<int16_t>, LoadOf<int32_t>, nullptr, LoadOf<uint8_t>, LoadOf<uint16_t>,
     LoadOf<uint32_t>, nullptr, LoadOf<raw_loops::Half>, LoadOf<float>, LoadOf<double>, nullptr, nullptr, nullptr},
    {nullptr, nullptr, ComputeOf<kRawStepAdd>, ComputeOf<kRawStepSub>, ComputeOf<kRawStepMul>, ComputeOf<kRawStepDiv>,
     ComputeOf<kRawStepWhole>},
    {CompareOf<kRawComparisonEq>, CompareOf<kRawComparisonNe>, CompareOf<kRawComparisonLt>, CompareOf<kRawComparisonLe>,
     CompareOf<kRawComparisonGt>, CompareOf<kRawComparisonGe>},
    {PackOf<uint8_t>, PackOf<uint16_t>, PackOf<uint32_t>, PackOf<uint64_t>},
    CountOnesOf,
    AndMasksOf,
    OrMasksOf,
    BitsOfMaskOf,
};

}  // namespace colkit
