// The only header that includes <napi.h>. Its settings (NAPI_VERSION, C++ exceptions, no abort when a terminated
// worker's environment cannot take an exception) come from CMakeLists.txt, for all files alike.
#ifndef COLKIT_NATIVE_NAPI_SETUP_H_
#define COLKIT_NATIVE_NAPI_SETUP_H_

#include <napi.h>

#endif  // COLKIT_NATIVE_NAPI_SETUP_H_
