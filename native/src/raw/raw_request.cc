// See raw_request.h.
#include "raw/raw_request.h"

#include <cstring>

#include "raw/groups/raw_groups.h"

namespace colkit {
namespace {

// Reads the numbers one after the other; what is not a number of the kind that is asked for ends the reading.
class Reader {
 public:
  Reader(const RawNumbers& numbers, std::string* error) : numbers_(numbers), error_(error) {}

  bool Has(size_t count) const { return numbers_.count - at_ >= count; }
  bool AtEnd() const { return at_ == numbers_.count; }

  // An integer in [least, most] among the numbers of what is read now.
  bool Whole(size_t index, double least, double most, const char* name, double* value) {
    const double number = numbers_.numbers[at_ + index];
    if (!(number >= least && number <= most && number == static_cast<double>(static_cast<int64_t>(number))))
      return Fail(name);
    *value = number;
    return true;
  }
  bool Index(size_t index, double limit, const char* name, uint32_t* value) {
    double number = 0;
    if (!Whole(index, 0, limit - 1, name, &number)) return false;
    *value = static_cast<uint32_t>(number);
    return true;
  }
  bool Flag(size_t index, const char* name, bool* value) {
    double number = 0;
    if (!Whole(index, 0, 1, name, &number)) return false;
    *value = number == 1;
    return true;
  }
  void Skip(size_t count) { at_ += count; }
  bool Fail(const char* name) {
    *error_ = std::string("program: expected a raw program but found another value as ") + name + " (number " +
              std::to_string(at_) + " on)";
    return false;
  }

 private:
  const RawNumbers& numbers_;
  std::string* error_;
  size_t at_ = 0;
};

constexpr double kMostRows = 9007199254740991.0;

bool IsText(RawType type) { return type == kRawBytes || type == kRawPoints; }

bool ReadColumn(Reader* reader, const Segments& segments, RawColumn* column) {
  uint32_t type;
  if (!reader->Index(kRawColumnNumber, static_cast<double>(segments.column_count()), "column number",
                     &column->number) ||
      !reader->Index(kRawColumnType, kRawTypes, "type", &type) ||
      !reader->Flag(kRawColumnSwapped, "swapped", &column->swapped))
    return false;
  column->type = static_cast<RawType>(type);
  column->item_bytes = segments.item_bytes(column->number);
  const uint32_t wanted = kRawTypeBytes[type];
  const bool fits = wanted != 0 ? column->item_bytes == wanted
                                : column->item_bytes > 0 && column->item_bytes <= kMostRawItemBytes &&
                                      (column->type == kRawBytes || column->item_bytes % 4 == 0);
  return fits || reader->Fail("type");
}

bool ReadBound(Reader* reader, const RawProgram& program, size_t at, const char* name, TextBound* bound) {
  double length = 0;
  if (!reader->Whole(at + 1, -1, static_cast<double>(program.constants.size()), name, &length) ||
      !reader->Flag(at + 2, name, &bound->open))
    return false;
  bound->bounded = length >= 0;
  bound->points = nullptr;
  bound->length = 0;
  if (!bound->bounded) return true;
  double offset = 0;
  const double room = (static_cast<double>(program.constants.size()) - length) * 4;
  if (!reader->Whole(at, 0, room, name, &offset)) return false;
  const auto byte = static_cast<size_t>(offset);
  if (byte % 4 != 0) return reader->Fail(name);
  bound->points = program.constants.data() + byte / 4;
  bound->length = static_cast<uint32_t>(length);
  return true;
}

// Whether each step finds what it takes, two numbers are left, and there are never too many.
bool IsWholeComputation(const RawProgram& program, const RawComputation& computed) {
  size_t depth = 0;
  for (uint32_t i = 0; i < computed.count; ++i) {
    const uint32_t* step = computed.steps + 3 * size_t{i};
    switch (step[0]) {
      case kRawStepColumn: {
        if (step[1] >= program.columns.size()) return false;
        const RawType type = program.columns[step[1]].type;
        if (IsText(type) || type == kRawInt64 || type == kRawUint64 || type == kRawTicks) return false;
        ++depth;
        break;
      }
      case kRawStepConstant:
        ++depth;
        break;
      case kRawStepAdd:
      case kRawStepSub:
      case kRawStepMul:
      case kRawStepDiv:
        if (depth < 2) return false;
        --depth;
        break;
      case kRawStepWhole:
        if (depth < 1) return false;
        break;
      default:
        return false;
    }
    if (depth > kMostRawRegisters) return false;
  }
  return depth == 2;
}

bool ReadComputation(Reader* reader, const RawProgram& program, RawComputation* computed) {
  double length = 0;
  double offset = 0;
  uint32_t comparison = 0;
  const auto words = static_cast<double>(program.constants.size());
  const double most = words < 3.0 * kMostRawSteps ? words / 3 : kMostRawSteps;
  if (!reader->Whole(kRawNodeLowLength, 0, most, "low length", &length) ||
      !reader->Whole(kRawNodeLow, 0, (words - 3 * length) * 4, "low", &offset) ||
      !reader->Index(kRawNodeHigh, kRawComparisons, "comparison", &comparison))
    return false;
  const auto byte = static_cast<size_t>(offset);
  if (byte % 4 != 0) return reader->Fail("low");
  *computed = {program.constants.data() + byte / 4, static_cast<uint32_t>(length),
               static_cast<RawComparison>(comparison)};
  return IsWholeComputation(program, *computed) || reader->Fail("steps");
}

bool ReadNode(Reader* reader, const RawProgram& program, RawNode* node) {
  uint32_t operation;
  bool flip;
  if (!reader->Index(kRawNodeOperation, kRawOperations, "operation", &operation) ||
      !reader->Flag(kRawNodeFlip, "flip", &flip))
    return false;
  *node = {static_cast<RawOperation>(operation), static_cast<uint8_t>(flip), 0, nullptr, {}, {}, {}};
  switch (node->operation) {
    case kRawOperationConstant:
    case kRawOperationAnd:
    case kRawOperationOr:
      return true;
    case kRawOperationComputed:
      return ReadComputation(reader, program, &node->computed);
    case kRawOperationWithin:
    case kRawOperationText:
    case kRawOperationPrefix:
      break;
  }
  if (!reader->Index(kRawNodeColumn, static_cast<double>(program.columns.size()), "column of a node", &node->column))
    return false;
  const bool is_text = IsText(program.columns[node->column].type);
  if (is_text == (node->operation == kRawOperationWithin)) return reader->Fail("column of a node");
  if (!is_text) {
    double offset = 0;
    const double room = static_cast<double>(program.constants.size()) * 4 - 2.0 * kRawBoundBytes;
    if (!reader->Whole(kRawNodeLow, 0, room, "low", &offset)) return false;
    node->bounds = reinterpret_cast<const uint8_t*>(program.constants.data()) + static_cast<size_t>(offset);
    return true;
  }
  if (!ReadBound(reader, program, kRawNodeLow, "low", &node->low)) return false;
  if (node->operation == kRawOperationPrefix) return node->low.bounded || reader->Fail("low");
  return ReadBound(reader, program, kRawNodeHigh, "high", &node->high);
}

// Whether `and` and `or` find what they take, one mask is left, and there are never too many.
bool IsWholePredicate(const std::vector<RawNode>& nodes) {
  size_t depth = 0;
  for (const RawNode& node : nodes) {
    if (node.operation == kRawOperationAnd || node.operation == kRawOperationOr) {
      if (depth < 2) return false;
      --depth;
    } else if (++depth > kMostRawDepth) {
      return false;
    }
  }
  return nodes.empty() || depth == 1;
}

bool ReadFold(Reader* reader, const RawProgram& program, RawFold* fold) {
  uint32_t kind;
  if (!reader->Index(kRawFoldColumn, static_cast<double>(program.columns.size()), "column of a fold", &fold->column) ||
      !reader->Index(kRawFoldKind, kRawFoldKinds, "kind of a fold", &kind))
    return false;
  fold->kind = static_cast<RawFoldKind>(kind);
  const RawType type = program.columns[fold->column].type;
  if (fold->kind == kRawFoldKindSum && (IsText(type) || type == kRawTicks)) return reader->Fail("kind of a fold");
  return true;
}

// Whether rows can be grouped so: their keys are not too wide.
bool AreGroups(const RawProgram& program) {
  return KeyBytes(program) <= kMostRawKeyBytes && program.row_count <= UINT32_MAX;
}

bool ReadRange(Reader* reader, uint64_t row_count, RawProgram* program) {
  double start = 0;
  double end = 0;
  const double least = program->ranges.empty() ? 0 : static_cast<double>(program->ranges.back().end);
  const double most = row_count < kMostRows ? static_cast<double>(row_count) : kMostRows;
  if (!reader->Whole(kRawRangeStart, least, most, "start of a range", &start) ||
      !reader->Whole(kRawRangeEnd, start, most, "end of a range", &end))
    return false;
  const auto rows = static_cast<uint64_t>(end - start);
  program->ranges.push_back({static_cast<uint64_t>(start), static_cast<uint64_t>(end), program->bit_bytes});
  program->row_count += rows;
  program->bit_bytes += (rows + 7) / 8;
  return true;
}

}  // namespace

bool ParseRawProgram(const RawNumbers& numbers, const Segments& segments, RawProgram* program, std::string* error) {
  Reader reader(numbers, error);
  uint32_t columns;
  uint32_t nodes;
  uint32_t folds;
  uint32_t keys;
  double ranges = 0;
  if (!reader.Has(kRawHeadNumbers)) return reader.Fail("head");
  if (!reader.Index(kRawHeadColumns, kMostRawColumns + 1, "columns", &columns) ||
      !reader.Whole(kRawHeadRanges, 0, static_cast<double>(numbers.count), "ranges", &ranges) ||
      !reader.Index(kRawHeadNodes, kMostRawNodes + 1, "nodes", &nodes) ||
      !reader.Index(kRawHeadFolds, kMostRawFolds + 1, "folds", &folds) ||
      !reader.Flag(kRawHeadBits, "bits", &program->bits) ||
      !reader.Index(kRawHeadKeys, kMostRawKeys + 1, "keys", &keys) ||
      !reader.Index(kRawHeadMostGroups, kMostRawGroups + 1, "most groups", &program->most_groups))
    return false;
  if ((keys == 0) != (program->most_groups == 0)) return reader.Fail("most groups");
  reader.Skip(kRawHeadNumbers);
  if (numbers.constant_bytes % 4 != 0) return reader.Fail("constants");
  program->constants.resize(numbers.constant_bytes / 4);
  if (numbers.constant_bytes > 0) std::memcpy(program->constants.data(), numbers.constants, numbers.constant_bytes);
  for (uint32_t i = 0; i < columns; ++i, reader.Skip(kRawColumnNumbers)) {
    RawColumn column;
    if (!reader.Has(kRawColumnNumbers)) return reader.Fail("columns");
    if (!ReadColumn(&reader, segments, &column)) return false;
    program->columns.push_back(column);
  }
  if (!reader.Has(static_cast<size_t>(ranges) * kRawRangeNumbers)) return reader.Fail("ranges");
  program->ranges.reserve(static_cast<size_t>(ranges));
  for (double i = 0; i < ranges; ++i, reader.Skip(kRawRangeNumbers)) {
    if (!ReadRange(&reader, segments.row_count(), program)) return false;
  }
  for (uint32_t i = 0; i < nodes; ++i, reader.Skip(kRawNodeNumbers)) {
    RawNode node;
    if (!reader.Has(kRawNodeNumbers)) return reader.Fail("nodes");
    if (!ReadNode(&reader, *program, &node)) return false;
    program->nodes.push_back(node);
  }
  for (uint32_t i = 0; i < folds; ++i, reader.Skip(kRawFoldNumbers)) {
    RawFold fold;
    if (!reader.Has(kRawFoldNumbers)) return reader.Fail("folds");
    if (!ReadFold(&reader, *program, &fold)) return false;
    program->folds.push_back(fold);
  }
  for (uint32_t i = 0; i < keys; ++i, reader.Skip(kRawKeyNumbers)) {
    uint32_t key;
    if (!reader.Has(kRawKeyNumbers)) return reader.Fail("keys");
    if (!reader.Index(kRawKeyColumn, static_cast<double>(program->columns.size()), "column of a key", &key))
      return false;
    program->keys.push_back(key);
  }
  if (keys > 0 && !AreGroups(*program)) return reader.Fail("keys");
  if (!reader.AtEnd()) return reader.Fail("more numbers than it says");
  return IsWholePredicate(program->nodes) || reader.Fail("nodes");
}

}  // namespace colkit
