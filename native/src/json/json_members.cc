// See json_members.h.
#include "json/json_members.h"

#include <cstring>
#include <vector>

#include "csv/csv_cells.h"
#include "csv/csv_digits.h"

namespace colkit {
namespace {

// A list or an object with what space it has; as `kEscapedCell`, text with escapes, until its record is taken.
constexpr uint8_t kNestedCell = 3;
// Lists and objects within each other.
constexpr size_t kMostDepth = 64;
// From the byte that opens one to the one that closes it.
constexpr int kToClose = 2;
constexpr size_t kExactDigits = 15;
// Longer numbers, and those with more digits in their exponents, may be beyond all doubles.
constexpr ptrdiff_t kLongestNumber = 300;
constexpr ptrdiff_t kExponentDigits = 2;
constexpr size_t kNone = SIZE_MAX;

bool IsSpace(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

// Whether one of eight bytes ends a text, begins an escape in it, or may not be in one.
bool HasStop(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101ull;
  constexpr uint64_t kHighs = 0x8080808080808080ull;
  const auto zeros = [](uint64_t bytes) { return (bytes - kOnes) & ~bytes; };
  return ((zeros(word ^ ('"' * kOnes)) | zeros(word ^ ('\\' * kOnes)) | ((word - 0x20 * kOnes) & ~word)) & kHighs) != 0;
}

int HexDigit(uint8_t byte) {
  if (IsDigit(byte)) return byte - '0';
  const int letter = (byte | 0x20) - 'a';
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}

// Of uXXXX; -1: it is something else.
int32_t UnitAt(const uint8_t* at, const uint8_t* end) {
  if (end - at < 5 || *at != 'u') return -1;
  int32_t unit = 0;
  for (int digit = 1; digit < 5; ++digit) {
    const int value = HexDigit(at[digit]);
    if (value < 0) return -1;
    unit = 16 * unit + value;
  }
  return unit;
}

bool IsHigh(int32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsLow(int32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

// Behind an escape, whose backslash stands before `at`; null: it is none, or NUL, or half of a surrogate pair.
const uint8_t* EscapeEnd(const uint8_t* at, const uint8_t* end) {
  if (at == end) return nullptr;
  if (*at != 'u') return std::memchr("\"\\/bfnrt", *at, 8) != nullptr ? at + 1 : nullptr;
  const int32_t unit = UnitAt(at, end);
  if (unit <= 0 || IsLow(unit)) return nullptr;
  if (!IsHigh(unit)) return at + 5;
  return end - at > 5 && at[5] == '\\' && IsLow(UnitAt(at + 6, end)) ? at + 11 : nullptr;
}

uint8_t* PutCode(uint8_t* to, uint32_t code) {
  if (code < 0x80) {
    *to = static_cast<uint8_t>(code);
    return to + 1;
  }
  const int length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (int byte = length - 1; byte > 0; --byte, code >>= 6) to[byte] = static_cast<uint8_t>(0x80 | (code & 0x3f));
  // As many ones as there are bytes, and a zero.
  to[0] = static_cast<uint8_t>((0xf00 >> length) | code);
  return to + length;
}

// Resolves the escapes of a text, all of which are well-formed, in place; gives where it ends now.
uint8_t* Unescape(uint8_t* text, const uint8_t* end) {
  uint8_t* to = text;
  for (const uint8_t* at = text; at < end; ++at) {
    if (*at != '\\') {
      *to++ = *at;
      continue;
    }
    ++at;
    if (*at != 'u') {
      static constexpr char kLetters[] = "bfnrt";
      static constexpr char kUnits[] = "\b\f\n\r\t";
      const void* letter = std::memchr(kLetters, *at, 5);
      *to++ = letter == nullptr ? *at : static_cast<uint8_t>(kUnits[static_cast<const char*>(letter) - kLetters]);
      continue;
    }
    auto code = static_cast<uint32_t>(UnitAt(at, end));
    at += 4;
    if (IsHigh(static_cast<int32_t>(code))) {
      code = 0x10000 + ((code - 0xd800) << 10) + static_cast<uint32_t>(UnitAt(at + 2, end)) - 0xdc00;
      at += 6;
    }
    to = PutCode(to, code);
  }
  return to;
}

// Takes the white space out that stands outside strings, in place; gives where the text ends now.
uint8_t* Compact(uint8_t* text, const uint8_t* end) {
  uint8_t* to = text;
  bool in_quotes = false;
  for (const uint8_t* at = text; at < end; ++at) {
    if (!in_quotes && *at <= ' ') continue;
    *to++ = *at;
    if (*at == '"')
      in_quotes = !in_quotes;
    else if (*at == '\\')
      *to++ = *++at;
  }
  return to;
}

class Scanner {
 public:
  Scanner(uint8_t* bytes, const JsonNames& names, const JsonRows& rows)
      : bytes_(bytes), names_(names), rows_(rows), members_(rows.columns) {}

  bool Scan(const uint8_t* at, const uint8_t* end, size_t cell) {
    ++record_;
    count_ = 0;
    at_ = at;
    end_ = end;
    size_t expected = 0;
    if (!Skip('{')) return false;
    // An object without members is left.
    do {
      if (at_ == end_ || *at_ != '"') return false;
      const size_t entry = Name(expected);
      if (at_ == nullptr) return false;
      // A name that is known may be written with other escapes.
      if ((entry == kNone && (!names_.skips_others || flag_ == kEscapedCell)) || !Skip(':') ||
          !(entry == kNone || rows_.nested != JsonNested::kSingle ? Value() : Single()))
        return false;
      if (entry == kNone) continue;
      if (flag_ == kNestedCell && rows_.nested != JsonNested::kText) return false;
      const auto column = static_cast<size_t>(names_.entries[entry].column);
      // Of two members of one name the last one counts.
      if (column >= rows_.columns || members_[column].seen_in == record_) return false;
      members_[column].seen_in = record_;
      members_[count_].column = column;
      members_[count_++].form = form_;
      rows_.starts[cell + column] = static_cast<int32_t>(start_ - bytes_);
      rows_.ends[cell + column] = static_cast<int32_t>(value_end_ - bytes_);
      rows_.flags[cell + column] = flag_;
      expected = entry + 1;
    } while (Skip(','));
    return Skip('}') && at_ == end_;
  }

  void Take(size_t cell) {
    for (size_t i = 0; i < count_; ++i) {
      const Member& member = members_[i];
      const size_t at = cell + member.column;
      rows_.facts[member.column].forms |= member.form;
      if (member.form == kJsonNull)
        rows_.ends[at] = rows_.starts[at];
      else
        ++rows_.facts[member.column].present;
      const uint8_t flag = rows_.flags[at];
      if (flag <= kQuotedCell) continue;
      rows_.flags[at] = kQuotedCell;
      const auto resolve = flag == kEscapedCell ? Unescape : Compact;
      rows_.ends[at] = static_cast<int32_t>(resolve(bytes_ + rows_.starts[at], bytes_ + rows_.ends[at]) - bytes_);
    }
    if (count_ == rows_.columns) return;
    for (size_t column = 0; column < rows_.columns; ++column) {
      if (members_[column].seen_in == record_) continue;
      rows_.starts[cell + column] = rows_.ends[cell + column] = 0;
      rows_.flags[cell + column] = kPlainCell;
    }
  }

 private:
  // Of one number each: the column and the form of a member, and the record that had a column last.
  struct Member {
    size_t column;
    uint32_t form;
    size_t seen_in;
  };

  // Past the byte, and the white space before and behind it; false, and nothing but space is passed, where another one
  // stands there.
  bool Skip(uint8_t byte) {
    SkipSpace();
    if (at_ == end_ || *at_ != byte) return false;
    ++at_;
    SkipSpace();
    return true;
  }

  void SkipSpace() {
    while (at_ < end_ && IsSpace(*at_)) ++at_;
  }

  static ptrdiff_t LengthOf(const JsonNameEntry& entry) { return ptrdiff_t{entry.end} - entry.start; }

  bool IsEntry(const JsonNameEntry& entry, const uint8_t* name, size_t length) const {
    return entry.start >= 0 && LengthOf(entry) == static_cast<ptrdiff_t>(length) &&
           static_cast<size_t>(entry.end) <= names_.length &&
           std::memcmp(names_.bytes + entry.start, name, length) == 0;
  }

  // From one quote to behind the other; null `at_` where there is none. Gives the entry.
  size_t Name(size_t expected) {
    const uint8_t* const name = at_ + 1;
    if (expected < names_.count) {
      // Names are mostly in the order of those before: then it is known where they end.
      const JsonNameEntry& next = names_.entries[expected];
      const ptrdiff_t length = LengthOf(next);
      if (length >= 0 && length < end_ - name && name[length] == '"' &&
          IsEntry(next, name, static_cast<size_t>(length))) {
        at_ = name + length + 1;
        return expected;
      }
    }
    if (!Text()) {
      at_ = nullptr;
      return kNone;
    }
    const auto length = static_cast<size_t>(at_ - 1 - name);
    uint32_t hash = 0x811c9dc5u;
    for (size_t i = 0; i < length; ++i) hash = (hash ^ name[i]) * 0x01000193u;
    size_t at = hash & (names_.slot_count - 1);
    for (size_t tried = 0; tried < names_.slot_count; ++tried, at = (at + 1) & (names_.slot_count - 1)) {
      const auto entry = static_cast<size_t>(static_cast<uint32_t>(names_.slots[at])) - 1;
      if (entry >= names_.count) return kNone;
      if (IsEntry(names_.entries[entry], name, length)) return entry;
    }
    return kNone;
  }

  // False for what is no JSON, and what is left.
  bool Value() {
    if (at_ == end_ || (*at_ != '{' && *at_ != '[')) return PlainValue();
    const uint8_t* const start = at_;
    if (!Nested()) return false;
    start_ = start;
    value_end_ = at_;
    flag_ = kNestedCell;
    form_ = kJsonOtherText;
    return true;
  }

  // The one plain value of a list, as though it stood alone.
  bool Single() {
    const bool is_list = Skip('[');
    return Value() && (!is_list || (flag_ != kNestedCell && Skip(']')));
  }

  bool NestedName() { return at_ < end_ && *at_ == '"' && Text() && Skip(':'); }

  bool Nested() {
    uint8_t opened[kMostDepth];
    size_t depth = 0;
    for (;;) {
      if (at_ == end_) return false;
      const uint8_t byte = *at_;
      if (byte == '{' || byte == '[') {
        if (depth == kMostDepth) return false;
        opened[depth++] = byte;
        ++at_;
        SkipSpace();
        if (at_ == end_ || *at_ != byte + kToClose) {
          if (byte == '{' && !NestedName()) return false;
          continue;
        }
      } else if (!PlainValue()) {
        return false;
      }
      // Behind a value, or at what closes one that has none: up to the next.
      SkipSpace();
      while (at_ < end_ && *at_ == opened[depth - 1] + kToClose) {
        ++at_;
        if (--depth == 0) return true;
        SkipSpace();
      }
      if (!Skip(',') || (opened[depth - 1] == '{' && !NestedName())) return false;
    }
  }

  // False for a list, an object and what is no JSON.
  bool PlainValue() {
    if (at_ == end_) return false;
    start_ = at_;
    flag_ = kPlainCell;
    const uint8_t byte = *at_;
    if (byte == '"') {
      ++start_;
      if (!Text()) return false;
      value_end_ = at_ - 1;
      form_ = std::memchr("+-NI\\", *start_, 5) != nullptr || IsDigit(*start_) ? kJsonSpecialText : kJsonOtherText;
      return true;
    }
    if (byte == '-' || IsDigit(byte)) return NumberValue();
    form_ = byte == 'n' ? kJsonNull : kJsonBool;
    if (!Word("null") && !Word("true") && !Word("false")) return false;
    value_end_ = at_;
    return true;
  }

  bool Word(const char* word) {
    const size_t length = std::strlen(word);
    if (static_cast<size_t>(end_ - at_) < length || std::memcmp(at_, word, length) != 0) return false;
    at_ += length;
    return true;
  }

  // From one quote to behind the other.
  bool Text() {
    flag_ = kQuotedCell;
    ++at_;
    for (;;) {
      while (end_ - at_ >= 8 && !HasStop(LoadWord(at_))) at_ += 8;
      if (at_ == end_ || *at_ < 0x20) return false;
      const uint8_t byte = *at_++;
      if (byte == '"') return true;
      if (byte != '\\') continue;
      at_ = EscapeEnd(at_, end_);
      if (at_ == nullptr) return false;
      flag_ = kEscapedCell;
    }
  }

  ptrdiff_t SkipDigits() {
    const uint8_t* const first = at_;
    while (at_ < end_ && IsDigit(*at_)) ++at_;
    return at_ - first;
  }

  // -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
  bool NumberValue() {
    const bool negative = *at_ == '-';
    if (negative) ++at_;
    const uint8_t* const whole = at_;
    const auto digits = static_cast<size_t>(SkipDigits());
    if (digits == 0 || (digits > 1 && *whole == '0')) return false;
    bool has_fraction = negative && digits == 1 && *whole == '0';
    if (at_ < end_ && *at_ == '.') {
      const uint8_t* digit = ++at_;
      if (SkipDigits() == 0) return false;
      for (; digit < at_ && !has_fraction; ++digit) has_fraction = *digit != '0';
    }
    bool is_other = digits > kExactDigits;
    if (at_ < end_ && (*at_ | 0x20) == 'e') {
      ++at_;
      if (at_ < end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      const ptrdiff_t count = SkipDigits();
      if (count == 0 || count > kExponentDigits) return false;
      is_other = true;
    }
    if (at_ - start_ > kLongestNumber) return false;
    form_ = is_other       ? kJsonOtherNumber
            : has_fraction ? kJsonFraction
            : negative     ? kJsonWhole | kJsonNegative
                           : kJsonWhole;
    value_end_ = at_;
    return true;
  }

  uint8_t* const bytes_;
  const JsonNames& names_;
  const JsonRows& rows_;
  std::vector<Member> members_;
  // Members of the record.
  size_t count_ = 0;
  size_t record_ = 0;
  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  // The last value.
  const uint8_t* start_ = nullptr;
  const uint8_t* value_end_ = nullptr;
  uint8_t flag_ = kPlainCell;
  uint32_t form_ = 0;
};

}  // namespace

size_t FindJsonMembers(uint8_t* bytes, const int32_t* bounds, size_t count, const JsonNames& names,
                       const JsonRows& rows) {
  Scanner scanner(bytes, names, rows);
  for (size_t record = 0; record < count; ++record) {
    const size_t cell = (rows.row + record) * rows.stride;
    if (!scanner.Scan(bytes + bounds[2 * record], bytes + bounds[2 * record + 1], cell)) return record;
    scanner.Take(cell);
  }
  return count;
}

}  // namespace colkit
