// See text_test.h. Texts are compared as bytes: the order of UTF-8 is the order of code points.
#include "pages/texts/text_test.h"

#include <algorithm>
#include <cstring>

#include "decode/texts/text_blocks.h"
#include "pages/page_program.h"
#include "pages/texts/text_folds.h"
#include "texts/characters.h"
#include "texts/text_hash.h"

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
  Bytes folds;  // TextFold behind TextFold
  // In: where constants of a hash are, one behind the other; null where there are few.
  uint32_t* slots;
  uint32_t slot_mask;
};

// In like: any one character. No byte of UTF-8.
constexpr uint8_t kAnyCharacter = 0xff;
// So many constants are compared one by one.
constexpr uint32_t kFewConstants = 4;
constexpr uint32_t kNoConstant = ~uint32_t{0};

uint32_t SlotOf(const Test& test, const Bytes& text) {
  return static_cast<uint32_t>(HashOfText(text.data, text.length, 0)) & test.slot_mask;
}

bool HashConstants(Test* test, Arena* arena) {
  uint32_t slots = 4 * kFewConstants;
  while (slots < 4 * uint64_t{test->count}) slots *= 2;
  test->slots = arena->Take<uint32_t>(slots);
  if (test->slots == nullptr) return false;
  test->slot_mask = slots - 1;
  std::memset(test->slots, 0xff, slots * sizeof(uint32_t));
  for (uint32_t i = 0; i < test->count; ++i) {
    uint32_t slot = SlotOf(*test, test->constants[i]);
    while (test->slots[slot] != kNoConstant) slot = (slot + 1) & test->slot_mask;
    test->slots[slot] = i;
  }
  return true;
}

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
  *test = {static_cast<TextTestKind>(head[0]), head[1], count, constants, {nullptr, 0}, nullptr, 0};
  if (at != source_bytes || (test->kind == TextTestKind::kRange && count != 2)) return false;
  if (test->kind == TextTestKind::kLike && (test->flags & kTextTestCaseless) != 0) {
    test->folds = constants[0];
    ++test->constants;
    if (--test->count == 0 || test->folds.length % sizeof(TextFold) != 0) return false;
  }
  return test->kind != TextTestKind::kIn || count <= kFewConstants || HashConstants(test, arena);
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

bool IsIn(const Test& test, const Bytes& text) {
  if (test.slots == nullptr) {
    for (uint32_t i = 0; i < test.count; ++i) {
      if (AreEqual(test.constants[i], text)) return true;
    }
    return false;
  }
  for (uint32_t slot = SlotOf(test, text);; slot = (slot + 1) & test.slot_mask) {
    const uint32_t i = test.slots[slot];
    if (i == kNoConstant) return false;
    if (AreEqual(test.constants[i], text)) return true;
  }
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

bool HasAnyCharacter(const Test& test) {
  for (uint32_t i = 0; i < test.count; ++i) {
    if (std::memchr(test.constants[i].data, kAnyCharacter, test.constants[i].length) != nullptr) return true;
  }
  return false;
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

// Where `segment` ends that begins at `at`; null where it does not stand there.
const uint8_t* EndOf(const uint8_t* at, const uint8_t* end, const Bytes& segment) {
  for (uint32_t i = 0; i < segment.length; ++i) {
    if (at == end) return nullptr;
    if (segment.data[i] == kAnyCharacter)
      at += CharacterLength(at, end);
    else if (*at++ != segment.data[i])
      return nullptr;
  }
  return at;
}

uint32_t CountCharacters(const uint8_t* at, const uint8_t* end) {
  uint32_t count = 0;
  for (; at < end; at += CharacterLength(at, end)) ++count;
  return count;
}

// The same as IsLike, of segments that may hold any character.
bool IsLikeAny(const Test& test, const Bytes& text) {
  const uint8_t* const end = text.data + text.length;
  const uint8_t* at = EndOf(text.data, end, test.constants[0]);
  if (at == nullptr || test.count == 1) return at == end;
  for (uint32_t i = 1; i + 1 < test.count; ++i) {
    const Bytes& segment = test.constants[i];
    const uint8_t* behind;
    while ((behind = EndOf(at, end, segment)) == nullptr) {
      if (at == end) return false;
      at += CharacterLength(at, end);
    }
    at = behind;
  }
  // The last one takes as many characters as it has.
  const Bytes& last = test.constants[test.count - 1];
  const uint32_t needed = CountCharacters(last.data, last.data + last.length);
  uint32_t left = CountCharacters(at, end);
  for (; left > needed; --left) at += CharacterLength(at, end);
  return left == needed && EndOf(at, end, last) == end;
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

// A bit of what is known of a text without its bytes: its length, and a few bits of its hash.
uint32_t BitOf(uint32_t length, uint32_t fingerprint) { return (length << 8 ^ fingerprint) * 0x9e3779b1u >> 16; }

// Texts that are decompressed when they are needed, and are one of the constants: only those are looked at of which
// length and fingerprint may be one's.
bool MarkPossible(const TextValues& texts, const Test& test, Arena* arena, uint8_t* mask) {
  LazyTexts* const lazy = texts.lazy;
  const unsigned bits = lazy->fingerprint_bits();
  constexpr size_t kBits = 1 << 16;
  auto* possible = arena->Take<uint8_t>(kBits / 8);
  auto* found = arena->Take<uint32_t>(size_t{texts.count} + 1);
  if (possible == nullptr || found == nullptr) return false;
  std::memset(possible, 0, kBits / 8);
  for (uint32_t i = 0; i < test.count; ++i) {
    const Bytes& text = test.constants[i];
    const uint32_t bit = BitOf(text.length, bits == 0 ? 0 : TextHash(text.data, text.length) >> (32 - bits));
    possible[bit / 8] |= static_cast<uint8_t>(1 << bit % 8);
  }
  const uint32_t* const fingerprints = lazy->fingerprints();
  uint64_t eight = 0;
  const Bytes& only = test.constants[0];
  if (only.length > 0) std::memcpy(&eight, only.data, std::min<size_t>(only.length, sizeof eight));
  uint32_t start = 0;
  uint32_t count = 0;
  // Which of them may be one cannot be predicted: what may not be is written over.
  for (uint32_t i = 0; i < texts.count; ++i) {
    const uint32_t end = texts.ends[i];
    const uint32_t bit = BitOf(end - start, fingerprints == nullptr ? 0 : fingerprints[i]);
    found[count] = i;
    count += possible[bit / 8] >> bit % 8 & 1;
    start = end;
  }
  if (test.count == 1) {
    const uint32_t of_length = count;
    count = 0;
    for (uint32_t i = 0; i < of_length; ++i) {
      if (lazy->MayBegin(found[i], eight)) found[count++] = found[i];
    }
  }
  // Many are sooner there all at once.
  if (count > texts.count / 4 && !LoadTexts(texts)) return false;
  std::memset(mask, 0, texts.count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t text = found[i];
    const uint32_t from = texts.Start(text);
    const uint32_t to = texts.ends[text];
    if (!lazy->LoadString(text, from, to)) return false;
    mask[text] = IsIn(test, Bytes{texts.bytes + from, to - from}) ? 1 : 0;
  }
  return true;
}

// By how each text stands to the constants. False where that is not told without their bytes.
bool MarkByOrder(const TextValues& texts, const Test& test, uint8_t* mask) {
  const auto only = [](TextOrder order) { return 1u << static_cast<unsigned>(order); };
  const unsigned equal = only(TextOrder::kEqual);
  const bool is_in = test.kind == TextTestKind::kIn;
  const bool is_range = test.kind == TextTestKind::kRange;
  const bool begins = test.kind == TextTestKind::kLike && test.count == 2 && test.constants[1].length == 0 &&
                      test.folds.data == nullptr && !HasAnyCharacter(test);
  if (texts.lazy == nullptr || (is_in ? test.slots != nullptr : !is_range && !begins)) return false;
  std::memset(mask, is_in ? 0 : 1, texts.count);
  for (uint32_t constant = 0; constant < (begins ? 1 : test.count); ++constant) {
    unsigned passing = is_in ? equal : equal | only(TextOrder::kBegins);
    if (is_range) {
      const bool is_low = constant == 0;
      if ((test.flags & (is_low ? kTextTestLow : kTextTestHigh)) == 0) continue;
      passing = is_low ? only(TextOrder::kBegins) | only(TextOrder::kAbove) : only(TextOrder::kBelow);
      if ((test.flags & (is_low ? kTextTestAboveLow : kTextTestBelowHigh)) == 0) passing |= equal;
    }
    const TextOrder* orders = texts.lazy->OrdersTo(test.constants[constant].data, test.constants[constant].length);
    if (orders == nullptr) return false;
    for (uint32_t i = 0; i < texts.count; ++i) {
      const auto passes = static_cast<uint8_t>(passing >> static_cast<unsigned>(orders[i]) & 1);
      mask[i] = is_in ? mask[i] | passes : mask[i] & passes;
    }
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

// False where the bytes are not as the format says, or there is no room.
bool MarkByBytes(const TextValues& stored, const Test& test, Arena* arena, uint8_t* mask) {
  if (stored.lazy != nullptr && test.kind == TextTestKind::kIn) return MarkPossible(stored, test, arena, mask);
  TextValues texts = stored;
  if (!LoadTexts(stored) ||
      (test.folds.data != nullptr && !FoldTexts(test.folds.data, test.folds.length, arena, &texts)))
    return false;
  const Bytes* const constants = test.constants;
  switch (test.kind) {
    case TextTestKind::kIn:
      Mark(
          texts, [&test](const Bytes& text) { return IsIn(test, text); }, mask);
      break;
    case TextTestKind::kRange:
      Mark(
          texts, [&test](const Bytes& text) { return IsInRange(test, text); }, mask);
      break;
    case TextTestKind::kLike:
      if (HasAnyCharacter(test))
        Mark(
            texts, [&test](const Bytes& text) { return IsLikeAny(test, text); }, mask);
      else if (test.count == 3 && constants[0].length == 0 && constants[2].length == 0 && constants[1].length > 0)
        MarkHolding(texts, constants[1], mask);
      else
        Mark(
            texts, [&test](const Bytes& text) { return IsLike(test, text); }, mask);
      break;
  }
  return true;
}

}  // namespace

const uint8_t* TestTexts(const TextValues& stored, const uint8_t* source, uint32_t source_bytes, Arena* arena) {
  Test test;
  if (!ReadTest(source, source_bytes, arena, &test)) return nullptr;
  auto* mask = arena->Take<uint8_t>(stored.count);
  if (mask == nullptr) return nullptr;
  if (!MarkByOrder(stored, test, mask) && !MarkByBytes(stored, test, arena, mask)) return nullptr;
  if ((test.flags & kTextTestNot) != 0) {
    for (uint32_t i = 0; i < stored.count; ++i) mask[i] ^= 1;
  }
  return mask;
}

}  // namespace colkit
