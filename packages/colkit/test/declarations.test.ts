// Declarations of a program that exports what the packages give, without types of its own: each type has a name in the
// package that the program imports. A name from a package below would be an error (TS2742) where node_modules has
// only what the program depends on itself, as pnpm makes it.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = ['columna', 'colstore', 'syrah', 'convert'].map((name) =>
  fileURLToPath(new URL(`support/exported/of-${name}.ts`, import.meta.url)),
);

it.skipIf(process.env['COLKIT_BACKEND'] !== 'js')('name types by the package that gives them', () => {
  const base = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path)) as {
    readonly config: { readonly compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(base.config.compilerOptions, root);
  const program = ts.createProgram(files, { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true });
  for (const file of files) {
    let text = '';
    const source = program.getSourceFile(file);
    const { diagnostics } = program.emit(source, (_, written) => (text = written), undefined, true);
    const all = [...diagnostics, ...program.getSemanticDiagnostics(source)];
    expect(all.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    expect(text).toContain('export declare const open');
    expect(text.match(/import\([^)]*\)\.\w+/gu) ?? [], file).toEqual([]);
  }
});
