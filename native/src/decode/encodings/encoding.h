// What is known of an encoding, in one file each; all of them are registered in encodings.cc.
#ifndef COLKIT_NATIVE_ENCODING_H_
#define COLKIT_NATIVE_ENCODING_H_

#include <cstdint>

#include "decode/column_nodes.h"

namespace colkit {

struct EncodingKernels {
  // All values of a node; false where it is declined.
  bool (*decode)(const PageBody& body, const Node& node, NodeValues* values);
  // Some of them; null where all have to be decoded for that.
  bool (*pick)(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);
};

// Null for an encoding that is not decoded here.
const EncodingKernels* KernelsOf(uint8_t encoding);

bool DecodePlain(const PageBody& body, const Node& node, NodeValues* values);
bool DecodeDelta(const PageBody& body, const Node& node, NodeValues* values);
bool DecodeDictionary(const PageBody& body, const Node& node, NodeValues* values);
bool DecodeRle(const PageBody& body, const Node& node, NodeValues* values);
bool DecodeBitPack(const PageBody& body, const Node& node, NodeValues* values);
bool DecodeDecimal(const PageBody& body, const Node& node, NodeValues* values);
bool DecodeAffine(const PageBody& body, const Node& node, NodeValues* values);
bool DecodePatched(const PageBody& body, const Node& node, NodeValues* values);
bool DecodeEntropy(const PageBody& body, const Node& node, NodeValues* values);
bool DecodeBits(const PageBody& body, const Node& node, NodeValues* values);
bool DecodeCodes(const PageBody& body, const Node& node, NodeValues* values);

bool PickDelta(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);
bool PickDictionary(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);
bool PickRle(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);
bool PickBitPack(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);
bool PickDecimal(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);
bool PickAffine(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);
bool PickPatched(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);
bool PickCodes(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values);

}  // namespace colkit

#endif  // COLKIT_NATIVE_ENCODING_H_
