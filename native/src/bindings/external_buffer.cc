// See external_buffer.h.
#include "bindings/external_buffer.h"

#include <cstdlib>

namespace colkit {
namespace {

// While a buffer is being made, Node calls the finalizer for some failures and not for others; it then finds `making`
// set and leaves the rest to the maker.
struct Holder {
  std::unique_ptr<ExternalMemory> memory;
  bool making;
};

void Finalize(napi_env, void*, void* hint) {
  auto* holder = static_cast<Holder*>(hint);
  if (holder->making) return;
  delete holder;
}

// COLKIT_NO_EXTERNAL_BUFFERS=1 is the rule of Electron in any runtime, for trying a program there without Electron.
bool AreForbidden() {
  static const bool forbidden = [] {
    const char* value = std::getenv("COLKIT_NO_EXTERNAL_BUFFERS");
    return value != nullptr && value[0] == '1';
  }();
  return forbidden;
}

}  // namespace

ExternalResult MakeExternalBuffer(napi_env env, std::unique_ptr<ExternalMemory> memory, napi_value* buffer) {
  if (AreForbidden()) return ExternalResult::kForbidden;
  std::unique_ptr<Holder> holder(new Holder{std::move(memory), true});
  const napi_status status = napi_create_external_arraybuffer(env, holder->memory->data(), holder->memory->bytes(),
                                                              Finalize, holder.get(), buffer);
  if (status == napi_no_external_buffers_allowed) return ExternalResult::kForbidden;
  if (status != napi_ok) {
    napi_value ignored;
    napi_get_and_clear_last_exception(env, &ignored);
    return ExternalResult::kTooLarge;
  }
  holder->making = false;
  holder.release();
  return ExternalResult::kMade;
}

}  // namespace colkit
