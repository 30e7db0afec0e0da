// mapFile, mapCopy, readSmallFiles, advise, window, closeMapping, readSync: the mapping's functions of index.d.ts.
//
// Each window is a private mapping of its own: V8 must never see one address twice, and a write through a window must
// reach neither the file nor a gather. The system allows a process so many mappings (65,530 on most Linux machines),
// and ends it in odd ways when there are more; windows are counted, and refused long before.
#include "bindings/bindings.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "bindings/args.h"
#include "copy/copy_ranges.h"
#include "bindings/environment.h"
#include "bindings/external_buffer.h"
#include "bindings/handles.h"
#include "platform/small_files.h"

namespace colkit {
namespace {

napi_value Undefined(napi_env env) {
  napi_value undefined;
  Check(env, napi_get_undefined(env, &undefined));
  return undefined;
}

Advice ReadAdvice(const Call& call, napi_value value) {
  const std::string name = ReadString(call.env, value, "advice");
  if (name == "normal") return Advice::kNormal;
  if (name == "sequential") return Advice::kSequential;
  if (name == "random") return Advice::kRandom;
  if (name == "willneed") return Advice::kWillNeed;
  if (name == "dontneed") return Advice::kDontNeed;
  if (name == "hugepage") return Advice::kHugePage;
  throw ArgumentError(call.env, "advice", "one of normal, sequential, random, willneed, dontneed, hugepage",
                      "'" + name + "'");
}

// A zero byte, which no path has, lies between them.
std::vector<std::string> SplitPaths(const std::string& joined) {
  std::vector<std::string> paths;
  size_t start = 0;
  for (size_t end; (end = joined.find('\0', start)) != std::string::npos; start = end + 1)
    paths.push_back(joined.substr(start, end - start));
  paths.push_back(joined.substr(start));
  return paths;
}

struct ByteRange {
  uint64_t offset;
  uint64_t length;
};

ByteRange ReadRangeOf(const Call& call, const MappedFile& file, size_t first) {
  const uint64_t offset = ReadCount(call.env, call[first], "byteOffset", file.size());
  return {offset, ReadCount(call.env, call[first + 1], "byteLength", file.size() - offset)};
}

constexpr size_t kMostWindows = 16384;
// Of each file. The device is asked for what may never be read.
constexpr size_t kMostWillRead = size_t{1} << 20;

// Of the whole process, its worker threads included.
std::atomic<size_t> open_windows{0};

// At most a quarter of the mappings that the system allows: the rest is for files, the heap and stacks of threads.
size_t WindowLimit() {
  static const size_t limit = [] {
    size_t most = kMostWindows;
#if defined(__linux__)
    if (std::FILE* file = std::fopen("/proc/sys/vm/max_map_count", "r")) {
      unsigned long long count;
      if (std::fscanf(file, "%llu", &count) == 1)
        most = static_cast<size_t>(std::min<unsigned long long>(kMostWindows, count / 4));
      std::fclose(file);
    }
#endif
    return most;
  }();
  return limit;
}

class WindowMemory : public ExternalMemory {
 public:
  WindowMemory(const Window& window, size_t bytes) : window_(window), bytes_(bytes) { ++open_windows; }
  ~WindowMemory() override {
    MappedFile::CloseWindow(window_);
    --open_windows;
  }
  void* data() const override { return window_.data; }
  size_t bytes() const override { return bytes_; }

 private:
  const Window window_;
  const size_t bytes_;
};

}  // namespace

napi_value MapFile(const Call& call) {
  const std::string path = ReadString(call.env, call[0], "path");
  const int fd = static_cast<int>(ReadCount(call.env, call[1], "fd", INT32_MAX));
  std::string error;
  auto handle = std::make_shared<MappingHandle>();
  handle->file = MappedFile::Open(path, fd, &error);
  if (handle->file == nullptr) throw CodedError(call.env, "ERR_READ", path + ": mapFile: " + error);
  return WrapMapping(call.env, std::move(handle));
}

napi_value MapCopy(const Call& call) {
  const BytesView bytes = ReadBytes(call.env, call[0], "bytes");
  if (bytes.byte_length == 0) throw ArgumentError(call.env, "bytes", "at least one byte", "none");
  auto handle = std::make_shared<MappingHandle>();
  handle->file = MappedFile::Copy(bytes.data, bytes.byte_length);
  return WrapMapping(call.env, std::move(handle));
}

napi_value ReadSmallFilesAsync(const Call& call) {
  const napi_env env = call.env;
  return RejectOnThrow(env, [&call, env] {
    std::vector<std::string> paths = SplitPaths(ReadString(env, call[0], "paths"));
    const std::vector<napi_value> kept = {call[1], call[2]};
    for (const napi_value array : kept) RefuseResizable(env, array, "out, lengths");
    const BytesView out = ReadBytes(env, call[1], "out");
    const ArrayView lengths = ReadInt32Array(env, call[2], "lengths");
    if (lengths.length != paths.size())
      throw ArgumentError(env, "lengths", "a number for each path", std::to_string(lengths.length));
    const size_t most = out.byte_length / paths.size() / kSmallFileAlignment * kSmallFileAlignment;
    if (most > INT32_MAX) throw ArgumentError(env, "out", "less than 2 GiB a file", std::to_string(most));
    uint8_t* to = out.data;
    int32_t* found = static_cast<int32_t*>(lengths.data);
    return Environment::Of(env).Start(
        [paths = std::move(paths), most, to, found](const std::atomic<bool>& cancelled) {
          ReadSmallFiles(paths, most, to, found, cancelled);
          return Outcome();
        },
        kept, "readSmallFiles");
  });
}

napi_value WillRead(const Call& call) {
  const std::vector<std::string> paths = SplitPaths(ReadString(call.env, call[0], "paths"));
  WillReadFiles(paths, ReadCount(call.env, call[1], "byteLength", kMostWillRead));
  return Undefined(call.env);
}

napi_value JoinMappings(const Call& call) {
  const napi_env env = call.env;
  const std::vector<napi_value> given = ReadElements(env, call[0], "mappings");
  std::vector<std::shared_ptr<MappingHandle>> handles;
  std::vector<std::shared_ptr<MappedFile>> files;
  for (const napi_value value : given) {
    handles.push_back(UnwrapMapping(env, value));
    const std::shared_ptr<MappedFile>& file = OpenFileOf(env, *handles.back(), "joinMappings");
    // A kernel that runs, or the same mapping twice, would miss the descriptor.
    if (file->size() == 0 || file.use_count() != 1)
      throw ArgumentError(env, "mappings", "mappings of bytes that nobody uses, each once", "another one");
    files.push_back(file);
  }
  if (files.empty()) throw ArgumentError(env, "mappings", "at least one", "none");
  for (const auto& each : handles) each->file = nullptr;
  auto handle = std::make_shared<MappingHandle>();
  handle->file = MappedFile::Join(std::move(files));
  return WrapMapping(env, std::move(handle));
}

napi_value MappingByteLength(const Call& call) {
  const auto& file = OpenFileOf(call.env, *UnwrapMapping(call.env, call[0]), "mappingByteLength");
  return Napi::Number::New(call.env, static_cast<double>(file->size()));
}

napi_value ShrinkMapping(const Call& call) {
  const MappingHandle& handle = *UnwrapMapping(call.env, call[0]);
  const auto& file = OpenFileOf(call.env, handle, "shrinkMapping");
  const uint64_t byte_length = ReadCount(call.env, call[1], "byteLength", file->size());
  if (byte_length == 0 || handle.has_segments || file.use_count() != 1)
    throw ArgumentError(call.env, "mapping", "one of bytes that nobody uses", "another one");
  file->Shrink(byte_length);
  return Undefined(call.env);
}

napi_value CurrentFileSize(const Call& call) {
  const auto& file = OpenFileOf(call.env, *UnwrapMapping(call.env, call[0]), "currentFileSize");
  const int64_t size = file->CurrentSize();
  if (size < 0) throw CodedError(call.env, "ERR_READ", "currentFileSize: the system does not tell");
  return Napi::Number::New(call.env, static_cast<double>(size));
}

napi_value Advise(const Call& call) {
  const auto& file = OpenFileOf(call.env, *UnwrapMapping(call.env, call[0]), "advise");
  const Advice advice = ReadAdvice(call, call[1]);
  const ByteRange range = ReadRangeOf(call, *file, 2);
  return Napi::Boolean::New(call.env, file->Advise(advice, range.offset, range.length));
}

napi_value OpenWindow(const Call& call) {
  const auto& file = OpenFileOf(call.env, *UnwrapMapping(call.env, call[0]), "window");
  const ByteRange range = ReadRangeOf(call, *file, 1);
  if (range.length == 0) return Napi::ArrayBuffer::New(call.env, 0);
  if (file->is_copy()) throw ArgumentError(call.env, "mapping", "that of a file", "a copy of bytes");
  if (!file->StillWhole()) {
    Outcome outcome;
    outcome.status = Status::kFileChanged;
    throw OutcomeError(call.env, outcome, "window");
  }
  if (open_windows.load() >= WindowLimit()) {
    throw CodedError(
        call.env, "ERR_TOO_MANY_VIEWS",
        "window: " + std::to_string(open_windows.load()) + " windows are mapped, the most that this process may have");
  }
  Window window;
  std::string error;
  if (!file->OpenWindow(range.offset, range.length, &window, &error))
    throw CodedError(call.env, "ERR_READ", "window: " + error);
  napi_value buffer = nullptr;
  switch (MakeExternalBuffer(call.env, std::make_unique<WindowMemory>(window, static_cast<size_t>(range.length)),
                             &buffer)) {
    case ExternalResult::kForbidden:
      throw CodedError(call.env, "ERR_NO_EXTERNAL_BUFFERS", "window: this runtime forbids external buffers");
    case ExternalResult::kTooLarge:
      throw CodedError(call.env, "ERR_VIEW_TOO_LARGE",
                       "window: this runtime has no buffers of " + std::to_string(range.length) + " bytes");
    case ExternalResult::kMade:
      break;
  }
  return buffer;
}

napi_value WindowStats(const Call& call) {
  Napi::Object stats = Napi::Object::New(call.env);
  stats.Set("count", static_cast<double>(open_windows.load()));
  stats.Set("limit", static_cast<double>(WindowLimit()));
  return stats;
}

napi_value CloseMapping(const Call& call) {
  UnwrapMapping(call.env, call[0])->file = nullptr;
  return Undefined(call.env);
}

napi_value ReadSync(const Call& call) {
  const std::shared_ptr<MappedFile> file = OpenFileOf(call.env, *UnwrapMapping(call.env, call[0]), "readSync");
  const BytesView out = ReadBytes(call.env, call[2], "out");
  const double offset = static_cast<double>(ReadCount(call.env, call[1], "byteOffset", file->size()));
  const double length = static_cast<double>(out.byte_length);
  const double at = 0;
  RangesRequest request = {file.get(), &offset, &length, &at, 1, out.data, out.byte_length, 1, nullptr};
  const Outcome outcome = RunCopyRanges(request);
  if (outcome.status == Status::kRangeInvalid) {
    throw ArgumentError(
        call.env, "out",
        "at most the " + FormatNumber(static_cast<double>(file->size()) - offset) + " bytes from byteOffset to the end",
        FormatNumber(length) + " bytes", "ERR_ARGUMENT");
  }
  if (!outcome.ok()) throw OutcomeError(call.env, outcome, "readSync");
  return Undefined(call.env);
}

}  // namespace colkit
