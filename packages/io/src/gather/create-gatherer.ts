// Which gatherer a source gets: native kernels over a mapping, else TypeScript over memory or byte ranges. Decided
// once, when the gatherer is made.
import { BACKEND_OPTIONS } from '../backend/backend-options.ts';
import type { CreateGatherer } from './gather.ts';
import { createGathererInTypeScript } from './gather-js.ts';
import { NativeGatherer } from './gather-native.ts';
import { nativeBinding } from '../backend/native.ts';
import { checkOptions } from '../options/index.ts';

/**
 * A gatherer over a source. Cheap: nothing is read or mapped before the first gather.
 * @throws ArgumentError where a segment reaches outside of the source; IoError ERR_NATIVE_UNAVAILABLE with { backend:
 * 'native' } where there is no addon.
 */
export const createGatherer: CreateGatherer = (source, segments, options = {}) => {
  checkOptions('createGatherer', BACKEND_OPTIONS, options);
  const wanted = source.mapping !== undefined || options.backend === 'native';
  const binding = wanted ? nativeBinding(options.backend) : null;
  if (binding === null || source.mapping === undefined || source.byteLength === 0)
    return createGathererInTypeScript(source, segments);
  return new NativeGatherer(source, segments, binding);
};
