// Workers in processes of their own, which die and stand still.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('worker-process.mjs', import.meta.url));

export interface WorkerProcessOptions {
  readonly port: number;
  readonly queue: string;
  readonly allow: string;
  /** Where it kills itself. */
  readonly killAt?: string;
  /** How often it gets through there before. */
  readonly after?: number;
  readonly worker: object;
}

export class WorkerProcess {
  readonly child: ChildProcess;
  /** What it printed. */
  readonly lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  readonly ended: Promise<string | null>;

  constructor(options: WorkerProcessOptions) {
    this.child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.child.stdout?.on('data', (bytes: Buffer) => {
      this.lines.push(...bytes.toString().split('\n').filter(Boolean));
      for (const wake of this.#waiting) wake();
    });
    this.ended = new Promise((done) => {
      this.child.once('exit', (_, signal) => {
        for (const wake of this.#waiting) wake();
        done(signal);
      });
    });
  }

  /** Until it printed it, or ended. */
  async printed(word: string): Promise<void> {
    while (!this.lines.some((line) => line.startsWith(word)) && this.child.exitCode === null && !this.child.killed)
      await new Promise<void>((done) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          done();
        };
        this.#waiting.add(wake);
        if (this.child.signalCode !== null) wake();
      });
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
