// See page_forms.h.
#include "pages/page_forms.h"

#include <cstring>

#include "decode/node_values.h"
#include "platform/intrinsics.h"
#include "pages/entry_items.h"
#include "pages/folds/folds.h"
#include "pages/row_groups.h"
#include "pages/texts/text_test.h"

namespace colkit {
namespace {

// Base and step are told only where doubles hold them exactly.
bool IsExactLine(const NodeValues& values) {
  const auto is_safe = [](uint64_t word) { return word + kLargestSafe <= 2 * kLargestSafe; };
  return values.numbers != nullptr && values.patch_count == 0 && is_safe(values.base) && is_safe(values.step);
}

// A code for each of so many rows, -1 for a null.
void WriteCodes(const PageJob& job, const NodeValues& values, const uint8_t* validity, uint32_t row_count,
                double* results) {
  results[kResultBelow] = static_cast<double>(values.below);
  results[kResultExponent] = kNumbersCodes;
  if (validity == nullptr) {
    std::memcpy(job.out, values.numbers, values.count * sizeof(uint32_t));
    return;
  }
  auto* out = reinterpret_cast<uint32_t*>(job.out);
  const uint32_t* next = values.numbers;
  // Which row is null cannot be predicted, so it is arithmetic and not a branch.
  for (uint32_t row = 0; row < row_count; ++row) {
    const uint32_t present = validity[row / 8] >> (row % 8) & 1;
    out[row] = *next | (present - 1);
    next += present;
  }
}

bool WriteNumbers(const PageJob& job, const NodeValues& values, Arena* arena, double* results) {
  if (IsExactLine(values)) {
    std::memcpy(job.out, values.numbers, values.count * sizeof(uint32_t));
    WriteLine(values, results);
    return true;
  }
  // Decimals in other forms are divided where they are asked for.
  if (values.kind == NodeValues::Kind::kDecimal && values.patch_count == 0) return false;
  const bool are_words = values.kind == NodeValues::Kind::kWide && values.patch_count == 0;
  const uint64_t* words = are_words ? values.words : PatternsOf(values, job.type.domain, arena);
  if (words == nullptr) return false;
  if (NumberBytes(job.type) == sizeof(uint64_t)) {
    if (static_cast<const void*>(words) != static_cast<const void*>(job.out))
      std::memcpy(job.out, words, values.count * sizeof(uint64_t));
    results[kResultExponent] = kNumbersPatterns;
    return true;
  }
  auto* out = reinterpret_cast<uint32_t*>(job.out);
  for (uint32_t i = 0; i < values.count; ++i) out[i] = static_cast<uint32_t>(words[i]);
  results[kResultBase] = 0;
  results[kResultStep] = 1;
  results[kResultBelow] = 4294967296.0;
  results[kResultExponent] = kNumbersIntegers;
  return true;
}

bool WriteRows(const PageJob& job, const DecodedPage& page, Arena* arena) {
  if (page.validity == nullptr) {
    WriteItems(page.values, job.start, job.end, job.type, job.out);
    return true;
  }
  const uint32_t first = CountOnes(page.validity, job.start);
  const uint32_t last = CountOnes(page.validity, job.end);
  uint8_t* items = arena->Take<uint8_t>(size_t{last - first} * job.type.bytes);
  if (items == nullptr) return false;
  WriteItems(page.values, first, last, job.type, items);
  SpreadItems(items, page.validity, job.start, job.end, job.type.bytes, job.out);
  return true;
}

// The rows that were picked, whatever was decoded of the page.
bool WritePicks(const PageJob& job, const DecodedPage& page, Arena* arena) {
  const RowPicks& picks = page.picks;
  if (picks.validity == nullptr) {
    WriteItems(page.values, 0, picks.count, job.type, job.out);
    return true;
  }
  uint8_t* items = arena->Take<uint8_t>(size_t{picks.value_count} * job.type.bytes);
  if (items == nullptr) return false;
  if (picks.value_count == 0) {
    std::memset(job.out, 0, size_t{picks.count} * job.type.bytes);
    return true;
  }
  WriteItems(page.values, 0, picks.value_count, job.type, items);
  SpreadItems(items, picks.validity, 0, picks.count, job.type.bytes, job.out);
  return true;
}

// Listed rows have a validity of their own.
void TellPicks(const PageJob& job, const RowPicks& picks, double* results) {
  results[kResultCount] = picks.value_count;
  if (picks.validity != nullptr) std::memcpy(job.validity, picks.validity, (picks.count + 7) / 8);
}

// Items without a selection before them.
bool WriteItemsOf(const PageJob& job, const DecodedPage& page, Arena* arena, double* results) {
  const RowPicks& picks = page.picks;
  if (!PicksListed(job)) return picks.rows == nullptr ? WriteRows(job, page, arena) : WritePicks(job, page, arena);
  TellPicks(job, picks, results);
  return WritePicks(job, page, arena);
}

// The rows that a selection left.
bool WriteSelected(const PageJob& job, DecodedPage page, const RowSet& rows, Arena* arena, double* results) {
  results[kResultBase] = rows.count();
  if (page.picks.rows == nullptr && page.validity == nullptr && rows.list == nullptr) {
    WriteItems(page.values, rows.start, rows.end, job.type, job.out);
    return true;
  }
  RowPicks& picks = page.picks;
  if (picks.rows == nullptr) {
    picks = PicksOf(rows, arena);
    const NodeValues values = page.values;
    if (picks.rows == nullptr || !LocatePicks(page.validity, job.row_count, arena, &picks) ||
        !PickValues(values, picks.values, picks.value_count, job.type.domain, arena, &page.values))
      return false;
  }
  if (picks.validity != nullptr) {
    results[kResultBase] = picks.value_count;
    std::memcpy(job.validity, picks.validity, (picks.count + 7) / 8);
  }
  return WritePicks(job, page, arena);
}

bool Select(const PageJob& job, const DecodedPage& page, Arena* arena, RowSet* rows) {
  const TestedPage tested = {&page.values, &job.type, page.validity, job.row_count};
  if (job.wanted != kWantsValues) return SelectNulls(tested, job.wanted == kWantsNulls, arena, rows);
  if (page.are_codes) return SelectCodes(tested, job.test, job.test_bytes, arena, rows);
  if (job.has_dictionary) return false;
  if (page.are_texts) {
    const uint8_t* passes = TestTexts(page.texts, job.test, job.test_bytes, arena);
    if (passes == nullptr) return false;
    if (std::memchr(passes, 1, page.texts.count) != nullptr)
      return SelectMarked(tested, passes, page.texts.codes, arena, rows);
    *rows = RowSet();
    return true;
  }
  IntervalTest test;
  if (job.test_bytes > sizeof test.words) return SelectListed(tested, job.test, job.test_bytes, arena, rows);
  std::memcpy(test.words, job.test, sizeof test.words);
  return SelectInterval(tested, test, arena, rows);
}

// Tells of texts that were written. ASCII is well-formed wherever it is cut.
void TellTexts(const uint8_t* bytes, uint64_t byte_length, uint32_t count, double kind, double* results) {
  uint64_t all = 0;
  uint64_t i = 0;
  for (uint64_t word; i + sizeof word <= byte_length; i += sizeof word) {
    std::memcpy(&word, bytes + i, sizeof word);
    all |= word;
  }
  for (; i < byte_length; ++i) all |= bytes[i];
  results[kResultBase] = static_cast<double>(byte_length);
  results[kResultStep] = count;
  results[kResultBelow] = (all & 0x8080808080808080ull) == 0 ? 128 : 256;
  results[kResultExponent] = kind;
}

bool WriteTexts(const PageJob& job, const DecodedPage& page, Chain* chain, double* results) {
  const TextValues& texts = page.texts;
  const uint64_t ends_bytes = texts.count * sizeof(uint32_t);
  const uint64_t codes_bytes = texts.codes == nullptr ? 0 : page.value_count * sizeof(uint32_t);
  const uint64_t bytes = ends_bytes + codes_bytes + texts.byte_length;
  if (bytes > job.room) {
    chain->needed = bytes;
    return false;
  }
  uint8_t* const out = job.out + ends_bytes + codes_bytes;
  if (texts.lazy == nullptr) std::memcpy(out, texts.bytes, texts.byte_length);
  else if (!texts.lazy->LoadInto(out, job.room - ends_bytes - codes_bytes))
    return false;
  std::memcpy(job.out, texts.ends, ends_bytes);
  if (codes_bytes > 0) std::memcpy(job.out + ends_bytes, texts.codes, codes_bytes);
  TellTexts(out, texts.byte_length, texts.count, texts.codes == nullptr ? kNumbersTexts : kNumbersCodedTexts, results);
  return true;
}

// The texts of the rows that are listed and not null, one for each.
bool WriteListedTexts(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results) {
  const TextValues& texts = page.texts;
  RowPicks picks = PicksOf(chain->rows, arena);
  if (!LocatePicks(page.validity, job.row_count, arena, &picks)) return false;
  TellPicks(job, picks, results);
  const uint32_t count = picks.value_count;
  auto* picked = arena->Take<uint32_t>(count);
  if (picked == nullptr) return false;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t value = picks.values[i];
    const uint32_t text = texts.codes == nullptr ? value : texts.codes[value];
    picked[i] = text;
    bytes += texts.ends[text] - texts.Start(text);
  }
  const uint64_t needed = count * sizeof(uint32_t) + bytes;
  if (needed > job.room) {
    chain->needed = needed;
    return false;
  }
  auto* ends = reinterpret_cast<uint32_t*>(job.out);
  uint8_t* out = job.out + count * sizeof(uint32_t);
  if (texts.lazy != nullptr && !texts.lazy->LoadListed(picked, count, texts.ends)) return false;
  uint32_t end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t start = texts.Start(picked[i]);
    const uint32_t length = texts.ends[picked[i]] - start;
    std::memcpy(out + end, texts.bytes + start, length);
    ends[i] = end += length;
  }
  TellTexts(out, end, count, kNumbersTexts, results);
  return true;
}

// A page of nulls only.
bool WriteNulls(const PageJob& job, Chain* chain, double* results) {
  switch (job.form) {
    case PageForm::kItems:
      if (job.follows) return false;
      std::memset(job.out, 0, size_t{ItemsOf(job)} * job.entry_type.bytes);
      return true;
    case PageForm::kNumbers:
      results[kResultExponent] = kNumbersPatterns;
      return true;
    case PageForm::kTexts:
      results[kResultExponent] = kNumbersTexts;
      results[kResultBase] = results[kResultStep] = 0;
      return true;
    case PageForm::kSelect:
      if (job.wanted != kWantsNulls) chain->rows = RowSet();
      return true;
    default:
      return false;
  }
}

// The values of all rows, or of those that are listed.
bool WriteNumbersOf(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results) {
  const bool listed = PicksListed(job);
  if (listed) TellPicks(job, page.picks, results);
  if (listed && page.picks.value_count == 0) return WriteNulls(job, chain, results);
  if (!page.are_codes) return WriteNumbers(job, page.values, arena, results);
  WriteCodes(job, page.values, listed ? page.picks.validity : page.validity, listed ? page.picks.count : job.row_count,
             results);
  return true;
}

}  // namespace

void WriteLine(const NodeValues& values, double* results) {
  results[kResultBase] = static_cast<double>(static_cast<int64_t>(values.base));
  results[kResultStep] = static_cast<double>(static_cast<int64_t>(values.step));
  results[kResultBelow] = static_cast<double>(values.below);
  results[kResultExponent] = values.kind == NodeValues::Kind::kDecimal ? static_cast<double>(values.exponent)
                                                                       : static_cast<double>(kNumbersIntegers);
}

bool WriteForm(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results) {
  if (job.entry_validity != nullptr) return WriteNullable(job, page, results);
  results[kResultCount] = page.value_count;
  if (job.form == PageForm::kGroups) return WriteGroups(job, page, arena, chain, results);
  if (job.form == PageForm::kFolds) return WriteFolds(job, page, arena, chain, results);
  if (page.value_count == 0) return WriteNulls(job, chain, results);
  const bool has_nulls = page.validity != nullptr;
  if (has_nulls && job.validity != nullptr && !TellsListed(job) && !job.follows)
    std::memcpy(job.validity, page.validity, (job.row_count + 7) / 8);
  if (page.are_texts && job.form != PageForm::kSelect) {
    if (job.form != PageForm::kTexts) return false;
    return chain->rows.list == nullptr ? WriteTexts(job, page, chain, results)
                                       : WriteListedTexts(job, page, arena, chain, results);
  }
  switch (job.form) {
    case PageForm::kItems:
      if (!job.follows && job.entries != nullptr) {
        if (WriteLookedUp(job, page)) return true;
        DecodedPage values = page;
        PageJob typed = job;
        typed.type = job.entry_type;
        return LookUp(job, arena, &values) && WriteItemsOf(typed, values, arena, results);
      }
      if (page.are_codes) return false;
      if (!job.follows) return WriteItemsOf(job, page, arena, results);
      return WriteSelected(job, page, chain->rows, arena, results);
    case PageForm::kNumbers:
      return WriteNumbersOf(job, page, arena, chain, results);
    case PageForm::kSelect:
      return Select(job, page, arena, &chain->rows);
    default:
      return false;
  }
}

RowPicks PicksOf(const RowSet& rows, Arena* arena) {
  RowPicks picks;
  picks.rows = rows.list;
  picks.count = rows.count();
  if (rows.list != nullptr) return picks;
  auto* listed = arena->Take<uint32_t>(picks.count);
  if (listed == nullptr) return picks;
  for (uint32_t i = 0; i < picks.count; ++i) listed[i] = rows.start + i;
  picks.rows = listed;
  return picks;
}

bool LocatePicks(const uint8_t* validity, uint32_t row_count, Arena* arena, RowPicks* picks) {
  picks->values = picks->rows;
  picks->value_count = picks->count;
  if (validity == nullptr) return true;
  constexpr uint32_t kWordBits = 64;
  auto* before = arena->Take<uint32_t>(row_count / kWordBits + 1);
  auto* values = arena->Take<uint32_t>(size_t{picks->count} + 1);
  auto* present = arena->Take<uint8_t>((picks->count + 7) / 8);
  if (before == nullptr || values == nullptr || present == nullptr) return false;
  // A few bytes behind the bitmap may be read: only bits in front of a row are counted.
  const auto word_of = [validity](uint32_t row) {
    uint64_t word;
    std::memcpy(&word, validity + size_t{row / kWordBits} * sizeof word, sizeof word);
    return word;
  };
  uint32_t sum = 0;
  for (uint32_t row = 0; row < row_count; row += kWordBits) {
    before[row / kWordBits] = sum;
    sum += PopCount(word_of(row));
  }
  std::memset(present, 0, (picks->count + 7) / 8);
  uint32_t found = 0;
  for (uint32_t i = 0; i < picks->count; ++i) {
    const uint32_t row = picks->rows[i];
    const uint64_t word = word_of(row);
    const uint32_t is_present = word >> (row % kWordBits) & 1;
    values[found] = before[row / kWordBits] + PopCount(word & ((uint64_t{1} << (row % kWordBits)) - 1));
    found += is_present;
    present[i / 8] = static_cast<uint8_t>(present[i / 8] | is_present << (i % 8));
  }
  picks->values = values;
  picks->value_count = found;
  picks->validity = found < picks->count ? present : nullptr;
  return true;
}

uint32_t CountOnes(const uint8_t* bitmap, uint32_t count) {
  uint32_t ones = 0;
  uint32_t byte = 0;
  for (uint64_t word; byte + sizeof word <= count / 8; byte += sizeof word) {
    std::memcpy(&word, bitmap + byte, sizeof word);
    ones += PopCount(word);
  }
  for (; byte < count / 8; ++byte) ones += PopCount(bitmap[byte]);
  return count % 8 == 0 ? ones : ones + PopCount(bitmap[count / 8] & ((1u << (count % 8)) - 1));
}

}  // namespace colkit
