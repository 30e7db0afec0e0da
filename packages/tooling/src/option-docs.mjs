// Options that no comment describes: what a published function, constructor or method takes as an object is described
// field by field, on the field or by `@param options.field`, so that editors and the API pages show it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const CONDITION = '@colkit/source';

/** What the packages publish: the source of each entry point. */
export function entryPoints(root) {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const file = join(root, 'packages', name, 'package.json');
    if (!existsSync(file)) return [];
    const { private: hidden, exports } = JSON.parse(readFileSync(file, 'utf8'));
    if (hidden === true || exports === undefined) return [];
    return Object.values(exports).flatMap((target) =>
      typeof target === 'object' && CONDITION in target ? [join(root, 'packages', name, target[CONDITION])] : [],
    );
  });
}

/** Each option that nothing describes, as `file:line: Owner.option`. */
export function undocumentedOptions(root, entries = entryPoints(root)) {
  const base = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile).config.compilerOptions;
  const { options } = ts.convertCompilerOptionsFromJson({ ...base, types: [] }, root);
  const program = ts.createProgram(entries, options);
  const walk = new Walk(root, program.getTypeChecker());
  for (const entry of entries) walk.module(program.getSourceFile(entry));
  return { missing: [...walk.missing].sort(), options: walk.options.size };
}

class Walk {
  missing = new Set();
  options = new Set();
  #seen = new Set();

  constructor(root, checker) {
    this.root = root;
    this.checker = checker;
  }

  module(file) {
    const symbol = this.checker.getSymbolAtLocation(file);
    for (const exported of this.checker.getExportsOfModule(symbol)) {
      const target = (exported.flags & ts.SymbolFlags.Alias) !== 0 ? this.checker.getAliasedSymbol(exported) : exported;
      if (this.#seen.has(target)) continue;
      this.#seen.add(target);
      this.#exported(target);
    }
  }

  #exported(symbol) {
    const at = symbol.valueDeclaration ?? symbol.declarations?.[0];
    if (at === undefined || !this.#isOurs(at)) return;
    if (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) {
      const type = this.checker.getDeclaredTypeOfSymbol(symbol);
      if (/(Options|Limits)$/.test(symbol.name)) this.#fields(type, symbol.name, new Map());
      else this.#members(type, symbol.name);
    }
    if (symbol.flags & ts.SymbolFlags.Class) this.#members(this.checker.getDeclaredTypeOfSymbol(symbol), symbol.name);
    if (symbol.flags & ts.SymbolFlags.Value) {
      const type = this.checker.getTypeOfSymbolAtLocation(symbol, at);
      for (const made of [...type.getConstructSignatures(), ...type.getCallSignatures()]) {
        this.#signature(made, symbol.name);
      }
      if (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Variable)) this.#members(type, symbol.name);
    }
  }

  /** Methods of a class, of an interface, or of an object with functions. */
  #members(type, owner) {
    for (const member of type.getProperties()) {
      const at = member.valueDeclaration ?? member.declarations?.[0];
      if (at === undefined || !this.#isOurs(at) || this.#isHidden(at, member)) continue;
      const calls = this.checker.getTypeOfSymbolAtLocation(member, at).getCallSignatures();
      for (const call of calls) this.#signature(call, `${owner}.${member.name}`);
    }
  }

  #signature(signature, owner) {
    for (const parameter of signature.getParameters()) {
      const at = parameter.valueDeclaration ?? parameter.declarations?.[0];
      if (at === undefined || !ts.isParameter(at) || !this.#isOurs(at)) continue;
      const literal = at.type !== undefined && ts.isTypeLiteralNode(at.type);
      const named = at.type?.getText() ?? '';
      if (!/options|limits/i.test(parameter.name) && !literal && !/(Options|Limits)\b/.test(named)) continue;
      const described = new Map();
      for (const tag of ts.getJSDocParameterTags(at.parent ?? at).concat(ts.getJSDocTags(at.parent))) {
        if (ts.isJSDocParameterTag(tag)) described.set(tag.name.getText().split('.').at(-1), true);
      }
      this.#fields(this.checker.getTypeOfSymbolAtLocation(parameter, at), `${owner}(${parameter.name})`, described);
    }
  }

  /** The fields of an object of options, and of the objects in it. */
  #fields(type, owner, described) {
    const parts = type.isUnion() ? type.types : [type];
    for (const part of parts) {
      const bare = this.checker.getNonNullableType(part);
      if ((bare.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) continue;
      if (bare.getCallSignatures().length > 0) continue;
      for (const field of bare.getProperties()) this.#field(field, owner, described);
    }
  }

  #field(field, owner, described) {
    const at = field.valueDeclaration ?? field.declarations?.[0];
    if (at === undefined || !this.#isOurs(at) || !ts.isPropertySignature(at)) return;
    const { line } = at.getSourceFile().getLineAndCharacterOfPosition(at.getStart());
    const name = `${relative(this.root, at.getSourceFile().fileName)}:${line + 1}`;
    if (this.options.has(at)) return;
    this.options.add(at);
    const text = ts.displayPartsToString(field.getDocumentationComment(this.checker)).trim();
    if (text === '' && !described.has(field.name)) this.missing.add(`${name}: ${owner}.${field.name}`);
    const type = this.checker.getTypeOfSymbolAtLocation(field, at);
    if (at.type !== undefined && ts.isTypeLiteralNode(at.type)) this.#fields(type, `${owner}.${field.name}`, new Map());
  }

  #isHidden(at, member) {
    return member.name.startsWith('#') || (ts.getCombinedModifierFlags(at) & ts.ModifierFlags.Private) !== 0;
  }

  #isOurs(at) {
    return relative(this.root, at.getSourceFile().fileName).startsWith('packages/');
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const { missing, options } = undocumentedOptions(root);
  for (const line of missing) console.error(line);
  console.log(`options: ${options}, of which ${missing.length} are not described`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
