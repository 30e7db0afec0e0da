// See words.h.
#include "bindings/loops/words.h"

namespace colkit {

Words ReadWords(napi_env env, napi_value value, const char* name) {
  ArrayView view;
  if (!ReadTypedArray(env, value, name, &view) || view.type != napi_uint32_array)
    throw ArgumentError(env, name, "a Uint32Array", Describe(env, value));
  return {static_cast<uint32_t*>(view.data), view.length};
}

ArrayView ReadByteArray(napi_env env, napi_value value, const char* name) {
  ArrayView view;
  if (!ReadTypedArray(env, value, name, &view) || view.type != napi_uint8_array)
    throw ArgumentError(env, name, "a Uint8Array", Describe(env, value));
  return view;
}

void RequireRoom(napi_env env, size_t length, const char* name, size_t count) {
  if (length >= count) return;
  throw ArgumentError(env, name, "room for " + std::to_string(count) + " numbers", std::to_string(length),
                      "ERR_OUT_BUFFER");
}

napi_value Number(napi_env env, double value) {
  napi_value number;
  Check(env, napi_create_double(env, value, &number));
  return number;
}

}  // namespace colkit
