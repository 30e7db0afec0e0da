// See row_groups.h.
#include "pages/row_groups.h"

#include <cstddef>
#include <cstring>

#include "pages/wide_rows.h"

namespace colkit {
namespace {

// The record of a group, as the caller's memory has it.
struct GroupRecord {
  uint64_t value;
  uint32_t before;
  uint32_t first;
  uint32_t count;
  uint32_t is_null;
};
static_assert(sizeof(GroupRecord) == kGroupBytes, "see page-program-table.mjs");

constexpr uint32_t kNoGroup = UINT32_MAX;
constexpr unsigned kCountLanes = 4;

// Codes of a dictionary as values.
constexpr ItemType kCodeType = {4, Domain::kIntegers, false, false, false};

// Groups by the values of one page: what each row has, and what each number stands for.
struct PageGroups {
  const uint32_t* of_rows;
  uint32_t count;
  // Of number i: words[i], or base + step * i where there are none, as a value of the type.
  const uint64_t* words;
  uint64_t base;
  uint64_t step;
  uint32_t null_group;  // none: kNoGroup
};

// Numbers for 64-bit words in the order in which they are met.
class WordTable {
 public:
  bool Prepare(uint32_t most, Arena* arena) {
    size_ = 64;
    shift_ = 58;
    for (; size_ < 4 * size_t{most}; --shift_) size_ *= 2;
    most_ = most;
    slots_ = arena->Take<uint32_t>(size_);
    words_ = arena->Take<uint64_t>(most);
    if (slots_ == nullptr || words_ == nullptr) return false;
    std::memset(slots_, 0xff, size_ * sizeof slots_[0]);
    return true;
  }

  // kNoGroup where there is no room for one more.
  uint32_t NumberOf(uint64_t word) {
    // The words of round doubles differ in their upper bits alone.
    size_t slot = static_cast<size_t>(((word ^ (word >> 32)) * 0x9e3779b97f4a7c15u) >> shift_);
    while (slots_[slot] != kNoGroup) {
      if (words_[slots_[slot]] == word) return slots_[slot];
      slot = (slot + 1) & (size_ - 1);
    }
    if (count_ == most_) return kNoGroup;
    words_[count_] = word;
    slots_[slot] = count_;
    return count_++;
  }

  uint32_t count() const { return count_; }
  const uint64_t* words() const { return words_; }

 private:
  size_t size_ = 0;
  unsigned shift_ = 0;
  uint32_t most_ = 0;
  uint32_t count_ = 0;
  uint32_t* slots_ = nullptr;
  uint64_t* words_ = nullptr;
};

// One pattern for both zeros, and one for NaN.
uint64_t KeyOfDouble(uint64_t word) {
  double value;
  std::memcpy(&value, &word, sizeof value);
  if (value != value) return uint64_t{0x7ff8} << 48;
  return value == 0 ? 0 : word;
}

// What numbers below some are as values of decimals; null where there is no room.
const uint64_t* WordsOfDecimals(const NodeValues& values, const ItemType& type, Arena* arena) {
  const auto below = static_cast<uint32_t>(values.below);
  auto* numbers = arena->Take<uint32_t>(below);
  if (numbers == nullptr) return nullptr;
  for (uint32_t number = 0; number < below; ++number) numbers[number] = number;
  DecodedPage distinct;
  distinct.values = values;
  distinct.values.numbers = numbers;
  distinct.value_count = distinct.values.count = below;
  RowSet all;
  all.end = below;
  WideRows wide;
  return WidenRows(distinct, type, all, arena, &wide) ? wide.words : nullptr;
}

// Numbers as they are packed, where they are small: no value is looked up.
bool GroupByNumber(const DecodedPage& page, const ItemType& type, const RowSet& rows, uint32_t most, Arena* arena,
                   PageGroups* groups) {
  const NodeValues& values = page.values;
  // Decimals are made doubles for each number: of more numbers than rows, the rows are fewer.
  const bool are_decimals =
      values.kind == NodeValues::Kind::kDecimal && values.numbers != nullptr && values.below <= rows.count();
  const bool are_integers = values.kind == NodeValues::Kind::kNarrow && type.domain == Domain::kIntegers;
  if (page.value_count == 0 || page.validity != nullptr || values.patch_count > 0 || values.below >= most ||
      !(are_decimals || are_integers))
    return false;
  const uint64_t* words = are_decimals ? WordsOfDecimals(values, type, arena) : nullptr;
  if (are_decimals && words == nullptr) return false;
  *groups = {
      values.numbers + rows.start, static_cast<uint32_t>(values.below), words, values.base, values.step, kNoGroup};
  if (rows.list == nullptr) return true;
  auto* of_rows = arena->Take<uint32_t>(rows.list_count);
  if (of_rows == nullptr) return false;
  for (uint32_t i = 0; i < rows.list_count; ++i) of_rows[i] = values.numbers[rows.list[i]];
  groups->of_rows = of_rows;
  return true;
}

// The number after all others is that of null, which rows without a group are. False where there is no room.
bool AddNullGroup(uint32_t row_count, uint32_t most, uint32_t* of_rows, PageGroups* groups) {
  if (groups->count == most) return false;
  groups->null_group = groups->count++;
  for (uint32_t i = 0; i < row_count; ++i) of_rows[i] = of_rows[i] == kNoGroup ? groups->null_group : of_rows[i];
  return true;
}

bool GroupByWord(const DecodedPage& page, const ItemType& type, const RowSet& rows, uint32_t most, Arena* arena,
                 PageGroups* groups) {
  WideRows wide;
  WordTable table;
  auto* of_rows = arena->Take<uint32_t>(rows.count());
  if (of_rows == nullptr || !table.Prepare(most, arena) || !WidenRows(page, type, rows, arena, &wide)) return false;
  const bool is_float = type.domain == Domain::kFloat32 || type.domain == Domain::kFloat64;
  uint32_t nulls = 0;
  uint64_t last = 0;
  uint32_t number = kNoGroup;
  for (uint32_t i = 0; i < wide.count; ++i) {
    if (wide.present != nullptr && wide.present[i] == 0) {
      of_rows[i] = kNoGroup;
      ++nulls;
      continue;
    }
    const uint64_t word = is_float ? KeyOfDouble(wide.words[i]) : wide.words[i];
    if (number == kNoGroup || word != last) {
      number = table.NumberOf(word);
      if (number == kNoGroup) return false;
      last = word;
    }
    of_rows[i] = number;
  }
  *groups = {of_rows, table.count(), table.words(), 0, 0, kNoGroup};
  return nulls == 0 || AddNullGroup(wide.count, most, of_rows, groups);
}

// Numbers of ranges of one width, by a product in place of a division for each.
class RangeNumbers {
 public:
  explicit RangeNumbers(const PageJob& job) : count_(job.range_count), of_ranges_(job.ranges + kRangesHeadBytes) {
    std::memcpy(&first_, job.ranges, sizeof first_);
    std::memcpy(&width_, job.ranges + sizeof first_, sizeof width_);
    std::memcpy(&numbers_, job.ranges + 2 * sizeof first_, sizeof numbers_);
    // Distances are exact as signed integers, and what they are divided by is not zero.
    if (width_ == 0 || width_ > INT64_MAX / count_) count_ = 0;
    per_width_ = 1.0 / static_cast<double>(width_);
  }

  // kNoGroup of an integer in none of them.
  uint32_t NumberOf(uint64_t word) const {
    const uint64_t distance = word - first_;
    if (distance >= width_ * count_) return kNoGroup;
    uint64_t index = distance;
    if (width_ > 1) {
      index = static_cast<uint64_t>(static_cast<double>(static_cast<int64_t>(distance)) * per_width_);
      // Rounding may have gone one too far, or not far enough.
      index -= index * width_ > distance ? 1 : 0;
      index += distance - index * width_ >= width_ ? 1 : 0;
    }
    uint32_t number;
    std::memcpy(&number, of_ranges_ + index * sizeof number, sizeof number);
    return number < numbers_ ? number : kNoGroup;
  }

  // All are below this.
  uint32_t numbers() const { return numbers_; }

 private:
  uint64_t first_;
  uint64_t width_;
  double per_width_;
  uint64_t count_;
  uint32_t numbers_;
  const uint8_t* of_ranges_;
};

// Of small numbers on a line each is looked up once. False where the page has others, or where there is no room.
bool GroupByRangeOfNumber(const RangeNumbers& ranges, const PageJob& job, const DecodedPage& page, const RowSet& rows,
                          Arena* arena, uint32_t* of_rows) {
  const NodeValues& values = page.values;
  if (page.value_count == 0 || page.validity != nullptr || values.kind != NodeValues::Kind::kNarrow ||
      values.patch_count > 0 || values.below > rows.count())
    return false;
  auto* of_number = arena->Take<uint32_t>(values.below);
  if (of_number == nullptr) return false;
  for (uint32_t number = 0; number < values.below; ++number)
    of_number[number] = ranges.NumberOf(ValueOf(job.type, values.base + values.step * number));
  for (uint32_t i = 0; i < rows.count(); ++i)
    of_rows[i] = of_number[values.numbers[rows.list == nullptr ? rows.start + i : rows.list[i]]];
  return true;
}

// Integers by the numbers of their ranges, which the caller tells.
bool GroupByRange(const PageJob& job, const DecodedPage& page, const RowSet& rows, Arena* arena, PageGroups* groups) {
  const uint32_t count = rows.count();
  auto* of_rows = arena->Take<uint32_t>(count);
  if (of_rows == nullptr) return false;
  const RangeNumbers ranges(job);
  uint32_t nulls = 0;
  if (!GroupByRangeOfNumber(ranges, job, page, rows, arena, of_rows)) {
    WideRows wide;
    if (!WidenRows(page, job.type, rows, arena, &wide)) return false;
    for (uint32_t i = 0; i < count; ++i) of_rows[i] = ranges.NumberOf(wide.words[i]);
    for (uint32_t i = 0; wide.present != nullptr && i < count; ++i) {
      if (wide.present[i] != 0) continue;
      of_rows[i] = kNoGroup;
      ++nulls;
    }
  }
  uint32_t unnumbered = 0;
  for (uint32_t i = 0; i < count; ++i) unnumbered += of_rows[i] == kNoGroup ? 1 : 0;
  if (unnumbered != nulls || ranges.numbers() > job.code_count) return false;
  *groups = {of_rows, ranges.numbers(), nullptr, 0, 1, kNoGroup};
  return nulls == 0 || AddNullGroup(count, job.code_count, of_rows, groups);
}

// Codes by what they stand for, of which several may be the same: entries are numbered, and not rows.
bool GroupByEntry(const PageJob& job, const DecodedPage& page, const RowSet& rows, Arena* arena, PageGroups* groups) {
  if (page.values.below > job.entry_count || page.value_count == 0) return false;
  const uint32_t most = job.code_count;
  const uint32_t row_count = rows.count();
  auto* entries = arena->Take<uint64_t>(job.entry_count);
  auto* of_code = arena->Take<uint32_t>(job.entry_count);
  auto* of_rows = arena->Take<uint32_t>(row_count);
  WordTable table;
  WideRows wide;
  if (entries == nullptr || of_code == nullptr || of_rows == nullptr || !table.Prepare(most, arena)) return false;
  std::memcpy(entries, job.entries, size_t{job.entry_count} * sizeof entries[0]);
  DecodedPage distinct;
  distinct.value_count = distinct.values.count = job.entry_count;
  distinct.values.words = entries;
  RowSet all;
  all.end = job.entry_count;
  if (!WidenRows(distinct, job.entry_type, all, arena, &wide)) return false;
  const bool is_float = job.entry_type.domain != Domain::kIntegers;
  for (uint32_t code = 0; code < job.entry_count; ++code) of_code[code] = kNoGroup;
  // Which codes there are decides, so that entries that no row has take no room.
  const auto number_of = [&](uint32_t code) {
    const uint64_t word = wide.words[code];
    if (of_code[code] == kNoGroup) of_code[code] = table.NumberOf(is_float ? KeyOfDouble(word) : word);
    return of_code[code];
  };
  uint32_t nulls = 0;
  if (page.validity == nullptr) {
    const uint32_t* codes = page.values.numbers;
    for (uint32_t i = 0; i < row_count; ++i) {
      const uint32_t number = number_of(codes[rows.list == nullptr ? rows.start + i : rows.list[i]]);
      if (number == kNoGroup) return false;
      of_rows[i] = number;
    }
  } else {
    WideRows codes;
    if (!WidenRows(page, kCodeType, rows, arena, &codes)) return false;
    for (uint32_t i = 0; i < row_count; ++i) {
      of_rows[i] = codes.present[i] == 0 ? kNoGroup : number_of(static_cast<uint32_t>(codes.words[i]));
      if (of_rows[i] != kNoGroup) continue;
      if (codes.present[i] != 0) return false;
      ++nulls;
    }
  }
  *groups = {of_rows, table.count(), table.words(), 0, 0, kNoGroup};
  return nulls == 0 || AddNullGroup(row_count, most, of_rows, groups);
}

// Pairs of what the rows had so far and what they have by this page, as numbers below `most`.
bool Combine(const Chain& chain, const PageGroups& own, uint32_t rows, uint32_t most, Arena* arena, uint32_t* of_rows,
             uint64_t** pairs, uint32_t* count) {
  WordTable table;
  if (!table.Prepare(most, arena)) return false;
  for (uint32_t i = 0; i < rows; ++i) {
    const uint32_t number = table.NumberOf(uint64_t{chain.groups[i]} << 32 | own.of_rows[i]);
    if (number == kNoGroup) return false;
    of_rows[i] = number;
  }
  *pairs = const_cast<uint64_t*>(table.words());
  *count = table.count();
  return true;
}

}  // namespace

bool WriteGroups(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results) {
  const RowSet& rows = chain->rows;
  const uint32_t row_count = rows.count();
  CountGroups(nullptr, chain);
  PageGroups own;
  if (page.are_codes != job.has_dictionary && page.value_count > 0) return false;
  const bool looks_up = job.entries != nullptr && page.are_codes;
  const bool has_codes = job.has_dictionary || job.ranges != nullptr;
  const ItemType& type = looks_up ? job.entry_type : has_codes ? kCodeType : job.type;
  if (type.domain == Domain::kStrings) return false;
  if (looks_up) {
    if (!GroupByEntry(job, page, rows, arena, &own)) return false;
  } else if (job.ranges != nullptr) {
    if (!GroupByRange(job, page, rows, arena, &own)) return false;
  } else if (!GroupByNumber(page, type, rows, job.code_count, arena, &own) &&
             !GroupByWord(page, type, rows, job.code_count, arena, &own)) {
    return false;
  }
  uint32_t count = own.count;
  const uint32_t* of_rows = own.of_rows;
  uint64_t* pairs = nullptr;
  if (chain->groups != nullptr) {
    auto* combined = arena->Take<uint32_t>(row_count);
    if (combined == nullptr || !Combine(*chain, own, row_count, job.code_count, arena, combined, &pairs, &count))
      return false;
    of_rows = combined;
  }
  auto* records = arena->Take<GroupRecord>(count);
  auto* counts = arena->Take<uint32_t>(size_t{count} * kCountLanes);
  if (records == nullptr || counts == nullptr) return false;
  for (uint32_t group = 0; group < count; ++group) {
    const uint32_t number = pairs == nullptr ? group : static_cast<uint32_t>(pairs[group]);
    GroupRecord& record = records[group];
    record.before = pairs == nullptr ? 0 : static_cast<uint32_t>(pairs[group] >> 32);
    record.first = UINT32_MAX;
    record.count = 0;
    record.is_null = number == own.null_group ? 1 : 0;
    record.value = record.is_null != 0    ? 0
                   : own.words != nullptr ? own.words[number]
                                          : ValueOf(type, own.base + own.step * number);
  }
  std::memcpy(job.out, records, count * sizeof *records);
  chain->groups = of_rows;
  chain->group_count = count;
  chain->uncounted = job.out;
  chain->counts = counts;
  results[kResultCount] = count;
  return true;
}

void CountGroups(const double* counted, Chain* chain) {
  if (chain->uncounted == nullptr) return;
  const uint32_t* of_rows = chain->groups;
  const uint32_t row_count = chain->rows.count();
  uint32_t* counts = chain->counts;
  if (counted == nullptr) {
    // Four counts a group, so that no addition waits for the one before.
    std::memset(counts, 0, size_t{chain->group_count} * kCountLanes * sizeof counts[0]);
    for (uint32_t i = 0; i < row_count; ++i) ++counts[of_rows[i] * kCountLanes + i % kCountLanes];
  }
  auto* records = static_cast<unsigned char*>(chain->uncounted);
  uint32_t unmet = 0;
  for (uint32_t group = 0; group < chain->group_count; ++group) {
    const uint32_t* lanes = counts + size_t{group} * kCountLanes;
    const uint32_t count =
        counted == nullptr ? lanes[0] + lanes[1] + lanes[2] + lanes[3] : static_cast<uint32_t>(counted[group]);
    std::memcpy(records + group * kGroupBytes + offsetof(GroupRecord, count), &count, sizeof count);
    unmet += count > 0 ? 1 : 0;
  }
  // Which groups were met, in the place of their counts.
  std::memset(counts, 0, size_t{chain->group_count} * sizeof counts[0]);
  for (uint32_t row = 0; row < row_count && unmet > 0; ++row) {
    const uint32_t group = of_rows[row];
    if (counts[group] != 0) continue;
    counts[group] = 1;
    --unmet;
    std::memcpy(records + group * kGroupBytes + offsetof(GroupRecord, first), &row, sizeof row);
  }
  chain->uncounted = nullptr;
}

}  // namespace colkit
