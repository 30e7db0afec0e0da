import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const EXPORTS = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  {
    // But for named lists that several entry points share.
    selector:
      'ExportAllDeclaration[source.value!="./reading.ts"]' +
      '[source.value!="./everywhere.ts"][source.value!="./browser.ts"]',
    message: 'The public surface is a named list.',
  },
];
// Arguments live on the stack: about 120,000 of them overflow it.
const SPREADS = [
  [
    '[callee.object.name="Math"][callee.property.name=/^(max|min|hypot)$/] > SpreadElement',
    'fold with a loop or reduce',
  ],
  [
    '[callee.property.name=/^(push|unshift|splice|concat|fromCharCode|fromCodePoint|of)$/] > SpreadElement',
    'use a loop',
  ],
  ['[callee.property.name="apply"][arguments.length=2]', 'use a loop'],
].map(([selector, remedy]) => ({
  selector: `CallExpression${selector}`,
  message: `Data may be longer than the stack: ${remedy}.`,
}));

// Without it a U+FEFF in front of a text is dropped, which documents want, and values do not.
const DECODERS = {
  selector: 'NewExpression[callee.name="TextDecoder"]:not(:has(Property[key.name="ignoreBOM"]))',
  message: 'Say ignoreBOM: true for values, false for documents.',
};

// Each of them takes a hidden class of its own at its first call, which costs as much as a small read.
const GENERATORS = [
  ':not(MethodDefinition) > FunctionExpression[generator=true]',
  ':function FunctionDeclaration[generator=true]',
].map((selector) => ({
  selector,
  message: 'A generator function made at each call costs microseconds: pass an arrow that calls a named one.',
}));

// Types come from one program for many packages where they are told (see packages/tooling/src/lint.mjs), else from the
// tsconfig.json that is nearest.
const project = process.env.COLKIT_LINT_PROJECTS?.split(',');
const types = project === undefined ? { projectService: true } : { project };

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/build/',
      'packages/*/require/',
      'native/*.cjs',
      '**/node_modules/',
      '**/.cache/',
      '**/.turbo/',
      'docs/.vitepress/',
      'docs/api/',
      'packages/tooling/users/',
      '**/*.mjs',
      '**/*.js',
      '**/*.d.ts',
      '**/*.d.cts',
      '**/tsup.config.ts',
      '**/vitest.config.ts',
      'tsup.base.ts',
      'vitest.base.ts',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { ...types, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...EXPORTS, ...SPREADS],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    },
  },
  {
    files: ['**/test/**', 'bench/**', 'packages/testkit/**', 'packages/demo/**', 'packages/fuzz/**', 'docs/**'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
  {
    files: ['packages/{io,s3,bullmq,table,colstore,columna,syrah}/src/**'],
    rules: { 'no-restricted-syntax': ['error', ...EXPORTS, ...SPREADS, ...GENERATORS, DECODERS] },
  },
  {
    files: ['packages/colkit/src/**'],
    rules: { 'no-restricted-syntax': ['error', ...EXPORTS, ...SPREADS, DECODERS] },
  },
  // VitePress asks these modules for a default export.
  { files: ['docs/**/*.paths.ts'], rules: { 'no-restricted-syntax': ['error', ...SPREADS] } },
  // The data of tests are as long as the tests make them.
  { files: ['**/test/**'], rules: { 'no-restricted-syntax': ['error', ...EXPORTS] } },
);
