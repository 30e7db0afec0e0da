// Gathers over the columns of several files by one call of the addon: all of them are mapped, and their mappings
// joined. Descriptors are not kept: a thousand files take none.
import { nativeBinding } from '../backend/native.ts';
import type { NativeMapping } from '../backend/native.ts';
import { fromNative } from '../backend/native-errors.ts';
import type { Backend } from '../backend/settings.ts';
import type { RandomAccessSource } from '../source/source.ts';
import type { ColumnSegments, GatherRequest, Gatherer } from './gather.ts';
import { NativeGatherer } from './gather-native.ts';

/** The segments of several files, one file behind the other. */
export interface FilesSegments extends ColumnSegments {
  /** For each segment the number of its file, from whose start its bases count. */
  readonly files: Int32Array;
}

/** A gatherer that owns what it gathers from. */
export interface FilesGatherer extends Gatherer {
  /** Idempotent. */
  close(): void;
}

/**
 * Takes over the sources, which are closed; each has bytes.
 * @returns null where one of them is not mapped by the addon: then all stay as they are.
 * @throws ArgumentError where a segment reaches outside of its file; IoError.
 */
export function gatherFiles(
  name: string,
  sources: readonly RandomAccessSource[],
  segments: FilesSegments,
  backend?: Backend,
): FilesGatherer | null {
  const binding = nativeBinding(backend);
  if (binding === null || sources.length === 0) return null;
  const mappings: NativeMapping[] = [];
  for (const source of sources) {
    const mapping = source.mapping?.() ?? null;
    if (mapping === null) return null;
    mappings.push(mapping);
  }
  try {
    const joined = binding.joinMappings(mappings);
    for (const source of sources) source.close();
    const { rowStarts, itemBytes, bases, files } = segments;
    const handle = binding.createSegments(joined, rowStarts, itemBytes, bases, files);
    const owner = new JoinedMapping(name, () => {
      binding.closeMapping(joined);
    });
    return new JoinedGatherer(owner, new NativeGatherer(owner, segments, binding, handle));
  } catch (error) {
    throw fromNative('gather', name, error);
  }
}

class JoinedMapping {
  readonly path: string;
  readonly byteLength = 0;
  readonly #unmap: () => void;
  #closed = false;

  constructor(path: string, unmap: () => void) {
    this.path = path;
    this.#unmap = unmap;
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unmap();
  }
}

class JoinedGatherer implements FilesGatherer {
  readonly rowCount: number;
  readonly #owner: JoinedMapping;
  readonly #gatherer: Gatherer;

  constructor(owner: JoinedMapping, gatherer: Gatherer) {
    this.rowCount = gatherer.rowCount;
    this.#owner = owner;
    this.#gatherer = gatherer;
  }

  gather(request: GatherRequest): Promise<void> {
    return this.#gatherer.gather(request);
  }

  gatherSync(request: GatherRequest): void {
    this.#gatherer.gatherSync(request);
  }

  close(): void {
    this.#owner.close();
  }
}
