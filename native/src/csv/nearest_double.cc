// See nearest_double.h. A power of five up to 5^27 fits 64 bits, so that quotient and product are exact: 64 bits of
// them, and whether anything is left behind, are enough to round once.
#include "csv/nearest_double.h"

#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr int kMostFives = 27;
constexpr int kMostExactTens = 22;

struct Powers {
  uint64_t fives[kMostFives + 1];
  double tens[kMostExactTens + 1];
};

constexpr Powers MakePowers() {
  Powers powers = {};
  powers.fives[0] = 1;
  for (int power = 1; power <= kMostFives; ++power) powers.fives[power] = 5 * powers.fives[power - 1];
  powers.tens[0] = 1;
  // Products of numbers that doubles hold exactly, up to the last.
  for (int power = 1; power <= kMostExactTens; ++power) powers.tens[power] = 10 * powers.tens[power - 1];
  return powers;
}

constexpr Powers kPowers = MakePowers();

// bits * 2^exponent and, where `is_more`, less than one bit more, rounded. Of what is far from the ends of the range.
double Rounded(uint64_t bits, bool is_more, int exponent) {
  const unsigned shift = CountLeadingZeros(bits);
  bits <<= shift;
  uint64_t mantissa = bits >> 11;
  const uint64_t rest = bits & 0x7ff;
  if (rest > 0x400 || (rest == 0x400 && (is_more || (mantissa & 1) != 0))) ++mantissa;
  // A mantissa of 2^53 carries into the exponent.
  const uint64_t biased = static_cast<uint64_t>(exponent - static_cast<int>(shift) + 11 + 52 + 1023 - 1);
  const uint64_t pattern = (biased << 52) + mantissa;
  double value;
  std::memcpy(&value, &pattern, sizeof(value));
  return value;
}

}  // namespace

bool NearestDouble(uint64_t digits, int exponent, double* value) {
  if (digits == 0) {
    *value = 0;
    return true;
  }
  if (digits <= uint64_t{1} << 53 && exponent >= -kMostExactTens && exponent <= kMostExactTens) {
    const auto whole = static_cast<double>(digits);
    *value = exponent < 0 ? whole / kPowers.tens[-exponent] : whole * kPowers.tens[exponent];
    return true;
  }
  if (exponent < -kMostFives || exponent > kMostFives) return false;
  if (exponent >= 0) {
    const uint64_t fives = kPowers.fives[exponent];
    const uint64_t high = MultiplyHigh(digits, fives);
    const uint64_t low = digits * fives;
    if (high == 0) {
      *value = Rounded(low, false, exponent);
      return true;
    }
    const unsigned shift = CountLeadingZeros(high);
    const uint64_t bits = shift == 0 ? high : (high << shift) | (low >> (64 - shift));
    *value = Rounded(bits, (low << shift) != 0, exponent + 64 - static_cast<int>(shift));
    return true;
  }
  const uint64_t fives = kPowers.fives[-exponent];
  const unsigned digits_shift = CountLeadingZeros(digits);
  const unsigned fives_shift = CountLeadingZeros(fives);
  const uint64_t dividend = digits << digits_shift;
  // The high half of the dividend is below the divisor, so that the quotient has 63 or 64 bits.
  uint64_t rest;
  const uint64_t quotient = DivideWide(dividend >> 1, dividend << 63, fives << fives_shift, &rest);
  *value = Rounded(quotient, rest != 0, exponent - 63 - static_cast<int>(digits_shift) + static_cast<int>(fives_shift));
  return true;
}

}  // namespace colkit
