// How each bundler makes one folder for Node of a program: its plainest configuration, and what more is needed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Pinned: what is found to work is found with these. */
export const TOOLS = {
  '@rollup/plugin-commonjs': '29.0.3',
  '@rollup/plugin-node-resolve': '16.0.3',
  bun: '1.4.5',
  esbuild: '0.27.7',
  next: '16.4.6',
  parcel: '2.16.4',
  postject: '1.0.0-alpha.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  rollup: '4.68.7',
  vite: '7.3.8',
  'vite-5': 'npm:vite@5.4.21',
  'vite-6': 'npm:vite@6.4.6',
  'vite-8': 'npm:vite@8.3.8',
  webpack: '5.112.2',
};

/** The loader's workers run a script of their own: one more entry, beside the bundle. */
const WORKER = 'syrah/loader-worker';

export const nodeBundles = [
  { name: 'esbuild, CommonJS', bundle: (context, folder) => byEsbuild(context, folder, 'cjs') },
  { name: 'esbuild, modules', bundle: (context, folder) => byEsbuild(context, folder, 'esm') },
  { name: 'esbuild, modules named .mjs', bundle: (context, folder) => byEsbuild(context, folder, 'esm', '.mjs') },
  { name: 'webpack, CommonJS', bundle: (context, folder) => byWebpack(context, folder, false) },
  { name: 'webpack, modules', bundle: (context, folder) => byWebpack(context, folder, true) },
  { name: 'rollup, CommonJS', bundle: (context, folder) => byRollup(context, folder, 'cjs') },
  { name: 'rollup, modules', bundle: (context, folder) => byRollup(context, folder, 'es') },
  { name: 'Vite, ssr', bundle: byVite },
];

export async function byEsbuild({ project, load }, folder, format, workerExtension = '.js') {
  const { build } = await load('esbuild');
  const extension = format === 'cjs' ? '.cjs' : '.mjs';
  const common = {
    absWorkingDir: project,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    logLevel: 'error',
  };
  await build({ ...common, entryPoints: ['program.mjs'], outfile: join(folder, `app${extension}`) });
  const outExtension = { '.js': workerExtension };
  await build({ ...common, entryPoints: { 'loader-worker': WORKER }, outdir: folder, outExtension });
  if (format === 'esm' && workerExtension === '.js') isModule(folder);
  return `app${extension}`;
}

async function byWebpack({ project, load }, folder, isModules) {
  const { default: webpack } = await load('webpack');
  const compiler = webpack({
    mode: 'production',
    target: 'node20',
    context: project,
    entry: { app: './program.mjs', 'loader-worker': WORKER },
    output: {
      path: folder,
      filename: '[name].js',
      ...(isModules ? { module: true, library: { type: 'module' } } : { library: { type: 'commonjs2' } }),
    },
    ...(isModules ? { experiments: { outputModule: true } } : {}),
  });
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, result) => (error ? reject(error) : compiler.close(() => resolve(result))));
  });
  if (stats.hasErrors()) throw new Error(stats.toString({ colors: false }));
  if (stats.hasWarnings()) console.log(stats.toString({ colors: false, all: false, warnings: true }));
  if (isModules) isModule(folder);
  return 'app.js';
}

async function byRollup({ project, load }, folder, format) {
  const { rollup } = await load('rollup');
  const { default: nodeResolve } = await load('@rollup/plugin-node-resolve');
  const { default: commonjs } = await load('@rollup/plugin-commonjs');
  const bundle = await rollup({
    input: { app: join(project, 'program.mjs'), 'loader-worker': WORKER },
    external: [/^node:/],
    plugins: [nodeResolve({ rootDir: project, exportConditions: ['node'] }), commonjs()],
    onwarn(warning) {
      console.log(`rollup: ${warning.message}`);
    },
  });
  await bundle.write({ dir: folder, format, entryFileNames: '[name].js', exports: 'named' });
  await bundle.close();
  if (format === 'es') isModule(folder);
  return 'app.js';
}

async function byVite({ project, load }, folder) {
  const { build } = await load('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    root: project,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: {
        input: {
          app: join(project, 'program.mjs'),
          'loader-worker': join(project, 'node_modules/syrah/dist/loader-worker.js'),
        },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  isModule(folder);
  return 'app.js';
}

function isModule(folder) {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
}
