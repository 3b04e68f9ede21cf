import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The rooms of a folder: the folders and files directly in it. A room imports only those before it. `any`: siblings,
 * such as commands, in any order that has no cycle.
 */
const ROOMS: ReadonlyMap<string, readonly string[] | 'any'> = new Map<string, readonly string[] | 'any'>([
  [
    'core',
    (
      'steps.ts units model wire symbols colour analyze contract redact compare import export explain load notes report ' +
      'live fleet'
    ).split(' '),
  ],
  [
    'core/analyze',
    (
      'compare-text.ts function-ref.ts function-label.ts short-name.ts made-functions.ts goroutine-waits.ts view ' +
      'search.ts other-value-types.ts tree tables time reading transforms summary graph'
    ).split(' '),
  ],
  [
    'core/compare',
    (
      'compare-warning.ts measure match statistics circumstances.ts compare-facts.ts normalise.ts value-text.ts verdict-words.ts ' +
      'describe-change.ts comparison.ts compare-warnings.ts describe-sizes.ts same-shape.ts wild-captures.ts ' +
      'withheld-verdicts.ts compare-functions.ts delta-tree.ts selection-delta.ts largest-change.ts judge-paths.ts ' +
      'rank-functions.ts top-movers.ts frame-delta.ts delta-colour.ts judged-rows.ts describe-answer.ts ' +
      'describe-comparison.ts describe-self-test.ts'
    ).split(' '),
  ],
  [
    'core/load',
    (
      'variance-of-mean.ts vitals.ts load-tools.ts recognise.ts answers readers series sweep.ts load-text.ts knee.ts ' +
      'describe-answers.ts probed.ts compare-sweeps.ts change-text.ts compare-series.ts components.ts describe-load.ts ' +
      'comparison-json.ts conclude.ts decide.ts fail-condition.ts hops.ts sweep-of-test.ts probe.ts describe-probe.ts ' +
      'judge-load-result.ts read-load-results.ts merge-sources.ts har.ts read-load-file.ts plan-load.ts experiment-plan.ts charts'
    ).split(' '),
  ],
  [
    'collectors',
    (
      'home-folder.ts check.ts effects kept-files.ts read-script.ts install-package.ts target message-log.ts mapped-binaries.ts collector.ts without-live.ts system-clock.ts ' +
      'recording-failure.ts recording-base.ts chosen-process.ts trace-process.ts trace-read-back.ts attached-recording.ts trace-recording.ts ' +
      'live trace-live.ts doctor stap describe-plan.ts bpftrace perf fetch symbols node java python pprof ' +
      'registry.ts doctor.ts recipes-on.ts'
    ).split(' '),
  ],
  ['app', 'node-20.ts version.ts electron engine cli'.split(' ')],
  [
    'app/engine',
    (
      'failure.ts program-files.ts comparison-words.ts disk http config files symbols library targets recording ' +
      'experiments live loads notes source fleet open-requests.ts routes.ts handlers server.ts shell-channel.ts main.ts'
    ).split(' '),
  ],
  ['app/cli', 'any'],
  ['renderer', 'packages index.html styles analysis ui state features shell report main.tsx'.split(' ')],
  [
    'renderer/analysis',
    (
      'answer.ts worker-names.ts worker-url.ts methods.ts request-failure.ts tree-places.ts pattern-jobs.ts ' +
      'regex-worker.ts serve-requests.ts open-source.ts read-source.ts pattern-search.ts session.ts profile comparison ' +
      'analysis-worker.ts'
    ).split(' '),
  ],
  ['renderer/ui', 'any'],
  ['renderer/state', 'any'],
  ['renderer/features', 'any'],
]);

/** Returns the room of a file in a folder: `model` of `core/model/profile.ts` in `core`; null if it has none there. */
function roomIn(folder: string, file: string): string | null {
  const [room = ''] = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/') : [];
  return room === '' || room.endsWith('.d.ts') ? null : room;
}

/** Returns why `file` must not import `target`, both relative to the repository; null if the order of rooms allows it. */
export function orderRefusal(file: string, target: string): string | null {
  for (const [folder, order] of ROOMS) {
    const [from, to] = [roomIn(folder, file), roomIn(folder, target)];
    if (order === 'any' || from === null || to === null || from === to) continue;
    if (order.indexOf(to) <= order.indexOf(from)) continue;
    return `${folder}/${to} comes after ${folder}/${from} in the order of scripts/rooms.ts: what both need belongs in a room before them`;
  }
  return null;
}

/** Returns the rooms that import each other where `any` order is allowed: the graph of each folder, by file → targets. */
export function siblingGraph(imports: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const [folder, order] of ROOMS) {
    if (order !== 'any') continue;
    for (const [file, targets] of imports) {
      const from = roomIn(folder, file);
      if (from === null) continue;
      const known = graph.get(`${folder}/${from}`) ?? new Set();
      for (const target of targets) known.add(`${folder}/${roomIn(folder, target) ?? from}`);
      graph.set(`${folder}/${from}`, known);
    }
  }
  return graph;
}

const DOCUMENT = 'docs/architecture.md';
const HEAD = '| folder | lines | rooms |\n|---|--:|---|\n';
const BLESS = 'npm run bless -- --lines';
/** Part of a number by which the table may differ, and the lines by which it always may. */
const TOLERANCE = 0.03;
const FEW_LINES = 30;

/**
 * Returns the table of the product's lines by folder and room, without rooms of one file, and the rooms that the order
 * lacks or has in vain.
 */
function countRooms(root: string): { rows: string[]; problems: string[] } {
  const problems: string[] = [];
  let all = 0;
  const rows = [...ROOMS].map(([folder, order]) => {
    const lines = new Map<string, number>();
    let total = 0;
    for (const native of globSync(`${folder}/**/*.{ts,tsx,mjs,css,html,sh,bt,stp}`, { cwd: root }).toSorted()) {
      const count = readFileSync(path.join(root, native), 'utf8').split('\n').length - 1;
      const room = roomIn(folder, native.split(path.sep).join('/'));
      total += count;
      if (room !== null) lines.set(room, (lines.get(room) ?? 0) + count);
    }
    if (!folder.includes('/')) all += total;
    const rooms = order === 'any' ? [...lines.keys()] : order;
    for (const room of lines.keys()) {
      if (!rooms.includes(room)) problems.push(`${folder}/${room} has no place in the order of scripts/rooms.ts`);
    }
    for (const room of rooms) if (!lines.has(room)) problems.push(`scripts/rooms.ts: there is no ${folder}/${room}`);
    const folders = rooms.filter((room) => !room.includes('.'));
    const cells = folders.map((room) => `${room} ${number(lines.get(room) ?? 0)}`);
    return `| ${folder} | ${number(total)} | ${cells.join(order === 'any' ? ', ' : ' ← ')} |`;
  });
  return { rows: [...rows, `| all | ${number(all)} | |`], problems };
}

const number = (lines: number): string => lines.toLocaleString('en');

/** Returns what is wrong with the order of rooms, and with the table of their lines in the docs. */
export function checkRooms(root: string): string[] {
  const { rows, problems } = countRooms(root);
  const written = tableIn(readFileSync(path.join(root, DOCUMENT), 'utf8')).split('\n');
  return [...problems, ...rowProblems(rows, written)];
}

/** Compares the rows of a table with the true ones: rooms and their order exactly, lines within the tolerance. */
export function rowProblems(rows: readonly string[], written: readonly string[]): string[] {
  const problems = rows.flatMap((row, place) => {
    const there = countsIn(written[place] ?? '');
    const counts = countsIn(row);
    if (counts.map(({ name }) => name).join(' ') !== there.map(({ name }) => name).join(' '))
      return [`expected ${row}`];
    return counts.flatMap(({ name, lines }, at) => {
      const said = there[at]!.lines;
      if (Math.abs(lines - said) <= Math.max(FEW_LINES, TOLERANCE * lines)) return [];
      return [`${name} has ${number(lines)} lines in ${counts[0]!.name}, not ${number(said)}`];
    });
  });
  return problems.map((problem) => `${DOCUMENT}: ${problem}; ${BLESS} rewrites the table`);
}

const countsIn = (row: string): { name: string; lines: number }[] =>
  [...row.matchAll(/([\w./-]+) (?:\| )?([\d,]+)(?= |$)/g)].map(([, name, lines]) => ({
    name: name!,
    lines: Number(lines!.replaceAll(',', '')),
  }));

/** Returns the rows of the table in the document. */
function tableIn(text: string): string {
  const [, after] = text.split(HEAD);
  if (after === undefined) throw new Error(`${DOCUMENT} lacks the table of rooms, whose head is ${HEAD}`);
  return after.split('\n\n')[0]!;
}

/** Rewrites the table in the docs. */
export function writeRooms(root: string): void {
  const file = path.join(root, DOCUMENT);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(HEAD + tableIn(text), () => HEAD + countRooms(root).rows.join('\n')),
  );
}
