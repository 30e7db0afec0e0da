// See raw_block.h.
#include "raw/raw_block.h"

#include <algorithm>
#include <cstring>

#include "raw/folds/raw_extremes.h"
#include "raw/raw_text.h"

namespace colkit {
namespace {

void SwapUnits(uint8_t* bytes, size_t length, size_t unit) {
  for (size_t at = 0; at + unit <= length; at += unit) std::reverse(bytes + at, bytes + at + unit);
}

size_t SwapUnit(const RawColumn& column) { return column.type == kRawPoints ? 4 : column.item_bytes; }

bool IsSwapped(const RawColumn& column) { return column.swapped && column.type != kRawBytes && column.item_bytes > 1; }

const uint8_t* AddressOf(const RawRequest& request, const RawColumn& column, size_t segment, uint64_t row) {
  const int64_t base = request.segments->bases(column.number)[segment];
  return request.file->data() + (static_cast<uint64_t>(base) + row * column.item_bytes);
}

unsigned WidthOf(uint32_t item_bytes) { return item_bytes == 8 ? 3 : item_bytes == 4 ? 2 : item_bytes == 2 ? 1 : 0; }

bool IsText(const RawColumn& column) { return column.type == kRawBytes || column.type == kRawPoints; }

bool IsBetter(RawFoldKind kind, int order) { return kind == kRawFoldKindMost ? order > 0 : order < 0; }

void FoldTexts(const RawBlock& block, const RawFold& fold, const uint8_t* mask, FoldState* state) {
  const RawColumn& column = block.request->program->columns[fold.column];
  const bool has_best = state->extreme.found == kRawFoundValue;
  uint8_t* best = block.scratch->best;
  if (has_best) CopyItem(block, column, state->row, best);
  const int64_t row = BestText(column, fold.kind == kRawFoldKindMost, has_best ? best : nullptr, ItemsOf(block, column),
                               block.count, mask);
  if (row < 0) return;
  state->extreme.found = kRawFoundValue;
  state->row = block.start + static_cast<uint64_t>(row);
}

void CompareComputed(const RawBlock& block, const RawNode& node, uint8_t* mask) {
  const RawKernels& kernels = *block.kernels;
  auto& registers = block.scratch->registers;
  size_t depth = 0;
  for (uint32_t i = 0; i < node.computed.count; ++i) {
    const uint32_t* step = node.computed.steps + 3 * size_t{i};
    switch (step[0]) {
      case kRawStepColumn: {
        const RawColumn& column = block.request->program->columns[step[1]];
        kernels.load[column.type](ItemsOf(block, column), block.count, registers[depth++]);
        break;
      }
      case kRawStepConstant: {
        double value;
        std::memcpy(&value, step + 1, sizeof(value));
        std::fill(registers[depth], registers[depth] + block.count, value);
        ++depth;
        break;
      }
      case kRawStepWhole:
        kernels.compute[kRawStepWhole](registers[depth - 1], nullptr, block.count);
        break;
      default:
        kernels.compute[step[0]](registers[depth - 2], registers[depth - 1], block.count);
        --depth;
    }
  }
  kernels.compare[node.computed.comparison](registers[0], registers[1], block.count, node.flip, mask);
}

}  // namespace

const uint8_t* ItemsOf(const RawBlock& block, const RawColumn& column) {
  const Segments& segments = *block.request->segments;
  size_t segment = segments.count() == 1 ? 0 : segments.Find(block.start);
  const uint64_t end = block.start + block.count;
  const bool whole = segments.start(segment + 1) >= end;
  const uint8_t* items = AddressOf(*block.request, column, segment, block.start);
  if (whole && !IsSwapped(column)) return items;
  uint8_t* out = block.scratch->items;
  for (uint64_t row = block.start; row < end; ++segment) {
    const uint64_t stop = std::min(end, segments.start(segment + 1));
    const size_t bytes = static_cast<size_t>(stop - row) * column.item_bytes;
    std::memcpy(out, AddressOf(*block.request, column, segment, row), bytes);
    out += bytes;
    row = stop;
  }
  if (IsSwapped(column)) SwapUnits(block.scratch->items, block.count * column.item_bytes, SwapUnit(column));
  return block.scratch->items;
}

void CopyItem(const RawBlock& block, const RawColumn& column, uint64_t row, uint8_t* out) {
  const RawRequest& request = *block.request;
  std::memcpy(out, AddressOf(request, column, request.segments->Find(row), row), column.item_bytes);
  if (IsSwapped(column)) SwapUnits(out, column.item_bytes, SwapUnit(column));
}

const uint8_t* MatchRows(const RawBlock& block, size_t* matches) {
  const RawProgram& program = *block.request->program;
  *matches = block.count;
  if (program.nodes.empty()) return nullptr;
  size_t depth = 0;
  for (const RawNode& node : program.nodes) {
    uint8_t* mask = block.scratch->masks[depth];
    switch (node.operation) {
      case kRawOperationConstant:
        std::memset(mask, node.flip, block.count);
        break;
      case kRawOperationWithin: {
        const RawColumn& column = program.columns[node.column];
        block.kernels->within[column.type](ItemsOf(block, column), block.count, node.bounds, node.flip, mask);
        break;
      }
      case kRawOperationText:
      case kRawOperationPrefix: {
        const RawColumn& column = program.columns[node.column];
        MatchTexts(node, column, ItemsOf(block, column), block.count, mask);
        break;
      }
      case kRawOperationComputed:
        CompareComputed(block, node, mask);
        break;
      case kRawOperationAnd:
      case kRawOperationOr: {
        depth -= 2;
        const auto combine = node.operation == kRawOperationAnd ? block.kernels->and_masks : block.kernels->or_masks;
        combine(block.scratch->masks[depth + 1], block.count, block.scratch->masks[depth]);
        break;
      }
    }
    ++depth;
  }
  *matches = block.kernels->count_ones(block.scratch->masks[0], block.count);
  return *matches == block.count ? nullptr : block.scratch->masks[0];
}

void FoldRows(const RawBlock& block, const RawFold& fold, const uint8_t* mask, size_t matches, FoldState* state) {
  if (matches == 0) return;
  const RawColumn& column = block.request->program->columns[fold.column];
  if (IsText(column)) return FoldTexts(block, fold, mask, state);
  const uint8_t* items = ItemsOf(block, column);
  if (mask != nullptr) {
    block.kernels->pack[WidthOf(column.item_bytes)](items, block.count, mask, block.scratch->packed);
    items = block.scratch->packed;
  }
  if (fold.kind == kRawFoldKindSum) return block.kernels->sum[column.type](items, matches, &state->sum);
  FoldExtreme(*block.kernels, column.type, fold.kind == kRawFoldKindMost, items, matches, &state->extreme);
}

void MergeFolds(const RawRequest& request, const RawFold& fold, RawScratch* scratch, FoldState* other,
                FoldState* state) {
  const RawColumn& column = request.program->columns[fold.column];
  if (fold.kind == kRawFoldKindSum) {
    const uint64_t low = state->sum.low + other->sum.low;
    // Each is a sum of fewer than 2^32 words of 32 bits.
    state->sum.low = low & 0xffffffff;
    state->sum.high += other->sum.high + static_cast<int64_t>(low >> 32);
    AddSums(&state->sum.exact, &other->sum.exact);
    return;
  }
  if (!IsText(column)) {
    MergeExtremes(fold.kind == kRawFoldKindMost, other->extreme, &state->extreme);
    return;
  }
  if (other->extreme.found != kRawFoundValue) return;
  if (state->extreme.found == kRawFoundValue) {
    const RawBlock block = {&request, nullptr, scratch, 0, 0};
    CopyItem(block, column, other->row, scratch->items);
    CopyItem(block, column, state->row, scratch->best);
    if (!IsBetter(fold.kind, CompareTexts(column, scratch->items, scratch->best))) return;
  }
  state->extreme.found = kRawFoundValue;
  state->row = other->row;
}

}  // namespace colkit
