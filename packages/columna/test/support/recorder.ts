// The command inside this process, with streams that are looked at afterwards.
import { Writable } from 'node:stream';
import { terminalOf } from '@colkit/io/command';
import { runCommand } from '../../src/cli/run.ts';

class Recorder extends Writable {
  text = '';
  readonly isTTY: boolean;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `isTTY`: whether stderr is a terminal. */
export async function runHere(isTTY: boolean, ...words: readonly string[]): Promise<Outcome> {
  const [stdout, stderr] = [new Recorder(false), new Recorder(isTTY)];
  const code = await runCommand(words, terminalOf({ stdout, stderr }));
  return { code, out: stdout.text, err: stderr.text };
}
