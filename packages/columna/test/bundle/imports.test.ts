// What a bundle of a program holds that imports one name: who reads files gets no writer, no inspector and nothing of
// other formats.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** The sources of our packages of which something is in the bundle of `program`: `columna/src/read/read.ts`. */
async function sourcesOf(program: string): Promise<string[]> {
  const result = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'js' },
    absWorkingDir: fileURLToPath(new URL('../../..', import.meta.url)),
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@colkit/source'],
    // Addon and optional peers, which are looked up where they are needed.
    external: ['@colkit/native', 'apache-arrow'],
    logLevel: 'silent',
  });
  const inputs = Object.values(result.metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^(\w+\/src\/.*)$/.exec(path)?.[1] ?? []);
}

describe.each(['read', 'open', 'scan'])('a program that imports %s', (name) => {
  it('holds no writer, no inspector, no CSV and no other package but io and table', async () => {
    const sources = await sourcesOf(`import { ${name} } from 'columna'; console.log(await ${name}('orders.cna'));`);
    expect(sources).toContain('columna/src/read/open-file.ts');
    expect(sources.filter((path) => /^columna\/src\/(write|inspect)\/|\/csv\/|\/parquet\//.test(path))).toEqual([]);
    expect(sources.filter((path) => !/^(columna|io|table)\//.test(path))).toEqual([]);
  });
});

it('a program that imports inspect holds the writer that sizes encodings, and no page', async () => {
  const sources = await sourcesOf("import { inspect } from 'columna'; console.log(await inspect('orders.cna'));");
  expect(sources).toContain('columna/src/inspect/inspect.ts');
  expect(sources.filter((path) => /pushdown/.test(path))).toEqual([]);
});
