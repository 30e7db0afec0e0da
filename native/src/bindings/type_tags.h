// The tags that tell our handles from each other's and from anything else's.
#ifndef COLKIT_NATIVE_TYPE_TAGS_H_
#define COLKIT_NATIVE_TYPE_TAGS_H_

#include "bindings/napi_setup.h"

namespace colkit {

constexpr napi_type_tag kMappingTag = {0x6f1f9d0f3b0c4a51, 0x9a3c2e7d51c84e02};
constexpr napi_type_tag kSegmentsTag = {0x2b6f0a94c7d14e38, 0xb1e5830f64a97c1d};

}  // namespace colkit

#endif  // COLKIT_NATIVE_TYPE_TAGS_H_
