// A writer that is killed leaves no file or a whole one; its journal brings back every acknowledged item; and a new
// writer of the same path works. Short here; `pnpm --filter syrah run test:crash` kills 500 of each kind in some
// minutes.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAnnouncement } from '@colkit/testkit/announcements';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { countOf, crash, runWriter } from '@colkit/testkit/crash';
import type { Death, Kill, Outcome } from '@colkit/testkit/crash';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create, openSync, recover } from '../../src/index.ts';
import { ITEMS, itemOf } from './content.ts';

// What is written does not depend on the backend: once is enough.
const isOther = process.env['COLKIT_BACKEND'] === 'native';
/** Share of the deaths that come at a random time; the others come at a chosen call of the file system. */
const BY_TIME = 0.25;

let folder = '';
let writer = '';
beforeAll(async () => {
  if (isOther) return;
  folder = mkdtempSync(join(tmpdir(), 'syrah-kill-'));
  writer = await bundleForNode(new URL('./writer.ts', import.meta.url), folder);
}, 120_000);
afterAll(() => rmSync(folder || 'no folder was made', { recursive: true, force: true }));

/** What a writer announces that nobody kills. */
interface Life {
  /** Of each announcement. */
  readonly phases: readonly string[];
  readonly milliseconds: number;
}

async function live(mode: string): Promise<Life> {
  let start = 0;
  const lines = await runWriter([writer, join(folder, `${mode}.syr`), mode, '0', 'whole'], () => {
    start ||= performance.now();
  });
  return { phases: lines.map((line) => line.slice(line.indexOf(' ') + 1)), milliseconds: performance.now() - start };
}

/** Kills the writer in the phase whose turn it is, or at a random time. */
async function killOnce({ path, mode, kill, random }: Kill, { phases, milliseconds }: Life): Promise<Death<string>> {
  const names = [...new Set(phases)];
  const aim = names[kill % names.length];
  const [byTime, torn] = [random.number() < BY_TIME, random.pick(['torn', 'whole'])];
  const death = byTime ? 0 : random.pick([...phases.keys()].filter((announcement) => phases[announcement] === aim)) + 1;
  let isTimed = false;
  const lines = await runWriter([writer, path, mode, String(death), torn], (_, die) => {
    if (!byTime || isTimed) return;
    isTimed = true;
    setTimeout(die, random.number() * milliseconds);
  });
  const { phase, acknowledgedRows } = parseAnnouncement(lines.at(-1) ?? '', names);
  const outcome = await examine(path, mode === 'journal', acknowledgedRows);
  const next = await create(path, { overwrite: true });
  await next.addItem(itemOf(0));
  await next.close();
  check(path, 1);
  return { phase, outcome };
}

async function examine(path: string, journal: boolean, acknowledged: number): Promise<Outcome> {
  const isWhole = existsSync(path);
  if (isWhole) check(path, ITEMS);
  if (!journal) return isWhole ? 'all' : 'old';
  const report = await recover(path).catch((error: unknown) => ({
    status: 'nothing',
    itemCount: 0,
    reason: String(error),
  }));
  if (report.itemCount < acknowledged)
    throw new Error(
      `${String(acknowledged)} items were acknowledged, ${String(report.itemCount)} recovered: ${report.reason}`,
    );
  if (report.status !== 'nothing') check(path, report.itemCount);
  return isWhole ? 'all' : report.itemCount > 0 ? 'part' : 'old';
}

/** @throws Error unless items [0, count) are the ones that were written, and there are no others. */
function check(path: string, count: number): void {
  using file = openSync(path);
  if (file.itemCount !== count)
    throw new Error(`${path} has ${String(file.itemCount)} items instead of ${String(count)}`);
  for (let i = 0; i < count; i += 1) {
    const [{ label, features, name }, expected] = [file.getItemSync(i) as ReturnType<typeof itemOf>, itemOf(i)];
    const isSame =
      label[0] === i &&
      name === expected.name &&
      features.length === expected.features.length &&
      features.every((value) => value === i + 0.5);
    if (!isSame) throw new Error(`item ${String(i)} of ${path} has other values`);
  }
}

describe.skipIf(isOther).each(['plain', 'journal'])('%s', (mode) => {
  test('keeps what it must keep, every time', { timeout: 1_800_000 }, async () => {
    const life = await live(mode);
    const counts = await crash({
      writer,
      folder,
      fileName: 'killed.syr',
      mode,
      phases: [...new Set(life.phases)],
      once: (kill) => killOnce(kill, life),
    });
    expect(countOf(counts, 'part') > 0).toBe(mode === 'journal');
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining(['create', 'items', 'metadata', 'sync', 'publish', 'done']),
    );
  });
});
