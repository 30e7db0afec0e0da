// The gatherer in TypeScript that fits a source: what browsers and machines without the addon use.
import type { ColumnSegments, Gatherer } from './gather.ts';
import { MemoryGatherer } from './gather-memory.ts';
import { PositionalGatherer } from './gather-positional.ts';
import type { MemoryBacked, RandomAccessSource } from '../source/source.ts';

export function createGathererInTypeScript(source: RandomAccessSource, segments: ColumnSegments): Gatherer {
  return isMemory(source) ? new MemoryGatherer(source, segments) : new PositionalGatherer(source, segments);
}

function isMemory(source: RandomAccessSource): source is MemoryBacked {
  return 'bytes' in source;
}
