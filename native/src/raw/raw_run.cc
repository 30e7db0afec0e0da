// Runs a raw program: rows cut into pieces for the threads and into blocks that stay in the caches, each block looked
// at once; then the pieces' answers become one, in the order of their rows.
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

#include "map/guarded_run.h"
#include "raw/folds/raw_extremes.h"
#include "raw/raw_block.h"
#include "raw/groups/raw_groups.h"
#include "raw/raw_results.h"

namespace colkit {
namespace {

// A multiple of the rows of a block; few enough that each thread gets several.
constexpr uint64_t kLeastPieceRows = 65536;
constexpr uint64_t kMostPieces = 512;

struct PieceRows {
  uint64_t start;
  uint64_t end;
  uint64_t bits;
};

struct RawRun {
  const RawRequest* request;
  const RawKernels* kernels;
  size_t block_rows;
  std::vector<PieceRows> pieces;
  std::vector<uint64_t> matches;  // by piece
  std::vector<FoldState> states;  // by piece, then by fold; where rows are grouped none
  // Where rows are grouped: what threads have gathered, those of them that no thread uses, and the piece to come. A
  // thread draws a piece together with what it is added to, so that each of them meets rows in order.
  std::mutex mutex;
  size_t next_piece = 0;
  std::vector<std::unique_ptr<GroupedRows>> grouped;
  std::vector<GroupedRows*> idle;
  std::atomic<bool> too_many{false};
};

GroupedRows* TakeGroups(RawRun* run, size_t* piece) {
  std::lock_guard<std::mutex> lock(run->mutex);
  *piece = run->next_piece++;
  if (run->idle.empty()) {
    run->idle.reserve(run->grouped.size() + 1);
    run->grouped.push_back(std::unique_ptr<GroupedRows>(new GroupedRows(*run->request->program)));
    return run->grouped.back().get();
  }
  GroupedRows* groups = run->idle.back();
  run->idle.pop_back();
  return groups;
}

void GiveGroups(RawRun* run, GroupedRows* groups) {
  std::lock_guard<std::mutex> lock(run->mutex);
  run->idle.push_back(groups);
}

RawScratch* ThreadScratch() {
  thread_local std::unique_ptr<RawScratch> scratch(new RawScratch);
  return scratch.get();
}

bool IsCancelled(const RawRequest& request) {
  return request.cancelled != nullptr && request.cancelled->load(std::memory_order_relaxed);
}

void WriteBits(const RawBlock& block, const uint8_t* mask, uint8_t* bits) {
  const size_t whole = block.count / 8 * 8;
  if (mask == nullptr) {
    std::memset(bits, 0xff, whole / 8);
    if (whole < block.count) bits[whole / 8] = static_cast<uint8_t>((1u << (block.count - whole)) - 1);
    return;
  }
  block.kernels->bits_of_mask(mask, whole, bits);
  if (whole == block.count) return;
  uint8_t rest[8] = {};
  std::memcpy(rest, mask + whole, block.count - whole);
  block.kernels->bits_of_mask(rest, 8, bits + whole / 8);
}

// `groups`: null where rows are not grouped.
void LookAtRows(RawRun& run, size_t number, GroupedRows* groups, Outcome* outcome) {
  const RawRequest& request = *run.request;
  const RawProgram& program = *request.program;
  const PieceRows& rows = run.pieces[number];
  FoldState* states = run.states.data() + number * program.folds.size();
  uint64_t found = 0;
  RawBlock block = {&request, run.kernels, ThreadScratch(), rows.start, 0};
  for (; block.start < rows.end; block.start += block.count) {
    if (IsCancelled(request)) {
      outcome->status = Status::kCancelled;
      return;
    }
    block.count = static_cast<size_t>(std::min<uint64_t>(run.block_rows, rows.end - block.start));
    size_t matches;
    const uint8_t* mask = MatchRows(block, &matches);
    found += matches;
    if (program.bits) WriteBits(block, mask, request.bits + rows.bits + (block.start - rows.start) / 8);
    if (groups != nullptr) {
      if (run.too_many.load(std::memory_order_relaxed)) return;
      if (!groups->Add(block, mask, matches)) run.too_many.store(true, std::memory_order_relaxed);
      continue;
    }
    for (size_t fold = 0; fold < program.folds.size(); ++fold)
      FoldRows(block, program.folds[fold], mask, matches, states + fold);
  }
  run.matches[number] = found;
}

void LookAtPiece(Piece* piece) {
  auto& run = *static_cast<RawRun*>(piece->context);
  if (run.request->program->keys.empty()) return LookAtRows(run, piece->number, nullptr, &piece->outcome);
  try {
    size_t number;
    GroupedRows* groups = TakeGroups(&run, &number);
    LookAtRows(run, number, groups, &piece->outcome);
    GiveGroups(&run, groups);
  } catch (const std::bad_alloc&) {
    piece->outcome.status = Status::kOutOfMemory;
  }
}

// Compares texts of the file, and so is guarded as what reads it is.
void MergePieces(Piece* piece) {
  auto& run = *static_cast<RawRun*>(piece->context);
  const std::vector<RawFold>& folds = run.request->program->folds;
  for (size_t number = 1; number < run.pieces.size(); ++number) {
    run.matches[0] += run.matches[number];
    if (!run.states.empty())
      for (size_t fold = 0; fold < folds.size(); ++fold)
        MergeFolds(*run.request, folds[fold], ThreadScratch(), &run.states[number * folds.size() + fold],
                   &run.states[fold]);
  }
}

void WriteFold(const RawColumn& column, RawFoldKind kind, uint64_t matches, FoldState* state, double* result) {
  std::fill(result, result + kRawFoldResultNumbers, 0.0);
  if (kind == kRawFoldKindSum) {
    result[kRawFoldResultFound] = matches > 0 ? kRawFoundValue : kRawFoundNothing;
    WriteTotal(state->sum.low, state->sum.high, result);
    WriteExact(&state->sum.exact, result);
    return;
  }
  result[kRawFoldResultFound] = state->extreme.found;
  if (column.type == kRawBytes || column.type == kRawPoints) {
    result[kRawFoldResultNumber] = static_cast<double>(state->row);
  } else if (column.type == kRawInt64 || column.type == kRawUint64 || column.type == kRawTicks) {
    const auto bits = static_cast<uint64_t>(state->extreme.whole) ^ BiasOf(column.type);
    result[kRawFoldResultWord0] = static_cast<double>(bits & 0xffffffff);
    result[kRawFoldResultWord1] = static_cast<double>(bits >> 32);
  } else {
    const bool is_float = IsFloatType(column.type);
    result[kRawFoldResultNumber] = is_float ? state->extreme.number : static_cast<double>(state->extreme.whole);
  }
}

// What all threads have gathered becomes one. Compares texts of the file, and so is guarded.
void MergeGroups(Piece* piece) {
  auto& run = *static_cast<RawRun*>(piece->context);
  if (run.too_many.load()) return;
  const RawBlock block = {run.request, run.kernels, ThreadScratch(), 0, 0};
  try {
    for (size_t i = 1; i < run.grouped.size(); ++i) {
      if (run.grouped[0]->Merge(block, run.grouped[i].get())) continue;
      run.too_many.store(true);
      return;
    }
  } catch (const std::bad_alloc&) {
    piece->outcome.status = Status::kOutOfMemory;
  }
}

// In the order of first rows. Reads nothing of the file.
Outcome WriteGroups(RawRun* run) {
  Outcome outcome;
  const RawProgram& program = *run->request->program;
  double* results = run->request->results;
  results[kRawResultGroups] = static_cast<double>(program.most_groups) + 1;
  if (run->too_many.load()) return outcome;
  try {
    if (run->grouped.empty()) run->grouped.push_back(std::unique_ptr<GroupedRows>(new GroupedRows(program)));
    results[kRawResultGroups] = run->grouped[0]->count();
    run->grouped[0]->Write(results + kRawResultNumbers);
  } catch (const std::bad_alloc&) {
    outcome.status = Status::kOutOfMemory;
  }
  return outcome;
}

// Nanoseconds that one row takes one thread, about.
double CostOfRow(const RawProgram& program) {
  double cost = 0.1;
  for (const RawNode& node : program.nodes) {
    const bool is_text = node.operation == kRawOperationText || node.operation == kRawOperationPrefix;
    cost += is_text ? 1.5 : 0.3 + 0.3 * node.computed.count;
  }
  for (const RawFold& fold : program.folds) {
    const RawType type = program.columns[fold.column].type;
    cost += type == kRawBytes || type == kRawPoints ? 3 : program.nodes.empty() ? 0.4 : 0.8;
  }
  if (!program.keys.empty()) cost += 2 + 0.2 * static_cast<double>(KeyBytes(program)) + 2 * program.folds.size();
  for (const RawColumn& column : program.columns) cost += 0.05 * column.item_bytes + (column.swapped ? 4 : 0);
  return cost;
}

size_t BlockRows(const RawProgram& program) {
  size_t widest = 1;
  for (const RawColumn& column : program.columns) widest = std::max<size_t>(widest, column.item_bytes);
  // Blocks of working memory by the row. Extremes of all rows need none.
  bool needs_rows = !program.nodes.empty() || !program.keys.empty() || program.bits;
  for (const RawFold& fold : program.folds) needs_rows |= fold.kind == kRawFoldKindSum;
  // A multiple of 8, for the bits.
  return std::min(needs_rows ? kBlockRows : kBlockBytes, kBlockBytes / widest / 8 * 8);
}

void CutIntoPieces(RawRun* run) {
  const RawProgram& program = *run->request->program;
  const uint64_t wanted = (program.row_count + kMostPieces - 1) / kMostPieces;
  const uint64_t rows = std::max(kLeastPieceRows, (wanted + kBlockRows - 1) / kBlockRows * kBlockRows);
  for (const RawRange& range : program.ranges) {
    for (uint64_t start = range.start; start < range.end; start += std::min(rows, range.end - start))
      run->pieces.push_back({start, start + std::min(rows, range.end - start), range.bits + (start - range.start) / 8});
  }
}

}  // namespace

Outcome RunRaw(const RawRequest& request) {
  const RawProgram& program = *request.program;
  RawRun run;
  run.request = &request;
  run.kernels = &RawKernelsOf(SupportedFamily());
  run.block_rows = BlockRows(program);
  const bool is_grouped = !program.keys.empty();
  const size_t folds = is_grouped ? 0 : program.folds.size();
  Outcome outcome;
  try {
    CutIntoPieces(&run);
    const size_t answers = std::max<size_t>(run.pieces.size(), 1);
    run.matches.resize(answers);
    run.states.resize(answers * folds);
  } catch (const std::bad_alloc&) {
    outcome.status = Status::kOutOfMemory;
    return outcome;
  }
  if (!run.pieces.empty()) {
    if (!request.file->StillWhole()) {
      outcome.status = Status::kFileChanged;
      return outcome;
    }
    GuardedRun guarded(*request.file, request.cancelled);
    const unsigned threads = ThreadsFor(CostOfRow(program) * static_cast<double>(program.row_count), request.workers);
    outcome = guarded.Run(run.pieces.size(), threads, LookAtPiece, &run);
    if (outcome.ok()) outcome = guarded.Run(1, 1, MergePieces, &run);
    if (outcome.ok() && is_grouped) outcome = guarded.Run(1, 1, MergeGroups, &run);
    if (!outcome.ok()) return outcome;
  }
  request.results[kRawResultMatches] = static_cast<double>(run.matches[0]);
  request.results[kRawResultGroups] = 0;
  if (is_grouped) return WriteGroups(&run);
  for (size_t fold = 0; fold < folds; ++fold)
    WriteFold(program.columns[program.folds[fold].column], program.folds[fold].kind, run.matches[0], &run.states[fold],
              request.results + kRawResultNumbers + fold * kRawFoldResultNumbers);
  return outcome;
}

}  // namespace colkit
