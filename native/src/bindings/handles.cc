// See handles.h.
#include "bindings/handles.h"

#include "bindings/args.h"
#include "bindings/type_tags.h"

namespace colkit {
namespace {

using MappingPointer = std::shared_ptr<MappingHandle>;

void* Unwrap(napi_env env, napi_value value, const napi_type_tag& tag, const char* name, const char* expected) {
  napi_valuetype type;
  bool tagged = false;
  if (napi_typeof(env, value, &type) != napi_ok || type != napi_external ||
      napi_check_object_type_tag(env, value, &tag, &tagged) != napi_ok || !tagged) {
    throw ArgumentError(env, name, expected, Describe(env, value));
  }
  void* data = nullptr;
  Check(env, napi_get_value_external(env, value, &data));
  return data;
}

napi_value Wrap(napi_env env, void* data, napi_finalize finalize, const napi_type_tag& tag) {
  napi_value value;
  Check(env, napi_create_external(env, data, finalize, nullptr, &value));
  Check(env, napi_type_tag_object(env, value, &tag));
  return value;
}

}  // namespace

napi_value WrapMapping(napi_env env, MappingPointer handle) {
  return Wrap(
      env, new MappingPointer(std::move(handle)),
      [](napi_env, void* data, void*) { delete static_cast<MappingPointer*>(data); }, kMappingTag);
}

napi_value WrapSegments(napi_env env, std::unique_ptr<SegmentsHandle> handle) {
  const auto bytes = static_cast<int64_t>(handle->segments->allocated_bytes());
  const auto finalize = [](napi_env environment, void* data, void*) {
    auto* segments = static_cast<SegmentsHandle*>(data);
    int64_t now;
    napi_adjust_external_memory(environment, -static_cast<int64_t>(segments->segments->allocated_bytes()), &now);
    delete segments;
  };
  const napi_value value = Wrap(env, handle.release(), finalize, kSegmentsTag);
  int64_t now;
  Check(env, napi_adjust_external_memory(env, bytes, &now));
  return value;
}

MappingPointer& UnwrapMapping(napi_env env, napi_value value) {
  return *static_cast<MappingPointer*>(Unwrap(env, value, kMappingTag, "mapping", "a handle from mapFile"));
}

SegmentsHandle& UnwrapSegments(napi_env env, napi_value value) {
  return *static_cast<SegmentsHandle*>(Unwrap(env, value, kSegmentsTag, "segments", "a handle from createSegments"));
}

const std::shared_ptr<MappedFile>& OpenFileOf(napi_env env, const MappingHandle& handle, const char* operation) {
  if (handle.file == nullptr) throw CodedError(env, "ERR_CLOSED", std::string(operation) + ": the mapping is closed");
  return handle.file;
}

}  // namespace colkit
