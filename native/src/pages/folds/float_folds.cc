// See float_folds.h. Sums are exact, so that they are the same in any order.
#include "pages/folds/float_folds.h"

#include <cstring>
#include <limits>

#include "pages/folds/decimal_sums.h"
#include "pages/folds/exact_parts.h"

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

void Extend(double value, FloatSlot* slot) {
  if (value < slot->least || slot->least != slot->least) slot->least = value;
  if (value > slot->most || slot->most != slot->most) slot->most = value;
}

void FindExtremes(const WideRows& rows, const uint32_t* slots, FloatSlot* out) {
  for (uint32_t i = 0; i < rows.count; ++i) Extend(DoubleOf(rows.words[i]), &out[slots[i]]);
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

FoldRecord RecordOf(const FloatSlot& slot) {
  return {slot.count, slot.sum, slot.lost, slot.least, slot.most, slot.special, slot.rest};
}

uint32_t CountPresent(const WideRows& rows) {
  if (rows.present == nullptr) return rows.count;
  uint32_t count = 0;
  for (uint32_t i = 0; i < rows.count; ++i) count += rows.present[i];
  return count;
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
  if (slots == nullptr) return false;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto reset = [slots, used] {
    for (uint32_t i = 0; i <= used; ++i) slots[i] = {0, 0, 0, 0, kNaN, kNaN, 0};
  };
  reset();
  const bool wants_sums = (job.wanted & kWantsSums) != 0;
  ExactParts all = {};
  bool is_summed = false;
  // The word of a null is 0, which adds nothing.
  if (!grouped && (!wants_sums || SumInParts(rows.words, nullptr, rows.count, &all))) {
    slots[0].count = CountPresent(rows);
    slots[0].sum = all.parts[0];
    slots[0].lost = all.parts[1];
    slots[0].rest = all.parts[2];
    if ((job.wanted & kWantsExtremes) == 0) {
      *records = RecordOf(slots[0]);
      return true;
    }
    is_summed = true;
  }
  const uint32_t* of_rows = SlotsOf(chain, rows, used, arena);
  if (of_rows == nullptr) return false;
  if (!is_summed && !SumQuickly(rows, of_rows, slots) && wants_sums) {
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
  for (uint32_t group = 0; group < (grouped ? used : 1); ++group) records[group] = RecordOf(slots[group]);
  return true;
}

bool FoldFloatEntries(const PageJob& job, const WideRows& entries, const uint32_t* times, const uint32_t* codes,
                      uint32_t count, FoldRecord* record) {
  ExactParts all = {};
  if ((job.wanted & kWantsSums) != 0 && !SumInParts(entries.words, times, entries.count, &all)) return false;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  FloatSlot slot = {static_cast<double>(count), all.parts[0], all.parts[1], all.parts[2], kNaN, kNaN, 0};
  for (uint32_t entry = 0; entry < entries.count; ++entry) {
    if (times[entry] > 0) Extend(DoubleOf(entries.words[entry]), &slot);
  }
  // Of zeros with both signs the first one is an extreme.
  double zero = 0;
  for (uint32_t i = 0; i < count && (slot.least == 0 || slot.most == 0); ++i) {
    zero = DoubleOf(entries.words[codes[i]]);
    if (zero == 0) break;
  }
  if (slot.least == 0) slot.least = zero;
  if (slot.most == 0) slot.most = zero;
  *record = RecordOf(slot);
  return true;
}

}  // namespace colkit
