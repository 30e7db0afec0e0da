// See float_folds.h. Sums are exact, so that they are the same in any order.
#include "pages/folds/float_folds.h"

#include <cstring>
#include <limits>

#include "pages/folds/decimal_sums.h"

namespace colkit {
namespace {

// A sum as three doubles, exact; extremes are NaN until there is another value.
struct FloatSlot {
  double count;
  double sum;
  double lost;
  double rest;
  double least;
  double most;
  double special;
};

double DoubleOf(uint64_t word) {
  double value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// What an addition misses goes to the next part. False where the last one misses something, or a sum is not finite.
bool AddToParts(double value, FloatSlot* slot) {
  for (double* part : {&slot->sum, &slot->lost, &slot->rest}) {
    const double next = *part + value;
    const double taken = next - *part;
    value = *part - (next - taken) + (value - taken);
    *part = next;
  }
  return value == 0;
}

// Finite values, the sums of which two doubles hold: nearly all are such. False where they are others.
bool SumQuickly(const WideRows& rows, const uint32_t* slots, FloatSlot* out) {
  bool exact = true;
  for (uint32_t i = 0; i < rows.count; ++i) {
    FloatSlot& slot = out[slots[i]];
    slot.count += 1;
    exact = AddOne(DoubleOf(rows.words[i]), &slot) && exact;
  }
  return exact;
}

// What is not finite is added apart.
bool SumCarefully(const WideRows& rows, const uint32_t* slots, FloatSlot* out) {
  bool exact = true;
  for (uint32_t i = 0; i < rows.count; ++i) {
    FloatSlot& slot = out[slots[i]];
    const double value = DoubleOf(rows.words[i]);
    slot.count += 1;
    if (value - value != 0)
      slot.special += value;
    else
      exact = AddToParts(value, &slot) && exact;
  }
  return exact;
}

void FindExtremes(const WideRows& rows, const uint32_t* slots, FloatSlot* out) {
  for (uint32_t i = 0; i < rows.count; ++i) {
    FloatSlot& slot = out[slots[i]];
    const double value = DoubleOf(rows.words[i]);
    if (value < slot.least || slot.least != slot.least) slot.least = value;
    if (value > slot.most || slot.most != slot.most) slot.most = value;
  }
}

// The sum of two slots' sums and the extremes of both. Zeros have the sign of that which was met first: it is looked
// for by the caller.
bool Merge(const FloatSlot& from, FloatSlot* to) {
  to->count += from.count;
  to->special += from.special;
  if (from.least < to->least || to->least != to->least) to->least = from.least;
  if (from.most > to->most || to->most != to->most) to->most = from.most;
  return AddToParts(from.sum, to) && AddToParts(from.lost, to) && AddToParts(from.rest, to);
}

double FirstZero(const WideRows& rows) {
  for (uint32_t i = 0; i < rows.count; ++i) {
    if ((rows.present == nullptr || rows.present[i] != 0) && DoubleOf(rows.words[i]) == 0)
      return DoubleOf(rows.words[i]);
  }
  return 0;
}

}  // namespace

const uint32_t* SlotsOf(const Chain& chain, const WideRows& rows, uint32_t nulls, Arena* arena) {
  if (chain.groups != nullptr && rows.present == nullptr) return chain.groups;
  auto* slots = arena->Take<uint32_t>(rows.count);
  if (slots == nullptr) return nullptr;
  for (uint32_t i = 0; i < rows.count; ++i) slots[i] = chain.groups == nullptr ? i % kLanes : chain.groups[i];
  if (rows.present != nullptr) {
    for (uint32_t i = 0; i < rows.count; ++i) slots[i] = rows.present[i] != 0 ? slots[i] : nulls;
  }
  return slots;
}

bool FoldFloats(const PageJob& job, const WideRows& rows, const Chain& chain, Arena* arena, FoldRecord* records) {
  const bool grouped = chain.groups != nullptr;
  const uint32_t used = grouped ? chain.group_count : kLanes;
  auto* slots = arena->Take<FloatSlot>(size_t{used} + 1);
  const uint32_t* of_rows = SlotsOf(chain, rows, used, arena);
  if (slots == nullptr || of_rows == nullptr) return false;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto reset = [slots, used] {
    for (uint32_t i = 0; i <= used; ++i) slots[i] = {0, 0, 0, 0, kNaN, kNaN, 0};
  };
  reset();
  // Whatever a null's word is, nobody asks for its sum.
  const bool wants_sums = (job.wanted & kWantsSums) != 0;
  if (!SumQuickly(rows, of_rows, slots) && wants_sums) {
    reset();
    if (!SumCarefully(rows, of_rows, slots)) return false;
  }
  if ((job.wanted & kWantsExtremes) != 0) FindExtremes(rows, of_rows, slots);
  if (!grouped) {
    for (uint32_t i = 1; i < kLanes; ++i) {
      if (!Merge(slots[i], &slots[0]) && wants_sums) return false;
    }
    if (slots[0].least == 0) slots[0].least = FirstZero(rows);
    if (slots[0].most == 0) slots[0].most = FirstZero(rows);
  }
  for (uint32_t group = 0; group < (grouped ? used : 1); ++group) {
    const FloatSlot& slot = slots[group];
    records[group] = {slot.count, slot.sum, slot.lost, slot.least, slot.most, slot.special, slot.rest};
  }
  return true;
}

}  // namespace colkit
