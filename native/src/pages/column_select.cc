// See column_select.h. Which row passes cannot be predicted, so it is arithmetic and not a branch: what does not pass
// is written over.
#include "pages/column_select.h"

#include <cstring>
#include <utility>

#include "decode/node_values.h"
#include "pages/number_kernels.h"

namespace colkit {
namespace {

// Room for the rows of a set, where its own list is when it has one: what is left never overtakes what is looked at.
uint32_t* RoomFor(const RowSet& rows, Arena* arena) {
  return rows.list != nullptr ? rows.list : arena->Take<uint32_t>(rows.end - rows.start + 1);
}

void Leave(uint32_t* list, uint32_t count, RowSet* rows) {
  rows->list = list;
  rows->list_count = count;
}

// `passes(row)` is 0 or 1.
template <typename Passes>
bool KeepRows(Passes passes, Arena* arena, RowSet* rows) {
  uint32_t* list = RoomFor(*rows, arena);
  if (list == nullptr) return false;
  uint32_t found = 0;
  if (rows->list == nullptr) {
    for (uint32_t row = rows->start; row < rows->end; ++row) {
      list[found] = row;
      found += passes(row);
    }
  } else {
    for (uint32_t i = 0; i < rows->list_count; ++i) {
      const uint32_t row = list[i];
      list[found] = row;
      found += passes(row);
    }
  }
  Leave(list, found, rows);
  return true;
}

// `passes(value)` is 0 or 1; rows that are null do not pass.
template <typename Passes>
bool KeepValues(const TestedPage& page, Passes passes, Arena* arena, RowSet* rows) {
  if (page.validity == nullptr) return KeepRows(passes, arena, rows);
  const uint32_t count = page.values->count;
  auto* mask = arena->Take<uint8_t>(page.row_count);
  auto* passing = arena->Take<uint8_t>(size_t{count} + 1);
  if (mask == nullptr || passing == nullptr) return false;
  // Values first, without a look at the rows: a compiler takes several at a time.
  for (uint32_t value = 0; value < count; ++value) passing[value] = static_cast<uint8_t>(passes(value));
  // Behind the last value there are nulls only.
  passing[count] = 0;
  for (uint32_t row = 0, value = 0; row < page.row_count; ++row) {
    const uint32_t present = page.validity[row / 8] >> (row % 8) & 1;
    mask[row] = static_cast<uint8_t>(passing[value] & present);
    value += present;
  }
  return KeepRows([mask](uint32_t row) { return uint32_t{mask[row]}; }, arena, rows);
}

bool KeepNone(RowSet* rows) {
  rows->list_count = 0;
  rows->end = rows->start;
  return true;
}

// The numbers from `first` to `first + above`.
bool KeepNumbers(const TestedPage& page, const uint32_t* numbers, uint32_t first, uint32_t above, Arena* arena,
                 RowSet* rows) {
  if (page.validity != nullptr || rows->list != nullptr) {
    return KeepValues(
        page, [numbers, first, above](uint32_t i) { return numbers[i] - first <= above ? 1u : 0u; }, arena, rows);
  }
  uint32_t* list = RoomFor(*rows, arena);
  if (list == nullptr) return false;
  const size_t found = SelectWithin(numbers + rows->start, rows->end - rows->start, first, above, list);
  if (rows->start > 0) {
    for (size_t i = 0; i < found; ++i) list[i] += rows->start;
  }
  Leave(list, static_cast<uint32_t>(found), rows);
  return true;
}

// Integers of `bits` bits: `least` and what is above it, up to `width`.
bool SelectIntegers(const TestedPage& page, uint64_t least, uint64_t width, unsigned bits, Arena* arena, RowSet* rows) {
  const NodeValues& values = *page.values;
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  if (values.numbers == nullptr) {
    const uint64_t* words = values.words;
    return KeepValues(
        page, [words, least, width, mask](uint32_t i) { return ((words[i] - least) & mask) <= width ? 1u : 0u; }, arena,
        rows);
  }
  const uint32_t* numbers = values.numbers;
  const uint64_t base = values.base - least;
  const uint64_t step = values.step;
  const uint64_t last = values.below - 1;
  if (step == 1 && ((base & mask) + last) <= mask && (base & mask) + last >= last) {
    // All values are `base` and more above the least one: those within the width are the first ones.
    if ((base & mask) > width) return KeepNone(rows);
    const uint64_t end = width - (base & mask);
    if (end >= last && page.validity == nullptr) return true;
    return KeepNumbers(page, numbers, 0, static_cast<uint32_t>(end < last ? end : last), arena, rows);
  }
  const uint64_t first = (0 - base) & mask;
  if (step == 1 && first <= last && last - first <= mask && width < mask - first) {
    // The least value is that of the number `first`.
    return KeepNumbers(page, numbers, static_cast<uint32_t>(first),
                       static_cast<uint32_t>(width < last - first ? width : last - first), arena, rows);
  }
  return KeepValues(
      page,
      [numbers, base, step, width, mask](uint32_t i) { return ((base + step * numbers[i]) & mask) <= width ? 1u : 0u; },
      arena, rows);
}

uint32_t ListSlot(uint64_t word) {
  uint32_t hash = static_cast<uint32_t>(word) ^ static_cast<uint32_t>(word >> 32) * 0x85ebca6bu;
  hash = (hash ^ hash >> 15) * 0x9e3779b1u;
  return hash ^ hash >> 16;
}

double Quotient(int64_t integer, double power, bool is_single) {
  const double quotient = static_cast<double>(integer) / power;
  return is_single ? static_cast<double>(static_cast<float>(quotient)) : quotient;
}

// The first integer within 2^53 of 0 whose quotient is `bound` or more (or more than it); one beyond 2^53 where there
// is none. Quotients never fall while integers grow.
int64_t FirstFrom(double bound, bool beyond, double power, bool is_single) {
  const auto is_there = [=](int64_t integer) {
    const double quotient = Quotient(integer, power, is_single);
    return beyond ? quotient > bound : quotient >= bound;
  };
  auto low = -static_cast<int64_t>(kLargestSafe);
  auto high = static_cast<int64_t>(kLargestSafe);
  if (!is_there(high)) return high + 1;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (is_there(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

bool SelectFloats(const TestedPage& page, double least, double greatest, Arena* arena, RowSet* rows) {
  const NodeValues& values = *page.values;
  const bool is_single = page.type->domain == Domain::kFloat32;
  const uint32_t flip = least > greatest ? 1 : 0;
  if (flip != 0) std::swap(least, greatest);
  if (values.kind == NodeValues::Kind::kDecimal && values.patch_count == 0) {
    const double power = kPowersOfTen[values.exponent];
    auto first = static_cast<uint64_t>(FirstFrom(least, false, power, is_single));
    auto end = static_cast<uint64_t>(FirstFrom(greatest, true, power, is_single));
    if (first == end && flip == 0) return KeepNone(rows);
    // What lies around an interval of integers is one too. No decimal is NaN.
    if (flip != 0) std::swap(first, end);
    return SelectIntegers(page, first, end - 1 - first, 64, arena, rows);
  }
  const bool are_patterns =
      values.numbers == nullptr && values.patch_count == 0 && values.kind == NodeValues::Kind::kWide;
  const uint64_t* words = are_patterns ? values.words : PatternsOf(values, page.type->domain, arena);
  if (words == nullptr) return false;
  if (is_single) {
    const auto passes = [words, least, greatest, flip](uint32_t i) {
      const auto bits = static_cast<uint32_t>(words[i]);
      float value;
      std::memcpy(&value, &bits, sizeof value);
      return (static_cast<uint32_t>(value >= least) & static_cast<uint32_t>(value <= greatest)) ^ flip;
    };
    return KeepValues(page, passes, arena, rows);
  }
  const auto passes = [words, least, greatest, flip](uint32_t i) {
    double value;
    std::memcpy(&value, &words[i], sizeof value);
    return (static_cast<uint32_t>(value >= least) & static_cast<uint32_t>(value <= greatest)) ^ flip;
  };
  return KeepValues(page, passes, arena, rows);
}

}  // namespace

bool SelectInterval(const TestedPage& page, const IntervalTest& test, Arena* arena, RowSet* rows) {
  if (page.type->domain == Domain::kIntegers) {
    if (page.values->patch_count == 0)
      return SelectIntegers(page, test.words[0], test.words[1], page.type->is_bool ? 1 : 8 * page.type->bytes, arena,
                            rows);
    NodeValues patterns;
    patterns.count = page.values->count;
    patterns.words = PatternsOf(*page.values, Domain::kIntegers, arena);
    if (patterns.words == nullptr) return false;
    const TestedPage patched = {&patterns, page.type, page.validity, page.row_count};
    return SelectInterval(patched, test, arena, rows);
  }
  double bounds[2];
  std::memcpy(bounds, test.words, sizeof bounds);
  return SelectFloats(page, bounds[0], bounds[1], arena, rows);
}

bool SelectListed(const TestedPage& page, const uint8_t* test, uint32_t test_bytes, Arena* arena, RowSet* rows) {
  uint64_t head[kListHeadBytes / sizeof(uint64_t)];
  std::memcpy(head, test, sizeof head);
  const uint8_t* const slots = test + sizeof head;
  const auto last_slot = static_cast<uint32_t>((test_bytes - sizeof head) / sizeof(uint64_t) - 1);
  const NodeValues& values = *page.values;
  const uint64_t mask = page.type->bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * page.type->bytes) - 1;
  const uint64_t* words = PatternsOf(values, page.type->domain, arena);
  auto* passes = arena->Take<uint8_t>(values.count);
  if (words == nullptr || passes == nullptr) return false;
  for (uint32_t i = 0; i < values.count; ++i) {
    const uint64_t word = words[i] & mask;
    uint32_t slot = ListSlot(word) & last_slot;
    uint64_t found;
    // The caller may write there meanwhile: no more slots than there are.
    for (uint32_t left = last_slot;; --left, slot = (slot + 1) & last_slot) {
      std::memcpy(&found, slots + size_t{slot} * sizeof found, sizeof found);
      if (found == head[0] || found == word || left == 0) break;
    }
    passes[i] = static_cast<uint8_t>((found == word ? 1 : 0) ^ (head[1] & 1));
  }
  return SelectMarked(page, passes, nullptr, arena, rows);
}

bool SelectNulls(const TestedPage& page, bool nulls, Arena* arena, RowSet* rows) {
  if (page.validity == nullptr) return nulls ? KeepNone(rows) : true;
  const uint8_t* const validity = page.validity;
  const uint32_t flip = nulls ? 1 : 0;
  return KeepRows([validity, flip](uint32_t row) { return (validity[row / 8] >> row % 8 & 1) ^ flip; }, arena, rows);
}

bool SelectCodes(const TestedPage& page, const uint8_t* passing, uint32_t code_count, Arena* arena, RowSet* rows) {
  if (page.values->below > code_count) return false;
  // The caller's bytes are looked at once.
  auto* passes = arena->Take<uint8_t>(code_count);
  if (passes == nullptr) return false;
  for (uint32_t code = 0; code < code_count; ++code) passes[code] = passing[code] & 1;
  return SelectMarked(page, passes, page.values->numbers, arena, rows);
}

bool SelectMarked(const TestedPage& page, const uint8_t* passes, const uint32_t* codes, Arena* arena, RowSet* rows) {
  if (codes == nullptr)
    return KeepValues(
        page, [passes](uint32_t i) { return uint32_t{passes[i]}; }, arena, rows);
  return KeepValues(
      page, [codes, passes](uint32_t i) { return uint32_t{passes[codes[i]]}; }, arena, rows);
}

}  // namespace colkit
