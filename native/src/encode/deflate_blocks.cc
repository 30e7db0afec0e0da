// See deflate_blocks.h.
#include "encode/deflate_blocks.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "encode/deflate_stream.h"
#include "platform/intrinsics.h"
#include "platform/thread_pool.h"

namespace colkit {
namespace {

constexpr uint32_t kLongest = 258;
// Behind a match that is so long nothing longer is looked for at the next byte.
constexpr uint32_t kLazy = 16;
// A match that is so long ends the search; with one that is so good at hand a search is short.
constexpr uint32_t kNice = 96;
constexpr uint32_t kGood = 8;
constexpr uint32_t kDepth = 12;
constexpr uint32_t kShortDepth = 3;
// Three bytes from farther away take more than they do as literals.
constexpr uint32_t kFarthestOfThree = 2048;
constexpr unsigned kHashBits = 13;
constexpr size_t kHeads = size_t{1} << kHashBits;
// What is read in one go at the last byte.
constexpr size_t kSlack = 8;
// What threads take at a time: so many bytes, and more where there would be more pieces.
constexpr size_t kPieceBytes = 1 << 17;
constexpr size_t kMostPieces = 16;

uint32_t Word(const uint8_t* at) {
  uint32_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

uint32_t HashOfFour(uint32_t word) { return (word * 0x9e3779b1u) >> (32 - kHashBits); }
uint32_t HashOfThree(uint32_t word) { return ((word << 8) * 0x9e3779b1u) >> (32 - kHashBits); }

// How many bytes are the same, at most `most`; eight are read at a time.
uint32_t SameBytes(const uint8_t* a, const uint8_t* b, uint32_t most) {
  for (uint32_t length = 0; length < most; length += 8) {
    uint64_t one;
    uint64_t other;
    std::memcpy(&one, a + length, 8);
    std::memcpy(&other, b + length, 8);
    if (one != other) return std::min(most, length + CountTrailingZeros(one ^ other) / 8);
  }
  return most;
}

// Where bytes stood before: positions plus one, 0 for nowhere.
struct Heads {
  uint16_t of_three[kHeads];
  uint16_t of_four[kHeads];
};

struct Match {
  uint32_t length;
  uint32_t distance;
};

class BlockMatcher {
 public:
  BlockMatcher(const uint8_t* history, size_t history_bytes, size_t block_bytes)
      : window_(history_bytes + block_bytes + kSlack), before_(history_bytes + block_bytes), start_(history_bytes) {
    if (history_bytes > 0) std::memcpy(window_.data(), history, history_bytes);
    std::memset(&of_history_, 0, sizeof of_history_);
    heads_ = of_history_;
    for (uint32_t at = 0; at + 4 <= start_; ++at) Enter(at, Word(window_.data() + at));
    of_history_ = heads_;
  }

  // The tokens of a block.
  void Run(const uint8_t* block, size_t count, DeflateStream* stream) {
    std::memcpy(window_.data() + start_, block, count);
    std::memset(window_.data() + start_ + count, 0, kSlack);
    heads_ = of_history_;
    end_ = start_ + static_cast<uint32_t>(count);
    uint32_t at = start_;
    while (at < end_) {
      Match match = Find(at, 2);
      if (match.distance == 0) {
        stream->Literal(window_[at++]);
        continue;
      }
      // A longer match may begin with the next byte.
      while (match.length < kLazy && at + 1 < end_) {
        const Match next = Find(at + 1, match.length);
        if (next.distance == 0) break;
        stream->Literal(window_[at++]);
        match = next;
      }
      // The byte behind the first one was looked at, but not where the match was too long for that, or ends the block.
      const bool was_next = match.length < kLazy && at + 1 < end_;
      for (uint32_t i = at + (was_next ? 2 : 1); i < at + match.length; ++i) {
        if (i + 4 <= end_) Enter(i, Word(window_.data() + i));
      }
      stream->Copy(match.length, match.distance);
      at += match.length;
    }
  }

 private:
  void Enter(uint32_t at, uint32_t word) {
    const uint32_t four = HashOfFour(word);
    before_[at] = heads_.of_four[four];
    heads_.of_four[four] = static_cast<uint16_t>(at + 1);
    heads_.of_three[HashOfThree(word)] = static_cast<uint16_t>(at + 1);
  }

  // The longest match that is longer than `least`, and the nearest of those; a distance of 0: there is none. Enters the
  // position.
  Match Find(uint32_t at, uint32_t least) {
    Match best = {least, 0};
    if (at + 4 > end_) return best;
    const uint8_t* const bytes = window_.data();
    const uint32_t word = Word(bytes + at);
    const uint32_t limit = std::min(kLongest, end_ - at);
    const uint32_t near = heads_.of_three[HashOfThree(word)];
    uint32_t next = heads_.of_four[HashOfFour(word)];
    Enter(at, word);
    if (least >= limit) return best;
    if (least < 3 && near != 0 && at - (near - 1) <= kFarthestOfThree &&
        ((Word(bytes + near - 1) ^ word) & 0xffffff) == 0)
      best = {3, at - (near - 1)};
    for (uint32_t looks = least >= kGood ? kShortDepth : kDepth; next != 0 && looks > 0; --looks) {
      const uint32_t from = next - 1;
      next = before_[from];
      if (bytes[from + best.length] != bytes[at + best.length] || Word(bytes + from) != word) continue;
      const uint32_t length = SameBytes(bytes + from, bytes + at, limit);
      if (length <= best.length) continue;
      best = {length, at - from};
      if (length >= kNice || length == limit) break;
    }
    return best;
  }

  std::vector<uint8_t> window_;
  std::vector<uint16_t> before_;
  Heads of_history_;
  Heads heads_;
  uint32_t start_;
  uint32_t end_ = 0;
};

}  // namespace

size_t DeflateBlocks(const DeflateInput& input, uint8_t* out, uint32_t* sizes) {
  const size_t most = std::min(input.count, size_t{1} << input.log2);
  if (most == 0) return 0;
  const size_t blocks = (input.count + most - 1) / most;
  const size_t pieces = std::min(kMostPieces, 1 + input.count / kPieceBytes);
  const BlockMatcher matcher(input.history, input.history_bytes, most);
  std::vector<BlockMatcher> matchers(pieces, matcher);
  std::vector<DeflateStream> streams(pieces, DeflateStream(most));
  std::vector<uint32_t> found(blocks);  // what the caller's arrays hold is not read again
  ThreadPool::Instance().ParallelFor(pieces, [&](size_t piece) {
    const size_t past = blocks * (piece + 1) / pieces;
    for (size_t block = blocks * piece / pieces; block < past; ++block) {
      const size_t at = block * most;
      const size_t length = std::min(most, input.count - at);
      streams[piece].Clear();
      // The matcher looks at a copy: what another thread writes to the bytes meanwhile changes no length.
      matchers[piece].Run(input.bytes + at, length, &streams[piece]);
      size_t size = streams[piece].Plan();
      if (size < length) {
        streams[piece].Write(out + at);
      } else {
        size = length;
        std::memcpy(out + at, input.bytes + at, length);
      }
      found[block] = static_cast<uint32_t>(size);
    }
  });
  size_t written = 0;
  for (size_t block = 0; block < blocks; ++block) {
    std::memmove(out + written, out + block * most, found[block]);
    written += sizes[block] = found[block];
  }
  return written;
}

}  // namespace colkit
