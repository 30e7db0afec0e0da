// The golden files of this format (copied from the reference tools' output) with what is in them: per key the dtype
// and, per item, the exact bytes.
import { bytesOfHex } from '@colkit/testkit';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface GoldenKey {
  readonly name: string;
  readonly dtype: string;
  /** One entry an item: little-endian elements, or UTF-8 text. */
  readonly bytes: readonly Uint8Array[];
  readonly values: readonly (readonly (string | boolean)[])[];
}

export interface GoldenFile {
  /** 'release/name' */
  readonly label: string;
  readonly path: string;
  readonly file: Uint8Array;
  readonly itemCount: number;
  readonly hasNames: boolean;
  readonly keys: readonly GoldenKey[];
}

interface GoldenText {
  readonly items: number;
  readonly itemNames: string | null;
  readonly keys: readonly {
    readonly name: string;
    readonly dtype: string;
    readonly bytes: readonly string[];
    readonly values: readonly (readonly (string | boolean)[])[];
  }[];
}

export const CURRENT = '0.2.0';
export const RELEASES = [CURRENT, 'old-per-item', 'old-magic-last'] as const;

export function loadGolden(release: string): readonly GoldenFile[] {
  const folder = new URL(`./golden/${release}/`, import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const text = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as GoldenText;
      const path = fileURLToPath(new URL(name.replace('.json', '.syr'), folder));
      return {
        label: `${release}/${name.slice(0, -'.json'.length)}`,
        path,
        file: new Uint8Array(readFileSync(path)),
        itemCount: text.items,
        hasNames: text.itemNames !== null,
        keys: text.keys.map(({ name: key, dtype, bytes, values }) => ({
          name: key,
          dtype,
          bytes: bytes.map(bytesOfHex),
          values,
        })),
      };
    });
}
