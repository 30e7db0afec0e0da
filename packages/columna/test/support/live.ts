// The code that pages about files run, in a context with what browsers have and nothing of Node; and random files
// with random predicates for it.
import { createContext, runInContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import fc from 'fast-check';
// @ts-expect-error a build script without declarations
import { atOnce } from '../../../tooling/src/browser-build/at-once.mjs';
import { bindPredicate } from '@colkit/table';
import { openSync } from '../../src/index.ts';
import { pushdownFooter } from '../../src/inspect/pushdown-footer.ts';
import type { PushdownFooter, PushdownOutcome } from '../../src/inspect/pushdown.ts';
import { expressionOf, treeArbitrary } from './predicates.ts';
import { tableArbitrary } from './random-tables.ts';
import type { RandomColumn } from './random-tables.ts';

export interface Live {
  readonly Pushdown: new (footer: PushdownFooter) => { evaluate(text: string): PushdownOutcome };
}

export async function liveInVm(): Promise<Live> {
  const result = await build({
    ...(atOnce as BuildOptions & { write: false }),
    entryPoints: [fileURLToPath(new URL('../../src/inspect/pushdown.ts', import.meta.url))],
    globalName: 'live',
  });
  const script = result.outputFiles[0]?.text ?? '';
  const context = createContext({ atob, btoa, TextDecoder, TextEncoder, URL });
  runInContext(script, context);
  return runInContext('live', context) as Live;
}

export function footerOf(bytes: Uint8Array, maxBlockBytes?: number): Promise<PushdownFooter> {
  return pushdownFooter(bytes, maxBlockBytes === undefined ? {} : { maxBlockBytes });
}

export interface LiveCase {
  readonly columns: readonly RandomColumn[];
  readonly options: { readonly rowGroupRows: number; readonly pageRows: number; readonly joint: boolean };
  /** Predicates as somebody types them. */
  readonly texts: (bytes: Uint8Array) => readonly string[];
}

/** A table and `count` predicates for it. */
export function liveCases(count: number): fc.Arbitrary<LiveCase> {
  const options = fc.record({
    rowGroupRows: fc.constantFrom(24, 64, 1000),
    pageRows: fc.constantFrom(8, 16, 64),
    joint: fc.boolean(),
  });
  return fc.tuple(tableArbitrary, options).chain(([columns, shape]) =>
    fc.array(treeArbitrary(columns), { minLength: count, maxLength: count }).map((trees) => ({
      columns,
      options: shape,
      texts: (bytes: Uint8Array) => {
        const { schema } = openSync(bytes);
        return trees
          .map(
            (tree) =>
              bindPredicate(
                expressionOf(
                  tree,
                  columns.map(({ column }) => column.name),
                ),
                schema,
              ).text,
          )
          .filter((text) => !/\p{Surrogate}/u.test(text));
      },
    })),
  );
}
