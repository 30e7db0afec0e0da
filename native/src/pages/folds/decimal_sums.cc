// See decimal_sums.h. Every value is cut in two at a bit that is the same for all: the upper parts are multiples of
// one power of two and few enough bits that they add up exactly, and so are the lower parts, since no value is nearer
// to 0 than the power of ten's reciprocal. No addition waits for a correction.
#include "pages/folds/decimal_sums.h"

#include <cmath>
#include <cstring>

namespace colkit {
namespace {

constexpr ItemType kDouble = {sizeof(double), Domain::kFloat64, false, true, false};
constexpr int kMantissaBits = 52;
constexpr int kBlockBits = 10;
constexpr uint32_t kBlockRows = 1u << kBlockBits;
constexpr int kPageBits = 16;
static_assert(kMaxPageRows == 1u << kPageBits, "see SumDecimalsByGroup");
constexpr size_t kLanes = 4;

struct Magnitudes {
  // All values are below 2^above and are multiples of 2^unit.
  int above;
  int unit;
};

Magnitudes MagnitudesOf(const NodeValues& values) {
  const double power = kPowersOfTen[values.exponent];
  const auto base = static_cast<double>(static_cast<int64_t>(values.base));
  const auto step = static_cast<double>(static_cast<int64_t>(values.step));
  const double last = base + step * static_cast<double>(values.below - 1);
  Magnitudes found;
  std::frexp(std::fmax(std::fabs(base), std::fabs(last)) / power, &found.above);
  std::frexp(1 / power, &found.unit);
  found.unit -= kMantissaBits + 1;
  return found;
}

// What is added to a value and taken away again leaves its upper part, of which 2^bits can be added exactly.
double CutAt(const Magnitudes& magnitudes, int bits) { return std::ldexp(1.5, magnitudes.above + bits + 1); }

// The exponent that no sum of 2^bits lower parts reaches.
int LowerSumsBelow(const Magnitudes& magnitudes, int bits) { return magnitudes.above + 2 * bits - kMantissaBits; }

}  // namespace

bool SumDecimals(const NodeValues& values, uint32_t start, uint32_t count, Arena* arena, ExactPair* sum) {
  const Magnitudes magnitudes = MagnitudesOf(values);
  if (LowerSumsBelow(magnitudes, kBlockBits) > magnitudes.unit + kMantissaBits) return false;
  const double cut = CutAt(magnitudes, kBlockBits);
  auto* items = arena->Take<double>(kBlockRows);
  if (items == nullptr) return false;
  bool exact = true;
  for (uint32_t done = 0; done < count; done += kBlockRows) {
    const uint32_t rows = count - done < kBlockRows ? count - done : kBlockRows;
    WriteItems(values, start + done, start + done + rows, kDouble, reinterpret_cast<uint8_t*>(items));
    double upper[kLanes] = {0, 0, 0, 0};
    double lower[kLanes] = {0, 0, 0, 0};
    uint32_t i = 0;
    for (; i + kLanes <= rows; i += kLanes) {
      for (size_t k = 0; k < kLanes; ++k) {
        const double part = cut + items[i + k] - cut;
        upper[k] += part;
        lower[k] += items[i + k] - part;
      }
    }
    for (; i < rows; ++i) {
      const double part = cut + items[i] - cut;
      upper[0] += part;
      lower[0] += items[i] - part;
    }
    exact = AddOne(upper[0] + upper[1] + upper[2] + upper[3], sum) && exact;
    exact = AddOne(lower[0] + lower[1] + lower[2] + lower[3], sum) && exact;
  }
  return exact;
}

bool SumDecimalsByGroup(const NodeValues& values, uint32_t start, uint32_t count, const uint32_t* groups,
                        uint32_t group_count, Arena* arena, ExactPair* sums, double* counts) {
  // Lower parts are integers here, multiples of the unit: 62 bits leave room where the upper parts of a page need more.
  constexpr int kWordBits = 62;
  struct Parts {
    double upper;
    int64_t lower;
    uint64_t count;
  };
  const Magnitudes magnitudes = MagnitudesOf(values);
  if (LowerSumsBelow(magnitudes, kPageBits) > magnitudes.unit + kWordBits) return false;
  const double cut = CutAt(magnitudes, kPageBits);
  const double scale = std::ldexp(1.0, -magnitudes.unit);
  const double unit = std::ldexp(1.0, magnitudes.unit);
  // So many sums a group, so that no addition waits for the one before.
  auto* parts = arena->Take<Parts>(kLanes * size_t{group_count});
  auto* items = arena->Take<double>(kBlockRows);
  if (parts == nullptr || items == nullptr) return false;
  std::memset(parts, 0, kLanes * size_t{group_count} * sizeof *parts);
  for (uint32_t done = 0; done < count; done += kBlockRows) {
    const uint32_t rows = count - done < kBlockRows ? count - done : kBlockRows;
    WriteItems(values, start + done, start + done + rows, kDouble, reinterpret_cast<uint8_t*>(items));
    for (uint32_t i = 0; i < rows; ++i) {
      Parts& to = parts[groups[done + i] * kLanes + i % kLanes];
      const double part = cut + items[i] - cut;
      to.upper += part;
      to.lower += static_cast<int64_t>((items[i] - part) * scale);
      ++to.count;
    }
  }
  bool exact = true;
  for (uint32_t group = 0; group < group_count; ++group) {
    Parts all = {0, 0, 0};
    for (size_t k = 0; k < kLanes; ++k) {
      all.upper += parts[group * kLanes + k].upper;
      all.lower += parts[group * kLanes + k].lower;
      all.count += parts[group * kLanes + k].count;
    }
    sums[group] = {all.upper, 0};
    counts[group] = static_cast<double>(all.count);
    const auto low = static_cast<uint32_t>(all.lower);
    // A difference of 64 bits that is a multiple of 2^32: exact as a double.
    const auto high = static_cast<double>(all.lower - static_cast<int64_t>(low));
    exact = AddOne(high * unit, &sums[group]) && exact;
    exact = AddOne(static_cast<double>(low) * unit, &sums[group]) && exact;
  }
  return exact;
}

}  // namespace colkit
