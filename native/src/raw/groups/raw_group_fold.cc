// What a fold gathers by group: see raw_groups.h.
#include <cstring>
#include <limits>

#include "raw/folds/raw_extremes.h"
#include "raw/groups/raw_groups.h"
#include "raw/raw_results.h"
#include "raw/raw_text.h"

namespace colkit {
namespace {

constexpr uint64_t kMagnitude = std::numeric_limits<uint64_t>::max() >> 1;
constexpr uint64_t kSignBit = ~kMagnitude;

// Sums of parts. A cut 1.5 * 2^k splits a double into a multiple of 2^(k - 52) and the rest, both exactly. Of values
// below 2^e and not below 2^(e - kReach), with k = e + kRowBits, sums of 2^kRowBits of either part are exact: the upper
// ones stay below 2^53 of their unit, and the lower ones, below 2^(k - 53), stay below 2^53 of the last bit of the
// least value. Whatever lies outside of that is added to the exact sum at once.
constexpr unsigned kRowBits = 16;
constexpr size_t kMostUnflushed = size_t{1} << kRowBits;
constexpr unsigned kReach = 22;
constexpr unsigned kBias = 1023;
constexpr unsigned kMantissaBits = 52;
static_assert(2 * kRowBits + kReach <= kMantissaBits + 2, "sums of both parts are exact");
// So that the cut is finite and nothing is subnormal.
constexpr unsigned kLeastTop = 64;
constexpr unsigned kMostTop = 2000;
// Room above what was met first.
constexpr unsigned kSlack = 2;

COLKIT_INLINE uint64_t BitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

COLKIT_INLINE double DoubleOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// Above the exponents of the finite values, within what can be cut; of nothing but 0 the least.
unsigned TopOf(const double* values, size_t count) {
  unsigned top = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto exponent = static_cast<unsigned>((BitsOf(values[i]) & kMagnitude) >> kMantissaBits);
    if (exponent < 0x7ff && exponent > top) top = exponent;
  }
  top += kSlack;
  return top < kLeastTop ? kLeastTop : top > kMostTop ? kMostTop : top;
}

}  // namespace

GroupFold::GroupFold(const RawProgram& program, const RawFold& fold)
    : column_(&program.columns[fold.column]),
      kind_(fold.kind),
      is_wide_(column_->type == kRawInt64 || column_->type == kRawUint64 || column_->type == kRawTicks),
      is_float_(IsFloatType(column_->type)),
      is_text_(column_->type == kRawBytes || column_->type == kRawPoints) {}

void GroupFold::Resize(size_t groups) {
  if (kind_ != kRawFoldKindSum) {
    extremes_.resize(groups);
    return;
  }
  totals_.resize(is_float_ ? 0 : groups);
  exact_.resize(is_float_ ? groups : 0);
  parts_.resize(is_wide_ ? 0 : 2 * groups);
}

void GroupFold::Add(const void* values, const uint32_t* groups, const uint16_t* rows, size_t count, uint64_t start) {
  const auto* doubles = static_cast<const double*>(values);
  const auto* items = static_cast<const uint64_t*>(values);
  if (kind_ != kRawFoldKindSum) {
    constexpr uint64_t kNat = kSignBit;
    const bool is_ticks = column_->type == kRawTicks;
    for (size_t i = 0; i < count; ++i) {
      Extreme& best = extremes_[groups[i]];
      if (is_wide_ ? is_ticks && items[i] == kNat : doubles[i] != doubles[i]) {
        if (best.found == kRawFoundNothing) best.found = kRawFoundUnknown;
      } else if (best.found != kRawFoundValue || IsBetter(items[i], best.bits)) {
        best = {kRawFoundValue, items[i], start + rows[i]};
      }
    }
    return;
  }
  if (is_wide_) return AddWide(items, groups, count);
  if (unflushed_ + count > kMostUnflushed) Flush();
  unflushed_ += count;
  if (is_float_) return AddFloats(doubles, groups, count);
  // Integers of up to 32 bits: doubles hold the sum of so many.
  for (size_t i = 0; i < count; ++i) parts_[2 * size_t{groups[i]}] += doubles[i];
}

void GroupFold::AddTexts(const RawBlock& block, const uint64_t* keys, const uint32_t* groups, const uint16_t* rows,
                         size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Extreme& best = extremes_[groups[i]];
    const Extreme text = {kRawFoundValue, keys[i], block.start + rows[i]};
    if (best.found != kRawFoundValue || IsBetterText(block, text, best)) best = text;
  }
}

bool GroupFold::IsBetterText(const RawBlock& block, const Extreme& text, const Extreme& best) const {
  const bool most = kind_ == kRawFoldKindMost;
  if (text.bits != best.bits) return most ? text.bits > best.bits : text.bits < best.bits;
  if (AreWholeTexts(*column_)) return false;
  uint8_t* items = block.scratch->texts;
  CopyItem(block, *column_, text.row, items);
  CopyItem(block, *column_, best.row, block.scratch->best);
  const int order = CompareTexts(*column_, items, block.scratch->best);
  return most ? order > 0 : order < 0;
}

void GroupFold::AddFloats(const double* values, const uint32_t* groups, size_t count) {
  if (top_ == 0) top_ = TopOf(values, count);
  const uint64_t floor = uint64_t{top_ - kReach} << kMantissaBits;
  constexpr uint64_t kSpan = uint64_t{kReach} << kMantissaBits;
  const double cut = 1.5 * DoubleOf(uint64_t{top_ + kRowBits} << kMantissaBits);
  double* parts = parts_.data();
  size_t outside = 0;
  for (size_t i = 0; i < count; ++i) {
    const double value = values[i];
    double* part = parts + 2 * size_t{groups[i]};
    if ((BitsOf(value) & kMagnitude) - floor < kSpan) {
      const double upper = cut + value - cut;
      part[0] += upper;
      part[1] += value - upper;
    } else if (value != 0) {
      ++outside;
      AddExactly(&exact_[groups[i]], value);
    }
  }
  if (outside <= count / 8) return;
  const unsigned top = TopOf(values, count);
  if (top == top_) return;
  Flush();
  top_ = top;
}

void GroupFold::AddWide(const uint64_t* items, const uint32_t* groups, size_t count) {
  const bool is_signed = column_->type != kRawUint64;
  for (size_t i = 0; i < count; ++i) {
    Total& total = totals_[groups[i]];
    total.low += items[i] & 0xffffffff;
    const uint64_t upper = items[i] >> 32;
    total.high += is_signed ? static_cast<int32_t>(static_cast<uint32_t>(upper)) : static_cast<int64_t>(upper);
  }
}

void GroupFold::Flush() {
  if (unflushed_ == 0) return;
  unflushed_ = 0;
  for (size_t group = 0; 2 * group < parts_.size(); ++group) {
    double* part = parts_.data() + 2 * group;
    if (is_float_) {
      if (part[0] != 0) AddExactly(&exact_[group], part[0]);
      if (part[1] != 0) AddExactly(&exact_[group], part[1]);
    } else {
      const auto whole = static_cast<int64_t>(part[0]);
      totals_[group].low += static_cast<uint64_t>(whole) & 0xffffffff;
      totals_[group].high += whole >> 32;
    }
    part[0] = part[1] = 0;
  }
}

bool GroupFold::IsBetter(uint64_t bits, uint64_t best) const {
  const bool most = kind_ == kRawFoldKindMost;
  if (!is_wide_) return most ? DoubleOf(bits) > DoubleOf(best) : DoubleOf(bits) < DoubleOf(best);
  if (column_->type == kRawUint64) return most ? bits > best : bits < best;
  const auto own = static_cast<int64_t>(bits);
  const auto other = static_cast<int64_t>(best);
  return most ? own > other : own < other;
}

// Of equal ones, 0 and -0 among them, the first counts.
void GroupFold::Offer(Extreme* extreme, const Extreme& other) const {
  if (other.found <= extreme->found && other.found != kRawFoundValue) return;
  if (extreme->found == kRawFoundValue && !IsBetter(other.bits, extreme->bits) &&
      (IsBetter(extreme->bits, other.bits) || extreme->row < other.row))
    return;
  *extreme = other;
}

void GroupFold::Merge(const RawBlock& block, GroupFold* other, const std::vector<uint32_t>& group_of) {
  for (size_t group = 0; group < group_of.size(); ++group) {
    const size_t own = group_of[group];
    if (is_text_) {
      Extreme& best = extremes_[own];
      const Extreme& text = other->extremes_[group];
      if (text.found != kRawFoundValue) continue;
      // Of equal ones the first counts.
      const bool is_taken = best.found != kRawFoundValue ||
                            (text.row < best.row ? !IsBetterText(block, best, text) : IsBetterText(block, text, best));
      if (is_taken) best = text;
    } else if (kind_ != kRawFoldKindSum) {
      Offer(&extremes_[own], other->extremes_[group]);
    } else if (is_float_) {
      AddSums(&exact_[own], &other->exact_[group]);
    } else {
      totals_[own].low += other->totals_[group].low;
      totals_[own].high += other->totals_[group].high;
    }
  }
}

void GroupFold::Write(size_t group, double* result) {
  if (kind_ == kRawFoldKindSum) {
    result[kRawFoldResultFound] = kRawFoundValue;
    if (is_float_) return WriteExact(&exact_[group], result);
    return WriteTotal(totals_[group].low, totals_[group].high, result);
  }
  const Extreme& extreme = extremes_[group];
  result[kRawFoldResultFound] = extreme.found;
  if (is_text_) {
    result[kRawFoldResultNumber] = static_cast<double>(extreme.row);
  } else if (is_wide_) {
    result[kRawFoldResultWord0] = static_cast<double>(extreme.bits & 0xffffffff);
    result[kRawFoldResultWord1] = static_cast<double>(extreme.bits >> 32);
  } else {
    result[kRawFoldResultNumber] = DoubleOf(extreme.bits);
  }
}

}  // namespace colkit
