// The tree of encoded values in the body of a .cna page -> numbers. What nodes are is specified in
// docs/formats/columna.md, section 4. This decodes most of them and declines the rest, and everything that is not as
// the format says: who asked then decodes the page in TypeScript, which gives the values or says what is wrong.
#ifndef COLKIT_NATIVE_COLUMN_NODES_H_
#define COLKIT_NATIVE_COLUMN_NODES_H_

#include <cstddef>
#include <cstdint>

#include "decode/page_format.h"
#include "platform/arena.h"

namespace colkit {

// The values of a node, in the arena or the body.
struct NodeValues {
  enum class Kind : uint8_t {
    kNarrow,  // base + step * numbers[i] modulo 2^64
    kWide,    // words[i]
    // integers as above, within 2^53, divided by 10^exponent: narrow where `numbers` is not null, else words as int64
    kDecimal,
  };
  Kind kind = Kind::kWide;
  uint32_t count = 0;
  uint64_t base = 0;
  uint64_t step = 1;
  uint64_t below = 1;  // every number is below this
  const uint32_t* numbers = nullptr;
  const uint64_t* words = nullptr;
  unsigned exponent = 0;
  // Bit patterns that replace some of the values, ascending.
  uint32_t patch_count = 0;
  const uint32_t* positions = nullptr;
  const uint64_t* replacements = nullptr;
  // Of a dictionary that was left as it is: what the numbers, which are codes then, stand for, as patterns.
  const uint64_t* entries = nullptr;
  uint32_t entry_count = 0;
};

struct Node {
  uint8_t encoding;
  uint8_t parameter;
  uint32_t start;
  uint32_t end;
  uint32_t count;
  Domain domain;
  unsigned depth;
  bool leaves_entries = false;  // whether a dictionary need not be looked up
};

// A page body that is being decoded: `bytes` at a multiple of 8, readable for Arena::kSlack bytes more.
struct PageBody {
  const uint8_t* bytes;
  uint32_t byte_length;
  unsigned item_bytes;   // of the page's type
  uint32_t entry_count;  // that the chunk's dictionary may have at most, for CODES; 0: none
  uint64_t* root_words;  // where words of the root may be put instead of into the arena, or null
  Arena* arena;
};

// Some of the values of a node: in any order, and perhaps one several times. All are below the node's count.
struct Picks {
  const uint32_t* indexes;
  uint32_t count;
};

// False where the node is declined.
bool DecodeNode(const PageBody& body, const Node& node, NodeValues* values);

// The picked values alone: where few are, most encodings need neither decode the others nor refuse them.
bool PickNode(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);

// The header of the child node at `position` and what follows it; false where it does not lie in [position,
// parent.end).
bool ReadChild(const PageBody& body, const Node& parent, uint32_t* position, uint32_t count, Domain domain,
               Node* child);

// The values of a node of integers, without patches. False where it is declined.
bool DecodeIntegers(const PageBody& body, const Node& node, NodeValues* values);
bool PickIntegers(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);

// Integers below `limit` (at most 2^32) as numbers; null where the node is declined or one is not.
const uint32_t* DecodeNumbers(const PageBody& body, const Node& node, uint64_t limit);
const uint32_t* PickNumbers(const PageBody& body, const Node& node, const Picks& picks, uint64_t limit);

// Integers below `limit` (at most 2^32) as base + step * numbers[i], in 32 bits; false where the node is declined or
// one is not.
bool DecodeNarrow(const PageBody& body, const Node& node, uint64_t limit, NodeValues* values);

// Integers of which the lowest eight bits count, as bytes in the arena; null where the node is declined.
const uint8_t* DecodeOctets(const PageBody& body, const Node& node);

// Where no more than one row in so many is a dictionary's entry, entries are looked at in place of rows.
constexpr uint32_t kRowsPerEntry = 4;

constexpr uint64_t kLargestSafe = uint64_t{1} << 53;

constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

}  // namespace colkit

#endif  // COLKIT_NATIVE_COLUMN_NODES_H_
