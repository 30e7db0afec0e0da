// decodePages and its Sync form: arguments checked and unwrapped into a request, the kernel called here or on the pool.
#include "bindings/bindings.h"

#include <vector>

#include "bindings/args.h"
#include "pages/column_page.h"
#include "bindings/environment.h"
#include "bindings/handles.h"

namespace colkit {
namespace {

// A request and what keeps its memory alive outside JavaScript.
struct PagesCall {
  std::shared_ptr<const MappedFile> file;
  std::vector<PageOutput> outputs;
  PagesRequest request;
};

// Where `kept` is not null, the call is asynchronous: it gets the arrays that the kernel will touch. Everything that
// may run the caller's code is done before the first address is taken.
PagesCall ReadPagesCall(const Call& call, const char* operation, std::vector<napi_value>* kept) {
  const napi_env env = call.env;
  PagesCall pages;
  pages.file = OpenFileOf(env, *UnwrapMapping(env, call[0]), operation);
  const std::vector<napi_value> outs = ReadElements(env, call[3], "outs");
  if (kept != nullptr) {
    *kept = outs;
    kept->push_back(call[1]);
    kept->push_back(call[2]);
    for (const napi_value array : *kept) RefuseResizable(env, array, "jobs, results, outs");
  }
  const ArrayView jobs = ReadFloat64Array(env, call[1], "jobs");
  const ArrayView results = ReadFloat64Array(env, call[2], "results");
  const size_t count = jobs.length / kPageJobNumbers;
  if (jobs.length % kPageJobNumbers != 0)
    throw ArgumentError(env, "jobs", std::to_string(kPageJobNumbers) + " numbers a page", std::to_string(jobs.length));
  if (results.length != count * kPageResultNumbers) {
    throw ArgumentError(env, "results", std::to_string(count * kPageResultNumbers) + " numbers",
                        std::to_string(results.length));
  }
  pages.outputs.reserve(outs.size());
  for (const napi_value out : outs) {
    const BytesView bytes = ReadBytes(env, out, "outs");
    pages.outputs.push_back({bytes.data, bytes.byte_length});
  }
  bool verify_crc = false;
  if (napi_get_value_bool(env, call[4], &verify_crc) != napi_ok)
    throw ArgumentError(env, "verifyCrc", "a boolean", Describe(env, call[4]));
  const unsigned workers = static_cast<unsigned>(ReadCount(env, call[5], "workers", kMostWorkers));
  pages.request = {pages.file.get(),
                   static_cast<const double*>(jobs.data),
                   static_cast<double*>(results.data),
                   count,
                   nullptr,
                   outs.size(),
                   verify_crc,
                   workers,
                   nullptr};
  return pages;
}

Outcome Run(const PagesCall& pages, const std::atomic<bool>* cancelled) {
  PagesRequest request = pages.request;
  request.outputs = pages.outputs.data();
  request.cancelled = cancelled;
  return RunDecodePages(request);
}

}  // namespace

napi_value DecodePagesSync(const Call& call) {
  const PagesCall pages = ReadPagesCall(call, "decodePagesSync", nullptr);
  return Done(call.env, Run(pages, nullptr), "decodePagesSync");
}

napi_value DecodePages(const Call& call) {
  return RejectOnThrow(call.env, [&call] {
    std::vector<napi_value> kept;
    PagesCall pages = ReadPagesCall(call, "decodePages", &kept);
    return Environment::Of(call.env).Start(
        [pages = std::move(pages)](const std::atomic<bool>& cancelled) { return Run(pages, &cancelled); }, kept,
        "decodePages");
  });
}

}  // namespace colkit
