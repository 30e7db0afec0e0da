// ArrayBuffers over memory that is not V8's: windows of mappings and blocks of the pool. One buffer for each address,
// as V8 demands; the memory is released once, whichever way the making or the life of the buffer ends. V8 counts the
// bytes as memory of this process, also those of a window, which are the page cache's. That cannot be mended from
// outside: V8 takes them off its count when it sweeps, the finalizer runs later, and a count that is too low in between
// ends the process (Node 24).
#ifndef COLKIT_NATIVE_EXTERNAL_BUFFER_H_
#define COLKIT_NATIVE_EXTERNAL_BUFFER_H_

#include <cstddef>
#include <memory>

#include "bindings/napi_setup.h"

namespace colkit {

// Memory that its destructor releases.
class ExternalMemory {
 public:
  virtual ~ExternalMemory() = default;
  virtual void* data() const = 0;
  virtual size_t bytes() const = 0;
};

enum class ExternalResult : uint8_t {
  kMade,
  kForbidden,  // this runtime has no external buffers
  kTooLarge,   // nor ones of this length
};

// On any other result than kMade the memory was released and no exception is pending.
ExternalResult MakeExternalBuffer(napi_env env, std::unique_ptr<ExternalMemory> memory, napi_value* buffer);

}  // namespace colkit

#endif  // COLKIT_NATIVE_EXTERNAL_BUFFER_H_
