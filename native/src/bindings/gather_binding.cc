// createSegments, gather and copyRanges with their Sync forms: arguments checked and unwrapped into a request, the
// kernel called here or on the pool.
#include "bindings/bindings.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "bindings/args.h"
#include "copy/copy_ranges.h"
#include "bindings/environment.h"
#include "gather/gather.h"
#include "bindings/handles.h"

namespace colkit {
namespace {

// A request and what keeps its memory alive outside JavaScript.
struct GatherCall {
  std::shared_ptr<const MappedFile> file;
  std::shared_ptr<const Segments> segments;
  RowSource rows;
  std::vector<ColumnTarget> targets;
  unsigned workers = 0;

  GatherRequest Request(const std::atomic<bool>* cancelled) const {
    return {file.get(), segments.get(), rows, targets.data(), targets.size(), workers, cancelled};
  }
};

napi_value Property(napi_env env, napi_value object, const char* name) {
  napi_value value;
  Check(env, napi_get_named_property(env, object, name, &value));
  return value;
}

// What the caller said about rows. Reading properties runs the caller's getters, which may take memory away from any
// array: so all of them are read first, and addresses last.
struct GivenRows {
  RowKind kind = RowKind::kIndices;
  napi_value array = nullptr;  // of indices or a mask
  double start = 0;
  double step = 0;
  uint64_t count = 0;
};

GivenRows ReadRows(napi_env env, napi_value rows) {
  GivenRows given;
  bool is_array = false;
  Check(env, napi_is_typedarray(env, rows, &is_array));
  if (is_array) {
    given.array = rows;
    return given;
  }
  napi_valuetype type;
  Check(env, napi_typeof(env, rows, &type));
  if (type != napi_object)
    throw ArgumentError(env, "rows", "an object with a kind, or an array of indices", Describe(env, rows));
  const napi_value kind_value = Property(env, rows, "kind");
  char kind[16] = {};
  size_t length = 0;
  napi_get_value_string_utf8(env, kind_value, kind, sizeof(kind), &length);
  const std::string_view name(kind, length);
  if (name == "indices") {
    given.array = Property(env, rows, "indices");
  } else if (name == "mask") {
    given.kind = RowKind::kMask;
    given.array = Property(env, rows, "mask");
    given.count = ReadCount(env, Property(env, rows, "count"), "rows.count", kLargestExact);
  } else if (name == "range") {
    given.kind = RowKind::kRange;
    given.count = ReadCount(env, Property(env, rows, "count"), "rows.count", kLargestExact);
    given.step = ReadNumber(env, Property(env, rows, "step"), "rows.step");
    given.start = ReadNumber(env, Property(env, rows, "start"), "rows.start");
  } else {
    throw ArgumentError(env, "rows.kind", "'range', 'indices' or 'mask'", Describe(env, kind_value));
  }
  return given;
}

// start + k * step lies within the table for each k.
void UseRange(napi_env env, const GivenRows& given, uint64_t row_count, RowSource* source) {
  source->kind = RowKind::kRange;
  source->count = given.count;
  const double step = given.step;
  const double start = given.start;
  if (!(std::fabs(step) <= static_cast<double>(kLargestExact)) || step != std::trunc(step) || step == 0) {
    throw ArgumentError(env, "rows.step", "an integer other than 0", FormatNumber(step));
  }
  if (source->count == 0) return;
  const double last = start + step * static_cast<double>(source->count - 1);
  const double length = static_cast<double>(row_count);
  if (start != std::trunc(start)) throw ArgumentError(env, "rows.start", "an integer", FormatNumber(start));
  for (const double row : {start, last}) {
    if (row >= 0 && row < length) continue;
    Outcome outcome;
    outcome.status = Status::kIndexOutOfRange;
    outcome.value = row;
    outcome.length = row_count;
    outcome.position = row == start ? 0 : source->count - 1;
    throw OutcomeError(env, outcome, "gather");
  }
  source->start = static_cast<uint64_t>(start);
  source->step = static_cast<int64_t>(step);
}

bool IndexTypeOf(napi_typedarray_type type, IndexType* index_type) {
  switch (type) {
    case napi_int32_array:
      *index_type = IndexType::kInt32;
      return true;
    case napi_uint32_array:
      *index_type = IndexType::kUint32;
      return true;
    case napi_float64_array:
      *index_type = IndexType::kFloat64;
      return true;
    case napi_bigint64_array:
      *index_type = IndexType::kBigInt64;
      return true;
    default:
      return false;
  }
}

// Runs no JavaScript: what it takes the address of stays where it is until the call is over.
void UseRows(napi_env env, const GivenRows& given, napi_value rows, uint64_t row_count, RowSource* source) {
  if (given.kind == RowKind::kRange) {
    UseRange(env, given, row_count, source);
    return;
  }
  ArrayView view;
  source->kind = given.kind;
  if (given.kind == RowKind::kMask) {
    if (!ReadTypedArray(env, given.array, "rows.mask", &view) || view.type != napi_uint8_array)
      throw ArgumentError(env, "rows.mask", "a Uint8Array", Describe(env, given.array));
    if (view.length != row_count)
      throw ArgumentError(env, "rows.mask", "one byte for each of the " + std::to_string(row_count) + " rows",
                          std::to_string(view.length) + " bytes");
    if (given.count > row_count)
      throw ArgumentError(env, "rows.count", "an integer in [0, " + std::to_string(row_count) + "]",
                          std::to_string(given.count));
    source->count = given.count;
    source->mask = static_cast<const uint8_t*>(view.data);
    return;
  }
  if (!ReadTypedArray(env, given.array, "rows", &view) || !IndexTypeOf(view.type, &source->indices.type)) {
    const bool is_property = given.array != rows;
    throw ArgumentError(env, is_property ? "rows.indices" : "rows",
                        "an Int32Array, Uint32Array, Float64Array or BigInt64Array", Describe(env, given.array));
  }
  source->count = view.length;
  source->indices.data = view.data;
}

// Whether `count` items of `width` bytes fit `bytes` bytes from `offset` on, `stride` apart.
bool Fits(uint64_t bytes, uint64_t offset, uint64_t stride, uint64_t width, uint64_t count) {
  if (count == 0) return true;
  if (offset > bytes || width > bytes - offset) return false;
  return count == 1 || (count - 1) <= (bytes - offset - width) / stride;
}

ColumnTarget ReadTarget(napi_env env, const Segments& segments, int32_t column, napi_value out, const double* layout,
                        uint64_t count) {
  if (column < 0 || static_cast<size_t>(column) >= segments.column_count()) {
    throw ArgumentError(env, "columns", "column numbers in [0, " + std::to_string(segments.column_count()) + ")",
                        std::to_string(column));
  }
  const BytesView bytes = ReadBytes(env, out, "outs");
  const uint32_t width = segments.item_bytes(static_cast<size_t>(column));
  uint64_t offset = 0;
  uint64_t stride = width;
  if (layout != nullptr) {
    const double most = static_cast<double>(kLargestExact);
    if (!(layout[0] >= 0 && layout[0] <= most && layout[0] == std::trunc(layout[0])))
      throw ArgumentError(env, "layout", "byte offsets of 0 and more", FormatNumber(layout[0]));
    if (!(layout[1] >= width && layout[1] <= most && layout[1] == std::trunc(layout[1]))) {
      throw ArgumentError(env, "layout", "byte strides of at least the " + std::to_string(width) + " bytes of an item",
                          FormatNumber(layout[1]));
    }
    offset = static_cast<uint64_t>(layout[0]);
    stride = static_cast<uint64_t>(layout[1]);
  }
  if (!Fits(bytes.byte_length, offset, stride, width, count)) {
    throw ArgumentError(env, "outs",
                        "room for " + std::to_string(count) + " items of " + std::to_string(width) + " bytes, " +
                            std::to_string(stride) + " apart, from byte " + std::to_string(offset) + " on",
                        std::to_string(bytes.byte_length) + " bytes", "ERR_OUT_BUFFER");
  }
  return {static_cast<uint32_t>(column), bytes.data + offset, static_cast<size_t>(stride)};
}

// Where `kept` is not null, the call is asynchronous: it gets the arrays that the kernel will touch. Everything that
// may run the caller's code is done before the first address is taken.
GatherCall ReadGatherCall(const Call& call, const char* operation, std::vector<napi_value>* kept) {
  const napi_env env = call.env;
  const SegmentsHandle& handle = UnwrapSegments(env, call[0]);
  GatherCall gather;
  gather.file = OpenFileOf(env, *handle.mapping, operation);
  gather.segments = handle.segments;
  const GivenRows given = ReadRows(env, call[2]);
  const std::vector<napi_value> outs = ReadElements(env, call[3], "outs");
  if (kept != nullptr) {
    *kept = outs;
    for (const napi_value out : outs) RefuseResizable(env, out, "outs");
    if (given.array != nullptr) {
      RefuseResizable(env, given.array, "rows");
      kept->push_back(given.array);
    }
  }
  const ArrayView columns = ReadInt32Array(env, call[1], "columns");
  UseRows(env, given, call[2], gather.segments->row_count(), &gather.rows);
  napi_valuetype layout_type;
  Check(env, napi_typeof(env, call[4], &layout_type));
  const double* layout = nullptr;
  if (layout_type != napi_null && layout_type != napi_undefined) {
    const ArrayView view = ReadFloat64Array(env, call[4], "layout");
    if (view.length != 2 * columns.length)
      throw ArgumentError(env, "layout", std::to_string(2 * columns.length) + " numbers", std::to_string(view.length));
    layout = static_cast<const double*>(view.data);
  }
  gather.workers = static_cast<unsigned>(ReadCount(env, call[5], "workers", kMostWorkers));
  if (outs.size() != columns.length)
    throw ArgumentError(env, "outs", "one output for each of the " + std::to_string(columns.length) + " columns",
                        std::to_string(outs.size()));
  gather.targets.reserve(outs.size());
  for (size_t k = 0; k < outs.size(); ++k) {
    const double* own_layout = layout == nullptr ? nullptr : layout + 2 * k;
    gather.targets.push_back(ReadTarget(env, *gather.segments, static_cast<const int32_t*>(columns.data)[k], outs[k],
                                        own_layout, gather.rows.count));
  }
  return gather;
}

struct RangesCall {
  std::shared_ptr<const MappedFile> file;
  RangesRequest request;
};

RangesCall ReadRangesCall(const Call& call, const char* operation) {
  const napi_env env = call.env;
  RangesCall ranges;
  ranges.file = OpenFileOf(env, *UnwrapMapping(env, call[0]), operation);
  const ArrayView offsets = ReadFloat64Array(env, call[1], "offsets");
  const ArrayView lengths = ReadFloat64Array(env, call[2], "lengths");
  const BytesView out = ReadBytes(env, call[3], "out");
  const ArrayView out_offsets = ReadFloat64Array(env, call[4], "outOffsets");
  if (lengths.length != offsets.length)
    throw ArgumentError(env, "lengths", std::to_string(offsets.length) + " numbers, as many as offsets",
                        std::to_string(lengths.length));
  if (out_offsets.length != offsets.length)
    throw ArgumentError(env, "outOffsets", std::to_string(offsets.length) + " numbers, as many as offsets",
                        std::to_string(out_offsets.length));
  const unsigned workers = static_cast<unsigned>(ReadCount(env, call[5], "workers", kMostWorkers));
  ranges.request = {ranges.file.get(),
                    static_cast<const double*>(offsets.data),
                    static_cast<const double*>(lengths.data),
                    static_cast<const double*>(out_offsets.data),
                    offsets.length,
                    out.data,
                    out.byte_length,
                    workers,
                    nullptr};
  return ranges;
}

}  // namespace

napi_value CreateSegments(const Call& call) {
  const napi_env env = call.env;
  const std::shared_ptr<MappingHandle>& mapping = UnwrapMapping(env, call[0]);
  const ArrayView row_starts = ReadFloat64Array(env, call[1], "rowStarts");
  const ArrayView item_bytes = ReadInt32Array(env, call[2], "itemBytes");
  const ArrayView bases = ReadFloat64Array(env, call[3], "bases");
  const std::shared_ptr<MappedFile> file = OpenFileOf(env, *mapping, "createSegments");
  if (row_starts.length == 0) throw ArgumentError(env, "rowStarts", "at least one number", "none");
  const size_t segment_count = row_starts.length - 1;
  const bool match = segment_count == 0
                         ? bases.length == 0
                         : bases.length % segment_count == 0 && bases.length / segment_count == item_bytes.length;
  if (!match) {
    throw ArgumentError(
        env, "bases", std::to_string(item_bytes.length) + " columns of " + std::to_string(segment_count) + " segments",
        std::to_string(bases.length) + " numbers");
  }
  std::vector<SegmentFile> files;
  for (size_t part = 0; part < file->parts().size(); ++part)
    files.push_back({file->parts()[part]->size(), file->distance(part)});
  const int32_t* file_of_segment = nullptr;
  if (files.empty()) {
    files.push_back({file->size(), 0});
  } else {
    const ArrayView view = ReadInt32Array(env, call[4], "files");
    if (view.length != segment_count)
      throw ArgumentError(env, "files", "a number for each of the " + std::to_string(segment_count) + " segments",
                          std::to_string(view.length));
    file_of_segment = static_cast<const int32_t*>(view.data);
  }
  std::string error;
  auto handle = std::make_unique<SegmentsHandle>();
  handle->mapping = mapping;
  handle->segments = Segments::Create(static_cast<const double*>(row_starts.data), segment_count,
                                      static_cast<const int32_t*>(item_bytes.data), item_bytes.length,
                                      static_cast<const double*>(bases.data), files, file_of_segment, &error);
  if (handle->segments == nullptr) throw CodedError(env, "ERR_ARGUMENT", error);
  mapping->has_segments = true;
  return WrapSegments(env, std::move(handle));
}

napi_value GatherSync(const Call& call) {
  const GatherCall gather = ReadGatherCall(call, "gatherSync", nullptr);
  return Done(call.env, RunGather(gather.Request(nullptr)), "gatherSync");
}

napi_value Gather(const Call& call) {
  return RejectOnThrow(call.env, [&call] {
    std::vector<napi_value> kept;
    GatherCall gather = ReadGatherCall(call, "gather", &kept);
    return Environment::Of(call.env).Start(
        [gather = std::move(gather)](const std::atomic<bool>& cancelled) {
          return RunGather(gather.Request(&cancelled));
        },
        kept, "gather");
  });
}

napi_value CopyRangesSync(const Call& call) {
  const RangesCall ranges = ReadRangesCall(call, "copyRangesSync");
  return Done(call.env, RunCopyRanges(ranges.request), "copyRangesSync");
}

napi_value CopyRanges(const Call& call) {
  return RejectOnThrow(call.env, [&call] {
    const std::vector<napi_value> kept = {call[1], call[2], call[3], call[4]};
    for (const napi_value array : kept) RefuseResizable(call.env, array, "offsets, lengths, out, outOffsets");
    RangesCall ranges = ReadRangesCall(call, "copyRanges");
    const auto work = [ranges = std::move(ranges)](const std::atomic<bool>& cancelled) {
      RangesRequest request = ranges.request;
      request.cancelled = &cancelled;
      return RunCopyRanges(request);
    };
    return Environment::Of(call.env).Start(work, kept, "copyRanges");
  });
}

}  // namespace colkit
