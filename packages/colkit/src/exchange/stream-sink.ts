// A WritableStream as a sink: of a response, of a file that a user picked. A failure aborts it.
import { ArgumentError, IoError } from '@colkit/io';
import type { WriteTarget } from '@colkit/io';
import { ForwardSink } from './forward-sink.ts';

/** What is needed of a `WritableStream` of bytes. */
export interface ByteStream {
  readonly locked?: boolean;
  getWriter(): StreamWriter;
}

interface StreamWriter {
  readonly ready: Promise<unknown>;
  write(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
}

/** A target of writers; streams become sinks. @throws ArgumentError ERR_ARGUMENT for a stream that has a writer. */
export function sinkOf(target: WriteTarget | ByteStream): WriteTarget {
  if (!isStream(target)) return target;
  if (target.locked !== true) return new StreamSink(target.getWriter());
  throw new ArgumentError('ERR_ARGUMENT', 'target', 'a stream that nobody else writes to', 'one that is locked');
}

function isStream(target: unknown): target is ByteStream {
  return typeof target === 'object' && target !== null && 'getWriter' in target;
}

class StreamSink extends ForwardSink {
  readonly #writer: StreamWriter;

  constructor(writer: StreamWriter) {
    super('<stream>');
    this.#writer = writer;
  }

  protected put(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return told(async () => {
      await this.#writer.ready;
      await this.#writer.write(bytes);
    });
  }

  protected end(): Promise<void> {
    return told(() => this.#writer.close());
  }

  protected drop(): Promise<void> {
    return this.#writer.abort().catch(() => undefined);
  }
}

async function told(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw new IoError('ERR_WRITE', 'write', '<stream>', String(error), error);
  }
}
