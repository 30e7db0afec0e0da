#!/usr/bin/env node
// `npm run test:temporal`: the example of docs/examples/scale-out/temporal with Temporal's own packages, which are
// installed from npm into a folder of their own. Its activities run in the environment that Temporal has for tests of
// them, with retries and cancellation; its workflow is bundled as a worker bundles it, and run with those activities in
// place of the server's. No server of Temporal runs here: that needs a program which is on no registry.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from '../published.mjs';
import { installTools } from './installed.mjs';

const VERSION = '1.24.0';
const EXAMPLE = join(ROOT, 'docs', 'examples', 'scale-out', 'temporal');
const names = ['activity', 'testing', 'worker', 'workflow'];
const tools = installTools('temporal', Object.fromEntries(names.map((name) => [`@temporalio/${name}`, VERSION])));
const ours = join(tools, 'node_modules', 'columna');
rmSync(ours, { recursive: true, force: true });
symlinkSync(join(ROOT, 'packages', 'columna'), ours, 'junction');
const work = join(tools, 'work');
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const [activitiesFile, workflowFile] = ['activities', 'workflow'].map(compiled);

const require = createRequire(join(tools, 'package.json'));
const { MockActivityEnvironment } = require('@temporalio/testing');
const { bundleWorkflowCode } = require('@temporalio/worker');
const { commit, openDataset, writePart, open } = await imported(join(ROOT, 'packages', 'columna', 'dist', 'index.js'));
const activities = await imported(activitiesFile);
process.env.ALLOWED = work;

const orders = join(work, 'orders');
for (const [version, amounts] of [[10, 20.5, 30], [0.1, 0.2], [2 ** 53]].entries())
  await commit(
    orders,
    [await writePart(orders, { amount: Float64Array.from(amounts), month: amounts.map(() => version) })],
    {
      expected: version,
    },
  );
const question = {
  source: orders,
  where: 'amount > 0.15',
  aggregates: { n: 'count', total: { sum: 'amount' } },
  by: ['month'],
};
const whole = await wholeAnswer();

await theWorkflowGivesTheAnswerOfTheWhole();
await rowsAreCopiedWholeAndAgain();
await whatNoAttemptCanChangeIsNotTriedAgain();
await cancelledAttemptsStop();
await theWorkflowIsBundled();
console.log('the activities of Temporal give the answer of the whole, copy rows, stop and fail as they should');

/** An activity, with its arguments through the JSON that Temporal's converter makes of them. */
function run(name, ...parameters) {
  const environment = new MockActivityEnvironment();
  return environment.run(activities[name], ...JSON.parse(JSON.stringify(parameters))).then(json);
}

function json(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

async function wholeAnswer() {
  const dataset = await openDataset(orders);
  const { aggregates, by, where } = question;
  const found = await dataset
    .where(where)
    .groupBy(...by)
    .agg(aggregates);
  dataset.close();
  return json(found).columns;
}

async function theWorkflowGivesTheAnswerOfTheWhole() {
  // The workflow's own code, over activities that are run here, each state twice, as after a lost answer.
  const source = readFileSync(workflowFile, 'utf8').replace(
    /import \{ proxyActivities \} from '@temporalio\/workflow';/,
    'const proxyActivities = () => globalThis.activitiesHere;',
  );
  const standIn = join(work, 'workflow-here.mjs');
  writeFileSync(standIn, source);
  globalThis.activitiesHere = {
    planTasks: (asked) => run('planTasks', asked),
    sumTask: async (task) => {
      const first = await run('sumTask', task);
      assert.deepEqual(await run('sumTask', task), first);
      return first;
    },
    mergeStates: (states) => run('mergeStates', states),
  };
  const { ask } = await imported(standIn);
  assert.deepEqual(await ask(question), whole);
}

async function rowsAreCopiedWholeAndAgain() {
  const [{ split }] = await run('planTasks', question);
  const target = join(work, 'copied.cna');
  for (const where of ['amount > 0', 'amount > 15']) await run('copyTask', split, where, target);
  const copied = await open(target);
  assert.deepEqual([...(await copied.column('amount').toArray())], [20.5, 30]);
  copied.close();
}

async function whatNoAttemptCanChangeIsNotTriedAgain() {
  const [task] = await run('planTasks', question);
  for (const [wrong, type] of [
    [{ ...task, split: { ...task.split, path: '/etc/passwd' } }, 'ERR_ARGUMENT'],
    [{ ...task, where: 'nope > 1' }, 'ERR_QUERY_TYPE'],
  ])
    await assert.rejects(run('sumTask', wrong), (error) => error.nonRetryable === true && error.type === type);
}

async function cancelledAttemptsStop() {
  const [task] = await run('planTasks', question);
  const environment = new MockActivityEnvironment();
  environment.cancel('CANCELLED');
  await assert.rejects(environment.run(activities.sumTask, task));
}

async function theWorkflowIsBundled() {
  const { code } = await bundleWorkflowCode({
    workflowsPath: workflowFile,
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error },
  });
  assert.match(code, /planTasks/);
  assert.doesNotMatch(code, /openDataset/);
}

/** An example without its types; the path. */
function compiled(name) {
  const { outputText } = ts.transpileModule(readFileSync(join(EXAMPLE, `${name}.ts`), 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const path = join(work, `${name}.mjs`);
  writeFileSync(path, outputText);
  return path;
}

function imported(path) {
  return import(pathToFileURL(path).href);
}
