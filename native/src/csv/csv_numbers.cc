// Columns of numbers, words and moments; see csv_columns.h.
#include <cmath>
#include <cstring>
#include <limits>

#include "csv/csv_columns.h"
#include "csv/csv_digits.h"
#include "csv/nearest_double.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

enum class Fit : uint8_t { kYes, kNo, kLeft };

// Digits that a double holds exactly, and that 64 bits hold.
constexpr size_t kExactDigits = 15;
constexpr size_t kMostDigits = 19;
constexpr uint64_t kMostSafe = (uint64_t{1} << 53) - 1;

void Put64(uint8_t* values, size_t row, uint64_t word) { std::memcpy(values + 8 * row, &word, 8); }
void PutDouble(uint8_t* values, size_t row, double value) { std::memcpy(values + 8 * row, &value, 8); }

// Digits from `*at` on; the last nineteen bits of what does not fit are of no use.
size_t TakeDigits(const uint8_t** at, const uint8_t* to, uint64_t* value) {
  const uint8_t* from = *at;
  const uint8_t* position = from;
  uint64_t sum = *value;
  while (to - position >= 8) {
    const uint64_t word = LoadWord(position);
    if (!AreDigits(word)) break;
    sum = sum * 100'000'000 + DigitsValue(word);
    position += 8;
  }
  for (; position < to && IsDigit(*position); ++position) sum = sum * 10 + (*position - '0');
  *at = position;
  *value = sum;
  return static_cast<size_t>(position - from);
}

bool IsWord(const uint8_t* from, const uint8_t* to, const char* word) {
  const size_t length = std::strlen(word);
  if (static_cast<size_t>(to - from) != length) return false;
  for (size_t i = 0; i < length; ++i)
    if ((from[i] | 32) != static_cast<uint8_t>(word[i])) return false;
  return true;
}

class Columns {
 public:
  Columns(const CsvBlock& block, size_t column, uint8_t* values, uint8_t* validity, CsvLeft* left, CsvFacts* facts)
      : block_(block), column_(column), values_(values), validity_(validity), left_(left), facts_(facts) {}

  // `parse(cell, row)` puts a value and tells whether the cell is one.
  template <typename Parse>
  CsvFill Each(uint32_t types, Parse parse) {
    types_ = types;
    const size_t end = block_.rows * block_.columns;
    size_t row = 0;
    for (size_t number = column_; number < end; number += block_.columns, ++row) {
      CsvCell cell;
      if (!ReadCsvCell(block_, number, &cell)) return CsvFill::kBad;
      if (IsCsvNull(block_, cell)) {
        validity_[row >> 3] = static_cast<uint8_t>(validity_[row >> 3] & ~(1u << (row & 7)));
        ++facts_->null_count;
        continue;
      }
      const Fit fit = parse(cell, row);
      if (fit == Fit::kYes) continue;
      if (fit == Fit::kNo || !left_->Add(column_, row)) return CsvFill::kLeft;
    }
    facts_->types = types_;
    return CsvFill::kDone;
  }

  CsvFill Integers() {
    return Each(kCsvInteger | kCsvFloat, [this](const CsvCell& cell, size_t row) { return Integer(cell, row); });
  }
  CsvFill Floats() {
    return Each(kCsvInteger | kCsvFloat, [this](const CsvCell& cell, size_t row) { return Float(cell, row); });
  }
  CsvFill Bools() {
    return Each(kCsvBool, [this](const CsvCell& cell, size_t row) { return Bool(cell, row); });
  }
  CsvFill Moments(bool days) {
    return Each(kCsvDate | kCsvDatetime, [this, days](const CsvCell& cell, size_t row) {
      return Moment(cell, row, days);
    });
  }

 private:
  size_t Room(const uint8_t* at) const { return static_cast<size_t>(block_.bytes + block_.length - at); }

  Fit Integer(const CsvCell& cell, size_t row) {
    const bool negative = cell.from < cell.to && *cell.from == '-';
    const uint8_t* from = negative ? cell.from + 1 : cell.from;
    const auto digits = static_cast<size_t>(cell.to - from);
    if (digits == 0 || digits > kMostDigits || (digits > 1 && *from == '0')) return Fit::kNo;
    uint64_t value = 0;
    if (digits <= 8) {
      const uint64_t word = LoadDigits(from, digits, Room(from));
      if (!AreDigits(word)) return Fit::kNo;
      value = DigitsValue(word);
    } else {
      const uint8_t* at = from;
      if (TakeDigits(&at, cell.to, &value) != digits) return Fit::kNo;
      if (digits == kMostDigits && value > uint64_t{1} << 63) return Fit::kNo;
      if (value == uint64_t{1} << 63 && !negative) return Fit::kNo;
    }
    Put64(values_, row, negative ? 0 - value : value);
    return digits <= kExactDigits || (types_ & kCsvFloat) == 0 ? Fit::kYes : Exactness(value, digits, cell.to[-1]);
  }

  // Whether the double nearest to an integer is that integer, or is written like that: the latter is known only of what
  // has more digits than any double is written with.
  Fit Exactness(uint64_t value, size_t digits, uint8_t last) {
    if (value <= kMostSafe || static_cast<uint64_t>(static_cast<double>(value)) == value) return Fit::kYes;
    if (digits < 18 || last == '0') return Fit::kLeft;
    types_ &= ~kCsvFloat;
    return Fit::kYes;
  }

  Fit Float(const CsvCell& cell, size_t row) {
    const bool negative = cell.from < cell.to && *cell.from == '-';
    const uint8_t* const from = negative ? cell.from + 1 : cell.from;
    const uint8_t* at = from;
    uint64_t digits = 0;
    const size_t whole = TakeDigits(&at, cell.to, &digits);
    if (whole == 0 && (at == cell.to || *at != '.')) return Special(from, cell.to, negative, row);
    if (whole > 1 && *from == '0') return Fit::kNo;
    if (at == cell.to) {
      if (whole > kExactDigits) return Fit::kLeft;
      const auto value = static_cast<double>(digits);
      PutDouble(values_, row, negative ? -value : value);
      return Fit::kYes;
    }
    size_t fraction = 0;
    if (*at == '.') {
      ++at;
      fraction = TakeDigits(&at, cell.to, &digits);
      if (whole + fraction == 0) return Fit::kNo;
    }
    int exponent = 0;
    if (at < cell.to) {
      if ((*at | 32) != 'e') return Fit::kNo;
      ++at;
      const bool below = at < cell.to && *at == '-';
      if (at < cell.to && (*at == '-' || *at == '+')) ++at;
      uint64_t power = 0;
      const size_t count = TakeDigits(&at, cell.to, &power);
      if (count == 0 || at != cell.to) return Fit::kNo;
      if (count > 3) return Fit::kLeft;
      exponent = below ? -static_cast<int>(power) : static_cast<int>(power);
    }
    types_ &= kCsvFloat;
    // Zeros that lead are no digits of the number.
    if (whole + fraction > kMostDigits && Significant(from, whole + fraction) > kMostDigits) return Fit::kLeft;
    double value;
    if (!NearestDouble(digits, exponent - static_cast<int>(fraction), &value)) return Fit::kLeft;
    PutDouble(values_, row, negative ? -value : value);
    return Fit::kYes;
  }

  // Digits behind the zeros that lead, of so many with a point among them or before them.
  static size_t Significant(const uint8_t* from, size_t count) {
    for (; count > 0; ++from) {
      if (*from == '.') continue;
      if (*from != '0') break;
      --count;
    }
    return count;
  }

  Fit Special(const uint8_t* from, const uint8_t* to, bool negative, size_t row) {
    if (IsWord(from, to, "nan")) {
      // The pattern that JavaScript has.
      Put64(values_, row, 0x7ff8000000000000ull);
    } else if (IsWord(from, to, "inf") || IsWord(from, to, "infinity")) {
      const double most = std::numeric_limits<double>::infinity();
      PutDouble(values_, row, negative ? -most : most);
    } else {
      return Fit::kNo;
    }
    types_ &= kCsvFloat;
    return Fit::kYes;
  }

  Fit Bool(const CsvCell& cell, size_t row) {
    if (IsWord(cell.from, cell.to, "true")) values_[row] = 1;
    else if (!IsWord(cell.from, cell.to, "false")) return Fit::kNo;
    return Fit::kYes;
  }

  static int Two(const uint8_t* at) { return IsDigit(at[0]) && IsDigit(at[1]) ? 10 * (at[0] - '0') + at[1] - '0' : -1; }

  // YYYY-MM-DD, and with (T| )HH:MM(:SS(.f{1,6})?)?Z? a datetime.
  Fit Moment(const CsvCell& cell, size_t row, bool days) {
    const uint8_t* const at = cell.from;
    const size_t length = cell.length();
    // Years of six digits.
    if (length >= 13 && (at[0] == '-' || at[0] == '+') && at[7] == '-') return Fit::kLeft;
    if (length < 10 || at[4] != '-' || at[7] != '-') return Fit::kNo;
    // Moments of one day often follow each other.
    const uint64_t date = LoadWord(at);
    const auto day_of_month = static_cast<uint16_t>(at[8] | at[9] << 8);
    if (date != last_date_ || day_of_month != last_day_of_month_) {
      if (!Date(at)) return Fit::kNo;
      last_date_ = date;
      last_day_of_month_ = day_of_month;
    }
    if (length == 10) {
      Put64(values_, row, static_cast<uint64_t>(days ? last_day_ : last_day_ * 86'400'000'000));
      return Fit::kYes;
    }
    if (days) return Fit::kNo;
    types_ = kCsvDatetime;
    const size_t used = at[length - 1] == 'Z' ? length - 1 : length;
    if ((at[10] != 'T' && at[10] != ' ') || used < 16 || at[13] != ':') return Fit::kNo;
    const int hour = Two(at + 11);
    const int minute = Two(at + 14);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return Fit::kNo;
    int64_t seconds = last_day_ * 86'400 + hour * 3600 + minute * 60;
    int64_t micros = 0;
    if (used > 16) {
      if (used < 19 || at[16] != ':') return Fit::kNo;
      const int second = Two(at + 17);
      if (second < 0 || second > 59) return Fit::kNo;
      seconds += second;
      if (used > 19) {
        if (at[19] != '.' || used == 20 || used > 26) return Fit::kNo;
        int64_t unit = 100'000;
        for (size_t i = 20; i < used; ++i, unit /= 10) {
          if (!IsDigit(at[i])) return Fit::kNo;
          micros += (at[i] - '0') * unit;
        }
      }
    }
    Put64(values_, row, static_cast<uint64_t>(seconds * 1'000'000 + micros));
    return Fit::kYes;
  }

  // Days since 1970 to `last_day_` (Howard Hinnant's days_from_civil); false where the digits are those of no date.
  bool Date(const uint8_t* at) {
    const int high = Two(at);
    const int low = Two(at + 2);
    const int month = Two(at + 5);
    const int day = Two(at + 8);
    if (high < 0 || low < 0 || month < 1 || month > 12 || day < 1) return false;
    const int year = 100 * high + low;
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    const int most = month == 2 ? (leap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
    if (day > most) return false;
    // March is the first month, so that leap days are last; 400 years on, so that nothing is below 0.
    const int from_march = year + 400 - (month <= 2 ? 1 : 0);
    const int era = from_march / 400;
    const int of_era = from_march - era * 400;
    const int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    last_day_ = int64_t{era - 1} * 146'097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719'468;
    return true;
  }

  const CsvBlock& block_;
  const size_t column_;
  uint8_t* const values_;
  uint8_t* const validity_;
  CsvLeft* const left_;
  CsvFacts* const facts_;
  uint32_t types_ = 0;
  // The last date: no bytes of one, until there is one.
  uint64_t last_date_ = 0;
  uint16_t last_day_of_month_ = 0;
  int64_t last_day_ = 0;
};

}  // namespace

void SetAllValid(uint8_t* validity, size_t rows) {
  if (rows == 0) return;
  std::memset(validity, 0xff, (rows + 7) / 8);
  if (rows % 8 != 0) validity[rows / 8] = static_cast<uint8_t>((1u << (rows % 8)) - 1);
}

bool IsCsvNullWord(const CsvBlock& block, const CsvCell& cell) {
  for (const std::vector<uint8_t>& word : block.null_words) {
    if (word.size() != cell.length()) continue;
    if (word.empty() || std::memcmp(word.data(), cell.from, word.size()) == 0) return true;
  }
  return false;
}

CsvFill FillCsvNumbers(const CsvBlock& block, size_t column, CsvKind kind, uint8_t* values, uint8_t* validity,
                       CsvLeft* left, CsvFacts* facts) {
  SetAllValid(validity, block.rows);
  Columns columns(block, column, values, validity, left, facts);
  switch (kind) {
    case CsvKind::kInteger:
      return columns.Integers();
    case CsvKind::kFloat:
      return columns.Floats();
    case CsvKind::kBool:
      return columns.Bools();
    case CsvKind::kDays:
      return columns.Moments(true);
    case CsvKind::kMicroseconds:
      return columns.Moments(false);
    default:
      return CsvFill::kLeft;
  }
}

}  // namespace colkit
