// What comes through a pipe: standard input (-), or a named one, such as a shell makes of <(…). It can be read once:
// its first bytes are looked at only where they can be put back.
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { STANDARD, thereAt } from '../terminal/output.ts';

/** Rows of JSON begin with an object, or a list of them; a pipe may give its first character alone. */
const JSON_LINES = /^\uFEFF?\s*\{\s*(?:["}]|$)/u;
const JSON_LIST = /^\uFEFF?\s*\[\s*(?:[{\]]|$)/u;
/** Of what is looked at. */
const LOOKED_AT = 4096;

/** Whether it can be read once only, from its beginning to its end. */
export function isPiped(from: string): boolean {
  return from === STANDARD || thereAt(from)?.isFIFO() === true;
}

/** What readers of text take: a path, or a stream. */
export function inputOf(from: string): string | Readable {
  if (from === STANDARD) return process.stdin;
  return isPiped(from) ? createReadStream(from) : from;
}

/** What comes from a stream where nobody says it: JSON where it begins as rows of JSON do, else CSV. */
export async function formOfStream(stream: Readable): Promise<'json' | 'jsonl' | 'csv'> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await firstBytes(stream));
  if (JSON_LINES.test(text)) return 'jsonl';
  return JSON_LIST.test(text) ? 'json' : 'csv';
}

/** They stay in the stream. None of one that is empty, or that cannot be read; who reads it then says why. */
async function firstBytes(stream: Readable): Promise<Uint8Array> {
  for (;;) {
    const chunk = stream.read() as Uint8Array | null;
    if (chunk !== null) {
      stream.unshift(chunk);
      return chunk.subarray(0, LOOKED_AT);
    }
    if (stream.readableEnded || stream.destroyed) return new Uint8Array(0);
    await change(stream);
  }
}

/** Of an empty stream, which never becomes readable, the end. */
function change(stream: Readable): Promise<void> {
  const events = ['readable', 'end', 'close', 'error'] as const;
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.once(event, done);
  });
}
