// Reads of a source as operations: one range, or many at once. Every byte that is asked for is counted.
import type { CopyRangesRequest } from '../gather/copy-ranges.ts';
import type { RandomAccessSource } from '../source/source.ts';
import type { Operation, Work } from './effect.ts';
import type { WorkContext } from './work-context.ts';

/** What reading needs of a source. */
export type RangeSource = Pick<RandomAccessSource, 'path' | 'byteLength' | 'read' | 'readSync'>;

/** Fills `out` with the bytes from `byteOffset` on. */
export class ReadRange implements Operation<void> {
  readonly source: RangeSource;
  readonly byteOffset: number;
  readonly out: Uint8Array;

  constructor(source: RangeSource, byteOffset: number, out: Uint8Array) {
    this.source = source;
    this.byteOffset = byteOffset;
    this.out = out;
  }

  run(context: WorkContext): Promise<void> {
    context.bytesRead += this.out.length;
    return this.source.read(this.byteOffset, this.out, context.signal);
  }

  runSync(context: WorkContext): void {
    context.signal?.throwIfAborted();
    context.bytesRead += this.out.length;
    this.source.readSync(this.byteOffset, this.out);
  }
}

/** One range in memory of its own. */
export function* readBytes(source: RangeSource, byteOffset: number, byteLength: number): Work<Uint8Array> {
  const out = new Uint8Array(byteLength);
  if (byteLength > 0) yield new ReadRange(source, byteOffset, out);
  return out;
}

/** What a platform's copying of ranges adds to a request. */
export interface RangesRequest extends CopyRangesRequest {
  readonly workers: number;
}

/** Many ranges into one buffer, by one call of the platform's. */
export abstract class Ranges implements Operation<void> {
  readonly source: RandomAccessSource;
  readonly request: CopyRangesRequest;

  constructor(source: RandomAccessSource, request: CopyRangesRequest) {
    this.source = source;
    this.request = request;
  }

  run(context: WorkContext): Promise<void> {
    this.#count(context);
    const { offsets, lengths, out, outOffsets } = this.request;
    const { workers, signal } = context;
    return this.copy(
      signal === undefined
        ? { offsets, lengths, out, outOffsets, workers }
        : { offsets, lengths, out, outOffsets, workers, signal },
    );
  }

  runSync(context: WorkContext): void {
    context.signal?.throwIfAborted();
    this.#count(context);
    const { offsets, lengths, out, outOffsets } = this.request;
    this.copySync({ offsets, lengths, out, outOffsets, workers: context.workers });
  }

  protected abstract copy(request: RangesRequest): Promise<void>;
  protected abstract copySync(request: RangesRequest): void;

  #count(context: WorkContext): void {
    for (const length of this.request.lengths) context.bytesRead += length;
  }
}
