// See entropy_bins.h.
#include "encode/numbers/entropy_bins.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

// About what frequency, low and width of a bin take in the table.
constexpr double kBinBits = 14;
// Bits that a value's offset must earn to be read at all.
constexpr double kOffsetBits = 0.004;
// From that width on, offsets alone beyond what a good start costs end the search: longer bins only get worse.
constexpr unsigned kWide = 16;
constexpr uint32_t kLowestState = 1u << 16;

// Runs of buckets of about equal weight: the first and the last number of each, and how many are in those before it.
struct Quantiles {
  std::vector<uint32_t> first;
  std::vector<uint32_t> last;
  std::vector<uint32_t> sums;
};

Quantiles QuantilesOf(const Buckets& buckets, size_t most) {
  uint64_t total = 0;
  for (size_t bucket = 0; bucket < buckets.count; ++bucket) total += buckets.counts[bucket];
  const double weight = static_cast<double>(total) / static_cast<double>(most);
  const uint64_t unit = uint64_t{1} << buckets.shift;
  Quantiles found;
  found.sums.push_back(0);
  uint64_t sum = 0;
  uint32_t here = 0;
  bool open = false;
  for (size_t bucket = 0; bucket < buckets.count; ++bucket) {
    const uint32_t in_bucket = buckets.counts[bucket];
    if (in_bucket == 0) continue;
    const bool heavy = in_bucket >= weight;
    if (!open || heavy) {
      if (open) found.sums.push_back(static_cast<uint32_t>(sum));
      found.first.push_back(static_cast<uint32_t>(bucket * unit));
      found.last.push_back(0);
      here = 0;
      open = true;
    }
    found.last.back() = static_cast<uint32_t>(bucket * unit + unit - 1);
    here += in_bucket;
    sum = std::min<uint64_t>(sum + in_bucket, UINT32_MAX);
    if (heavy || here >= weight) {
      found.sums.push_back(static_cast<uint32_t>(sum));
      open = false;
    }
  }
  if (open) found.sums.push_back(static_cast<uint32_t>(sum));
  return found;
}

unsigned OffsetWidth(uint32_t largest) { return largest == 0 ? 0 : 64 - CountLeadingZeros(largest); }

// The bin of every bucket up to that of the largest value.
std::vector<uint16_t> BinOfBuckets(const uint32_t* values, size_t count, const CodedBins& bins) {
  uint32_t largest = 0;
  for (size_t i = 0; i < count; ++i) largest = std::max(largest, values[i]);
  const size_t buckets = (size_t{largest} >> bins.shift) + 1;
  std::vector<uint16_t> bin_of(buckets);
  for (size_t bin = 0; bin < bins.count; ++bin) {
    const size_t from = std::min<size_t>(buckets, bins.lows[bin] >> bins.shift);
    const size_t to = bin + 1 < bins.count ? std::min<size_t>(buckets, bins.lows[bin + 1] >> bins.shift) : buckets;
    for (size_t bucket = from; bucket < to; ++bucket) bin_of[bucket] = static_cast<uint16_t>(bin);
  }
  return bin_of;
}

}  // namespace

double EntropyBits(const Buckets& buckets, Logs logs) {
  uint64_t total = 0;
  for (size_t bucket = 0; bucket < buckets.count; ++bucket) total += buckets.counts[bucket];
  if (total >= logs.count) return -1;
  const double log_of_total = logs.data[total];
  double bits = static_cast<double>(total) * buckets.shift;
  for (size_t bucket = 0; bucket < buckets.count; ++bucket) {
    const uint32_t in_bucket = buckets.counts[bucket];
    if (in_bucket == 0) continue;
    if (in_bucket >= logs.count) return -1;
    bits += in_bucket * (log_of_total - logs.data[in_bucket]);
  }
  return bits;
}

size_t JoinBuckets(const Buckets& buckets, size_t most, Logs logs, const BinArrays& bins, double* bits) {
  const Quantiles found = QuantilesOf(buckets, most);
  const size_t length = found.first.size();
  const uint32_t* const sums = found.sums.data();
  // All that is asked for below is at most the sum of all.
  if (length == 0 || sums[length] >= logs.count) return 0;
  const double log_of_total = logs.data[sums[length]];
  std::vector<double> best(length + 1);
  std::vector<uint32_t> from(length + 1);
  for (size_t j = 1; j <= length; ++j) {
    const uint32_t end = found.last[j - 1];
    double best_here = std::numeric_limits<double>::infinity();
    uint32_t from_here = 0;
    for (size_t i = j; i-- > 0;) {
      const uint32_t in_bin = sums[j] - sums[i];
      const unsigned width = OffsetWidth(end - found.first[i]);
      if (width > kWide && static_cast<double>(in_bin) * width > best_here) break;
      const double all =
          best[i] + in_bin * (width - (logs.data[in_bin] - log_of_total) + (width > 0 ? kOffsetBits : 0)) + kBinBits;
      if (all < best_here) {
        best_here = all;
        from_here = static_cast<uint32_t>(i);
      }
    }
    best[j] = best_here;
    from[j] = from_here;
  }
  size_t count = 0;
  for (size_t j = length; j > 0; j = from[j]) ++count;
  if (count > bins.room) return 0;
  size_t bin = count;
  for (size_t j = length; j > 0; j = from[j]) {
    --bin;
    bins.lows[bin] = found.first[from[j]];
    bins.widths[bin] = OffsetWidth(found.last[j - 1] - found.first[from[j]]);
    bins.weights[bin] = sums[j] - sums[from[j]];
  }
  *bits = best[length];
  return count;
}

size_t CodeBins(const uint32_t* values, size_t count, const CodedBins& bins, const uint32_t* frequencies,
                uint16_t* stream, uint32_t* states) {
  struct Symbol {
    uint32_t frequency;
    uint32_t start;
    uint64_t limit;
  };
  std::vector<Symbol> symbols(bins.count);
  uint64_t sum = 0;
  for (size_t bin = 0; bin < bins.count; ++bin) {
    const uint32_t frequency = frequencies[bin];
    if (frequency == 0) return SIZE_MAX;
    // Above its limit the next state would not fit into 32 bits: its low half goes to the stream.
    symbols[bin] = {frequency, static_cast<uint32_t>(sum), uint64_t{frequency} << 20};
    sum += frequency;
  }
  if (sum != kEntropyOne) return SIZE_MAX;
  const std::vector<uint16_t> bin_of = BinOfBuckets(values, count, bins);
  for (unsigned lane = 0; lane < kEntropyLanes; ++lane) states[lane] = kLowestState;
  uint32_t state_of[kEntropyLanes] = {kLowestState, kLowestState, kLowestState, kLowestState};
  size_t written = 0;
  for (size_t i = count; i-- > 0;) {
    // A number that another thread changed meanwhile counts as the last.
    const Symbol& symbol = symbols[bin_of[std::min<size_t>(values[i] >> bins.shift, bin_of.size() - 1)]];
    uint32_t state = state_of[i % kEntropyLanes];
    if (state >= symbol.limit) {
      stream[written++] = static_cast<uint16_t>(state);
      state >>= 16;
    }
    const uint32_t quotient = state / symbol.frequency;
    state_of[i % kEntropyLanes] = state + quotient * (kEntropyOne - symbol.frequency) + symbol.start;
  }
  for (unsigned lane = 0; lane < kEntropyLanes; ++lane) states[lane] = state_of[lane];
  std::reverse(stream, stream + written);
  return written;
}

bool PackBinOffsets(const uint32_t* values, size_t count, const CodedBins& bins, const uint32_t* widths,
                    uint32_t* words, size_t room) {
  const std::vector<uint16_t> bin_of = BinOfBuckets(values, count, bins);
  struct Bin {
    uint32_t low;
    uint32_t width;
    uint64_t mask;
  };
  std::vector<Bin> each(bins.count);
  for (size_t bin = 0; bin < bins.count; ++bin) {
    const uint32_t width = std::min(widths[bin], uint32_t{32});
    each[bin] = {bins.lows[bin], width, (uint64_t{1} << width) - 1};
  }
  uint64_t pending = 0;
  unsigned filled = 0;
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    const Bin& bin = each[bin_of[std::min<size_t>(values[i] >> bins.shift, bin_of.size() - 1)]];
    pending |= (uint64_t{values[i] - bin.low} & bin.mask) << filled;
    filled += bin.width;
    if (filled < 32) continue;
    if (at == room) return false;
    words[at++] = static_cast<uint32_t>(pending);
    pending >>= 32;
    filled -= 32;
  }
  if (filled == 0) return true;
  if (at == room) return false;
  words[at] = static_cast<uint32_t>(pending);
  return true;
}

}  // namespace colkit
