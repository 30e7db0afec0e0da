// Numbers of JavaScript -> whole numbers.
#ifndef COLKIT_NATIVE_WHOLE_NUMBER_H_
#define COLKIT_NATIVE_WHOLE_NUMBER_H_

#include <cstdint>

namespace colkit {

// False where `value` is no whole number in [0, most].
inline bool ToWholeNumber(double value, uint64_t most, uint64_t* whole) {
  if (!(value >= 0 && value <= static_cast<double>(most))) return false;
  *whole = static_cast<uint64_t>(value);
  return static_cast<double>(*whole) == value && *whole <= most;
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_WHOLE_NUMBER_H_
