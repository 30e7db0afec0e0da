// What a question costs: every byte and every request that the opened file was asked for is counted.
import { BlobSource } from '@colkit/io';
import type { OwnSource } from '@colkit/io';
import type { Cost } from '../protocol.ts';

export class Meter {
  bytesRead = 0;
  requests = 0;

  /** Runs a question. The worker answers one at a time, so that what is counted meanwhile is the question's. */
  async measure<T>(question: () => Promise<T>): Promise<T & Cost> {
    const { bytesRead, requests } = this;
    const start = performance.now();
    const result = await question();
    return {
      ...result,
      bytesRead: this.bytesRead - bytesRead,
      requests: this.requests - requests,
      milliseconds: performance.now() - start,
    };
  }

  /** A `fetch` that counts the bytes of bodies, as they come. */
  readonly fetch: typeof fetch = async (input, init) => {
    this.requests += 1;
    const response = await fetch(input, init);
    const { body } = response;
    if (body === null) return response;
    const counted = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          this.bytesRead += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    const answer = new Response(counted, { status, statusText, headers });
    // A response that is made has no address; readers name the one that answered.
    Object.defineProperty(answer, 'url', { value: response.url });
    return answer;
  };

  /** The bytes of a file of the reader's. */
  sourceOf(file: Blob, name: string): OwnSource {
    const changed = file instanceof File ? file.lastModified : 0;
    const source = new BlobSource(file, name);
    return {
      path: name,
      byteLength: file.size,
      version: `${String(file.size)}-${String(changed)}`,
      read: (byteOffset, out) => {
        this.bytesRead += out.length;
        return source.read(byteOffset, out);
      },
    };
  }
}
