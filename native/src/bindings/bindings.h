// The functions of index.d.ts, one line each; defined in *_binding.cc and registered in addon.cc. Bindings check and
// convert; they know no algorithm.
#ifndef COLKIT_NATIVE_BINDINGS_H_
#define COLKIT_NATIVE_BINDINGS_H_

#include "bindings/napi_setup.h"

namespace colkit {

struct Call;

napi_value MapFile(const Call& call);
napi_value MapCopy(const Call& call);
napi_value ReadSmallFilesAsync(const Call& call);
napi_value WillRead(const Call& call);
napi_value MappingByteLength(const Call& call);
napi_value CurrentFileSize(const Call& call);
napi_value Advise(const Call& call);
napi_value OpenWindow(const Call& call);
napi_value WindowStats(const Call& call);
napi_value CloseMapping(const Call& call);
napi_value ReadSync(const Call& call);

napi_value LockFileOf(const Call& call);

napi_value JoinMappings(const Call& call);
napi_value ShrinkMapping(const Call& call);
napi_value CreateSegments(const Call& call);
napi_value GatherSync(const Call& call);
napi_value Gather(const Call& call);
napi_value CopyRangesSync(const Call& call);
napi_value CopyRanges(const Call& call);

napi_value DecodePagesSync(const Call& call);
napi_value DecodePages(const Call& call);

napi_value RunRawSync(const Call& call);
napi_value RunRawAsync(const Call& call);
napi_value SelectWithin(const Call& call);
napi_value SumByCode(const Call& call);
napi_value SpreadTexts(const Call& call);
napi_value BestTexts(const Call& call);
napi_value NumberTexts(const Call& call);
napi_value MoveSlots(const Call& call);
napi_value NumberPairs(const Call& call);
napi_value FoldByGroup(const Call& call);

napi_value NormalizeItems(const Call& call);
napi_value NormalizeGaps(const Call& call);
napi_value BlockRanges(const Call& call);
napi_value CountBuckets(const Call& call);
napi_value RunStarts(const Call& call);
napi_value CodeTexts(const Call& call);
napi_value PrintTexts(const Call& call);
napi_value JoinCodes(const Call& call);
napi_value PackBits(const Call& call);
napi_value TrainSymbols(const Call& call);
napi_value SpellTexts(const Call& call);
napi_value DeflateBlocks(const Call& call);

napi_value SplitDecimals(const Call& call);
napi_value FloatRangeOf(const Call& call);
napi_value DistinctNumbers(const Call& call);
napi_value DistinctWords(const Call& call);
napi_value EntropyBits(const Call& call);
napi_value JoinBuckets(const Call& call);
napi_value CodeBins(const Call& call);
napi_value PackBinOffsets(const Call& call);
napi_value CheapestRange(const Call& call);
napi_value BlockLayouts(const Call& call);
napi_value PackBlocks(const Call& call);
napi_value PackInside(const Call& call);
napi_value FindOthers(const Call& call);
napi_value SpreadCodes(const Call& call);
napi_value PackPresent(const Call& call);
napi_value MapPresent(const Call& call);
napi_value ScatterCodes(const Call& call);
napi_value MapCodes(const Call& call);

napi_value FindCsvCells(const Call& call);
napi_value ParseCsvColumns(const Call& call);
napi_value FindJsonMembers(const Call& call);

napi_value AllocatePooled(const Call& call);
napi_value TellOrdinary(const Call& call);
napi_value PoolStats(const Call& call);
napi_value SetPoolLimit(const Call& call);
napi_value SetMaxWorkers(const Call& call);
napi_value MaxWorkers(const Call& call);
napi_value CpuFeatures(const Call& call);

}  // namespace colkit

#endif  // COLKIT_NATIVE_BINDINGS_H_
