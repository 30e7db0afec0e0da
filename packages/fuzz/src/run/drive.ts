// Runs mutants in child processes until the time is over: counts what they report, and finds which mutant ended or hung
// one.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { signatureOf } from './job.ts';
import type { Finding, Job, Report } from './job.ts';

/** A process takes so many; then another one starts, with a fresh heap. */
const MUTANTS_PER_PROCESS = 1500;
/** Of a mutant, on a busy machine. */
const HANG_MS = 120_000;
const KEPT_OUTPUT = 20_000;

export interface Drive {
  readonly part: string;
  readonly seed: number;
  readonly folder: string;
  readonly deadline: number;
  readonly native: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly only?: { readonly mutant: number } | { readonly file: string };
  onReport(report: Report): void;
}

/** How many mutants were looked at. */
export async function drive(options: Drive): Promise<number> {
  const { only } = options;
  const base = { part: options.part, seed: options.seed, folder: options.folder, native: options.native };
  if (only !== undefined) {
    const first = 'mutant' in only ? only.mutant : 0;
    await runChild(
      { ...base, first, count: 1, deadline: Infinity, ...('file' in only ? { file: only.file } : {}) },
      options,
    );
    return 1;
  }
  let next = 0;
  while (Date.now() < options.deadline)
    next = await runChild({ ...base, first: next, count: MUTANTS_PER_PROCESS, deadline: options.deadline }, options);
  return next;
}

/**
 * The number of the next mutant. A child that ends otherwise than it should has ended on the one after its last report.
 */
async function runChild(job: Job, { environment, onReport }: Drive): Promise<number> {
  const script = fileURLToPath(new URL('./child.js', import.meta.url));
  const text = JSON.stringify({ ...job, deadline: Math.min(job.deadline, Number.MAX_SAFE_INTEGER) });
  const child = spawn(process.execPath, ['--expose-gc', '--enable-source-maps', script, text], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let next = job.first;
  let output = '';
  let isHung = false;
  const watch = (): NodeJS.Timeout =>
    setTimeout(() => {
      isHung = true;
      child.kill('SIGKILL');
    }, HANG_MS);
  let timer = watch();
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-KEPT_OUTPUT);
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    clearTimeout(timer);
    timer = watch();
    const report = JSON.parse(line) as Report;
    next = report.number + 1;
    onReport(report);
  });
  const [status, signal] = await ended(child, lines);
  clearTimeout(timer);
  if (status === 0) return next;
  const how = isHung
    ? `no answer for ${String(HANG_MS / 1000)} s`
    : `the process ended with ${signal ?? String(status)}`;
  const kind: Finding['kind'] = isHung ? 'hang' : 'crash';
  onReport({
    number: next,
    outcomes: { [kind]: 1 },
    findings: [
      { kind, where: 'process', text: `${how}\n${output}`, signature: signatureOf(kind, 'process', reasonOf(output)) },
    ],
  });
  return next + 1;
}

async function ended(
  child: ChildProcess,
  lines: ReturnType<typeof createInterface>,
): Promise<[number | null, NodeJS.Signals | null]> {
  const closed = new Promise<void>((resolve) => lines.once('close', () => resolve()));
  const exited = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('close', (code, signal) => resolve([code, signal])),
  );
  await closed;
  return exited;
}

/** The line that says most of what a process wrote before it ended, and where. */
function reasonOf(output: string): string {
  const lines = output.split('\n');
  const reason =
    lines.find((line) => /runtime error|ERROR: AddressSanitizer|FATAL ERROR|Error:/.test(line)) ??
    lines.find((line) => line.trim() !== '') ??
    '';
  const sourceLine = lines.find((line) => /native\/src\/[\w.]+:\d+/.test(line)) ?? '';
  return `${reason.replace(/^.*native\/src\//, '')}\n${sourceLine.replace(/^.*?(\w+\.(cc|h):\d+).*/, 'at $1')}`;
}
