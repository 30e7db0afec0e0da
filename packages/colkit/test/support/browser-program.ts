// Tasks that run in a real browser: a bundle of the packages as they are published, in a page of a server of its own,
// and again in a worker of that page.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { KEEP_FAULTS } from '@colkit/testkit/browser';
import type { TestBrowser } from '@colkit/testkit/browser';

export interface BrowserProgram {
  /** What went wrong in the page, and what it printed. */
  readonly faults: readonly string[];
  /** The same, which are then forgotten. */
  takeFaults(): readonly string[];
  /** The result of a task; `args` are JavaScript expressions, of which promises are awaited. */
  evaluate(isWorker: boolean, task: string, args: readonly string[]): Promise<unknown>;
  /** The same with values. */
  ask(isWorker: boolean, task: string, ...args: readonly unknown[]): Promise<unknown>;
  /** The same in a page with a policy. */
  askIn(page: string, task: string, ...args: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

export interface ProgramSettings {
  readonly browser: TestBrowser;
  /** A module that declares `tasks`, an object of functions. */
  readonly tasks: string;
  readonly bundling?: BuildOptions;
  /** Other URLs of the server. @returns whether it answered. */
  readonly serve?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Content security policies, by the paths of pages that have one. */
  readonly policies?: Readonly<Record<string, string>>;
}

const PAGE = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/program.js"></script>';
const ANSWERING = `
  const ask = ({ task, args }) => tasks[task](...args);
  const answer = (asked) => asked.then((value) => ({ value }), (error) => ({ error: error + '\\n' + error?.stack }));
  if (typeof document === 'undefined')
    onmessage = async ({ data }) => postMessage({ ...(await answer(ask(data))), faults: keptFaults.splice(0) });
  else {
    globalThis.ask = ask;
    let worker;
    let last = Promise.resolve();
    const one = (data) => new Promise((resolve, reject) => {
      worker ??= new Worker('/program.js', { type: 'module' });
      worker.onmessage = ({ data: { value, error, faults } }) => {
        keptFaults.push(...faults);
        if (error === undefined) resolve(value);
        else reject(new Error(error));
      };
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage(data);
    });
    // One worker for all tasks, one after the other: reading the bundle is most of what a task takes.
    globalThis.askIn = async (src, data) => {
      const frame = Object.assign(document.createElement('iframe'), { src });
      document.body.append(frame);
      while (frame.contentWindow.ask === undefined) await new Promise((done) => setTimeout(done, 10));
      // A promise of a frame that is gone is never settled in Firefox: it is waited for here.
      try {
        return await frame.contentWindow.ask(data);
      } finally {
        keptFaults.push(...frame.contentWindow.keptFaults);
        frame.remove();
      }
    };
    globalThis.asWorker = (data) => (last = last.catch(() => undefined).then(() => one(data)));
  }
`;

export async function browserProgram({
  browser,
  tasks,
  bundling = {},
  serve = () => false,
  policies = {},
}: ProgramSettings): Promise<BrowserProgram> {
  const scripts = await bundled(tasks, bundling);
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    const policy = policies[request.url ?? ''];
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    if (script !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else if (!serve(request, response)) response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await browser.open();
  await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
  const evaluate: BrowserProgram['evaluate'] = (isWorker, task, args) =>
    page.evaluate(
      `(async () => ${isWorker ? 'asWorker' : 'ask'}({ task: ${JSON.stringify(task)}, args: [${args.join(', ')}] }))()`,
    );
  return {
    faults: page.faults,
    takeFaults: () => page.faults.splice(0),
    evaluate,
    ask: (isWorker, task, ...args) =>
      evaluate(
        isWorker,
        task,
        args.map((each) => JSON.stringify(each)),
      ),
    askIn: (path, task, ...args) => page.evaluate(`askIn(${JSON.stringify(path)}, ${JSON.stringify({ task, args })})`),
    async close() {
      await page.close();
      server.close();
    },
  };
}

/** By the paths under which they are served. */
async function bundled(tasks: string, options: BuildOptions): Promise<ReadonlyMap<string, Uint8Array>> {
  // Where nothing is written.
  const outdir = join(import.meta.dirname, 'bundle');
  const { outputFiles } = await build({
    stdin: {
      contents: `${tasks}${KEEP_FAULTS}${ANSWERING}`,
      resolveDir: import.meta.dirname,
      sourcefile: 'program.js',
    },
    absWorkingDir: import.meta.dirname,
    bundle: true,
    splitting: true,
    outdir,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    ...options,
    write: false,
  });
  const urlOf = (path: string): string =>
    `/${relative(outdir, path).replaceAll('\\', '/').replace('stdin', 'program')}`;
  return new Map(outputFiles.map(({ path, contents }) => [urlOf(path), contents]));
}
