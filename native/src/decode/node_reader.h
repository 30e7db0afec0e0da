// The parts of a node in the body of a .cna page, each checked to lie in it.
#ifndef COLKIT_NATIVE_NODE_READER_H_
#define COLKIT_NATIVE_NODE_READER_H_

#include <cstdint>
#include <cstring>

#include "decode/column_nodes.h"
#include "decode/page_format.h"

namespace colkit {

constexpr unsigned kSmallestBlockLog2 = 5;
constexpr unsigned kLargestBlockLog2 = 16;

// Reads a node from front to back; `ok` is false once something was not there.
class NodeReader {
 public:
  NodeReader(const PageBody& body, const Node& node) : body_(body), node_(node), at_(node.start) {
    const bool has_parameter = node.encoding == kPlain || node.encoding == kBitPack || node.encoding == kFront;
    ok_ = node.depth <= kMaxNodeDepth && (node.parameter == 0 || has_parameter);
  }

  bool ok() const { return ok_; }
  uint32_t Left() const { return node_.end - at_; }
  bool AtEnd() const { return ok_ && at_ == node_.end; }
  void Refuse() { ok_ = false; }

  const uint8_t* Take(uint64_t bytes) {
    if (!ok_ || bytes > node_.end - at_) {
      ok_ = false;
      return body_.bytes + node_.start;
    }
    const uint8_t* taken = body_.bytes + at_;
    at_ += static_cast<uint32_t>(bytes);
    return taken;
  }

  template <typename T>
  T Number() {
    T number = 0;
    const uint8_t* bytes = Take(sizeof(T));
    if (ok_) std::memcpy(&number, bytes, sizeof number);
    return number;
  }

  void Pad(uint32_t alignment) {
    const uint32_t over = (at_ - node_.start) % alignment;
    if (over != 0) Take(alignment - over);
  }

  Node Child(uint32_t count, Domain domain = Domain::kIntegers) {
    Node child = {};
    ok_ = ok_ && ReadChild(body_, node_, &at_, count, domain, &child);
    return child;
  }

  uint32_t Count(uint32_t most) {
    const uint32_t count = Number<uint32_t>();
    ok_ = ok_ && count >= 1 && count <= most;
    return count;
  }

 private:
  const PageBody& body_;
  const Node& node_;
  uint32_t at_;
  bool ok_;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_NODE_READER_H_
