// ArrayBuffers over memory that is not V8's: windows of mappings and blocks of the pool. One buffer for each address, as V8 demands; the memory is released once, whichever
// way the making or the life of the buffer ends.
#ifndef COLKIT_NATIVE_EXTERNAL_BUFFER_H_
#define COLKIT_NATIVE_EXTERNAL_BUFFER_H_

#include <cstddef>
#include <memory>

#include "napi_setup.h"

namespace colkit {

// Memory that its destructor releases.
class ExternalMemory {
 public:
  virtual ~ExternalMemory() = default;
  virtual void* data() const = 0;
  virtual size_t bytes() const = 0;
  // Whether V8 should count the bytes as memory of this process, as it does by itself. The page cache's are not.
  virtual bool counted() const = 0;
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
