// Records of JSON: the arrays checked, the kernel called here.
#include <algorithm>
#include <string>

#include "bindings/bindings.h"
#include "bindings/loops/words.h"
#include "json/json_members.h"

namespace colkit {
namespace {

constexpr size_t kSettings = 9;
constexpr size_t kEntryNumbers = 3;

}  // namespace

napi_value FindJsonMembers(const Call& call) {
  const napi_env env = call.env;
  const ArrayView bytes = ReadByteArray(env, call[0], "bytes");
  const ArrayView bounds = ReadInt32Array(env, call[1], "bounds");
  const ArrayView settings = ReadInt32Array(env, call[2], "settings");
  const ArrayView names = ReadByteArray(env, call[3], "names");
  const ArrayView table = ReadInt32Array(env, call[4], "numbers");
  const ArrayView starts = ReadInt32Array(env, call[5], "starts");
  const ArrayView ends = ReadInt32Array(env, call[6], "ends");
  const ArrayView flags = ReadByteArray(env, call[7], "flags");
  const Words facts = ReadWords(env, call[8], "facts");
  if (settings.length < kSettings) throw ArgumentError(env, "settings", "9 numbers", std::to_string(settings.length));
  int32_t numbers[kSettings];
  std::copy_n(static_cast<const int32_t*>(settings.data), kSettings, numbers);
  for (const int32_t number : numbers)
    if (number < 0) throw ArgumentError(env, "settings", "numbers from 0 on", std::to_string(number));
  const auto first = static_cast<size_t>(numbers[0]);
  const auto end = static_cast<size_t>(numbers[1]);
  if (first > end || end > bounds.length / 2)
    throw ArgumentError(env, "bounds", "two for each record", std::to_string(bounds.length));
  const auto* limits = static_cast<const int32_t*>(bounds.data);
  for (size_t record = first; record < end; ++record) {
    const int32_t from = limits[2 * record];
    const int32_t to = limits[2 * record + 1];
    if (from < 0 || to < from || static_cast<size_t>(to) > bytes.length)
      throw ArgumentError(env, "bounds", "records within the bytes", std::to_string(to));
  }
  const JsonRows rows = {static_cast<int32_t*>(starts.data),       static_cast<int32_t*>(ends.data),
                         static_cast<uint8_t*>(flags.data),        static_cast<size_t>(numbers[2]),
                         static_cast<size_t>(numbers[3]),          static_cast<size_t>(numbers[4]),
                         reinterpret_cast<JsonFacts*>(facts.data), static_cast<JsonNested>(numbers[6])};
  const size_t cells = std::min({starts.length, ends.length, flags.length});
  if (rows.columns > rows.stride)
    throw ArgumentError(env, "settings", "a cell for each column", std::to_string(rows.columns));
  if (rows.stride > 0 && rows.row + (end - first) > cells / rows.stride)
    throw ArgumentError(env, "starts", "room for all cells", std::to_string(cells), "ERR_OUT_BUFFER");
  RequireRoom(env, facts.length, "facts", 2 * rows.columns);
  const auto count = static_cast<size_t>(numbers[7]);
  const auto slots = static_cast<size_t>(numbers[8]);
  if (slots == 0 || (slots & (slots - 1)) != 0 || slots > table.length ||
      count > (table.length - slots) / kEntryNumbers)
    throw ArgumentError(env, "numbers", "slots, and three for each name", std::to_string(table.length));
  const auto* known_at = static_cast<const int32_t*>(table.data);
  const JsonNames known = {static_cast<const uint8_t*>(names.data),
                           names.length,
                           reinterpret_cast<const JsonNameEntry*>(known_at + slots),
                           count,
                           known_at,
                           slots,
                           numbers[5] != 0};
  const size_t taken = FindJsonMembers(static_cast<uint8_t*>(bytes.data), limits + 2 * first, end - first, known, rows);
  return Number(env, static_cast<double>(first + taken));
}

}  // namespace colkit
