import { escapeControls } from '#core/contract/escape-controls.ts';
import { explanationAsJson, explanationAsText } from '#core/explain/print.ts';
import { countText, createFormatter } from '#core/units/format.ts';
import type { Judged } from '../ci/judge.ts';
import { changeOf, type ChangedLines, type Repository } from '../ci/repository.ts';
import type { ChangePoint } from './change-point.ts';
import type { BisectState } from './state.ts';

export type HistoryCommit = NonNullable<Awaited<ReturnType<Repository['history']>>>[number];

/** The commit that was found, compared with its parent. */
interface Named extends Judged {
  readonly experimentId: string;
  readonly commit: HistoryCommit;
  readonly changed: readonly ChangedLines[];
  /** Names of the functions of `--function`. */
  readonly asked: readonly string[];
}

export interface BisectResult {
  readonly commits: readonly HistoryCommit[];
  readonly found: ChangePoint | null;
  /** Places that have the probability together, first and last. */
  readonly range: readonly [number, number] | null;
  readonly error: number;
  readonly state: BisectState;
  readonly named: Named | null;
  readonly uncommitted: number;
}

/** Pairs of the named commit and its parent, which show what moved. */
export const LAST_STEP = 10;

const formatter = createFormatter('en');

export const changeText = (change: number): string => formatter.share(change, 1, { sign: 'always' });

export const rangeText = (commits: readonly HistoryCommit[], [first, last]: readonly [number, number]): string =>
  first === last
    ? commits[first]!.short
    : `${countText(last - first + 1, 'commit')}, ${commits[first]!.short} to ${commits[last]!.short}`;

const MOST_LISTED = 5;
/** Lines of a hunk that are printed. */
const MOST_LINES = 20;

/** Lists the commits by their probability. */
function posteriorLines({ commits, found }: BisectResult): string[] {
  const rows = (found?.posterior ?? []).map((probability, place) => ({ probability, commit: commits[place]! }));
  return rows
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MOST_LISTED)
    .filter(({ probability }) => probability >= 0.001)
    .map(
      ({ probability, commit }) =>
        `  ${formatter.share(probability, 1).padStart(7)}  ${commit.short}  ${commit.subject}`,
    );
}

function answerOf({ commits, found, range, error, named }: BisectResult): string {
  if (found === null || !found.isShown) return 'undecided: the runs do not show that the ends of the history differ';
  const change = changeText(found.change);
  if (named !== null)
    return `${named.commit.short} ${named.commit.subject}: first with ${change}; it is another with a probability of at most ${formatter.share(error, 1)}`;
  return `undecided: ${change} came with one of ${rangeText(commits, range!)}`;
}

/** Says how to go on within the branch that a merge brought. */
const mergeText = ({ short }: HistoryCommit): string =>
  `it is a merge; for the commit of its branch, bisect "$(git merge-base ${short}^1 ${short}^2)" ${short}^2`;

export function bisectAsText(result: BisectResult): string {
  const { commits, state, named, uncommitted } = result;
  const merges = commits.filter(({ isMerge }) => isMerge).length;
  const runs = state.tested.reduce((sum, { pairs }) => sum + 2 * pairs.length, 0);
  const places = named === null ? [] : touched(named);
  const lines = [
    answerOf(result),
    ...(named?.commit.isMerge === true ? [mergeText(named.commit)] : []),
    '',
    ...posteriorLines(result),
    `${countText(commits.length, 'commit')}, ${countText(merges, 'merge')} among them; ${countText(new Set(state.tested.map(({ hash }) => hash)).size, 'commit')} tested by ${countText(runs, 'run')}; ${countText(state.skipped.length, 'commit')} skipped`,
    ...state.skipped.slice(0, MOST_LISTED).map(({ hash, why }) => `  ${hash.slice(0, 12)}: ${why}`),
    ...(uncommitted === 0 ? [] : [`${countText(uncommitted, 'uncommitted file')} not measured`]),
    ...places.flatMap(({ name, place }) => [
      `${name}: changed in ${place.file}:${place.line}`,
      ...hunkOf(place, MOST_LINES).map((line) => `  ${line}`),
    ]),
  ];
  const head = `${lines.map(escapeControls).join('\n')}\n`;
  return named === null
    ? head
    : `${head}\nWith its parent, by ${countText(LAST_STEP, 'run')} a side alone: ${explanationAsText(named.explanation, named.context)}`;
}

/** Returns the removed and added lines. */
function hunkOf({ text }: ChangedLines, most: number): string[] {
  const lines = text.split('\n').slice(1);
  return lines.length > most ? [...lines.slice(0, most), `and ${countText(lines.length - most, 'more line')}`] : lines;
}

/** Returns the lines of the named commit that touch a function which moved, or which was asked for. */
function touched({ explanation, changed, asked }: Named) {
  const names = [...explanation.claims.flatMap(({ handle }) => handle?.function ?? []), ...asked];
  return [...new Set(names)].flatMap((name) => {
    const place = changeOf(name, changed);
    return place === null ? [] : [{ name, place }];
  });
}

/** Returns the documented JSON; see docs/cli.md. */
export const bisectAsJson = (result: BisectResult): object => {
  const { commits, found, state, named, error, range, uncommitted } = result;
  return {
    commit: named === null ? null : { hash: named.commit.hash, subject: named.commit.subject },
    error,
    change: found?.change ?? null,
    isShown: found?.isShown ?? false,
    range: range === null ? null : commits.slice(range[0], range[1] + 1).map(({ hash }) => hash),
    commits: commits.map(({ hash, subject, isMerge }, place) => ({
      hash,
      subject,
      isMerge,
      probability: found?.posterior[place] ?? null,
    })),
    tested: state.tested,
    skipped: state.skipped,
    uncommitted,
    touched:
      named === null
        ? []
        : touched(named).map(({ name, place }) => ({
            function: name,
            file: place.file,
            line: place.line,
            hunk: hunkOf(place, Infinity),
          })),
    experiment: named?.experimentId ?? null,
    explanation: named === null ? null : explanationAsJson(named.explanation, named.context),
  };
};
