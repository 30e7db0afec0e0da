// Floats -> the integers that they are when multiplied by a power of ten, as the format divides them back.
#ifndef COLKIT_NATIVE_DECIMAL_SPLIT_H_
#define COLKIT_NATIVE_DECIMAL_SPLIT_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// integers[i] / power is values[i], bit for bit; but for those whose numbers are in `exceptions`, which have the
// integer before them (0 at first). Returns how many these are; `most` + 1 where there are more, after as much work as
// that took. Of float and double.
template <typename T>
size_t SplitDecimals(const T* values, size_t count, double power, double* integers, uint32_t* exceptions, size_t most);

// Least and largest of the values that are not NaN, and how many are: infinities the other way round where all are.
struct FloatRange {
  double least;
  double most;
  size_t nans;
};

template <typename T>
FloatRange RangeOfFloats(const T* values, size_t count);

}  // namespace colkit

#endif  // COLKIT_NATIVE_DECIMAL_SPLIT_H_
