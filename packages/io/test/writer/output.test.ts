// Files that are written in one go: whole or not at all, in both forms, with the options of any writer.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { perform } from '../../src/effects/effect.ts';
import type { Work } from '../../src/effects/effect.ts';
import { run, runSync } from '../../src/effects/run.ts';
import { MemorySink } from '../../src/memory/sink.ts';
import { writeFile } from '../../src/writer/output.ts';
import type { Output } from '../../src/writer/output.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'io-output-'));
  path = join(folder, 'x');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FORMS = {
  awaited: <T>(work: Work<T>): Promise<T> => run(work),
  Sync: <T>(work: Work<T>): Promise<T> => new Promise((resolve) => resolve(runSync(work))),
} as const;

function* hello(output: Output): Work<number> {
  yield* perform(output.write(Buffer.from('Hello')));
  expect(output.position).toBe(5);
  // Nothing is at the path before the end.
  expect(readdirSync(folder)).not.toContain('new');
  yield* perform(output.write(Buffer.from(' world')));
  yield* perform(output.writeAt(0, Buffer.from('J')));
  return output.position;
}

function* failing(output: Output): Work<void> {
  yield* hello(output);
  throw new Error('enough');
}

for (const [form, perform] of Object.entries(FORMS)) {
  test(`gives what the work gives, and the bytes their name at the end (${form})`, async () => {
    const target = join(folder, 'new');
    expect(await perform(writeFile(target, {}, hello))).toBe(11);
    expect([readFileSync(target, 'utf8'), readdirSync(folder)]).toEqual(['Jello world', ['new']]);
  });

  test(`a failure leaves the old file, and nothing beside it (${form})`, async () => {
    await expect(perform(writeFile(path, {}, failing))).rejects.toThrow('enough');
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(path, 'old');
    await expect(perform(writeFile(path, { overwrite: true }, failing))).rejects.toThrow('enough');
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['old', ['x']]);
  });

  test(`an existing file is replaced where that is said, else refused before the work begins (${form})`, async () => {
    writeFileSync(path, 'old');
    let began = false;
    const watch = function* (output: Output): Work<number> {
      began = true;
      return yield* hello(output);
    };
    await expect(perform(writeFile(path, {}, watch))).rejects.toThrow(expect.objectContaining({ code: 'ERR_EXISTS' }));
    expect([began, readFileSync(path, 'utf8')]).toEqual([false, 'old']);
    await perform(writeFile(path, { overwrite: true, durability: 'none' }, watch));
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['Jello world', ['x']]);
  });
}

for (const [form, perform] of Object.entries(FORMS)) {
  test(`a sink that has something already is refused, as it is (${form})`, async () => {
    const sink = new MemorySink();
    sink.writeSync(Buffer.from('mine'));
    await expect(perform(writeFile(sink, {}, hello))).rejects.toThrow('a sink that nothing else was or is written to');
    sink.writeSync(Buffer.from(' still'));
    expect(Buffer.from(sink.bytes()).toString()).toBe('mine still');
  });
}

test('two files that are written to one sink at a time are never mixed: one is whole, the other refused', async () => {
  const sink = new MemorySink();
  function* slowly(output: Output, text: string): Work<string> {
    for (const each of text) yield* perform(output.write(Buffer.from(each)));
    return text;
  }
  const ends = await Promise.allSettled(
    ['first', 'other'].map((text) => run(writeFile(sink, {}, (to) => slowly(to, text)))),
  );
  expect(ends).toMatchObject([{ value: 'first' }, { reason: { code: 'ERR_ARGUMENT', argument: 'path' } }]);
  expect(Buffer.from(sink.bytes()).toString()).toBe('first');
});

/** A sink whose server takes nothing any more: neither the bytes nor that they are given up. */
class GoneSink extends MemorySink {
  override write(): Promise<void> {
    return Promise.reject(new Error('access denied'));
  }
  override writeSync(): void {
    throw new Error('access denied');
  }
  override abort(): Promise<void> {
    return Promise.reject(new Error('no such upload'));
  }
  override abortSync(): void {
    throw new Error('no such upload');
  }
}

for (const [form, perform] of Object.entries(FORMS)) {
  test(`what failed first is told, where giving up fails too (${form})`, async () => {
    await expect(perform(writeFile(new GoneSink(), {}, hello))).rejects.toThrow('access denied');
  });
}
