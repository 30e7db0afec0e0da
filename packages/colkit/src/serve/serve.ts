// The loop of `colkit serve-arrow`: frames of requests in, frames of replies out, until the input ends. Replies to
// requests that wait for nothing may overtake others; each names the number of its request.
import { writev } from 'node:fs';
import { setTimeout as later } from 'node:timers/promises';
import { promisify } from 'node:util';
import { backendInfo } from '@colkit/io';
import packageJson from '../../package.json' with { type: 'json' };
import { PROTOCOL_VERSION, RequestReader, frameHead } from './frame.ts';
import type { Head } from './frame.ts';
import { object, parseRequest } from './request.ts';
import { Session, describeError } from './session.ts';
import type { Reply } from './session.ts';

/** Requests that are worked on at a time; the input waits for the others. */
const MOST_AT_ONCE = 64;
/** Between two tries to write where the output is full. */
const FULL_MS = 1;

export interface ServeStreams {
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves when all bytes are handed over. */
  readonly write: (pieces: readonly Uint8Array[]) => Promise<void>;
}

/**
 * Answers until the input ends.
 * @returns the exit code: 0, or 1 where the input was no frame, or ended inside one.
 */
export async function serveArrow({ input, write }: ServeStreams): Promise<number> {
  const session = new Session();
  const working = new Set<Promise<void>>();
  let writing = Promise.resolve();
  const send = (head: Head, body: readonly Uint8Array[] = []): Promise<void> => {
    const byteLength = body.reduce((sum, piece) => sum + piece.byteLength, 0);
    const pieces = [frameHead(head, byteLength), ...body];
    writing = writing.then(() => write(pieces));
    return writing;
  };
  const { backend, reason } = backendInfo();
  const { version } = packageJson;
  try {
    await send({ hello: { protocol: PROTOCOL_VERSION, version, node: process.versions.node, backend, reason } });
    const reader = new RequestReader();
    for await (const piece of input) {
      reader.push(piece);
      for (let text = reader.next(); text !== null; text = reader.next()) {
        const work = answer(session, text, send).finally(() => working.delete(work));
        working.add(work);
        // A reply that cannot be written ends the loop.
        work.catch(() => undefined);
        if (working.size >= MOST_AT_ONCE) await Promise.race(working);
      }
    }
    if (reader.isInside) throw new Error('the input ended inside a frame');
    return 0;
  } catch (error) {
    await send({ id: null, error: describeError(error) }).catch(() => undefined);
    return 1;
  } finally {
    await session.close();
  }
}

async function answer(
  session: Session,
  text: string,
  send: (head: Head, body?: readonly Uint8Array[]) => Promise<void>,
): Promise<void> {
  let head: Head;
  try {
    head = object(JSON.parse(text), 'request');
  } catch (error) {
    return send({ id: null, error: describeError(error) });
  }
  const id = head['id'] ?? null;
  // Who does not number a request wants no reply.
  const reply: typeof send = (given, body) => (id === null ? Promise.resolve() : send({ id, ...given }, body));
  let answered: Reply;
  try {
    answered = await session.answer(parseRequest(head));
  } catch (error) {
    return reply({ error: describeError(error) });
  }
  return reply(answered.result, answered.body);
}

/** All pieces, by a thread: neither a slow reader nor a full pipe stops this one. */
export async function writeAll(fd: number, pieces: readonly Uint8Array[]): Promise<void> {
  let rest = pieces.filter(({ byteLength }) => byteLength > 0);
  while (rest.length > 0) {
    const bytesWritten = await writeSome(fd, rest);
    let written = bytesWritten;
    const first = rest.findIndex(({ byteLength }) => {
      if (written < byteLength) return true;
      written -= byteLength;
      return false;
    });
    rest = first === -1 ? [] : [(rest[first] as Uint8Array).subarray(written), ...rest.slice(first + 1)];
  }
}

/** Bytes that were taken: 0, a moment later, where the output is full (Node makes it one that does not wait). */
async function writeSome(fd: number, pieces: readonly Uint8Array[]): Promise<number> {
  try {
    // Systems take 1,024 pieces at once.
    return (await writePieces(fd, pieces.slice(0, 1024))).bytesWritten;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    await later(FULL_MS);
    return 0;
  }
}

const writePieces = promisify(writev) as (
  fd: number,
  pieces: readonly Uint8Array[],
) => Promise<{ bytesWritten: number }>;
