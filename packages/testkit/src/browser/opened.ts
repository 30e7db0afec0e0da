// A page in a browser that is given nothing but an address to open: the page asks a server of the test what to do, and
// tells it what came of it. So every browser is driven in the same way, with the settings that its users have, and
// keeps files as it does for them (what is driven by WebDriver is often a private window).
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { telling, told } from './tab.ts';
import type { Tab } from './tab.ts';

const ANSWER_MS = 120_000;

export interface Started {
  readonly command: string;
  readonly parameters: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** @param start how the browser is started for an address; what it keeps goes to `folder`, an empty one. */
export async function openedTab(start: (address: string, folder: string) => Started): Promise<Tab> {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-browser-'));
  const faults: string[] = [];
  /** What the page is to evaluate next; the page waits for it, or it for the page. */
  let asking: ServerResponse | null = null;
  let asked: string | null = null;
  let answer: (json: string) => void = () => undefined;
  const exchange = (): void => {
    if (asking === null || asked === null) return;
    asking.end(asked);
    asking = asked = null;
  };
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'GET') {
      asking = response;
      exchange();
      return;
    }
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      response.end();
      answer(Buffer.concat(pieces).toString());
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  let running: ReturnType<typeof spawn> | null = null;
  // Where the tests end without closing it.
  const end = (): void => void running?.kill();
  process.once('exit', end);
  return {
    faults,
    goto(url) {
      const address = `${url}#driver=http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
      const { command, parameters, env = process.env } = start(address, folder);
      running = spawn(command, parameters, { stdio: 'ignore', env });
      return Promise.resolve();
    },
    async evaluate(expression) {
      const waited = new Promise<string>((done, failed) => {
        const late = (): void => failed(new Error(`the page did not answer within ${String(ANSWER_MS)} ms`));
        const timer = setTimeout(late, ANSWER_MS);
        answer = (json) => {
          clearTimeout(timer);
          done(json);
        };
      });
      asked = telling(expression);
      exchange();
      return told(await waited, faults);
    },
    async close() {
      const ended = new Promise((done) => (running === null ? done(null) : running.once('exit', done)));
      end();
      process.removeListener('exit', end);
      await ended;
      server.closeAllConnections();
      server.close();
      // Processes of the browser's may still be about to write there.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
