// The bundle that inspectors' pages run, in a context with what browsers have and nothing of Node; and random files
// with random predicates for it.
import { runSync } from '@colkit/io/effects';
import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { bindPredicate } from '@colkit/table';
import { openSync } from '../../src/index.ts';
import { withFile } from '../../src/read/open.ts';
import { embedFooter } from '../../src/inspect/page/embed-footer.ts';
import type { EmbeddedFooter, Pushdown } from '../../src/inspect/live/pushdown.ts';
// @ts-expect-error a build script without declarations
import { bundle as bundleScript } from '../../scripts/bundle-live.mjs';
import { expressionOf, tableArbitrary, treeArbitrary } from './predicates.ts';
import type { RandomColumn } from './predicates.ts';

export const bundle = bundleScript as (entry: string, globalName?: string) => Promise<string>;

export interface Live {
  readonly PushdownDemonstration: new (footer: EmbeddedFooter) => { evaluate(text: string): Pushdown };
}

export async function liveInVm(): Promise<Live> {
  const script = await bundle('live/entry.ts', 'live');
  const context = createContext({ atob, btoa, TextDecoder, TextEncoder, URL });
  runInContext(script, context);
  return runInContext('live', context) as Live;
}

export function footerOf(bytes: Uint8Array, mostBlockBytes?: number): EmbeddedFooter {
  return runSync(withFile(bytes, {}, (file) => embedFooter(file, 'test.cna', mostBlockBytes)));
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
