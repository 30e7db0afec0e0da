// See folds.h. Packed integers are added as they are: what they stand for is worked out once a group, by the caller.
// Other values are widened first, but for decimals, whose extremes are found among packed numbers too.
#include "pages/folds/folds.h"

#include <cmath>
#include <cstring>

#include "decode/node_values.h"
#include "pages/folds/decimal_sums.h"
#include "pages/folds/float_folds.h"
#include "pages/folds/moments.h"
#include "pages/number_kernels.h"
#include "pages/row_groups.h"
#include "pages/wide_rows.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr auto kExact = static_cast<double>(kLargestSafe);

// Whether base + step * number is the value of every row, or is divided by a power of ten, and every sum of these
// integers of a page is an exact double.
bool IsLine(const PageJob& job, const DecodedPage& page, const RowSet& rows) {
  const NodeValues& values = page.values;
  // Of nulls there are no numbers, so that those of some of the rows are not where the rows are.
  const bool is_whole = rows.start == 0 && rows.end == job.row_count;
  if ((page.value_count < job.row_count && !is_whole) || page.value_count == 0 || page.are_codes ||
      rows.list != nullptr || values.patch_count > 0 || values.numbers == nullptr)
    return false;
  const bool is_decimal = values.kind == NodeValues::Kind::kDecimal;
  if (is_decimal ? job.type.domain != Domain::kFloat64
                 : job.type.domain != Domain::kIntegers || job.type.bytes < 4 || job.type.has_nat)
    return false;
  const auto base = static_cast<double>(static_cast<int64_t>(values.base));
  const auto step = static_cast<double>(static_cast<int64_t>(values.step));
  const double reach = step * static_cast<double>(values.below - 1);
  const double last = base + reach;
  if (std::fabs(base) > kExact || std::fabs(step) > kExact) return false;
  const double largest = std::fmax(std::fmax(std::fabs(base), std::fabs(last)), std::fabs(reach));
  if (!(largest * static_cast<double>(rows.count()) < kExact)) return false;
  if (is_decimal) return true;
  const double end = std::ldexp(1.0, static_cast<int>(8 * job.type.bytes) - (job.type.is_signed ? 1 : 0));
  const double start = job.type.is_signed ? -end : 0;
  return std::fmin(base, last) >= start && std::fmax(base, last) < end;
}

// The groups of the rows that have a value, one after the other. Which row is null cannot be predicted, so it is
// arithmetic and not a branch.
const uint32_t* GroupsOfValues(const PageJob& job, const DecodedPage& page, const uint32_t* groups, Arena* arena) {
  auto* of_values = arena->Take<uint32_t>(size_t{job.row_count} + 1);
  if (of_values == nullptr) return nullptr;
  uint32_t value = 0;
  for (uint32_t row = 0; row < job.row_count; ++row) {
    of_values[value] = groups[row];
    value += page.validity[row / 8] >> (row % 8) & 1;
  }
  return of_values;
}

bool FoldLine(const PageJob& job, const DecodedPage& page, Chain* chain, Arena* arena, FoldRecord* records) {
  const RowSet& rows = chain->rows;
  const bool has_nulls = page.validity != nullptr;
  const uint32_t count = has_nulls ? page.value_count : rows.count();
  const uint32_t* numbers = page.values.numbers + rows.start;
  if (job.wanted == kWantsMoments) {
    const uint32_t* of_numbers =
        has_nulls && chain->groups != nullptr ? GroupsOfValues(job, page, chain->groups, arena) : chain->groups;
    return (of_numbers != nullptr || chain->groups == nullptr) &&
           WriteMoments(numbers, count, of_numbers, chain->group_count, arena, records);
  }
  const bool adds_decimals = page.values.kind == NodeValues::Kind::kDecimal && (job.wanted & kWantsSums) != 0;
  if (chain->groups == nullptr) {
    ExactPair total = {0, 0};
    uint64_t sum = 0;
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;
    if (adds_decimals) {
      if (!SumDecimals(page.values, rows.start, count, arena, &total)) return false;
    } else if ((job.wanted & kWantsSums) != 0) {
      for (uint32_t i = 0; i < count; ++i) sum += numbers[i];
      total.sum = static_cast<double>(sum);
    }
    if ((job.wanted & kWantsExtremes) != 0) {
      for (uint32_t i = 0; i < count; ++i) {
        least = numbers[i] < least ? numbers[i] : least;
        most = numbers[i] > most ? numbers[i] : most;
      }
    }
    records[0] = {static_cast<double>(count), total.sum, total.lost, static_cast<double>(least),
                  static_cast<double>(most),  0,          0};
    return true;
  }
  const uint32_t groups = chain->group_count;
  auto* totals = arena->Take<ExactPair>(groups);
  auto* sums = arena->Take<double>(2 * size_t{groups});
  auto* extremes = arena->Take<uint32_t>(2 * size_t{groups});
  if (totals == nullptr || sums == nullptr || extremes == nullptr) return false;
  double* counts = sums + groups;
  for (uint32_t group = 0; group < groups; ++group) {
    sums[group] = counts[group] = 0;
    extremes[2 * group] = UINT32_MAX;
    extremes[2 * group + 1] = 0;
  }
  const uint32_t* of_values = has_nulls ? GroupsOfValues(job, page, chain->groups, arena) : chain->groups;
  if (of_values == nullptr) return false;
  if (adds_decimals) {
    if (!SumDecimalsByGroup(page.values, rows.start, count, of_values, groups, arena, totals, counts)) return false;
  } else {
    auto* lanes = arena->Take<uint64_t>(kSumLanes * size_t{groups});
    if (lanes == nullptr || !SumByCode(numbers, of_values, count, groups, lanes, sums, counts)) return false;
    for (uint32_t group = 0; group < groups; ++group) totals[group] = {sums[group], 0};
  }
  if (!has_nulls) CountGroups(counts, chain);
  if ((job.wanted & kWantsExtremes) != 0) {
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t* ends = extremes + 2 * size_t{of_values[i]};
      ends[0] = numbers[i] < ends[0] ? numbers[i] : ends[0];
      ends[1] = numbers[i] > ends[1] ? numbers[i] : ends[1];
    }
  }
  for (uint32_t group = 0; group < groups; ++group)
    records[group] = {counts[group],
                      totals[group].sum,
                      totals[group].lost,
                      static_cast<double>(extremes[2 * group]),
                      static_cast<double>(extremes[2 * group + 1]),
                      0,
                      0};
  return true;
}

// Integers with a bias, so that unsigned words order as they do; least less one where the smallest word is no value.
struct IntegerSlot {
  uint64_t count;
  uint64_t low;
  uint64_t high;
  uint64_t least;
  uint64_t most;
};

uint64_t BiasOf(const ItemType& type) { return type.is_signed ? uint64_t{1} << 63 : 0; }

uint64_t LessOf(const ItemType& type) { return type.has_nat ? 1 : 0; }

template <bool kExtremes>
void AddIntegers(const WideRows& rows, const uint32_t* slots, uint64_t bias, uint64_t less, IntegerSlot* out) {
  for (uint32_t i = 0; i < rows.count; ++i) {
    IntegerSlot& slot = out[slots[i]];
    const uint64_t word = rows.words[i] ^ bias;
    ++slot.count;
    slot.low += word & 0xffffffff;
    slot.high += word >> 32;
    if (!kExtremes) continue;
    const uint64_t lower = word - less;
    slot.least = lower < slot.least ? lower : slot.least;
    slot.most = word > slot.most ? word : slot.most;
  }
}

// All rows as one: loops without an index for each row. Words of nulls are 0.
IntegerSlot FoldAllIntegers(const WideRows& rows, uint64_t bias, uint64_t less, bool with_extremes) {
  IntegerSlot slot = {rows.count, 0, 0, UINT64_MAX, 0};
  uint64_t low = 0;
  uint64_t high = 0;
  for (uint32_t i = 0; i < rows.count; ++i) {
    const uint64_t word = rows.words[i] ^ bias;
    low += word & 0xffffffff;
    high += word >> 32;
  }
  if (rows.present != nullptr) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < rows.count; ++i) count += rows.present[i];
    // The bias of what is null goes again.
    high -= (bias >> 32) * (rows.count - count);
    slot.count = count;
  }
  slot.low = low;
  slot.high = high;
  if (!with_extremes) return slot;
  for (uint32_t i = 0; i < rows.count; ++i) {
    const uint64_t word = rows.words[i] ^ bias;
    const uint64_t null = rows.present == nullptr ? 0 : uint64_t{rows.present[i]} - 1;
    const uint64_t lower = (word - less) | null;
    const uint64_t upper = word & ~null;
    slot.least = lower < slot.least ? lower : slot.least;
    slot.most = upper > slot.most ? upper : slot.most;
  }
  return slot;
}

FoldRecord RecordOf(const IntegerSlot& slot, const ItemType& type) {
  const uint64_t bias = BiasOf(type);
  const uint64_t ends[2] = {(slot.least + LessOf(type)) ^ bias, slot.most ^ bias};
  FoldRecord record = {};
  record.count = static_cast<double>(slot.count);
  record.sum = static_cast<double>(slot.low);
  record.more = static_cast<double>(static_cast<int64_t>(slot.high - (bias >> 32) * slot.count));
  if (type.bytes == 8) {
    std::memcpy(&record.least, &ends[0], sizeof ends[0]);
    std::memcpy(&record.most, &ends[1], sizeof ends[1]);
  } else {
    record.least = static_cast<double>(static_cast<int64_t>(ends[0]));
    record.most = static_cast<double>(static_cast<int64_t>(ends[1]));
  }
  return record;
}

bool FoldIntegers(const PageJob& job, const WideRows& rows, const Chain& chain, Arena* arena, FoldRecord* records) {
  const bool grouped = chain.groups != nullptr;
  const uint32_t used = grouped ? chain.group_count : 1;
  auto* slots = arena->Take<IntegerSlot>(size_t{used} + 1);
  const uint32_t* of_rows = grouped ? SlotsOf(chain, rows, used, arena) : nullptr;
  if (slots == nullptr || (grouped && of_rows == nullptr)) return false;
  const uint64_t bias = BiasOf(job.type);
  const uint64_t less = LessOf(job.type);
  const bool wants_extremes = (job.wanted & kWantsExtremes) != 0;
  for (uint32_t i = 0; i <= used; ++i) slots[i] = {0, 0, 0, UINT64_MAX, 0};
  if (!grouped)
    slots[0] = FoldAllIntegers(rows, bias, less, wants_extremes);
  else if (wants_extremes)
    AddIntegers<true>(rows, of_rows, bias, less, slots);
  else
    AddIntegers<false>(rows, of_rows, bias, less, slots);
  for (uint32_t group = 0; group < used; ++group) records[group] = RecordOf(slots[group], job.type);
  return true;
}

// Nothing but how many rows of each group have a value.
bool CountValues(const DecodedPage& page, const Chain& chain, Arena* arena, FoldRecord* records) {
  const uint8_t* present;
  if (!PresentRows(page, chain.rows, arena, &present)) return false;
  for (uint32_t i = 0; i < chain.rows.count(); ++i) {
    const uint32_t group = chain.groups == nullptr ? 0 : chain.groups[i];
    records[group].count += present == nullptr ? 1 : present[i];
  }
  return true;
}

// What the codes of a page stand for, as words in the arena.
struct Entries {
  const uint64_t* words = nullptr;
  uint32_t count = 0;
};

// Those of the page's own dictionary, or of the chunk's. False for a code without an entry, or without room.
bool EntriesOf(const PageJob& job, const DecodedPage& page, Arena* arena, Entries* entries) {
  if (page.values.entries != nullptr) {
    *entries = {page.values.entries, page.values.entry_count};
    return true;
  }
  if (job.entries == nullptr || page.values.below > job.entry_count) return false;
  auto* words = arena->Take<uint64_t>(job.entry_count);
  if (words == nullptr) return false;
  std::memcpy(words, job.entries, size_t{job.entry_count} * sizeof words[0]);
  *entries = {words, job.entry_count};
  return true;
}

bool IsSameType(const ItemType& a, const ItemType& b) {
  return a.bytes == b.bytes && a.domain == b.domain && a.is_bool == b.is_bool && a.is_signed == b.is_signed &&
         a.has_nat == b.has_nat;
}

NodeValues ValuesOf(const Entries& entries) {
  NodeValues values;
  values.count = entries.count;
  values.words = entries.words;
  return values;
}

// All rows as one by their codes: each entry once, as often as it is met. False where it is not worth it, or not to be
// known in this way.
bool FoldCodes(const PageJob& job, const DecodedPage& page, const Entries& entries, const Chain& chain, Arena* arena,
               FoldRecord* record) {
  const RowSet& rows = chain.rows;
  const bool has_nulls = page.validity != nullptr;
  const bool is_whole = rows.start == 0 && rows.end == job.row_count;
  const uint32_t count = has_nulls ? page.value_count : rows.count();
  if (chain.groups != nullptr || rows.list != nullptr || (has_nulls && !is_whole) ||
      entries.count > count / kRowsPerEntry)
    return false;
  DecodedPage distinct;
  distinct.value_count = entries.count;
  distinct.values = ValuesOf(entries);
  RowSet all;
  all.end = entries.count;
  WideRows wide;
  const size_t lanes = size_t{entries.count} * kLanes;
  auto* times = arena->Take<uint32_t>(lanes);
  if (times == nullptr || !WidenRows(distinct, job.type, all, arena, &wide)) return false;
  std::memset(times, 0, lanes * sizeof times[0]);
  const uint32_t* codes = page.values.numbers + (has_nulls ? 0 : rows.start);
  for (uint32_t i = 0; i < count; ++i) ++times[codes[i] * size_t{kLanes} + i % kLanes];
  for (size_t entry = 0; entry < entries.count; ++entry) {
    const uint32_t* of_entry = times + entry * kLanes;
    times[entry] = of_entry[0] + of_entry[1] + of_entry[2] + of_entry[3];
  }
  if (job.type.domain != Domain::kIntegers) return FoldFloatEntries(job, wide, times, codes, count, record);
  const uint64_t bias = BiasOf(job.type);
  const uint64_t less = LessOf(job.type);
  IntegerSlot slot = {count, 0, 0, UINT64_MAX, 0};
  for (uint32_t entry = 0; entry < entries.count; ++entry) {
    if (times[entry] == 0) continue;
    const uint64_t word = wide.words[entry] ^ bias;
    slot.low += (word & 0xffffffff) * times[entry];
    slot.high += (word >> 32) * times[entry];
    const uint64_t lower = word - less;
    slot.least = lower < slot.least ? lower : slot.least;
    slot.most = word > slot.most ? word : slot.most;
  }
  *record = RecordOf(slot, job.type);
  return true;
}

bool Fold(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results) {
  const uint32_t groups = chain->groups == nullptr ? 1 : chain->group_count;
  auto* records = arena->Take<FoldRecord>(groups);
  if (records == nullptr || groups > job.code_count) return false;
  std::memset(records, 0, groups * sizeof *records);
  results[kResultExponent] = kNumbersPatterns;
  bool done;
  if (job.wanted == 0) {
    done = CountValues(page, *chain, arena, records);
  } else if (page.are_codes || job.type.domain == Domain::kStrings) {
    return false;
  } else if (IsLine(job, page, chain->rows) && FoldLine(job, page, chain, arena, records)) {
    WriteLine(page.values, results);
    done = true;
  } else {
    WideRows rows;
    if (!WidenRows(page, job.type, chain->rows, arena, &rows)) return false;
    done = job.wanted == kWantsMoments             ? FoldMoments(job, rows, *chain, arena, records)
           : job.type.domain == Domain::kIntegers ? FoldIntegers(job, rows, *chain, arena, records)
                                                  : FoldFloats(job, rows, *chain, arena, records);
  }
  if (done) std::memcpy(job.out, records, groups * sizeof *records);
  return done;
}

}  // namespace

bool WriteFolds(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results) {
  const bool is_coded = page.are_codes || page.values.entries != nullptr;
  PageJob typed = job;
  if (job.entries != nullptr && job.entry_type.domain != Domain::kStrings) {
    // The page may be another column's, whose values are of no use.
    if (!is_coded && page.value_count > 0 && !IsSameType(job.type, job.entry_type)) return false;
    typed.type = job.entry_type;
  }
  if (!is_coded || job.wanted == 0 || typed.type.domain == Domain::kStrings)
    return Fold(typed, page, arena, chain, results);
  Entries entries;
  FoldRecord record;
  if (!EntriesOf(job, page, arena, &entries)) return false;
  if (job.wanted != kWantsMoments && FoldCodes(typed, page, entries, *chain, arena, &record)) {
    results[kResultExponent] = kNumbersPatterns;
    std::memcpy(job.out, &record, sizeof record);
    return true;
  }
  DecodedPage values = page;
  values.are_codes = false;
  return PickValues(ValuesOf(entries), page.values.numbers, page.value_count, typed.type.domain, arena,
                    &values.values) &&
         Fold(typed, values, arena, chain, results);
}

}  // namespace colkit
