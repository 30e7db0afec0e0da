// What writers ask of texts: the arrays checked, the kernel called here.
#include <algorithm>
#include <memory>
#include <vector>

#include "bindings/bindings.h"
#include "bindings/loops/words.h"
#include "encode/deflate_blocks.h"
#include "encode/text_codes.h"
#include "encode/text_prints.h"
#include "encode/text_symbols_writer.h"
#include "texts/text_numbers.h"

namespace colkit {
namespace {

// Arguments `bytes`, `start` and `ends`, the first three of a call.
struct TextArguments {
  ArrayView bytes;
  uint32_t start;
  Words ends;
};

TextArguments ReadTexts(const Call& call) {
  const auto start = static_cast<uint32_t>(ReadCount(call.env, call[1], "start", UINT32_MAX));
  return {ReadByteArray(call.env, call[0], "bytes"), start, ReadWords(call.env, call[2], "ends")};
}

// Where texts end, as a copy: nothing that is written, here or by another thread, changes what was checked.
struct CheckedTexts {
  std::vector<uint32_t> ends;
  Texts texts;
};

// Once all other arguments are read, so that nothing runs between the check and the use of their addresses.
CheckedTexts CheckTexts(napi_env env, const TextArguments& given) {
  CheckedTexts checked = {{given.ends.data, given.ends.data + given.ends.length}, {}};
  uint32_t before = given.start;
  for (const uint32_t end : checked.ends) {
    if (end < before || end > given.bytes.length)
      throw ArgumentError(env, "ends", "ends that never fall, within the bytes", std::to_string(end));
    before = end;
  }
  checked.texts = {static_cast<const uint8_t*>(given.bytes.data), checked.ends.data(), checked.ends.size(), given.start,
                   nullptr};
  return checked;
}

// Two words for each slot, as many slots as a power of two.
void RequireSlots(napi_env env, const Words& slots) {
  if (slots.length >= 2 && (slots.length & (slots.length - 1)) == 0) return;
  throw ArgumentError(env, "slots", "as many words as a power of two, at least 2", std::to_string(slots.length));
}

}  // namespace

napi_value CodeTexts(const Call& call) {
  const napi_env env = call.env;
  const TextArguments given = ReadTexts(call);
  ArrayView valid{};
  napi_valuetype type;
  Check(env, napi_typeof(env, call[3], &type));
  if (type != napi_null && (!ReadTypedArray(env, call[3], "validity", &valid) || valid.type != napi_uint8_array))
    throw ArgumentError(env, "validity", "a Uint8Array or null", Describe(env, call[3]));
  const Words codes = ReadWords(env, call[4], "codes");
  const Words firsts = ReadWords(env, call[5], "firsts");
  if (type != napi_null && valid.length < (given.ends.length + 7) / 8)
    throw ArgumentError(env, "validity", "one bit for each text", std::to_string(valid.length) + " bytes");
  RequireRoom(env, codes.length, "codes", given.ends.length);
  const Texts texts = {static_cast<const uint8_t*>(given.bytes.data), given.ends.data, given.ends.length, given.start,
                       type == napi_null ? nullptr : static_cast<const uint8_t*>(valid.data)};
  std::vector<uint32_t> found;
  const size_t count = CodeTexts(texts, given.bytes.length, codes.data, &found, firsts.length);
  // Tells which end; where another thread has mended it meanwhile, the codes are as bad.
  if (count == kBadEnds) return CheckTexts(env, given), Number(env, 0);
  std::copy(found.begin(), found.end(), firsts.data);
  return Number(env, static_cast<double>(count));
}

napi_value NumberTexts(const Call& call) {
  const napi_env env = call.env;
  const auto first = static_cast<size_t>(ReadCount(env, call[3], "first", UINT32_MAX));
  const TextArguments given = ReadTexts(call);
  const Words numbers = ReadWords(env, call[4], "numbers");
  const Words slots = ReadWords(env, call[5], "slots");
  const ArrayView bytes = ReadByteArray(env, call[6], "known");
  const Words ends = ReadWords(env, call[7], "knownEnds");
  const Words facts = ReadWords(env, call[8], "facts");
  RequireRoom(env, numbers.length, "numbers", given.ends.length);
  RequireRoom(env, facts.length, "facts", 3);
  RequireSlots(env, slots);
  const uint32_t count = facts.data[0];
  if (count > ends.length)
    throw ArgumentError(env, "facts", "as many known texts as ends at most", std::to_string(count));
  const CheckedTexts checked = CheckTexts(env, given);
  KnownTexts known = {static_cast<uint8_t*>(bytes.data),
                      bytes.length,
                      ends.data,
                      ends.length,
                      count,
                      slots.data,
                      slots.length / 2,
                      facts.data[1] | uint64_t{facts.data[2]} << 32};
  const size_t done = NumberTexts(checked.texts, first, numbers.data, &known);
  facts.data[0] = static_cast<uint32_t>(known.known);
  return Number(env, static_cast<double>(done));
}

napi_value MoveSlots(const Call& call) {
  const napi_env env = call.env;
  const Words slots = ReadWords(env, call[0], "slots");
  const Words larger = ReadWords(env, call[1], "larger");
  RequireSlots(env, slots);
  RequireSlots(env, larger);
  if (!MoveSlots(slots.data, slots.length / 2, larger.data, larger.length / 2))
    throw ArgumentError(env, "larger", "room for twice as many", std::to_string(larger.length));
  return Done(env, Outcome(), "moveSlots");
}

napi_value PrintTexts(const Call& call) {
  const napi_env env = call.env;
  const auto bits = static_cast<unsigned>(ReadCount(env, call[3], "bits", 8));
  const TextArguments given = ReadTexts(call);
  const Words prints = ReadWords(env, call[4], "prints");
  if (bits == 0) throw ArgumentError(env, "bits", "1 to 8", "0");
  RequireRoom(env, prints.length, "prints", given.ends.length);
  PrintTexts(CheckTexts(env, given).texts, bits, prints.data);
  return Done(env, Outcome(), "printTexts");
}

napi_value TrainSymbols(const Call& call) {
  const napi_env env = call.env;
  const TextArguments given = ReadTexts(call);
  const auto rounds = static_cast<uint32_t>(ReadCount(env, call[3], "rounds", kMostRounds));
  const ArrayView symbols = ReadByteArray(env, call[4], "symbols");
  const ArrayView lengths = ReadByteArray(env, call[5], "lengths");
  RequireRoom(env, symbols.length, "symbols", kMostSymbols * kMostSymbolBytes);
  RequireRoom(env, lengths.length, "lengths", kMostSymbols);
  const SymbolMatcher matcher = TrainSymbols(CheckTexts(env, given).texts, rounds);
  std::copy_n(matcher.bytes(), matcher.count() * kMostSymbolBytes, static_cast<uint8_t*>(symbols.data));
  std::copy_n(matcher.lengths(), matcher.count(), static_cast<uint8_t*>(lengths.data));
  return Number(env, matcher.count());
}

napi_value SpellTexts(const Call& call) {
  const napi_env env = call.env;
  const TextArguments given = ReadTexts(call);
  const ArrayView symbols = ReadByteArray(env, call[3], "symbols");
  const ArrayView lengths = ReadByteArray(env, call[4], "lengths");
  const Words codes = ReadWords(env, call[5], "codes");
  const Words counts = ReadWords(env, call[6], "counts");
  const Words ranks = ReadWords(env, call[7], "ranks");
  if (lengths.length < kSingleBytes || lengths.length > kMostSymbols)
    throw ArgumentError(env, "lengths", "one for each symbol, 256 to " + std::to_string(kMostSymbols),
                        std::to_string(lengths.length));
  RequireRoom(env, symbols.length, "symbols", lengths.length * kMostSymbolBytes);
  SymbolMatcher matcher;
  for (uint32_t symbol = kSingleBytes; symbol < lengths.length; ++symbol) {
    const uint8_t length = static_cast<const uint8_t*>(lengths.data)[symbol];
    if (!matcher.Add(static_cast<const uint8_t*>(symbols.data) + size_t{symbol} * kMostSymbolBytes, length))
      throw ArgumentError(env, "symbols", "each byte, and different ones of 2 to 32 bytes",
                          "symbol " + std::to_string(symbol) + " of " + std::to_string(length));
  }
  RequireRoom(env, counts.length, "counts", given.ends.length);
  RequireRoom(env, ranks.length, "ranks", lengths.length);
  const CheckedTexts checked = CheckTexts(env, given);
  const size_t most = checked.ends.empty() ? 0 : size_t{checked.ends.back() - given.start};
  RequireRoom(env, codes.length, "codes", most);
  return Number(env, static_cast<double>(SpellTexts(checked.texts, matcher, codes.data, counts.data, ranks.data)));
}

napi_value DeflateBlocks(const Call& call) {
  const napi_env env = call.env;
  const auto log2 = static_cast<unsigned>(ReadCount(env, call[1], "log2", kMostDeflateWindowLog2));
  const ArrayView bytes = ReadByteArray(env, call[0], "bytes");
  napi_valuetype type;
  Check(env, napi_typeof(env, call[2], &type));
  const ArrayView history = type == napi_null ? ArrayView{} : ReadByteArray(env, call[2], "history");
  const ArrayView out = ReadByteArray(env, call[3], "out");
  const Words sizes = ReadWords(env, call[4], "sizes");
  const size_t block_bytes = size_t{1} << log2;
  const size_t window = history.length + std::min(bytes.length, block_bytes);
  if (window > kMostDeflateWindow)
    throw ArgumentError(env, "history",
                        "a block and history of at most " + std::to_string(kMostDeflateWindow) + " bytes",
                        std::to_string(window));
  RequireRoom(env, sizes.length, "sizes", (bytes.length + block_bytes - 1) >> log2);
  RequireRoom(env, out.length, "out", bytes.length);
  const DeflateInput input = {static_cast<const uint8_t*>(bytes.data), bytes.length, log2,
                              static_cast<const uint8_t*>(history.data), history.length};
  return Number(env, static_cast<double>(DeflateBlocks(input, static_cast<uint8_t*>(out.data), sizes.data)));
}

}  // namespace colkit
