// runRaw and its Sync form: arguments checked and unwrapped into a request, the kernel called here or on the pool.
#include "bindings/args.h"
#include "bindings/bindings.h"
#include "bindings/environment.h"
#include "bindings/handles.h"
#include "raw/raw_request.h"

namespace colkit {
namespace {

// A request and what keeps its memory alive outside JavaScript. The program is a copy: nothing that the caller changes
// later reaches a kernel.
struct RawCall {
  std::shared_ptr<const MappedFile> file;
  std::shared_ptr<const Segments> segments;
  std::shared_ptr<const RawProgram> program;
  uint8_t* bits = nullptr;
  double* results = nullptr;
  unsigned workers = 0;

  Outcome Run(const std::atomic<bool>* cancelled) const {
    return RunRaw({file.get(), segments.get(), program.get(), bits, results, workers, cancelled});
  }
};

// Where `kept` is not null, the call is asynchronous: it gets the arrays that the kernel will touch. Everything that
// may run the caller's code is done before the first address is taken.
RawCall ReadRawCall(const Call& call, const char* operation, std::vector<napi_value>* kept) {
  const napi_env env = call.env;
  const SegmentsHandle& handle = UnwrapSegments(env, call[0]);
  RawCall raw;
  raw.file = OpenFileOf(env, *handle.mapping, operation);
  raw.segments = handle.segments;
  if (kept != nullptr) {
    *kept = {call[3], call[4]};
    for (const napi_value array : *kept) RefuseResizable(env, array, "bits, results");
  }
  raw.workers = static_cast<unsigned>(ReadCount(env, call[5], "workers", kMostWorkers));
  const ArrayView numbers = ReadFloat64Array(env, call[1], "program");
  const BytesView constants = ReadBytes(env, call[2], "constants");
  auto program = std::make_shared<RawProgram>();
  std::string error;
  if (!ParseRawProgram(
          {static_cast<const double*>(numbers.data), numbers.length, constants.data, constants.byte_length},
          *raw.segments, program.get(), &error))
    throw CodedError(env, "ERR_ARGUMENT", error);
  const BytesView bits = ReadBytes(env, call[3], "bits");
  if (program->bits && bits.byte_length < program->bit_bytes)
    throw ArgumentError(env, "bits", std::to_string(program->bit_bytes) + " bytes", std::to_string(bits.byte_length),
                        "ERR_OUT_BUFFER");
  const ArrayView results = ReadFloat64Array(env, call[4], "results");
  const size_t wanted = RawResultNumbers(*program);
  if (results.length != wanted)
    throw ArgumentError(env, "results", std::to_string(wanted) + " numbers", std::to_string(results.length));
  raw.program = std::move(program);
  raw.bits = bits.data;
  raw.results = static_cast<double*>(results.data);
  return raw;
}

}  // namespace

napi_value RunRawSync(const Call& call) {
  const RawCall raw = ReadRawCall(call, "runRawSync", nullptr);
  return Done(call.env, raw.Run(nullptr), "runRawSync");
}

napi_value RunRawAsync(const Call& call) {
  return RejectOnThrow(call.env, [&call] {
    std::vector<napi_value> kept;
    RawCall raw = ReadRawCall(call, "runRaw", &kept);
    return Environment::Of(call.env).Start(
        [raw = std::move(raw)](const std::atomic<bool>& cancelled) { return raw.Run(&cancelled); }, kept, "runRaw");
  });
}

}  // namespace colkit
