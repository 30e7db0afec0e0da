// What the opaque JavaScript handles stand for. A handle belongs to one environment and is used on its thread only;
// running jobs hold the file or the segments themselves, so closing a mapping or collecting a handle never takes memory
// away from a kernel.
#ifndef COLKIT_NATIVE_HANDLES_H_
#define COLKIT_NATIVE_HANDLES_H_

#include <memory>

#include "map/mapping.h"
#include "bindings/napi_setup.h"
#include "gather/segments.h"

namespace colkit {

struct MappingHandle {
  std::shared_ptr<MappedFile> file;  // null once closed
  bool has_segments = false;         // that were checked against its length
};

struct SegmentsHandle {
  std::shared_ptr<MappingHandle> mapping;
  std::shared_ptr<const Segments> segments;
};

napi_value WrapMapping(napi_env env, std::shared_ptr<MappingHandle> handle);
napi_value WrapSegments(napi_env env, std::unique_ptr<SegmentsHandle> handle);

// The handle behind a value; throws ERR_ARGUMENT where it is not one of that kind.
std::shared_ptr<MappingHandle>& UnwrapMapping(napi_env env, napi_value value);
SegmentsHandle& UnwrapSegments(napi_env env, napi_value value);
// The file of an open mapping; throws ERR_CLOSED. `operation` names the call in the message.
const std::shared_ptr<MappedFile>& OpenFileOf(napi_env env, const MappingHandle& handle, const char* operation);

}  // namespace colkit

#endif  // COLKIT_NATIVE_HANDLES_H_
