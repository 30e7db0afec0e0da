// Decimal digits -> the double nearest to them.
#ifndef COLKIT_NATIVE_NEAREST_DOUBLE_H_
#define COLKIT_NATIVE_NEAREST_DOUBLE_H_

#include <cstdint>

namespace colkit {

// The double nearest to digits * 10^exponent, of two as near the even one. False, and no value, where the exponent is
// beyond what is computed exactly here.
bool NearestDouble(uint64_t digits, int exponent, double* value);

}  // namespace colkit

#endif  // COLKIT_NATIVE_NEAREST_DOUBLE_H_
