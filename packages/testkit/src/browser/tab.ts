// One page of a browser, as tests use it, and what their programs have to end with.

export interface Tab {
  /** What went wrong in its page, and what it printed. */
  readonly faults: string[];
  /** Opens the page of a program, once. */
  goto(url: string): Promise<void>;
  /** @param expression JavaScript; a promise is awaited, and what it gives comes as JSON. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface TestBrowser {
  /** As people call it. */
  readonly name: string;
  /** Whether it is Chromium, Firefox or WebKit: what a test may expect of its messages. */
  readonly engine: 'chromium' | 'firefox' | 'webkit';
  /** Whether handles of files can be written to. */
  readonly hasWritableHandles: boolean;
  readonly open: () => Promise<Tab>;
}

/**
 * What every program of a test ends with, in pages, their frames and workers: what is printed or thrown is kept; and
 * where the page was opened with the address of a driver (see opened.ts), it does what that asks.
 */
export const KEEP_FAULTS = `
  globalThis.keptFaults = [];
  for (const level of ['debug', 'log', 'info', 'warn', 'error'])
    console[level] = (...values) => keptFaults.push(values.join(' '));
  addEventListener('error', ({ error, message }) => keptFaults.push(String(error ?? message)));
  addEventListener('unhandledrejection', ({ reason }) => keptFaults.push(String(reason)));
  if (location.hash.startsWith('#driver=')) {
    const driver = location.hash.slice('#driver='.length);
    (async () => {
      for (;;) {
        const script = await (await fetch(driver)).text();
        await fetch(driver, { method: 'POST', body: await (0, eval)(script) });
      }
    })();
  }
`;

/** The expression whose value, JSON, tells of the given one, of its failure, and of what the page kept. */
export const telling = (expression: string): string => `(async () => (${expression}))()
  .then((value) => ({ value }), (error) => ({ error: String(error?.message ?? error) }))
  .then((told) => JSON.stringify({ ...told, faults: globalThis.keptFaults?.splice(0) }))`;

/** @throws Error with what was thrown in the page. */
export function told(json: string, faults: string[]): unknown {
  const { value, error, faults: kept = [] } = JSON.parse(json) as { value: unknown; error?: string; faults?: string[] };
  for (const fault of kept) faults.push(fault);
  if (error !== undefined) throw new Error(error);
  return value;
}
