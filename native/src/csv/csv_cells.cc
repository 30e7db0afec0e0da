// See csv_cells.h. 64 bytes at a time become a mask of those that may end something; the rest is work for each of them.
#include "csv/csv_cells.h"

#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr uint8_t kLineFeed = 10;
constexpr uint8_t kReturn = 13;
constexpr size_t kBlock = 64;

// Finds bytes that are one of three, and whether any is beyond ASCII.
class StopFinder {
 public:
  StopFinder(uint8_t separator, uint8_t quote) {
#if COLKIT_X86
    separators_ = _mm_set1_epi8(static_cast<char>(separator));
    quotes_ = _mm_set1_epi8(static_cast<char>(quote));
    line_feeds_ = _mm_set1_epi8(kLineFeed);
    seen_ = _mm_setzero_si128();
#else
    separators_ = separator * kOnes;
    quotes_ = quote * kOnes;
#endif
  }

  uint64_t Find(const uint8_t* block) {
    uint64_t stops = 0;
#if COLKIT_X86
    for (unsigned part = 0; part < 4; ++part) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * part));
      seen_ = _mm_or_si128(seen_, bytes);
      const __m128i ends_cell = _mm_or_si128(_mm_cmpeq_epi8(bytes, separators_), _mm_cmpeq_epi8(bytes, line_feeds_));
      const __m128i found = _mm_or_si128(ends_cell, _mm_cmpeq_epi8(bytes, quotes_));
      stops |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(found))) << (16 * part);
    }
#else
    for (unsigned part = 0; part < 8; ++part) {
      uint64_t bytes;
      std::memcpy(&bytes, block + 8 * part, 8);
      seen_ |= bytes;
      const uint64_t found = Zeros(bytes ^ separators_) | Zeros(bytes ^ quotes_) | Zeros(bytes ^ (kLineFeed * kOnes));
      // The high bit of each byte to the bit of its number.
      stops |= (((found >> 7) * 0x0102040810204080ull) >> 56) << (8 * part);
    }
#endif
    return stops;
  }

  bool is_ascii() const {
#if COLKIT_X86
    return _mm_movemask_epi8(seen_) == 0;
#else
    return (seen_ & kHighs) == 0;
#endif
  }

 private:
#if COLKIT_X86
  __m128i separators_;
  __m128i quotes_;
  __m128i line_feeds_;
  __m128i seen_;
#else
  static constexpr uint64_t kOnes = 0x0101010101010101ull;
  static constexpr uint64_t kHighs = 0x8080808080808080ull;
  // The high bit of each byte that is 0.
  static uint64_t Zeros(uint64_t bytes) { return ~(((bytes & ~kHighs) + ~kHighs) | bytes) & kHighs; }
  uint64_t separators_;
  uint64_t quotes_;
  uint64_t seen_ = 0;
#endif
};

template <bool kQuotes>
class Finder {
 public:
  Finder(const uint8_t* bytes, size_t length, const CsvDialect& dialect, const CsvCells& cells)
      : bytes_(bytes), length_(length), dialect_(dialect), cells_(cells) {}

  CsvOutcome Run(CsvRows* rows) {
    StopFinder stops(dialect_.separator, kQuotes ? static_cast<uint8_t>(dialect_.quote) : kLineFeed);
    size_t base = 0;
    CsvOutcome outcome = CsvOutcome::kDone;
    for (; outcome == CsvOutcome::kDone && base + kBlock <= length_; base += kBlock)
      outcome = Take(base, stops.Find(bytes_ + base));
    if (outcome == CsvOutcome::kDone && base < length_) {
      uint8_t last[kBlock] = {};
      std::memcpy(last, bytes_ + base, length_ - base);
      outcome = Take(base, stops.Find(last) & ((uint64_t{1} << (length_ - base)) - 1));
    }
    if (outcome == CsvOutcome::kDone && dialect_.is_final && row_start_ < length_) outcome = End();
    *rows = {row_start_, row_, line_count_, stops.is_ascii()};
    return outcome;
  }

 private:
  CsvOutcome Take(size_t base, uint64_t stops) {
    for (; stops != 0; stops &= stops - 1) {
      const size_t position = base + CountTrailingZeros(stops);
      const uint8_t byte = bytes_[position];
      if (kQuotes) {
        if (in_quotes_) {
          if (byte == kLineFeed) ++line_;
          if (byte != dialect_.quote || position == second_) continue;
          if (position + 1 < length_ && bytes_[position + 1] == dialect_.quote) {
            flag_ = kEscapedCell;
            second_ = position + 1;
            continue;
          }
          in_quotes_ = false;
          closed_ = position;
          continue;
        }
        if (byte == dialect_.quote) {
          // In a cell that does not begin with one, a quote is text.
          if (flag_ != kPlainCell) return CsvOutcome::kLeft;
          if (position != start_) continue;
          in_quotes_ = true;
          flag_ = kQuotedCell;
          continue;
        }
      }
      const bool ends_row = byte == kLineFeed;
      const CsvOutcome outcome = EndCell(position, ends_row, ends_row);
      if (outcome != CsvOutcome::kDone) return outcome;
    }
    return CsvOutcome::kDone;
  }

  // The last row, without a line break.
  CsvOutcome End() { return in_quotes_ ? CsvOutcome::kLeft : EndCell(length_, true, false); }

  CsvOutcome EndCell(size_t position, bool ends_row, bool has_break) {
    size_t from = start_;
    size_t to = position;
    if (kQuotes && flag_ != kPlainCell) {
      const size_t behind = closed_ + 1;
      const bool is_tight =
          behind == position || (has_break && behind + 1 == position && bytes_[behind] == kReturn);
      if (!is_tight) return CsvOutcome::kLeft;
      ++from;
      to = closed_;
    } else if (has_break && to > from && bytes_[to - 1] == kReturn) {
      --to;
    }
    if (cell_ == cells_.cell_room) return CsvOutcome::kNoRoom;
    cells_.starts[cell_] = static_cast<int32_t>(from);
    cells_.ends[cell_] = static_cast<int32_t>(to);
    if (kQuotes) cells_.flags[cell_] = flag_;
    const size_t next = position + 1;
    if (!ends_row) {
      ++cell_;
      if (++column_ == dialect_.columns) return CsvOutcome::kLeft;
    } else {
      if (has_break) ++line_;
      if (column_ + 1 == dialect_.columns) {
        if (row_ == cells_.row_room) return CsvOutcome::kNoRoom;
        cells_.row_lines[row_++] = static_cast<int32_t>(row_line_);
        ++cell_;
      } else if (column_ > 0 || !dialect_.skips_blank || flag_ != kPlainCell || from != to) {
        return CsvOutcome::kLeft;
      }
      column_ = 0;
      row_start_ = has_break ? next : position;
      row_line_ = line_;
      line_count_ = line_;
    }
    start_ = next;
    flag_ = kPlainCell;
    return CsvOutcome::kDone;
  }

  const uint8_t* const bytes_;
  const size_t length_;
  const CsvDialect& dialect_;
  const CsvCells& cells_;
  size_t cell_ = 0;
  size_t row_ = 0;
  size_t column_ = 0;
  size_t start_ = 0;
  size_t row_start_ = 0;
  size_t line_ = 0;
  size_t row_line_ = 0;
  size_t line_count_ = 0;
  // Of the cell that is begun: how it is written, whether its quote is still open, and where it was closed.
  uint8_t flag_ = kPlainCell;
  bool in_quotes_ = false;
  size_t closed_ = 0;
  // The second of two quotes.
  size_t second_ = 0;
};

}  // namespace

CsvOutcome FindCsvCells(const uint8_t* bytes, size_t length, const CsvDialect& dialect, const CsvCells& cells,
                        CsvRows* rows) {
  if (dialect.quote <= UINT8_MAX && length > 0 && std::memchr(bytes, dialect.quote, length) != nullptr)
    return Finder<true>(bytes, length, dialect, cells).Run(rows);
  const CsvOutcome outcome = Finder<false>(bytes, length, dialect, cells).Run(rows);
  if (outcome == CsvOutcome::kDone) std::memset(cells.flags, kPlainCell, rows->row_count * dialect.columns);
  return outcome;
}

}  // namespace colkit
