export { JsonInput, readJson } from './read-json.ts';
export { jsonTexts } from './read-records.ts';
export type { JsonText } from './read-records.ts';
export { JSON_INPUT_OPTIONS } from './json-options.ts';
export type { JsonInputOptions } from './json-options.ts';
export { TO_JSON_OPTIONS, jsonRows, toJson } from './write-json.ts';
export type { JsonRowOptions, ToJsonOptions } from './write-json.ts';
export type { TextSink as JsonSink } from '../text-output/text-sink.ts';
export type { RejectedRow } from '../text-input/rejected-rows.ts';
