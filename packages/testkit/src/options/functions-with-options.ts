// What a package's public functions that take options are called, as its sources say: so that a test can ask each of
// them, and none is forgotten.
import { readFileSync } from 'node:fs';
import * as ts from 'typescript';

/**
 * Exported functions, constructors and methods with a parameter that is called `options`, or whose type is: 'write',
 * 'new DataLoader', 'DataLoader.resume' (static), 'Table#toColumns'.
 * @param index the file whose exports are public. What it passes on from other packages is theirs.
 */
export function functionsWithOptions(index: URL): string[] {
  return [...exportsOf(index)]
    .flatMap(([name, declaration]) =>
      ts.isClassDeclaration(declaration) ? ofClass(name, declaration) : takesOptions(declaration) ? [name] : [],
    )
    .sort();
}

type Declaration = ts.ClassDeclaration | ts.FunctionDeclaration | ts.VariableDeclaration;

function exportsOf(file: URL): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  const source = parse(file);
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement) && !statement.isTypeOnly && statement.moduleSpecifier !== undefined) {
      const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
      if (!specifier.startsWith('.')) continue;
      const inner = exportsOf(new URL(specifier, file));
      const clause = statement.exportClause;
      if (clause === undefined) {
        for (const [name, declaration] of inner) found.set(name, declaration);
        continue;
      }
      if (!ts.isNamedExports(clause)) throw new Error(`${String(file)}: names, please: ${statement.getText(source)}`);
      for (const { name, propertyName } of clause.elements) {
        const declaration = inner.get((propertyName ?? name).text);
        if (declaration !== undefined) found.set(name.text, declaration);
      }
    }
    for (const declaration of declarationsOf(statement)) {
      if (declaration.name !== undefined) found.set(declaration.name.getText(source), declaration);
    }
  }
  return found;
}

function declarationsOf(statement: ts.Statement): readonly Declaration[] {
  if (ts.isVariableStatement(statement)) return isExported(statement) ? statement.declarationList.declarations : [];
  return (ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement)) && isExported(statement)
    ? [statement]
    : [];
}

function isExported(node: ts.HasModifiers): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function ofClass(name: string, { members }: ts.ClassDeclaration): string[] {
  const names = members.filter(takesOptions).map((member) => {
    if (ts.isConstructorDeclaration(member)) return `new ${name}`;
    const isStatic = ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static;
    return `${name}${isStatic ? '.' : '#'}${member.name?.getText() ?? ''}`;
  });
  return [...new Set(names)];
}

function takesOptions(node: ts.Declaration): boolean {
  if (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) return false;
  if (ts.isVariableDeclaration(node))
    return (
      node.initializer !== undefined &&
      ts.isArrowFunction(node.initializer) &&
      node.initializer.parameters.some(isOptions)
    );
  if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node) && !ts.isConstructorDeclaration(node))
    return false;
  return (node.name === undefined || !ts.isPrivateIdentifier(node.name)) && node.parameters.some(isOptions);
}

function isOptions({ name, type }: ts.ParameterDeclaration): boolean {
  return /options$/i.test(name.getText()) || /Options\b/.test(type?.getText() ?? '');
}

function parse(file: URL): ts.SourceFile {
  return ts.createSourceFile(file.href, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}
