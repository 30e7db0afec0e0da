// The other end of `colkit serve-arrow`: requests as frames, replies taken apart by the page that specifies them, and
// by nothing of the server's own code.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { serveArrow } from '../../src/serve/serve.ts';
import { BIN } from './run.ts';

export interface ServedReply {
  readonly head: Record<string, unknown>;
  readonly body: Buffer;
}

export function frame(head: unknown, { magic = 'CKA1', body = 0n } = {}): Buffer {
  const text = Buffer.from(typeof head === 'string' ? head : JSON.stringify(head));
  const start = Buffer.alloc(16);
  start.write(magic, 'latin1');
  start.writeUInt32LE(text.length, 4);
  start.writeBigUInt64LE(body, 8);
  return Buffer.concat([start, text]);
}

export class ArrowClient {
  readonly #output: AsyncIterator<Buffer>;
  #bytes = Buffer.alloc(0);
  #last = 0;
  readonly send: (bytes: Uint8Array) => void;

  constructor(send: (bytes: Uint8Array) => void, output: AsyncIterable<Buffer>) {
    this.send = send;
    this.#output = output[Symbol.asyncIterator]();
  }

  async #take(byteLength: number): Promise<Buffer> {
    while (this.#bytes.length < byteLength) {
      const { value, done } = (await this.#output.next()) as IteratorResult<Buffer, undefined>;
      if (done === true || value === undefined) throw new Error('the output has ended');
      this.#bytes = Buffer.concat([this.#bytes, value]);
    }
    const taken = this.#bytes.subarray(0, byteLength);
    this.#bytes = this.#bytes.subarray(byteLength);
    return taken;
  }

  async reply(): Promise<ServedReply> {
    const start = await this.#take(16);
    if (start.toString('latin1', 0, 4) !== 'CKA1') throw new Error('no frame');
    const head = await this.#take(start.readUInt32LE(4));
    const body = await this.#take(Number(start.readBigUInt64LE(8)));
    return { head: JSON.parse(head.toString()) as Record<string, unknown>, body };
  }

  /** The reply to the next request. */
  async ask(method: string, parameters: object = {}): Promise<ServedReply> {
    this.#last += 1;
    this.send(frame({ id: this.#last, method, ...parameters }));
    const reply = await this.reply();
    if (reply.head['id'] !== this.#last) throw new Error(`another reply: ${JSON.stringify(reply.head)}`);
    return reply;
  }

  async open(source: string | readonly string[], more: object = {}): Promise<number> {
    const { head } = await this.ask('open', { source, ...more });
    if (typeof head['table'] !== 'number') throw new Error(JSON.stringify(head));
    return head['table'];
  }

  /** All of a stream, and how many rows its frames had. */
  async read(from: object, more: object = {}): Promise<{ bytes: Buffer; rows: number[] }> {
    const { head } = await this.ask('read', { from, ...more });
    if (typeof head['stream'] !== 'number') throw new Error(JSON.stringify(head));
    const pieces: Buffer[] = [];
    const rows: number[] = [];
    for (;;) {
      const { head: next, body } = await this.ask('next', { stream: head['stream'] });
      if (next['error'] !== undefined) throw new Error(JSON.stringify(next['error']));
      pieces.push(body);
      if (next['done'] === true) return { bytes: Buffer.concat(pieces), rows };
      rows.push(Number(next['rows']));
    }
  }
}

/** A server in this process. `ended`: its exit code. */
export async function servedHere(): Promise<{ client: ArrowClient; input: PassThrough; ended: Promise<number> }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const write = (pieces: readonly Uint8Array[]): Promise<void> =>
    new Promise((done) => output.write(Buffer.concat(pieces), () => done()));
  const ended = serveArrow({ input, write });
  const client = new ArrowClient((bytes) => input.write(bytes), output);
  await client.reply();
  return { client, input, ended };
}

/** A server as its user starts it. */
export function servedApart(): { client: ArrowClient; child: ChildProcess; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [BIN, 'serve-arrow'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  return { client: new ArrowClient((bytes) => child.stdin.write(bytes), child.stdout), child, ended };
}
