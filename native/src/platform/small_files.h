// Many files by one call: for files so small that each call of the system, and each wait of another thread, costs more
// than their bytes, and for the first bytes of larger ones.
#ifndef COLKIT_NATIVE_SMALL_FILES_H_
#define COLKIT_NATIVE_SMALL_FILES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace colkit {

// Where a file starts among the others: items are aligned as they are in the file.
constexpr size_t kSmallFileAlignment = 8;

// Files lie one behind the other in `out`, each at a multiple of kSmallFileAlignment; there is room for `most` bytes a
// path, a multiple of that too. lengths[k] is how many bytes file k has, or -1 for what is no regular file of 1 to
// `most` bytes, cannot be read, or changes meanwhile: whoever opens it the usual way learns which. On Windows all are
// -1.
void ReadSmallFiles(const std::vector<std::string>& paths, size_t most, uint8_t* out, int32_t* lengths,
                    const std::atomic<bool>& cancelled);

// Starts to bring the first bytes of each file into memory, without waiting for them: whoever opens many files one
// after the other waits for the device once, not once a file. What is no regular file is passed over; nothing happens
// where the system takes no such advice.
void WillReadFiles(const std::vector<std::string>& paths, uint64_t byte_length);

}  // namespace colkit

#endif  // COLKIT_NATIVE_SMALL_FILES_H_
