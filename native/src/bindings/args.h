// JavaScript values into checked C++ ones, and failures into JavaScript errors with a `code`. Every message names the
// argument, what was expected and what was found. Plain Node-API calls: a small gather is a few microseconds, and every
// call of a wrapper counts.
#ifndef COLKIT_NATIVE_ARGS_H_
#define COLKIT_NATIVE_ARGS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/napi_setup.h"
#include "platform/outcome.h"

namespace colkit {

// The arguments of one call; missing ones are undefined.
struct Call {
  static constexpr size_t kMostArguments = 9;
  napi_env env;
  napi_value arguments[kMostArguments];

  Call(napi_env environment, napi_callback_info info);
  napi_value operator[](size_t i) const { return arguments[i]; }
};

// Turns a function that takes a Call and throws Napi::Error into a Node-API callback.
template <napi_value (*kFunction)(const Call&)>
napi_value Callback(napi_env env, napi_callback_info info) {
  try {
    return kFunction(Call(env, info));
  } catch (const Napi::Error& error) {
    error.ThrowAsJavaScriptException();
  } catch (const std::exception& error) {
    napi_throw_error(env, "ERR_LIMIT", error.what());  // out of memory
  }
  return nullptr;
}

// Throws the pending JavaScript exception, or a general error, where a Node-API call failed.
void Check(napi_env env, napi_status status);

Napi::Error CodedError(napi_env env, const char* code, const std::string& message);
// "name: expected x but found y", with the three as properties too.
Napi::Error ArgumentError(napi_env env, const char* name, const std::string& expected, const std::string& found,
                          const char* code = "ERR_ARGUMENT");
// The error of a kernel's outcome; `operation` names the call.
Napi::Error OutcomeError(napi_env env, const Outcome& outcome, const char* operation);
// undefined, or throws that error.
napi_value Done(napi_env env, const Outcome& outcome, const char* operation);

// A few words on any value: "'abc'", "-1", "an object", "undefined".
std::string Describe(napi_env env, napi_value value);
std::string FormatNumber(double value);

double ReadNumber(napi_env env, napi_value value, const char* name);
// An integer in [0, most].
uint64_t ReadCount(napi_env env, napi_value value, const char* name, uint64_t most);
std::string ReadString(napi_env env, napi_value value, const char* name);

struct BytesView {
  uint8_t* data;
  size_t byte_length;
};

struct ArrayView {
  napi_typedarray_type type;
  void* data;
  size_t length;
};

// Any typed array or DataView, as bytes. Refuses detached ones.
BytesView ReadBytes(napi_env env, napi_value value, const char* name);
// Any typed array; null `data` and false where it is none.
bool ReadTypedArray(napi_env env, napi_value value, const char* name, ArrayView* view);
// The elements of an array, each read once. As every property, they may be the caller's getters, which can take memory
// away from other arguments: addresses are taken after them.
std::vector<napi_value> ReadElements(napi_env env, napi_value value, const char* name);
// Refuses arrays whose memory could shrink under a running job: resizable buffers give pages back at once. (Shared ones
// only grow.) Runs the caller's code where somebody redefined `resizable`. What is no array is refused when it is read.
void RefuseResizable(napi_env env, napi_value array, const char* name);
ArrayView ReadFloat64Array(napi_env env, napi_value value, const char* name);
ArrayView ReadInt32Array(napi_env env, napi_value value, const char* name);

constexpr uint64_t kMostWorkers = 4096;
// Outputs of a call: an array may say that it is of any length.
constexpr uint32_t kMostElements = 1u << 20;
constexpr uint64_t kLargestExact = (uint64_t{1} << 53) - 1;

}  // namespace colkit

#endif  // COLKIT_NATIVE_ARGS_H_
