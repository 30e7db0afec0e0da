// The states that a power failure may leave, of histories that are small enough to be written down.
import { describe, expect, it } from 'vitest';
import { History, moments, powerLosses } from '@colkit/testkit/disk';
import type { DiskState, PowerLossOptions } from '@colkit/testkit/disk';

const bytes = (value: number, length: number): Uint8Array => new Uint8Array(length).fill(value);
const OPTIONS: PowerLossOptions = { samples: 60, seed: 3 };

/** Runs of equal bytes, such as "512×1 512×0". */
function textOf(content: Uint8Array): string {
  const runs: [number, number][] = [];
  for (const byte of content) {
    const last = runs.at(-1);
    if (last?.[1] === byte) last[0]++;
    else runs.push([1, byte]);
  }
  return runs.map(([count, byte]) => `${count}×${byte}`).join(' ');
}

const stateText = ({ names, files }: DiskState): string =>
  [...names]
    .sort()
    .map(([path, file]) => {
      const { bytes: content, mode } = files.get(file)!;
      return `${path}: ${textOf(content)} ${mode.toString(8)}`;
    })
    .join(', ');

const statesOf = (history: History, options: Partial<PowerLossOptions> = {}): Set<string> =>
  new Set([...powerLosses(history, { ...OPTIONS, ...options })].map(({ state }) => stateText(state)));

/** A file that has been there for long. */
function withFile(content: Uint8Array): { history: History; file: number; from: number } {
  const history = new History();
  const file = history.putOld('/d/f', { isFolder: false, mode: 0o600, bytes: content });
  return { history, file, from: history.changes.length };
}

describe('the bytes of a file', () => {
  it('have any of the sectors that were not synced, and any length up to the one that was written', () => {
    const { history, file, from } = withFile(bytes(1, 100));
    history.write(file, 0, bytes(2, 1100));
    const expected = new Set<string>();
    const none = bytes(1, 100);
    for (let subset = 0; subset < 8; subset++) {
      for (const isFull of [false, true]) {
        const kept = [0, 1, 2].filter((sector) => (subset >> sector) % 2 === 1);
        const ends = kept.map((sector) => Math.min(1100, 512 * (sector + 1)));
        const content = new Uint8Array(isFull ? 1100 : Math.max(100, ...ends));
        content.set(none);
        for (const sector of kept) content.set(bytes(2, Math.min(512, 1100 - 512 * sector)), 512 * sector);
        expected.add(`/d/f: ${textOf(content)} 600`);
      }
    }
    const found = statesOf(history, { from });
    expect([...expected].filter((state) => !found.has(state))).toEqual([]);
    // Everything else has what the disk held before where nothing was written.
    expect([...found].filter((state) => !expected.has(state) && !state.includes('×165'))).toEqual([]);
    expect([...found].some((state) => state.includes('×165'))).toBe(true);
  });

  it('are torn at pages and at whole writes too', () => {
    const { history, file, from } = withFile(bytes(1, 16_384));
    history.write(file, 2048, bytes(2, 8192));
    history.write(file, 12_288, bytes(3, 4096));
    const found = statesOf(history, { from });
    expect(found).toContain('/d/f: 2048×1 2048×2 12288×1 600');
    expect(found).toContain('/d/f: 2048×1 8192×2 6144×1 600');
    expect(found).toContain('/d/f: 12288×1 4096×3 600');
  });

  it('of an older write lie over those of a newer one', () => {
    const { history, file, from } = withFile(bytes(1, 512));
    history.write(file, 0, bytes(2, 300));
    history.write(file, 100, bytes(3, 300));
    const found = statesOf(history, { from });
    const runs = ['512×1', '300×2 212×1', '100×1 300×3 112×1', '100×2 300×3 112×1', '300×2 100×3 112×1'];
    for (const run of runs) expect(found).toContain(`/d/f: ${run} 600`);
  });

  it('are as they were, or cut, or cut and written on', () => {
    const { history, file, from } = withFile(bytes(1, 900));
    history.truncate(file, 512);
    history.write(file, 512, bytes(2, 512));
    const found = statesOf(history, { from });
    const runs = ['900×1', '512×1', '512×1 512×2', '900×1 124×0', '512×1 512×0'];
    for (const run of runs) expect(found).toContain(`/d/f: ${run} 600`);
  });

  it('are all there after a sync of the file, and permissions with them', () => {
    const { history, file, from } = withFile(bytes(1, 10));
    history.write(file, 0, bytes(2, 2000));
    history.setMode(file, 0o644);
    expect(statesOf(history, { from })).toContain('/d/f: 10×1 644');
    history.syncFile(file);
    expect(statesOf(history, { from: history.changes.length })).toEqual(new Set(['/d/f: 2000×2 644']));
  });
});

describe('names', () => {
  it('are there or not until the folder is synced, whatever the file', () => {
    const history = new History();
    const file = history.create('/d/new', 0o644);
    history.write(file, 0, bytes(7, 3));
    history.syncFile(file);
    expect(statesOf(history)).toContain('');
    expect(statesOf(history)).toContain('/d/new: 3×7 644');
    history.syncFolder('/other');
    expect(statesOf(history, { from: history.changes.length })).toContain('');
    history.syncFolder('/d');
    expect(statesOf(history, { from: history.changes.length })).toEqual(new Set(['/d/new: 3×7 644']));
  });

  it('change one by one: of a link and the removal of the other name, either may be lost', () => {
    const { history, file, from } = withFile(bytes(1, 1));
    history.link('/d/f', '/d/g');
    history.remove('/d/f');
    expect(history.fileAt('/d/g')).toBe(file);
    const expected = ['/d/f: 1×1 600', '/d/f: 1×1 600, /d/g: 1×1 600', '/d/g: 1×1 600', ''];
    expect(statesOf(history, { from })).toEqual(new Set(expected));
  });

  it('are renamed in one step, whether the old name was on the disk or not', () => {
    const { history, from } = withFile(bytes(1, 1));
    const other = history.create('/d/t', 0o600);
    history.write(other, 0, bytes(2, 1));
    history.syncFile(other);
    history.rename('/d/t', '/d/f');
    expect(statesOf(history, { from })).toEqual(
      new Set([
        '/d/f: 1×1 600',
        '/d/f: 1×2 600',
        '/d/f: 1×1 600, /d/t: 1×2 600',
        // Before its sync: empty, as long as written, or with what was there before.
        '/d/f: 1×1 600, /d/t:  600',
        '/d/f: 1×1 600, /d/t: 1×0 600',
        '/d/f: 1×1 600, /d/t: 1×165 600',
      ]),
    );
  });
});

describe('the moments', () => {
  /** A journal of two records with a sync between, then a rename. */
  function busy(): { history: History; from: number } {
    const { history, file, from } = withFile(bytes(1, 600));
    history.write(file, 600, bytes(2, 30));
    history.write(file, 0, bytes(3, 20));
    history.syncFile(file);
    history.promise(1);
    history.truncate(file, 500);
    history.write(file, 500, bytes(4, 10));
    history.rename('/d/f', '/d/g');
    history.syncFolder('/d');
    history.promise(2);
    history.write(file, 0, bytes(5, 1));
    return { history, from };
  }

  it('are before each sync and at the end, with what was promised by then', () => {
    const { history, from } = busy();
    const found = moments(history.changes, from).map(({ count, least }) => [count - from, least]);
    expect(found).toEqual([
      [2, 0],
      [7, 1],
      [10, 2],
    ]);
  });

  it('leave out none of what a failure at any other moment may leave', () => {
    const { history, from } = busy();
    // Few units, and zeros only: all states are walked.
    const whole = statesOf(history, { from, samples: 400 });
    for (let count = from; count < history.changes.length; count++) {
      const begun = new History();
      begun.changes.push(...history.changes.slice(0, count));
      for (const { state } of powerLosses(begun, { samples: 0, seed: 1, from })) {
        // The copy knows no permissions.
        const text = stateText(state).replaceAll(/ \d+(?=,|$)/g, ' 600');
        expect(whole.has(text), `behind change ${count}: ${text}`).toBe(true);
      }
    }
  });

  it('are bounded in states, however much was written, and the same for a seed', () => {
    const { history, file, from } = withFile(bytes(1, 10));
    for (let k = 0; k < 12; k++) history.write(file, k * 16_384, bytes(k, 16_384));
    const losses = [...powerLosses(history, { samples: 10, seed: 5, from })];
    expect(losses.length).toBeGreaterThan(100);
    expect(losses.length).toBeLessThan(2000);
    const describe = (seed: number): string[] =>
      [...powerLosses(history, { samples: 3, seed, from })].map((loss) => loss.describe());
    expect(describe(5)).toEqual(describe(5));
    expect(describe(5)).not.toEqual(describe(6));
  });
});
