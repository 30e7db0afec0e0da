// Blocks of CSV: the arrays checked, the kernels called here.
#include <algorithm>
#include <string>
#include <vector>

#include "bindings/bindings.h"
#include "bindings/loops/words.h"
#include "csv/csv_cells.h"
#include "csv/csv_columns.h"

namespace colkit {
namespace {

// Numbers of a column in the plan, and in the results.
constexpr size_t kPlanNumbers = 3;
constexpr size_t kPlanHead = 4;
constexpr size_t kResultNumbers = 7;
constexpr size_t kTextAlignment = 8;

ArrayView ReadBlock(const Call& call) {
  ArrayView view;
  if (!ReadTypedArray(call.env, call[0], "bytes", &view) || view.type != napi_uint8_array || view.length > INT32_MAX)
    throw ArgumentError(call.env, "bytes", "a Uint8Array of less than 2 GiB", Describe(call.env, call[0]));
  return view;
}

struct Plan {
  std::vector<uint32_t> numbers;
  size_t at = 0;

  uint32_t Next(napi_env env) {
    if (at == numbers.size()) throw ArgumentError(env, "plan", "more numbers", std::to_string(numbers.size()));
    return numbers[at++];
  }
};

void ReadNullWords(napi_env env, size_t count, Plan* plan, CsvBlock* block) {
  block->longest_word = -1;
  for (size_t word = 0; word < count; ++word) {
    const size_t length = plan->Next(env);
    if (length > plan->numbers.size() - plan->at)
      throw ArgumentError(env, "plan", "words within it", std::to_string(length));
    block->null_words.emplace_back(plan->numbers.begin() + plan->at, plan->numbers.begin() + plan->at + length);
    plan->at += length;
    block->longest_word = std::max(block->longest_word, static_cast<int64_t>(length));
  }
}

size_t ItemBytes(CsvKind kind) { return kind == CsvKind::kBool ? 1 : kind == CsvKind::kText ? 2 : 8; }

}  // namespace

napi_value FindCsvCells(const Call& call) {
  const napi_env env = call.env;
  const ArrayView bytes = ReadBlock(call);
  const ArrayView settings = ReadInt32Array(env, call[1], "settings");
  const ArrayView starts = ReadInt32Array(env, call[2], "starts");
  const ArrayView ends = ReadInt32Array(env, call[3], "ends");
  const ArrayView flags = ReadByteArray(env, call[4], "flags");
  const ArrayView row_lines = ReadInt32Array(env, call[5], "rowLines");
  const ArrayView facts = ReadInt32Array(env, call[6], "facts");
  if (settings.length < 5)
    throw ArgumentError(env, "settings", "5 numbers", std::to_string(settings.length));
  if (facts.length < 4)
    throw ArgumentError(env, "facts", "room for 4", std::to_string(facts.length), "ERR_OUT_BUFFER");
  if (ends.length != starts.length || flags.length != starts.length)
    throw ArgumentError(env, "ends", "as many as starts and flags", std::to_string(ends.length));
  const auto* numbers = static_cast<const int32_t*>(settings.data);
  const int32_t columns = numbers[2];
  if (columns < 1) throw ArgumentError(env, "settings", "at least one column", std::to_string(columns));
  const CsvDialect dialect = {static_cast<uint8_t>(numbers[0]),
                              static_cast<uint16_t>(numbers[1] < 0 || numbers[1] > UINT8_MAX ? UINT16_MAX : numbers[1]),
                              static_cast<size_t>(columns), numbers[3] != 0, numbers[4] != 0};
  const CsvCells cells = {static_cast<int32_t*>(starts.data), static_cast<int32_t*>(ends.data),
                          static_cast<uint8_t*>(flags.data), starts.length,
                          static_cast<int32_t*>(row_lines.data), row_lines.length};
  CsvRows rows{};
  const CsvOutcome outcome = FindCsvCells(static_cast<const uint8_t*>(bytes.data), bytes.length, dialect, cells, &rows);
  auto* told = static_cast<int32_t*>(facts.data);
  told[0] = static_cast<int32_t>(rows.byte_length);
  told[1] = static_cast<int32_t>(rows.row_count);
  told[2] = static_cast<int32_t>(rows.line_count);
  told[3] = rows.is_ascii ? 1 : 0;
  return Number(env, static_cast<double>(outcome));
}

napi_value ParseCsvColumns(const Call& call) {
  const napi_env env = call.env;
  const Words given = ReadWords(env, call[4], "plan");
  Plan plan;
  plan.numbers.assign(given.data, given.data + given.length);
  const ArrayView bytes = ReadBlock(call);
  const ArrayView starts = ReadInt32Array(env, call[1], "starts");
  const ArrayView ends = ReadInt32Array(env, call[2], "ends");
  const ArrayView flags = ReadByteArray(env, call[3], "flags");
  const ArrayView out = ReadByteArray(env, call[5], "out");
  const ArrayView texts = ReadByteArray(env, call[6], "texts");
  const Words results = ReadWords(env, call[7], "results");
  if (plan.numbers.size() < kPlanHead)
    throw ArgumentError(env, "plan", "at least 4 numbers", std::to_string(plan.numbers.size()));
  CsvBlock block{};
  block.bytes = static_cast<const uint8_t*>(bytes.data);
  block.length = bytes.length;
  block.starts = static_cast<const int32_t*>(starts.data);
  block.ends = static_cast<const int32_t*>(ends.data);
  block.flags = static_cast<const uint8_t*>(flags.data);
  block.rows = plan.Next(env);
  block.columns = plan.Next(env);
  block.quote = static_cast<uint8_t>(plan.Next(env));
  const size_t words = plan.Next(env);
  const size_t cells = std::min({starts.length, ends.length, flags.length});
  if (block.columns == 0 || block.rows > cells / block.columns)
    throw ArgumentError(env, "plan", "rows of the cells that are given", std::to_string(block.rows));
  if (block.columns > (plan.numbers.size() - plan.at) / kPlanNumbers)
    throw ArgumentError(env, "plan", "numbers for every column", std::to_string(plan.numbers.size()));
  const size_t first = plan.at;
  plan.at += kPlanNumbers * block.columns;
  ReadNullWords(env, words, &plan, &block);
  RequireRoom(env, results.length, "results", kResultNumbers * block.columns);
  CsvLeft left;
  left.most = (results.length - kResultNumbers * block.columns) / 2;
  size_t texts_used = 0;
  for (size_t column = 0; column < block.columns; ++column) {
    const uint32_t* const numbers = plan.numbers.data() + first + kPlanNumbers * column;
    const auto kind = static_cast<CsvKind>(numbers[0]);
    uint32_t* const told = results.data + kResultNumbers * column;
    CsvFacts facts;
    CsvFill fill = CsvFill::kLeft;
    if (kind != CsvKind::kNone) {
      if (numbers[0] > static_cast<uint32_t>(CsvKind::kMicroseconds))
        throw ArgumentError(env, "plan", "a kind of column", std::to_string(numbers[0]));
      const auto ends_at = [&](size_t from, size_t length) {
        return from <= out.length && length <= out.length - from;
      };
      if (!ends_at(numbers[1], ItemBytes(kind) * block.rows) || !ends_at(numbers[2], (block.rows + 7) / 8))
        throw ArgumentError(env, "out", "room for the values of each column", std::to_string(out.length),
                            "ERR_OUT_BUFFER");
      auto* const values = static_cast<uint8_t*>(out.data) + numbers[1];
      auto* const validity = static_cast<uint8_t*>(out.data) + numbers[2];
      const size_t left_before = left.cells.size();
      fill = kind == CsvKind::kText
                 ? FillCsvTexts(block, column, values, validity, static_cast<uint8_t*>(texts.data) + texts_used,
                                texts.length - texts_used, &facts)
                 : FillCsvNumbers(block, column, kind, values, validity, &left, &facts);
      if (fill == CsvFill::kBad) throw ArgumentError(env, "starts", "cells within the bytes", "others");
      if (fill != CsvFill::kDone) left.cells.resize(left_before);
    }
    const uint32_t answer[kResultNumbers] = {static_cast<uint32_t>(fill), facts.types,      facts.null_count,
                                             facts.text_count,            facts.text_bytes, facts.is_coded ? 1u : 0u,
                                             static_cast<uint32_t>(texts_used)};
    std::copy_n(answer, kResultNumbers, told);
    if (fill == CsvFill::kDone && kind == CsvKind::kText) {
      texts_used += sizeof(uint32_t) * facts.text_count + facts.text_bytes;
      texts_used = std::min(texts.length, (texts_used + kTextAlignment - 1) / kTextAlignment * kTextAlignment);
    }
  }
  uint32_t* to = results.data + kResultNumbers * block.columns;
  for (const CsvLeftCell& cell : left.cells) {
    *to++ = cell.column;
    *to++ = cell.row;
  }
  return Number(env, static_cast<double>(left.cells.size()));
}

}  // namespace colkit
