// The harness's end of one candidate: starts its process, sends a request, waits for the reply. Knows nothing of
// suites.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ChildMemory, Delay, Description, OutputDigest, Prepared, Reply, Request } from './protocol.ts';

/** How to start a peer: the program, its arguments, and what is added to the environment. */
export interface Command {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What each request resolves to. */
interface Values {
  describe: Description;
  build: null;
  prepare: Prepared;
  load: number;
  check: readonly OutputDigest[];
  run: readonly number[];
  delay: Delay;
  memory: ChildMemory;
  close: null;
}

const STDERR_KEPT = 4000;

/** A candidate answered with an error, or its process ended. */
class CandidateError extends Error {
  constructor(candidate: string, operation: string, message: string) {
    super(`${candidate}: ${operation}: ${message}`);
    this.name = 'CandidateError';
  }
}

export class CandidateProcess {
  readonly id: string;
  readonly #process: ChildProcess;
  readonly #timeoutMs: number;
  #waiting: { resolve(reply: Reply): void; reject(error: Error): void } | null = null;
  #ended: string | null = null;
  #stderr = '';

  constructor(id: string, command: Command, timeoutMs = 600_000) {
    this.id = id;
    this.#timeoutMs = timeoutMs;
    this.#process = spawn(command.program, command.parameters, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...command.environment },
    });
    this.#process.stderr?.on(
      'data',
      (chunk: Buffer) => (this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_KEPT)),
    );
    this.#process.stdin?.on('error', () => undefined); // a process that died: 'exit' says it
    this.#process.on('error', (error) => this.#end(error.message));
    // 'close' comes after the pipes are drained, so that the last words of stderr are in the message.
    this.#process.on('close', (code, signal) =>
      this.#end(
        `the process ended (${signal ?? `exit code ${String(code)}`})` +
          (this.#stderr === '' ? '' : `: ${this.#stderr.trim()}`),
      ),
    );
    const { stdout } = this.#process;
    if (stdout !== null) createInterface({ input: stdout }).on('line', (line) => this.#receive(line));
  }

  /** The process's id; undefined where it could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** @throws CandidateError for an error reply, an ended process, or no reply in time (the process is ended then). */
  async request<O extends Request['op']>(request: Extract<Request, { op: O }>): Promise<Values[O]> {
    if (this.#ended !== null) throw new CandidateError(this.id, request.op, this.#ended);
    if (this.#waiting !== null) throw new CandidateError(this.id, request.op, 'the last request has not been answered');
    let timer: NodeJS.Timeout | undefined;
    const reply = await new Promise<Reply>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      timer = setTimeout(() => {
        this.#end(`no reply within ${this.#timeoutMs} ms`);
        this.#process.kill('SIGKILL');
      }, this.#timeoutMs);
      this.#process.stdin?.write(`${JSON.stringify(request)}\n`);
    })
      .catch((error: unknown) => {
        throw new CandidateError(this.id, request.op, (error as Error).message);
      })
      .finally(() => {
        clearTimeout(timer);
        this.#waiting = null;
      });
    if (!reply.ok) throw new CandidateError(this.id, request.op, reply.error);
    return reply.value as Values[O];
  }

  /** Asks the process to close and waits until it is gone; ends it where it does not go. */
  async stop(): Promise<void> {
    if (this.#ended !== null) return;
    const gone = new Promise<void>((resolve) => this.#process.once('close', () => resolve()));
    await this.request({ op: 'close' }).catch(() => undefined);
    this.#process.stdin?.end();
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
    await gone;
    clearTimeout(timer);
  }

  #receive(line: string): void {
    let reply: Reply;
    try {
      reply = JSON.parse(line) as Reply;
    } catch {
      this.#waiting?.reject(new Error(`the reply is not JSON: ${line.slice(0, 200)}`));
      return;
    }
    this.#waiting?.resolve(reply);
  }

  #end(reason: string): void {
    this.#ended ??= reason;
    this.#waiting?.reject(new Error(this.#ended));
  }
}
