// Literals and copies -> one block of DEFLATE that is a stream by itself, with codes of its own or the fixed ones,
// whichever takes less.
#ifndef COLKIT_NATIVE_DEFLATE_STREAM_H_
#define COLKIT_NATIVE_DEFLATE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace colkit {

class DeflateStream {
 public:
  // There is room for the tokens of so many bytes.
  explicit DeflateStream(size_t most_bytes) : tokens_(most_bytes) {}

  void Clear() { count_ = 0; }
  void Literal(uint8_t byte) { tokens_[count_++] = byte; }
  // 3 to 258 bytes from 1 to 32,768 bytes before.
  void Copy(uint32_t length, uint32_t distance) { tokens_[count_++] = distance << 8 | (length - 3); }

  // How many bytes all of it takes.
  size_t Plan();
  // As many, after Plan.
  void Write(uint8_t* out) const;

 private:
  static constexpr size_t kLiterals = 286;
  static constexpr size_t kDistances = 30;
  static constexpr size_t kLengthCodes = 19;

  void PlanLengths();

  // The byte of a literal; or the distance of a copy, shifted by 8, and its length less 3.
  std::vector<uint32_t> tokens_;
  size_t count_ = 0;
  bool is_fixed_ = false;
  uint8_t literal_lengths_[288];
  uint8_t distance_lengths_[32];
  // The lengths of both as a sequence of code lengths and repetitions: a symbol, and what follows it.
  uint8_t listed_[kLiterals + kDistances];
  uint8_t listed_extra_[kLiterals + kDistances];
  size_t listed_count_ = 0;
  size_t literals_used_ = 0;
  size_t distances_used_ = 0;
  size_t codes_used_ = 0;
  uint8_t code_lengths_[kLengthCodes];
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_DEFLATE_STREAM_H_
