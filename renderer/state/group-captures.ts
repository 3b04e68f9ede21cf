import { foldByLoad } from '#core/contract/fold-by-load.ts';
import { recordedProgram } from '#core/contract/recorded-program.ts';
import type { CaptureDocument, Side } from '#core/contract/schemas.ts';
import { countOf } from '../ui/format.ts';
import { nameText, shownNames, type ShownName } from './capture-name.ts';

/** The runs of one series, or a single capture. */
export interface CaptureGroup {
  readonly id: string;
  readonly name: string;
  /** The whole recorded command line; null if the document has none. */
  readonly command: string | null;
  readonly isSeries: boolean;
  /** The side, for a series whose two sides were recorded alternately; null for others. */
  readonly side: Side | null;
  /** Ordered by run. */
  readonly captures: readonly CaptureDocument[];
}

/**
 * Groups the runs of a series by side and by kind of profile, at the position of each group's newest capture. The order
 * is otherwise unchanged. `names` are those of the whole library.
 */
export function groupCaptures(captures: readonly CaptureDocument[], names = shownNames(captures)): CaptureGroup[] {
  const groups = new Map<string, CaptureDocument[]>();
  for (const capture of captures) {
    const key = groupKey(capture);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [capture]);
    else group.push(capture);
  }
  return [...groups].map(([id, members]) => {
    const ordered = members.toSorted((a, b) => (a.series?.run ?? 0) - (b.series?.run ?? 0));
    const { series } = ordered[0]!;
    return {
      id,
      name: series === null ? textOf(ordered[0]!, names) : groupName(ordered),
      command: recordedProgram(ordered[0]!).command,
      // Several kinds of profile fetched at once are not repeated runs.
      isSeries: series !== null && (ordered.length > 1 || kindOf(ordered[0]!) === null),
      side: series?.side ?? null,
      captures: ordered,
    };
  });
}

const textOf = ({ id, name }: CaptureDocument, names: ReadonlyMap<string, ShownName>): string =>
  nameText(names.get(id) ?? { name, mark: null });

/** A row of the library: a group, or all captures of a load test, which are not repeats of each other. */
export interface LibraryGroup extends CaptureGroup {
  readonly isLoad: boolean;
}

/** Folds captures that were recorded during the same load test into one row, at the position of the first. */
export function foldLoads(groups: readonly CaptureGroup[]): LibraryGroup[] {
  const folded = foldByLoad(groups, ({ captures }) => captures[0]!.load);
  return folded.map(({ load, items }) => {
    if (load === null) return { ...items[0]!, isLoad: false };
    const captures = items.flatMap((group) => group.captures).sort(byStepAndRun);
    return {
      id: `load ${load.test}`,
      name: load.name,
      command: null,
      isSeries: true,
      side: null,
      captures,
      isLoad: true,
    };
  });
}

const byStepAndRun = ({ load: one }: CaptureDocument, { load: other }: CaptureDocument): number =>
  (one?.concurrency ?? 0) - (other?.concurrency ?? 0) || (one?.run ?? 0) - (other?.run ?? 0);

/** Returns the name of a capture below the row of its load test, whose name recording appended. */
export const nameWithinLoad = ({ name, load }: CaptureDocument): string =>
  load === undefined ? name : withoutEnd(name, ` · ${load.name}`);

/** Returns all runs of the capture's group, or the capture alone. */
export const runsWith = ({ id }: CaptureDocument, captures: readonly CaptureDocument[]): readonly CaptureDocument[] =>
  groupCaptures(captures).find((group) => group.captures.some((one) => one.id === id))?.captures ?? [];

function groupKey(capture: CaptureDocument): string {
  const { id, series } = capture;
  if (series === null) return `capture ${id}`;
  return ['series', series.id, series.side, kindOf(capture)]
    .filter((part) => part !== undefined && part !== null)
    .join(' ');
}

/** Returns the kind of profile that was fetched from a pprof endpoint: `heap`; null for other captures. */
const kindOf = ({ options }: CaptureDocument): string | null =>
  options?.collector === 'pprof' ? options.kinds.join(' ') : null;

/** Returns a label such as `before · 3 runs`. */
export const groupSize = ({ side, captures }: CaptureGroup): string =>
  [side, countOf(captures.length, 'run')].filter((part) => part !== null).join(' · ');

/** Returns a run's number within its group, from 1. The document counts the runs of all sides and kinds together. */
export function runNumber(group: CaptureGroup, capture: CaptureDocument): number {
  const { series } = capture;
  if (series === null) return 1;
  if (kindOf(capture) !== null) return group.captures.indexOf(capture) + 1;
  return (series.side === undefined ? series.run : Math.floor(series.run / 2)) + 1;
}

/** Returns the name that the user gave all runs, else the program and its arguments. */
function groupName(captures: readonly CaptureDocument[]): string {
  const [first, ...others] = captures.map(nameParts);
  if (first === undefined || captures[0]!.series === null) return captures[0]?.name ?? '';
  const isShared = others.every(({ name }) => name === first.name);
  const { program, generated } = recordedProgram(captures[0]!);
  if (isShared && !generated.includes(first.name))
    return first.onHost === '' ? first.name : `${first.name} ${first.onHost}`;
  if (program === null) return commonName(captures);
  return first.onHost === '' ? program : `${program} ${first.onHost}`;
}

/** Splits off what recording adds to a capture's name, as in `nginx on web1 before (1/3)`. */
function nameParts({ name, series, target }: CaptureDocument): { readonly name: string; readonly onHost: string } {
  let rest = name.replace(/ \(\d+\/\d+\)$/, '');
  if (series?.side !== undefined) rest = withoutEnd(rest, ` ${series.side}`);
  const onHost = target === null ? '' : `on ${target.host}`;
  const bare = onHost === '' ? rest : withoutEnd(rest, ` ${onHost}`);
  return { name: bare, onHost: bare === rest ? '' : onHost };
}

/** Returns the name of a run whose series is renamed: what recording added to its name stays. */
export function renamedRun(capture: CaptureDocument, name: string): string {
  return `${name}${capture.name.slice(nameParts(capture).name.length)}`;
}

const withoutEnd = (text: string, end: string): string =>
  text.length > end.length && text.endsWith(end) ? text.slice(0, -end.length) : text;

/**
 * Returns the common start of all names, up to a whole word, without a trailing run number or separator; the first name
 * if they have no common start.
 */
export function commonName(captures: readonly Pick<CaptureDocument, 'name'>[]): string {
  const [first, ...others] = captures.map((capture) => capture.name);
  if (first === undefined || others.length === 0) return first ?? '';
  let shared = first.length;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, shared))) shared -= 1;
  }
  const isWithinWord = [first, ...others].some((name) => /^[\p{L}\p{N}]/u.test(name.slice(shared)));
  const whole = isWithinWord ? first.slice(0, shared).replace(/[\p{L}\p{N}.]+$/u, '') : first.slice(0, shared);
  const name = whole
    .replace(/\(\d*$/, '')
    .replace(/(?:[\s·,:#(/_-]|\brun\b)+$/iu, '')
    .trim();
  return name === '' ? first : name;
}

/** Order of the library's captures; a series counts as a whole. By tag, they are listed below each of their tags. */
export type LibrarySort = 'newest' | 'name' | 'largest' | 'tag';

/** Sorts groups that are newest first. */
export function sortGroups<T extends CaptureGroup>(groups: readonly T[], by: LibrarySort): readonly T[] {
  if (by === 'newest' || by === 'tag') return groups;
  if (by === 'name') return groups.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const bytesOf = ({ captures }: CaptureGroup): number => captures.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return groups.toSorted((a, b) => bytesOf(b) - bytesOf(a));
}

/** Groups of captures below a heading. */
export interface TagSection<T extends CaptureGroup = CaptureGroup> {
  /** Empty for groups without a tag; null for no heading, since nothing has a tag. */
  readonly tag: string | null;
  readonly groups: readonly T[];
}

/** Lists groups below each of their tags, which are sorted by name; those without one come last. */
export function sectionsByTag<T extends CaptureGroup>(groups: readonly T[]): TagSection<T>[] {
  const tagsOf = ({ captures }: CaptureGroup): Set<string> => new Set(captures.flatMap(({ tags }) => tags));
  const tags = [...new Set(groups.flatMap((group) => [...tagsOf(group)]))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  if (tags.length === 0) return [{ tag: null, groups }];
  const sections = tags.map((tag) => ({ tag, groups: groups.filter((group) => tagsOf(group).has(tag)) }));
  const untagged = groups.filter((group) => tagsOf(group).size === 0);
  return untagged.length === 0 ? sections : [...sections, { tag: '', groups: untagged }];
}
