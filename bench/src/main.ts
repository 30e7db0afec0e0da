// The program: `pnpm bench`. Reads the command line, finds suites and peers, runs, shows tables and keeps the results.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compare } from './checkouts/ab.ts';
import type { Comparison } from './checkouts/ab.ts';
import { USAGE, parseArguments, parseSide } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import { describePeers, listPeerFiles, peerFile, selectCandidates, unknownNames } from './run/candidates.ts';
import type { Candidate, FoundPeer } from './run/candidates.ts';
import { ON_REQUEST, installPeers } from './checkouts/installed.ts';
import { CHECKOUT_VARIABLE, redirectionTo } from './checkouts/checkout.ts';
import { comparisonTable, hotParts } from './checkouts/hot.ts';
import { describeMachine, machineName } from './report/machine.ts';
import { PACKAGE_FOLDER } from './checkouts/package-folder.ts';
import { CACHE_FOLDER } from './cache-folder.ts';
import { Progress } from './run/progress.ts';
import { report } from './report/report.ts';
import { readResults, writeResults } from './report/results.ts';
import type { SuiteResults } from './report/results.ts';
import { runSuite } from './run/run-suite.ts';
import { buildPeerFiles, prepareData } from './run/session.ts';
import type { Suite } from './suite.ts';
import { corpusSuite } from '../suites/corpus/corpus.ts';
import { corpusSummary, corpusTables } from '../suites/corpus/summary.ts';
import { RESULTS_FOLDER, rates, remote, saveText, shapes } from './measurements.ts';
import { SUITES } from './suites.ts';
import { sweepReport } from './report/sweep-report.ts';
import { sweepSvg } from './report/sweep-svg.ts';
import { runSweep } from './sweep.ts';

const AB_ROUNDS = 25;
const progress = new Progress();

main(process.argv.slice(2)).then(
  (ok) => (process.exitCode = ok ? 0 : 1),
  (error: unknown) => {
    progress.done(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);

async function main(words: readonly string[]): Promise<boolean> {
  const given = parseArguments(words);
  switch (given.command) {
    case 'help':
      console.log(USAGE);
      return true;
    case 'list':
      return list(given);
    case 'ab':
      return ab(given);
    case 'sweep':
      return sweep(given);
    case 'peers':
      return peersOnRequest(given);
    case 'shapes':
      return shapes(given, progress);
    case 'rates':
      return rates(given, progress);
    case 'remote':
      return remote(given, progress);
    case 'corpus':
      return corpus(given);
    case 'run':
      return run(given, findSuites(given.words));
  }
}

async function run(given: Arguments, suites: readonly Suite[]): Promise<boolean> {
  const peers = await findPeers(given);
  let failed = false;
  for (const suite of suites) {
    const wanted = [...given.peers, ...given.only, ...filePeerNames(given, peers)];
    const candidates = selectCandidates(peers, suite.name, wanted);
    if (candidates.length === 0) {
      progress.done(`${suite.name}: none of the peers asked for can run here`);
      failed = true;
      continue;
    }
    const name = resultsName(suite, given);
    const kept = keptResults(name);
    const results = await runSuite(
      suite,
      peers,
      candidates,
      {
        quick: given.quick,
        cold: given.cold,
        rounds: given.rounds,
        clock: given.clock,
        tasks: given.tasks,
        skipFinished: given.resume,
        earlier: given.resume || given.only.length > 0 ? readResults(kept) : null,
        cacheFolder: CACHE_FOLDER,
        repositoryFolder: PACKAGE_FOLDER,
      },
      progress,
      (sofar) => writeResults(kept, sofar),
    );
    console.log(`\n${report(results)}\n`);
    progress.done(`results: ${kept}`);
    if (given.save) save(name, results);
    failed ||= hasFailures(results);
  }
  return !failed;
}

const resultsName = ({ name }: Suite, { quick, cold }: Arguments): string =>
  `${name}${quick ? '-quick' : ''}${cold ? '-cold' : ''}-${machineName(describeMachine())}`;

const keptResults = (name: string): string => join(CACHE_FOLDER, 'results', `${name}.json`);

/** Tables of different kinds, each through the same tasks; then all of them on one page. */
async function corpus(given: Arguments): Promise<boolean> {
  const tables = corpusTables(given.words);
  const suites = tables.map(corpusSuite);
  const ok = await run({ ...given, save: false }, suites);
  const found = tables.flatMap((table) => {
    const results = readResults(keptResults(resultsName(corpusSuite(table), given)));
    return results === null ? [] : [[table, results] as const];
  });
  const text = corpusSummary(new Map(found), given.clock);
  console.log(`\n${text}\n`);
  if (given.save) saveText('corpus', text, progress);
  return ok;
}

/** Writes what is committed: reasons of failures name no path of this machine. */
function save(name: string, results: SuiteResults): void {
  const repository = resolve(PACKAGE_FOLDER, '..');
  const shown = JSON.parse(JSON.stringify(results).replaceAll(`${repository}/`, '')) as SuiteResults;
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  writeResults(join(RESULTS_FOLDER, `${name}.json`), shown);
  writeFileSync(join(RESULTS_FOLDER, `${name}.md`), `${report(shown)}\n`);
  progress.done(`saved: ${join(RESULTS_FOLDER, name)}.json and .md`);
}

async function list(given: Arguments): Promise<boolean> {
  const peers = await findPeers(given);
  for (const suite of SUITES) {
    console.log(`${suite.name}: ${suite.title}`);
    for (const task of suite.tasks) console.log(`  task ${task.name}: ${task.title}`);
    for (const { name, title } of suite.sweeps ?? []) console.log(`  sweep ${name}: ${title}`);
    for (const { description } of peers) {
      for (const variant of description.suites[suite.name] ?? [])
        console.log(`  candidate ${description.name}/${variant}${description.onRequest ? ' (only when named)' : ''}`);
    }
  }
  for (const { description } of peers)
    if (description.missing !== null) console.log(`missing ${description.name}: ${description.missing}`);
  return true;
}

async function sweep(given: Arguments): Promise<boolean> {
  const [suiteName, ...axes] = given.words;
  const suites = (suiteName === undefined ? SUITES : findSuites([suiteName])).filter(
    ({ sweeps = [] }) => sweeps.length > 0,
  );
  const wanted = suites.flatMap((suite) =>
    (suite.sweeps ?? [])
      .filter(({ name }) => axes.length === 0 || axes.includes(name))
      .map((each) => ({ suite, each })),
  );
  if (wanted.length === 0)
    throw new Error(
      'no such sweep; there are ' +
        SUITES.flatMap(({ name, sweeps = [] }) => sweeps.map((each) => `${name} ${each.name}`)).join(', '),
    );
  const peers = await findPeers(given);
  for (const { suite, each } of wanted) {
    // All that are named in its points, whether or not they take part unasked.
    const candidates = selectCandidates(
      peers,
      suite.name,
      given.peers.length > 0
        ? given.peers
        : [...new Set(each.points.flatMap((point) => Object.keys(point.candidates)))],
    );
    const results = await runSweep(
      suite,
      each,
      peers,
      candidates,
      { quick: given.quick, rounds: given.rounds, cacheFolder: CACHE_FOLDER, repositoryFolder: PACKAGE_FOLDER },
      progress,
    );
    console.log(`\n${sweepReport(results)}\n`);
    const name = `${suite.name}-${each.name}${given.quick ? '-quick' : ''}-${machineName(describeMachine())}`;
    for (const folder of [join(CACHE_FOLDER, 'results'), ...(given.save ? [RESULTS_FOLDER] : [])]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}.svg`), sweepSvg(results));
      writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(results, null, 1)}\n`);
      progress.done(`curves: ${join(folder, name)}.svg and .json`);
    }
  }
  return true;
}

/** The peers that are installed only when somebody asks: which ones, or their installation. */
function peersOnRequest({ install }: Arguments): boolean {
  if (install) return installPeers();
  for (const [name, version] of Object.entries(ON_REQUEST)) console.log(`${name} ${version}`);
  console.log('`pnpm bench peers --install` brings them into bench/.cache');
  return true;
}

async function ab(given: Arguments): Promise<boolean> {
  const [suiteName, taskNames, a, b] = given.words;
  if (suiteName === 'hot') return hot(given);
  if (
    suiteName === undefined ||
    taskNames === undefined ||
    a === undefined ||
    b === undefined ||
    given.words.length > 4
  )
    throw new Error(USAGE);
  const [suite] = findSuites([suiteName]) as [Suite];
  const names = taskNames.split(',');
  const tasks = suite.tasks.filter(({ name }) => names.includes(name));
  if (tasks.length !== names.length)
    throw new Error(`suite ${suite.name} has the tasks ${suite.tasks.map(({ name }) => name).join(', ')}`);
  const peers = await findPeers(given);
  const sides = [await findSide(a, suite, peers), await findSide(b, suite, peers)] as const;
  const data = await prepareData(suite, suite.data(given.quick), CACHE_FOLDER, progress);
  for (const { peer } of sides) await buildPeerFiles(data, peer, progress);
  const comparisons = await compare(
    tasks,
    sides[0].candidate,
    sides[1].candidate,
    data,
    given.rounds ?? AB_ROUNDS,
    progress,
    given.clock,
  );
  progress.done(`A ${a}\nB ${b}`);
  console.log(comparisonTable(comparisons));
  return true;
}

/** Every hot call here (B) against another checkout (A), which is what came before in most cases. */
async function hot(given: Arguments): Promise<boolean> {
  const [, other] = given.words;
  if (other === undefined || given.words.length > 2) throw new Error(USAGE);
  const checkout = resolve(process.env['INIT_CWD'] ?? '.', other);
  redirectionTo(checkout); // an early word where it is not built
  const parts = hotParts(given.tasks);
  const peers = await findPeers(given);
  const all: { part: string; comparison: Comparison }[] = [];
  for (const part of parts) {
    const [suite] = findSuites([part.suite]) as [Suite];
    const data = await prepareData(suite, suite.data(part.quick || given.quick), CACHE_FOLDER, progress);
    const [a, b] = [
      await findSide(`${part.candidate},${CHECKOUT_VARIABLE}=${checkout}`, suite, peers),
      await findSide(part.candidate, suite, peers),
    ];
    await buildPeerFiles(data, b.peer, progress);
    const tasks = suite.tasks.filter(({ name }) => part.tasks.includes(name));
    const comparisons = await compare(
      tasks,
      a.candidate,
      b.candidate,
      data,
      given.rounds ?? AB_ROUNDS,
      progress,
      given.clock,
    );
    progress.done(
      `${part.suite} ${part.candidate}${part.quick ? ' (small data)' : ''}\n${comparisonTable(comparisons)}\n`,
    );
    for (const comparison of comparisons)
      all.push({ part: `${part.suite} ${part.candidate} ${comparison.task}`, comparison });
  }
  progress.done(`A ${checkout}\nB this checkout`);
  const names = new Map(all.map(({ part, comparison }) => [comparison, part]));
  console.log(
    comparisonTable(
      all.map(({ comparison }) => comparison),
      (found) => names.get(found) ?? found.task,
    ),
  );
  return true;
}

async function findSide(
  text: string,
  suite: Suite,
  peers: readonly FoundPeer[],
): Promise<{ candidate: Candidate; peer: FoundPeer }> {
  const { target, variant, environment } = parseSide(text);
  if (variant !== null) {
    const [peer] = await describePeers([
      peerFile(resolve(process.env['INIT_CWD'] ?? '.', target), process.env, environment),
    ]);
    return sideOf(peer as FoundPeer, suite, variant, environment);
  }
  const [peerName = '', variantName = ''] = target.split('/');
  const peer = peers.find(({ description }) => description.name === peerName);
  if (peer === undefined) throw new Error(`unknown candidate ${target}; see \`pnpm bench list\``);
  return sideOf(peer, suite, variantName, environment);
}

function sideOf(
  peer: FoundPeer,
  suite: Suite,
  variant: string,
  environment: Readonly<Record<string, string>>,
): { candidate: Candidate; peer: FoundPeer } {
  const { description, file } = peer;
  if (description.missing !== null || file.command === null)
    throw new Error(`${description.name} cannot run here: ${description.missing ?? ''}`);
  if (description.suites[suite.name]?.includes(variant) !== true)
    throw new Error(
      `${description.name} has the variants ${(description.suites[suite.name] ?? []).join(', ')} in suite ` +
        suite.name,
    );
  const command = { ...file.command, environment: { ...file.command.environment, ...environment } };
  return { peer, candidate: { id: `${description.name}/${variant}`, peer: description.name, variant, command } };
}

function findSuites(names: readonly string[]): readonly Suite[] {
  const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0)
    throw new Error(
      `unknown suite ${unknown.join(', ')}; there are ${SUITES.map(({ name }) => name).join(', ')}\n\n${USAGE}`,
    );
  return names.length === 0 ? SUITES : SUITES.filter(({ name }) => names.includes(name));
}

async function findPeers(given: Arguments): Promise<FoundPeer[]> {
  progress.update('asking the peers what they are');
  const peers = await describePeers(listPeerFiles(given.peerFiles));
  const unknown = unknownNames(peers, [...given.peers, ...given.only]);
  if (unknown.length > 0) throw new Error(`no peer is called ${unknown.join(', ')}; see \`pnpm bench list\``);
  for (const { description } of peers)
    if (description.missing !== null)
      progress.done(`not measured: ${description.name}: ${description.missing.split('\n', 1)[0] ?? ''}`);
  return peers;
}

/** The names of peers given by path: to name a file is to ask for it. */
function filePeerNames(given: Arguments, peers: readonly FoundPeer[]): string[] {
  return given.peerFiles.length === 0
    ? []
    : peers.slice(-given.peerFiles.length).map(({ description }) => description.name);
}

function hasFailures(results: SuiteResults): boolean {
  return Object.values(results.tasks).some(({ measurements }) =>
    Object.values(measurements).some(({ kind }) => kind === 'failed'),
  );
}
