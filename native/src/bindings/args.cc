// See args.h.
#include "bindings/args.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace colkit {
namespace {

std::string ErrorMessage(const Outcome& outcome, const char* operation) {
  const std::string prefix = std::string(operation) + ": ";
  const std::string length = std::to_string(outcome.length);
  const std::string position = std::to_string(outcome.position);
  switch (outcome.status) {
    case Status::kIndexOutOfRange:
      return "rows: expected integers in [-" + length + ", " + length + ") but found " + FormatNumber(outcome.value) +
             " at position " + position;
    case Status::kNotAnInteger:
      return "rows: expected integers but found " + FormatNumber(outcome.value) + " at position " + position;
    case Status::kMaskCount:
      return "rows.count: expected the number of mask bytes that are not 0, " + FormatNumber(outcome.value) +
             ", but found " + length;
    case Status::kRangeInvalid:
      return "offsets, lengths, outOffsets: expected integers within the mapping and the output but found others at "
             "position " +
             position;
    case Status::kJobInvalid:
      return "jobs: expected pages within the mapping and the outputs but found another at position " + position;
    case Status::kInputChanged:
      return prefix + "the index arrays changed while they were read";
    case Status::kFileChanged:
      return prefix + "the file is shorter than when it was mapped";
    case Status::kReadFailed:
      return prefix + "the system could not read a page of the file";
    case Status::kCancelled:
      return prefix + "the environment is shutting down";
    case Status::kOutOfMemory:
      return prefix + "no working memory";
    case Status::kOk:
      break;
  }
  return prefix + "done";
}

const char* ErrorCode(Status status) {
  switch (status) {
    case Status::kIndexOutOfRange:
      return "ERR_INDEX_OUT_OF_RANGE";
    case Status::kFileChanged:
      return "ERR_FILE_CHANGED";
    case Status::kReadFailed:
      return "ERR_READ";
    case Status::kCancelled:
      return "ERR_CLOSED";
    case Status::kOutOfMemory:
      return "ERR_LIMIT";
    case Status::kNotAnInteger:
    case Status::kMaskCount:
    case Status::kRangeInvalid:
    case Status::kJobInvalid:
    case Status::kInputChanged:
    case Status::kOk:
      break;
  }
  return "ERR_ARGUMENT";
}

// Float16Array: this version of Node-API has no name for it and leaves the type as it was.
constexpr auto kUnnamedType = static_cast<napi_typedarray_type>(15);

// A view of length 0 may be one whose buffer was transferred away.
void RefuseDetached(napi_env env, napi_value buffer, const char* name) {
  bool detached = false;
  if (napi_is_detached_arraybuffer(env, buffer, &detached) == napi_ok && detached)
    throw ArgumentError(env, name, "an array with a buffer", "one whose buffer was detached");
}

size_t ItemBytes(napi_typedarray_type type) {
  switch (type) {
    case napi_int8_array:
    case napi_uint8_array:
    case napi_uint8_clamped_array:
      return 1;
    case napi_int16_array:
    case napi_uint16_array:
      return 2;
    case napi_int32_array:
    case napi_uint32_array:
    case napi_float32_array:
      return 4;
    case napi_float64_array:
    case napi_bigint64_array:
    case napi_biguint64_array:
      return 8;
    default:
      return 2;  // kUnnamedType
  }
}

}  // namespace

Call::Call(napi_env environment, napi_callback_info info) : env(environment) {
  size_t count = kMostArguments;
  Check(env, napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr));
}

void Check(napi_env env, napi_status status) {
  if (status != napi_ok) throw Napi::Error::New(env);
}

Napi::Error CodedError(napi_env env, const char* code, const std::string& message) {
  Napi::Error error = Napi::Error::New(env, message);
  error.Set("code", Napi::String::New(env, code));
  return error;
}

Napi::Error ArgumentError(napi_env env, const char* name, const std::string& expected, const std::string& found,
                          const char* code) {
  Napi::Error error = CodedError(env, code, std::string(name) + ": expected " + expected + " but found " + found);
  error.Set("argument", Napi::String::New(env, name));
  error.Set("expected", Napi::String::New(env, expected));
  error.Set("found", Napi::String::New(env, found));
  return error;
}

Napi::Error OutcomeError(napi_env env, const Outcome& outcome, const char* operation) {
  const std::string message = ErrorMessage(outcome, operation);
  if (outcome.status != Status::kIndexOutOfRange) return CodedError(env, ErrorCode(outcome.status), message);
  Napi::Error error = Napi::RangeError::New(env, message);
  error.Set("code", Napi::String::New(env, ErrorCode(outcome.status)));
  error.Set("index", Napi::Number::New(env, outcome.value));
  error.Set("length", Napi::Number::New(env, static_cast<double>(outcome.length)));
  error.Set("position", Napi::Number::New(env, static_cast<double>(outcome.position)));
  return error;
}

std::string FormatNumber(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char text[40];
  if (value == std::trunc(value) && std::fabs(value) < 1e21) {
    std::snprintf(text, sizeof(text), "%.0f", value);
    return text;
  }
  // The shortest digits that read back as the same number, as JavaScript prints it.
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

napi_value Done(napi_env env, const Outcome& outcome, const char* operation) {
  if (!outcome.ok()) throw OutcomeError(env, outcome, operation);
  napi_value undefined;
  Check(env, napi_get_undefined(env, &undefined));
  return undefined;
}

std::string Describe(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  napi_typeof(env, value, &type);
  switch (type) {
    case napi_undefined:
      return "undefined";
    case napi_null:
      return "null";
    case napi_boolean:
      return "a boolean";
    case napi_number: {
      double number = 0;
      napi_get_value_double(env, value, &number);
      return FormatNumber(number);
    }
    case napi_string: {
      char text[32] = {};
      size_t length = 0;
      napi_get_value_string_utf8(env, value, text, sizeof(text), &length);
      return "'" + std::string(text, length) + "'";
    }
    case napi_symbol:
      return "a symbol";
    case napi_function:
      return "a function";
    case napi_external:
      return "another kind of handle";
    case napi_bigint:
      return "a bigint";
    case napi_object:
      break;
  }
  bool is_typed_array = false;
  napi_is_typedarray(env, value, &is_typed_array);
  return is_typed_array ? "another kind of typed array" : "an object";
}

double ReadNumber(napi_env env, napi_value value, const char* name) {
  double number;
  if (napi_get_value_double(env, value, &number) != napi_ok)
    throw ArgumentError(env, name, "a number", Describe(env, value));
  return number;
}

uint64_t ReadCount(napi_env env, napi_value value, const char* name, uint64_t most) {
  const double number = ReadNumber(env, value, name);
  // `most` is below 2^53, so the comparison is exact.
  if (!(number >= 0 && number <= static_cast<double>(most)) || number != std::trunc(number)) {
    throw ArgumentError(env, name, "an integer in [0, " + std::to_string(most) + "]", FormatNumber(number));
  }
  return static_cast<uint64_t>(number);
}

std::string ReadString(napi_env env, napi_value value, const char* name) {
  size_t length = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &length) != napi_ok)
    throw ArgumentError(env, name, "a string", Describe(env, value));
  std::string text(length, '\0');
  Check(env, napi_get_value_string_utf8(env, value, &text[0], length + 1, &length));
  return text;
}

bool ReadTypedArray(napi_env env, napi_value value, const char* name, ArrayView* view) {
  view->data = nullptr;
  view->type = kUnnamedType;
  if (napi_get_typedarray_info(env, value, &view->type, &view->length, &view->data, nullptr, nullptr) != napi_ok)
    return false;
  if (view->length == 0) {
    napi_value buffer;
    Check(env, napi_get_typedarray_info(env, value, nullptr, nullptr, nullptr, &buffer, nullptr));
    RefuseDetached(env, buffer, name);
  }
  return true;
}

BytesView ReadBytes(napi_env env, napi_value value, const char* name) {
  ArrayView array;
  if (ReadTypedArray(env, value, name, &array))
    return {static_cast<uint8_t*>(array.data), array.length * ItemBytes(array.type)};
  bool is_view = false;
  napi_is_dataview(env, value, &is_view);
  if (!is_view) throw ArgumentError(env, name, "a typed array or DataView", Describe(env, value));
  BytesView bytes;
  napi_value buffer;
  size_t byte_offset;
  void* data;
  // A DataView over a detached buffer throws here.
  if (napi_get_dataview_info(env, value, &bytes.byte_length, &data, &buffer, &byte_offset) != napi_ok) {
    throw ArgumentError(env, name, "a DataView with a buffer", "one whose buffer was detached");
  }
  if (bytes.byte_length == 0) RefuseDetached(env, buffer, name);
  bytes.data = static_cast<uint8_t*>(data);
  return bytes;
}

std::vector<napi_value> ReadElements(napi_env env, napi_value value, const char* name) {
  uint32_t count = 0;
  if (napi_get_array_length(env, value, &count) != napi_ok)
    throw ArgumentError(env, name, "an array", Describe(env, value));
  if (count > kMostElements)
    throw ArgumentError(env, name, "at most " + std::to_string(kMostElements) + " elements", std::to_string(count));
  std::vector<napi_value> elements(count);
  for (uint32_t k = 0; k < count; ++k) Check(env, napi_get_element(env, value, k, &elements[k]));
  return elements;
}

void RefuseResizable(napi_env env, napi_value array, const char* name) {
  napi_value buffer = nullptr;
  napi_typedarray_type type;
  size_t ignored;
  void* data;
  // Not by the property `buffer`, which anybody can redefine.
  if (napi_get_typedarray_info(env, array, &type, &ignored, &data, &buffer, &ignored) != napi_ok &&
      napi_get_dataview_info(env, array, &ignored, &data, &buffer, &ignored) != napi_ok)
    return;
  napi_value resizable;
  bool is_resizable = false;
  Check(env, napi_get_named_property(env, buffer, "resizable", &resizable));
  if (napi_get_value_bool(env, resizable, &is_resizable) == napi_ok && is_resizable)
    throw ArgumentError(env, name, "an array over a buffer of fixed length", "a resizable one");
}

namespace {

ArrayView ReadArrayOf(napi_env env, napi_value value, const char* name, napi_typedarray_type type,
                      const char* expected) {
  ArrayView view;
  if (!ReadTypedArray(env, value, name, &view) || view.type != type)
    throw ArgumentError(env, name, expected, Describe(env, value));
  return view;
}

}  // namespace

ArrayView ReadFloat64Array(napi_env env, napi_value value, const char* name) {
  return ReadArrayOf(env, value, name, napi_float64_array, "a Float64Array");
}
ArrayView ReadInt32Array(napi_env env, napi_value value, const char* name) {
  return ReadArrayOf(env, value, name, napi_int32_array, "an Int32Array");
}

}  // namespace colkit
