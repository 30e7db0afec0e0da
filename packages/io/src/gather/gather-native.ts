// Gathers by the addon's kernels, on the mapping's handle. Nothing but the call: what the kernels check is not checked
// again, only a failure is explained in TypeScript.
import type { ColkitError } from '../errors/errors.ts';
import { ClosedError } from '../errors/errors.ts';
import type { ColumnSegments, GatherOutput, GatherRequest, Gatherer } from './gather.ts';
import { PositionalGatherer } from './gather-positional.ts';
import { checkRequest, checkSegments } from './gather-request.ts';
import type { NativeBinding, NativeSegments } from '../backend/native.ts';
import { fromNative } from '../backend/native-errors.ts';
import { chosenWorkers } from '../backend/settings.ts';
import type { RandomAccessSource } from '../source/source.ts';
import { rawColumns } from '../raw/raw-columns.ts';
import type { RawColumns } from '../raw/raw-columns.ts';

/** A source, or files that are mapped together and cannot be read in another way. */
type GatheredSource =
  | RandomAccessSource
  | (Pick<RandomAccessSource, 'path' | 'byteLength' | 'closed'> & { readonly mapping?: never });

export class NativeGatherer implements Gatherer {
  readonly rowCount: number;
  readonly #source: GatheredSource;
  readonly #segments: ColumnSegments;
  readonly #binding: NativeBinding;
  #handle: NativeSegments | null = null;
  /** Where the system does not map the file after all. */
  #unmapped: PositionalGatherer | null = null;

  /**
   * Maps nothing yet.
   * @param handle of what is mapped already, where the source is of several files.
   * @throws ArgumentError where the segments do not lie within the source.
   */
  constructor(
    source: GatheredSource,
    segments: ColumnSegments,
    binding: NativeBinding,
    handle: NativeSegments | null = null,
  ) {
    this.rowCount = handle === null ? checkSegments(segments, source.byteLength) : (segments.rowStarts.at(-1) ?? 0);
    this.#handle = handle;
    this.#source = source;
    this.#segments = segments;
    this.#binding = binding;
  }

  gatherSync(request: GatherRequest): void {
    const handle = this.#handle ?? this.#prepare();
    if (handle === null) {
      this.#unmapped?.gatherSync(request);
      return;
    }
    if (this.#source.closed) throw new ClosedError('gather', this.#source.path);
    const { columns, rows, outputs } = request;
    try {
      this.#binding.gatherSync(
        handle,
        columns,
        rows.kind === 'indices' ? rows.indices : rows,
        arraysOf(outputs),
        this.#layout(request),
        request.workers || chosenWorkers(),
      );
    } catch (error) {
      throw this.#explain(error, request);
    }
  }

  async gather(request: GatherRequest): Promise<void> {
    request.signal?.throwIfAborted();
    const handle = this.#handle ?? this.#prepare();
    if (handle === null) return this.#unmapped?.gather(request);
    if (this.#source.closed) throw new ClosedError('gather', this.#source.path);
    const { columns, rows, outputs } = request;
    try {
      await this.#binding.gather(
        handle,
        columns,
        rows.kind === 'indices' ? rows.indices : rows,
        arraysOf(outputs),
        this.#layout(request),
        request.workers || chosenWorkers(),
      );
    } catch (error) {
      throw this.#explain(error, request);
    }
    request.signal?.throwIfAborted();
  }

  raw(): RawColumns | null {
    const handle = this.#handle ?? this.#prepare();
    if (handle === null) return null;
    if (this.#source.closed) throw new ClosedError('read', this.#source.path);
    return rawColumns(this.#binding, handle, (error) => fromNative('read', this.#source.path, error));
  }

  #prepare(): NativeSegments | null {
    if (this.#unmapped !== null) return null;
    if (this.#source.closed) throw new ClosedError('gather', this.#source.path);
    const mapping = this.#source.mapping?.() ?? null;
    if (mapping === null) {
      if (!('read' in this.#source)) throw new ClosedError('gather', this.#source.path);
      this.#unmapped = new PositionalGatherer(this.#source, this.#segments);
      return null;
    }
    const { rowStarts, itemBytes, bases } = this.#segments;
    try {
      this.#handle = this.#binding.createSegments(mapping, rowStarts, itemBytes, bases);
    } catch (error) {
      throw fromNative('gather', this.#source.path, error);
    }
    return this.#handle;
  }

  /** Null where every output is dense and starts at its byte 0, as most do. */
  #layout({ columns, outputs }: GatherRequest): Float64Array | null {
    let layout: Float64Array | null = null;
    for (let k = 0; k < outputs.length; k++) {
      const { byteOffset, byteStride } = outputs[k] as GatherOutput;
      if (layout === null && byteOffset === 0 && byteStride === this.#segments.itemBytes[columns[k] as number])
        continue;
      layout ??= this.#denseLayout(columns);
      layout[2 * k] = byteOffset;
      layout[2 * k + 1] = byteStride;
    }
    return layout;
  }

  #denseLayout(columns: Int32Array): Float64Array {
    const layout = new Float64Array(2 * columns.length);
    for (let k = 0; k < columns.length; k++) layout[2 * k + 1] = this.#segments.itemBytes[columns[k] as number] ?? 0;
    return layout;
  }

  /** The typed error of a failed call: the checks in TypeScript find the same fault and say all about it. */
  #explain(error: unknown, request: GatherRequest): ColkitError {
    const converted = fromNative('gather', this.#source.path, error);
    if (converted.code !== 'ERR_FILE_CHANGED' && converted.code !== 'ERR_CLOSED')
      checkRequest(this.#segments, this.rowCount, request);
    return converted;
  }
}

function arraysOf(outputs: readonly GatherOutput[]): Uint8Array[] {
  const arrays = new Array<Uint8Array>(outputs.length);
  for (let k = 0; k < outputs.length; k++) arrays[k] = (outputs[k] as GatherOutput).bytes;
  return arrays;
}
