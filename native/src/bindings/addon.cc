// Registration only: the exports of index.d.ts, one line each.
#include "bindings/args.h"
#include "bindings/bindings.h"
#include "bindings/environment.h"

namespace colkit {
namespace {

template <napi_value (*kFunction)(const Call&)>
napi_property_descriptor Export(const char* name) {
  return {name, nullptr, Callback<kFunction>, nullptr, nullptr, nullptr, napi_enumerable, nullptr};
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  Environment::Create(env);
  const napi_property_descriptor functions[] = {
      Export<MapFile>("mapFile"),
      Export<MapCopy>("mapCopy"),
      Export<ReadSmallFilesAsync>("readSmallFiles"),
      Export<WillRead>("willReadFiles"),
      Export<MappingByteLength>("mappingByteLength"),
      Export<ShrinkMapping>("shrinkMapping"),
      Export<CurrentFileSize>("currentFileSize"),
      Export<Advise>("advise"),
      Export<OpenWindow>("window"),
      Export<WindowStats>("windowStats"),
      Export<CloseMapping>("closeMapping"),
      Export<ReadSync>("readSync"),
      Export<LockFileOf>("lockFile"),
      Export<JoinMappings>("joinMappings"),
      Export<CreateSegments>("createSegments"),
      Export<GatherSync>("gatherSync"),
      Export<Gather>("gather"),
      Export<CopyRangesSync>("copyRangesSync"),
      Export<CopyRanges>("copyRanges"),
      Export<DecodePagesSync>("decodePagesSync"),
      Export<DecodePages>("decodePages"),
      Export<RunRawSync>("runRawSync"),
      Export<RunRawAsync>("runRaw"),
      Export<SelectWithin>("selectWithin"),
      Export<SpreadTexts>("spreadTexts"),
      Export<BestTexts>("bestTexts"),
      Export<NumberTexts>("numberTexts"),
      Export<MoveSlots>("moveSlots"),
      Export<NumberPairs>("numberPairs"),
      Export<FoldByGroup>("foldByGroup"),
      Export<SumByCode>("sumByCode"),
      Export<NormalizeItems>("normalizeItems"),
      Export<NormalizeGaps>("normalizeGaps"),
      Export<BlockRanges>("blockRanges"),
      Export<CountBuckets>("countBuckets"),
      Export<RunStarts>("runStarts"),
      Export<CodeTexts>("codeTexts"),
      Export<PrintTexts>("printTexts"),
      Export<JoinCodes>("joinCodes"),
      Export<PackBits>("packBits"),
      Export<TrainSymbols>("trainSymbols"),
      Export<SpellTexts>("spellTexts"),
      Export<DeflateBlocks>("deflateBlocks"),
      Export<SplitDecimals>("splitDecimals"),
      Export<FloatRangeOf>("floatRange"),
      Export<DistinctNumbers>("distinctNumbers"),
      Export<DistinctWords>("distinctWords"),
      Export<EntropyBits>("entropyBits"),
      Export<JoinBuckets>("joinBuckets"),
      Export<CodeBins>("codeBins"),
      Export<PackBinOffsets>("packBinOffsets"),
      Export<CheapestRange>("cheapestRange"),
      Export<BlockLayouts>("blockLayouts"),
      Export<PackBlocks>("packBlocks"),
      Export<PackInside>("packInside"),
      Export<FindOthers>("findOthers"),
      Export<SpreadCodes>("spreadCodes"),
      Export<PackPresent>("packPresent"),
      Export<MapPresent>("mapPresent"),
      Export<ScatterCodes>("scatterCodes"),
      Export<MapCodes>("mapCodes"),
      Export<FindCsvCells>("findCsvCells"),
      Export<ParseCsvColumns>("parseCsvColumns"),
      Export<FindJsonMembers>("findJsonMembers"),
      Export<AllocatePooled>("allocatePooled"),
      Export<TellOrdinary>("tellOrdinary"),
      Export<PoolStats>("poolStats"),
      Export<SetPoolLimit>("setPoolLimit"),
      Export<SetMaxWorkers>("setMaxWorkers"),
      Export<MaxWorkers>("maxWorkers"),
      Export<CpuFeatures>("cpuFeatures"),
  };
  Check(env, napi_define_properties(env, exports, sizeof(functions) / sizeof(functions[0]), functions));
  exports.Set("version", COLKIT_NATIVE_VERSION);
  return exports;
}

}  // namespace
}  // namespace colkit

static Napi::Object InitAddon(Napi::Env env, Napi::Object exports) { return colkit::Init(env, exports); }

NODE_API_MODULE(colkit_native, InitAddon)
