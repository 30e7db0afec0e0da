// See moments.h. Sums of integers and of their squares are exact, so that nothing is lost where they nearly cancel; the
// distances of floats are added up once their mean is known.
#include "pages/folds/moments.h"

#include <cmath>
#include <cstring>

namespace colkit {
namespace {

// Of integers: their sum in two's complement, and that of their squares in two parts.
struct IntegerSlot {
  uint64_t count;
  uint64_t sum;
  uint64_t low;
  uint64_t high;
};

inline void AddInteger(uint64_t value, IntegerSlot* slot) {
  const uint64_t square = value * value;
  ++slot->count;
  slot->sum += value;
  slot->low += square & 0xffffffff;
  slot->high += square >> 32;
}

void Join(const IntegerSlot& from, IntegerSlot* to) {
  to->count += from.count;
  to->sum += from.sum;
  to->low += from.low;
  to->high += from.high;
}

FoldRecord RecordOf(const IntegerSlot& slot) {
  if (slot.count == 0) return {};
  const auto count = static_cast<double>(slot.count);
  const auto sum = static_cast<int64_t>(slot.sum);
  const double near = std::floor(static_cast<double>(sum) / count + 0.5);
  const int64_t rest = sum - static_cast<int64_t>(slot.count) * static_cast<int64_t>(near);
  // At most 2^16 squares of numbers below 2^32.
  const __int128 squares = (static_cast<__int128>(slot.high) << 32) + static_cast<__int128>(slot.low);
  const __int128 whole = squares - static_cast<__int128>(near) * (static_cast<__int128>(sum) + rest);
  const auto left = static_cast<double>(rest);
  return {count, near, left / count, static_cast<double>(whole) - left * left / count, 0, 0, 0};
}

// Of floats: distances from the first value.
struct FloatSlot {
  double count;
  double origin;
  double mean;
  double error;
  double squares;
};

double DoubleOf(uint64_t word) {
  double value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

void AddFloats(const WideRows& rows, const uint32_t* slots, uint32_t used, FloatSlot* out) {
  for (uint32_t i = 0; i < rows.count; ++i) {
    FloatSlot& slot = out[slots[i]];
    const double value = DoubleOf(rows.words[i]);
    if (slot.count == 0) slot.origin = value;
    slot.count += 1;
    slot.mean += value - slot.origin;
  }
  for (uint32_t i = 0; i < used; ++i) out[i].mean /= out[i].count;
  for (uint32_t i = 0; i < rows.count; ++i) {
    FloatSlot& slot = out[slots[i]];
    const double distance = DoubleOf(rows.words[i]) - slot.origin - slot.mean;
    slot.error += distance;
    slot.squares += distance * distance;
  }
  for (uint32_t i = 0; i < used; ++i) {
    // What the rounded mean is off by shows in the sum of the distances, which would be 0.
    FloatSlot& slot = out[i];
    const double squares = slot.squares - slot.error * slot.error / slot.count;
    slot.squares = squares < 0 ? 0 : squares;
    slot.mean += slot.error / slot.count;
  }
}

// As Chan, Golub and LeVeque do.
void Join(const FloatSlot& from, FloatSlot* to) {
  if (from.count == 0) return;
  if (to->count == 0) {
    *to = from;
    return;
  }
  const double all = to->count + from.count;
  const double distance = from.mean + (from.origin - to->origin) - to->mean;
  to->mean += distance * from.count / all;
  to->squares += from.squares + distance * distance * (to->count / all * from.count);
  to->count = all;
}

FoldRecord RecordOf(const FloatSlot& slot) {
  if (slot.count == 0) return {};
  return {slot.count, slot.origin, slot.mean, slot.squares, 0, 0, 0};
}

// A record for each group, or one of all lanes together.
template <typename Slot>
void WriteRecords(Slot* slots, uint32_t used, bool grouped, FoldRecord* records) {
  if (!grouped) {
    for (uint32_t lane = 1; lane < used; ++lane) Join(slots[lane], &slots[0]);
  }
  for (uint32_t i = 0; i < (grouped ? used : 1); ++i) records[i] = RecordOf(slots[i]);
}

// One more than there are groups: for what is null.
template <typename Slot>
Slot* TakeSlots(uint32_t used, Arena* arena) {
  auto* slots = arena->Take<Slot>(size_t{used} + 1);
  if (slots != nullptr) std::memset(static_cast<void*>(slots), 0, (size_t{used} + 1) * sizeof(Slot));
  return slots;
}

}  // namespace

bool WriteMoments(const uint32_t* numbers, uint32_t count, const uint32_t* groups, uint32_t group_count, Arena* arena,
                  FoldRecord* records) {
  const uint32_t used = groups == nullptr ? kLanes : group_count;
  auto* slots = TakeSlots<IntegerSlot>(used, arena);
  if (slots == nullptr) return false;
  for (uint32_t i = 0; i < count; ++i) AddInteger(numbers[i], &slots[groups == nullptr ? i % kLanes : groups[i]]);
  WriteRecords(slots, used, groups != nullptr, records);
  return true;
}

bool FoldMoments(const PageJob& job, const WideRows& rows, const Chain& chain, Arena* arena, FoldRecord* records) {
  const bool is_integer = job.type.domain == Domain::kIntegers;
  if (is_integer && job.type.bytes > 4) return false;
  const bool grouped = chain.groups != nullptr;
  const uint32_t used = grouped ? chain.group_count : kLanes;
  const uint32_t* of_rows = SlotsOf(chain, rows, used, arena);
  if (of_rows == nullptr) return false;
  if (is_integer) {
    auto* slots = TakeSlots<IntegerSlot>(used, arena);
    if (slots == nullptr) return false;
    for (uint32_t i = 0; i < rows.count; ++i) AddInteger(rows.words[i], &slots[of_rows[i]]);
    WriteRecords(slots, used, grouped, records);
  } else {
    auto* slots = TakeSlots<FloatSlot>(used, arena);
    if (slots == nullptr) return false;
    AddFloats(rows, of_rows, used, slots);
    WriteRecords(slots, used, grouped, records);
  }
  return true;
}

}  // namespace colkit
