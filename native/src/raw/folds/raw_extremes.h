// The least and the most of items, as folds gather them.
#ifndef COLKIT_NATIVE_RAW_EXTREMES_H_
#define COLKIT_NATIVE_RAW_EXTREMES_H_

#include <cstddef>
#include <cstdint>

#include "raw/raw_kernels.h"

namespace colkit {

constexpr bool IsFloatType(RawType type) { return type == kRawFloat16 || type == kRawFloat32 || type == kRawFloat64; }

// The bits by which a RawExtreme holds an item in another way than it lies.
constexpr uint64_t BiasOf(RawType type) { return type == kRawUint64 ? uint64_t{1} << 63 : 0; }

// Adds items behind those that `extreme` has seen. NaN and NaT are passed over; of 0 and -0 the first one counts, as
// where rows are looked at in order. Not of texts.
void FoldExtreme(const RawKernels& kernels, RawType type, bool most, const uint8_t* items, size_t count,
                 RawExtreme* extreme);

// Adds what `other` has seen behind it.
void MergeExtremes(bool most, const RawExtreme& other, RawExtreme* extreme);

}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_EXTREMES_H_
