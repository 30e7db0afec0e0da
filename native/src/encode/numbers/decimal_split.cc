// See decimal_split.h.
#include "encode/numbers/decimal_split.h"

#include <cmath>
#include <limits>

namespace colkit {
namespace {

constexpr double kMostExact = 9007199254740992.0;
// From there on a double has no digit behind the half, and from there on no fraction.
constexpr double kHalves = 2251799813685248.0;
constexpr double kWhole = 4503599627370496.0;

// The whole number next to it, of two as near the larger one, as JavaScript rounds.
double Rounded(double value) {
  if (!(std::fabs(value) < kHalves)) return std::fabs(value) < kWhole ? std::floor(value + 0.5) : value;
  // To the even one of two, by where a double of this size has its last bit.
  constexpr double kShift = 6755399441055744.0;
  const double nearest = (value + kShift) - kShift;
  return value - nearest == 0.5 ? nearest + 1 : nearest;
}

}  // namespace

template <typename T>
size_t SplitDecimals(const T* values, size_t count, double power, double* integers, uint32_t* exceptions, size_t most) {
  size_t found = 0;
  double last = 0;
  for (size_t i = 0; i < count; ++i) {
    const double value = values[i];
    const double integer = Rounded(value * power);
    // A zero that is negative is no quotient: the integer has no sign of zero.
    const bool given = std::fabs(integer) <= kMostExact && static_cast<T>(integer / power) == values[i] &&
                       (value != 0 || !std::signbit(value));
    if (given) {
      // Without the sign of a zero.
      last = integer + 0.0;
    } else {
      if (found == most) return most + 1;
      exceptions[found++] = static_cast<uint32_t>(i);
    }
    integers[i] = last;
  }
  return found;
}

template size_t SplitDecimals(const float*, size_t, double, double*, uint32_t*, size_t);
template size_t SplitDecimals(const double*, size_t, double, double*, uint32_t*, size_t);

template <typename T>
FloatRange RangeOfFloats(const T* values, size_t count) {
  constexpr size_t kLanes = 8;
  T least[kLanes];
  T most[kLanes];
  uint32_t nans[kLanes] = {};
  for (size_t lane = 0; lane < kLanes; ++lane) {
    least[lane] = std::numeric_limits<T>::infinity();
    most[lane] = -std::numeric_limits<T>::infinity();
  }
  const auto look = [&](T value, size_t lane) {
    least[lane] = value < least[lane] ? value : least[lane];
    most[lane] = value > most[lane] ? value : most[lane];
    nans[lane] += value != value ? 1 : 0;
  };
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane) look(values[i + lane], lane);
  for (; i < count; ++i) look(values[i], 0);
  FloatRange range = {least[0], most[0], nans[0]};
  for (size_t lane = 1; lane < kLanes; ++lane) {
    range.least = least[lane] < range.least ? least[lane] : range.least;
    range.most = most[lane] > range.most ? most[lane] : range.most;
    range.nans += nans[lane];
  }
  return range;
}

template FloatRange RangeOfFloats(const float*, size_t);
template FloatRange RangeOfFloats(const double*, size_t);

}  // namespace colkit
