// Arrays of 32-bit numbers and of bytes among the arguments of a call, and numbers as its result.
#ifndef COLKIT_NATIVE_WORDS_H_
#define COLKIT_NATIVE_WORDS_H_

#include <cstddef>
#include <cstdint>

#include "bindings/args.h"

namespace colkit {

struct Words {
  uint32_t* data;
  size_t length;
};

Words ReadWords(napi_env env, napi_value value, const char* name);
// A Uint8Array and nothing else.
ArrayView ReadByteArray(napi_env env, napi_value value, const char* name);
void RequireRoom(napi_env env, size_t length, const char* name, size_t count);
napi_value Number(napi_env env, double value);

}  // namespace colkit

#endif  // COLKIT_NATIVE_WORDS_H_
