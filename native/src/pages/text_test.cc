// See text_test.h. Texts are compared as bytes: the order of UTF-8 is the order of code points.
#include "pages/text_test.h"

#include <algorithm>
#include <cstring>

#include "decode/texts/text_blocks.h"
#include "pages/page_program.h"

namespace colkit {
namespace {

struct Bytes {
  const uint8_t* data;
  uint32_t length;
};

struct Test {
  TextTestKind kind;
  uint32_t flags;
  uint32_t count;
  const Bytes* constants;
};

bool ReadTest(const uint8_t* source, uint32_t source_bytes, Arena* arena, Test* test) {
  constexpr uint32_t kHeadWords = 3;
  if (source_bytes < kHeadWords * sizeof(uint32_t)) return false;
  uint8_t* bytes = arena->Take<uint8_t>(source_bytes);
  if (bytes == nullptr) return false;
  std::memcpy(bytes, source, source_bytes);
  uint32_t head[kHeadWords];
  std::memcpy(head, bytes, sizeof head);
  const uint32_t count = head[2];
  if (head[0] >= kTextTestKinds || count < 1 || count > (source_bytes - sizeof head) / sizeof(uint32_t)) return false;
  auto* constants = arena->Take<Bytes>(count);
  if (constants == nullptr) return false;
  uint32_t at = static_cast<uint32_t>(sizeof head + count * sizeof(uint32_t));
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t length;
    std::memcpy(&length, bytes + sizeof head + i * sizeof length, sizeof length);
    if (length > source_bytes - at) return false;
    constants[i] = {bytes + at, length};
    at += length;
  }
  *test = {static_cast<TextTestKind>(head[0]), head[1], count, constants};
  return at == source_bytes && (test->kind != TextTestKind::kRange || count == 2);
}

bool AreEqual(const Bytes& a, const Bytes& b) {
  return a.length == b.length && std::memcmp(a.data, b.data, a.length) == 0;
}

// Below 0 where `a` comes first, above 0 where `b` does.
int Compare(const Bytes& a, const Bytes& b) {
  const uint32_t shorter = a.length < b.length ? a.length : b.length;
  const int order = std::memcmp(a.data, b.data, shorter);
  return order != 0 ? order : a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
}

// Shorter ones first.
int CompareByLength(const Bytes& a, const Bytes& b) {
  return a.length != b.length ? (a.length < b.length ? -1 : 1) : std::memcmp(a.data, b.data, a.length);
}

bool IsIn(const Test& test, const Bytes& text) {
  constexpr uint32_t kFew = 4;
  uint32_t low = 0;
  uint32_t high = test.count;
  while (high - low > kFew) {
    const uint32_t middle = low + (high - low) / 2;
    if (CompareByLength(test.constants[middle], text) <= 0)
      low = middle;
    else
      high = middle;
  }
  for (uint32_t i = low; i < high; ++i) {
    if (AreEqual(test.constants[i], text)) return true;
  }
  return false;
}

bool IsInRange(const Test& test, const Bytes& text) {
  if ((test.flags & kTextTestLow) != 0) {
    const int order = Compare(text, test.constants[0]);
    if (order < 0 || (order == 0 && (test.flags & kTextTestAboveLow) != 0)) return false;
  }
  if ((test.flags & kTextTestHigh) == 0) return true;
  const int order = Compare(text, test.constants[1]);
  return order < 0 || (order == 0 && (test.flags & kTextTestBelowHigh) == 0);
}

// Where `segment` first is in [from, end); null where it is not. Not called for an empty one.
const uint8_t* Find(const uint8_t* from, const uint8_t* end, const Bytes& segment) {
  const uint32_t length = segment.length;
  const uint8_t last = segment.data[length - 1];
  while (static_cast<size_t>(end - from) >= length) {
    // Text ends in more different bytes than it begins with: spaces are in front.
    const auto* found = static_cast<const uint8_t*>(
        std::memchr(from + length - 1, last, static_cast<size_t>(end - from) - (length - 1)));
    if (found == nullptr) return nullptr;
    from = found - (length - 1);
    if (std::memcmp(from, segment.data, length - 1) == 0) return from;
    ++from;
  }
  return nullptr;
}

// The first segment begins the text, the last one ends it, the others follow each other between them.
bool IsLike(const Test& test, const Bytes& text) {
  const Bytes& first = test.constants[0];
  if (test.count == 1) return AreEqual(first, text);
  const Bytes& last = test.constants[test.count - 1];
  if (text.length < first.length || text.length - first.length < last.length ||
      std::memcmp(text.data, first.data, first.length) != 0)
    return false;
  const uint8_t* end = text.data + text.length - last.length;
  if (std::memcmp(end, last.data, last.length) != 0) return false;
  const uint8_t* from = text.data + first.length;
  for (uint32_t i = 1; i + 1 < test.count; ++i) {
    const Bytes& segment = test.constants[i];
    if (segment.length == 0) continue;
    from = Find(from, end, segment);
    if (from == nullptr) return false;
    from += segment.length;
  }
  return true;
}

// Texts that hold `segment`: looked for in all of them at once, which are back to back.
void MarkHolding(const TextValues& texts, const Bytes& segment, uint8_t* mask) {
  std::memset(mask, 0, texts.count);
  const uint8_t* const end = texts.bytes + texts.byte_length;
  const uint8_t* from = texts.bytes;
  uint32_t text = 0;
  while ((from = Find(from, end, segment)) != nullptr) {
    const auto found = static_cast<uint32_t>(from - texts.bytes);
    while (texts.ends[text] <= found) ++text;
    if (texts.ends[text] - found < segment.length) {
      // It goes on into the next text.
      ++from;
      continue;
    }
    mask[text] = 1;
    from = texts.bytes + texts.ends[text];
  }
}

// What is known of a text without its bytes: its length, and a few bits of its hash.
uint64_t KeyOf(uint32_t length, uint32_t fingerprint) { return uint64_t{length} << 8 | fingerprint; }

// Texts that are decompressed when they are needed, and are one of the constants: only those are looked at of which
// length and fingerprint are one's.
bool MarkPossible(const TextValues& texts, const Test& test, Arena* arena, uint8_t* mask) {
  LazyTexts* const lazy = texts.lazy;
  const unsigned bits = lazy->fingerprint_bits();
  auto* keys = arena->Take<uint64_t>(test.count);
  if (keys == nullptr) return false;
  for (uint32_t i = 0; i < test.count; ++i) {
    const Bytes& text = test.constants[i];
    keys[i] = KeyOf(text.length, bits == 0 ? 0 : TextHash(text.data, text.length) >> (32 - bits));
  }
  std::sort(keys, keys + test.count);
  const uint64_t least = keys[0];
  const uint64_t above = keys[test.count - 1] - least;
  const uint32_t* const fingerprints = lazy->fingerprints();
  uint64_t eight = 0;
  const Bytes& only = test.constants[0];
  if (only.length > 0) std::memcpy(&eight, only.data, std::min<size_t>(only.length, sizeof eight));
  uint32_t start = 0;
  for (uint32_t i = 0; i < texts.count; ++i) {
    const uint32_t end = texts.ends[i];
    const uint64_t key = KeyOf(end - start, fingerprints == nullptr ? 0 : fingerprints[i]);
    mask[i] = 0;
    if (key - least <= above && (above == 0 || std::binary_search(keys, keys + test.count, key)) &&
        (test.count > 1 || lazy->MayBegin(i, eight))) {
      if (!lazy->LoadString(i, start, end)) return false;
      mask[i] = IsIn(test, Bytes{texts.bytes + start, end - start}) ? 1 : 0;
    }
    start = end;
  }
  return true;
}

template <typename Passes>
void Mark(const TextValues& texts, Passes passes, uint8_t* mask) {
  uint32_t start = 0;
  for (uint32_t i = 0; i < texts.count; ++i) {
    const uint32_t end = texts.ends[i];
    mask[i] = passes(Bytes{texts.bytes + start, end - start}) ? 1 : 0;
    start = end;
  }
}

}  // namespace

const uint8_t* TestTexts(const TextValues& texts, const uint8_t* source, uint32_t source_bytes, Arena* arena) {
  Test test;
  if (!ReadTest(source, source_bytes, arena, &test)) return nullptr;
  auto* mask = arena->Take<uint8_t>(texts.count);
  if (mask == nullptr) return nullptr;
  const Bytes* const constants = test.constants;
  const bool is_known = texts.lazy != nullptr && test.kind == TextTestKind::kIn;
  if (is_known ? !MarkPossible(texts, test, arena, mask) : !LoadTexts(texts)) return nullptr;
  switch (test.kind) {
    case TextTestKind::kIn:
      if (is_known) break;
      if (test.count == 1)
        Mark(
            texts, [constants](const Bytes& text) { return AreEqual(text, constants[0]); }, mask);
      else
        Mark(
            texts, [&test](const Bytes& text) { return IsIn(test, text); }, mask);
      break;
    case TextTestKind::kRange:
      Mark(
          texts, [&test](const Bytes& text) { return IsInRange(test, text); }, mask);
      break;
    case TextTestKind::kLike:
      if (test.count == 3 && constants[0].length == 0 && constants[2].length == 0 && constants[1].length > 0)
        MarkHolding(texts, constants[1], mask);
      else
        Mark(
            texts, [&test](const Bytes& text) { return IsLike(test, text); }, mask);
      break;
  }
  if ((test.flags & kTextTestNot) != 0) {
    for (uint32_t i = 0; i < texts.count; ++i) mask[i] ^= 1;
  }
  return mask;
}

}  // namespace colkit
