import { foldByLoad, loadRow } from '#core/contract/load/fold-by-load.ts';
import { recordedProgram } from '#core/contract/recorded-program.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { Side } from '#core/contract/side.ts';
import { countOf } from '../ui/format.ts';
import { nameText, shownNames, type ShownName } from './capture-name.ts';

/** The runs of one series, or a single capture. */
export interface CaptureGroup {
  readonly id: string;
  readonly name: string;
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
  const series = new Map<string, CaptureDocument[]>();
  const places: (CaptureGroup | CaptureDocument[])[] = [];
  for (const capture of captures) {
    if (capture.series === null) {
      places.push(groupAlone(capture, names));
      continue;
    }
    const key = seriesKey(capture, capture.series);
    const members = series.get(key);
    if (members === undefined) {
      const first = [capture];
      series.set(key, first);
      places.push(first);
    } else {
      members.push(capture);
    }
  }
  return places.map((place) => ('id' in place ? place : groupOf(place)));
}

/** Most captures of a long list are not in a series, and the list is grouped at each key of a search. */
const groupsOfOne = new WeakMap<CaptureDocument, CaptureGroup>();

function groupAlone(capture: CaptureDocument, names: ReadonlyMap<string, ShownName>): CaptureGroup {
  const known = groupsOfOne.get(capture);
  const name = textOf(capture, names);
  if (known?.name === name) return known;
  const group = { id: `capture ${capture.id}`, name, isSeries: false, side: null, captures: [capture] };
  groupsOfOne.set(capture, group);
  return group;
}

function groupOf(members: readonly CaptureDocument[]): CaptureGroup {
  const captures = members.toSorted((a, b) => (a.series?.run ?? 0) - (b.series?.run ?? 0));
  const first = captures[0]!;
  return {
    id: seriesKey(first, first.series!),
    name: groupName(captures),
    // Several kinds of profile fetched at once are not repeated runs.
    isSeries: captures.length > 1 || kindOf(first) === null,
    side: first.series!.side ?? null,
    captures,
  };
}

const textOf = ({ id, name }: CaptureDocument, names: ReadonlyMap<string, ShownName>): string =>
  nameText(names.get(id) ?? { name, mark: null });

/** A row of the library: a group, or all captures of a load test or an experiment under load, which are not repeats of each other. */
export interface LibraryGroup extends CaptureGroup {
  readonly isLoad?: true;
}

/** Folds captures that were recorded during the same load test or experiment into one row, at the position of the first. */
export function foldLoads(groups: readonly CaptureGroup[]): readonly LibraryGroup[] {
  if (groups.every(({ captures }) => captures[0]!.load === undefined)) return groups;
  const folded = foldByLoad(groups, ({ captures }) => captures[0]!.load);
  return folded.map(({ load, items }) => {
    if (load === null) return items[0]!;
    const captures = items.flatMap((group) => group.captures).sort(byStepAndRun);
    return {
      id: `load ${loadRow(load).id}`,
      name: loadRow(load).name,
      isSeries: true,
      side: null,
      captures,
      isLoad: true,
    };
  });
}

const byStepAndRun = ({ load: one }: CaptureDocument, { load: other }: CaptureDocument): number =>
  (one?.concurrency ?? 0) - (other?.concurrency ?? 0) ||
  sideOf(one) - sideOf(other) ||
  (one?.run ?? 0) - (other?.run ?? 0);

const sideOf = (load: CaptureDocument['load']): number => (load?.experiment?.side === 'after' ? 1 : 0);

/** Returns the name of a capture below the row of its load test, whose name recording appended, or its experiment. */
export function nameWithinLoad({ name, load }: CaptureDocument): string {
  if (load === undefined) return name;
  const own = withoutEnd(name, ` · ${load.name}`);
  return load.experiment === undefined ? own : `${own} · ${load.experiment.side}`;
}

/** Returns all runs of the capture's group, or the capture alone. */
export const runsWith = ({ id }: CaptureDocument, captures: readonly CaptureDocument[]): readonly CaptureDocument[] =>
  groupCaptures(captures).find((group) => group.captures.some((one) => one.id === id))?.captures ?? [];

const seriesKey = (capture: CaptureDocument, { id, side }: NonNullable<CaptureDocument['series']>): string =>
  ['series', id, side, kindOf(capture)].filter((part) => part !== undefined && part !== null).join(' ');

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

/** Returns the name that the user gave all runs of a series, else the program and its arguments. */
function groupName(captures: readonly CaptureDocument[]): string {
  const [first, ...others] = captures.map(nameParts);
  if (first === undefined) return '';
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
  const start = first.slice(0, shared);
  const whole = isWithinWord ? start.replace(/(?:, [^\s,]+-)?[\p{L}\p{N}.]*$/u, '') : start;
  const name = whole
    .replace(/\(\d*$/, '')
    .replace(/(?:[\s·,:#(/_-]|\brun\b)+$/iu, '')
    .trim();
  return name === '' ? first : name;
}

/** Order of the library's captures; a series counts as a whole. By tag, they are listed below each of their tags. */
export type LibrarySort = 'newest' | 'name' | 'largest' | 'tag';

const NAME_ORDER = new Intl.Collator(undefined, { numeric: true });
const TAG_ORDER = new Intl.Collator('en', { numeric: true });

/** Sorts groups that are newest first. */
export function sortGroups<T extends CaptureGroup>(groups: readonly T[], by: LibrarySort): readonly T[] {
  if (by === 'newest' || by === 'tag') return groups;
  if (by === 'name') return groups.toSorted((a, b) => NAME_ORDER.compare(a.name, b.name));
  const bytes = new Map(groups.map((group) => [group, group.captures.reduce((sum, one) => sum + one.sizeBytes, 0)]));
  return groups.toSorted((a, b) => bytes.get(b)! - bytes.get(a)!);
}

/** Groups of captures below a heading. */
export interface TagSection<T extends CaptureGroup = CaptureGroup> {
  /** Empty for groups without a tag; null for no heading, since nothing has a tag. */
  readonly tag: string | null;
  readonly groups: readonly T[];
}

/** Lists groups below each of their tags, which are sorted by name; those without one come last. */
export function sectionsByTag<T extends CaptureGroup>(groups: readonly T[]): TagSection<T>[] {
  const byTag = new Map<string, T[]>();
  const untagged: T[] = [];
  for (const group of groups) {
    const tags = new Set(group.captures.flatMap((capture) => capture.tags));
    if (tags.size === 0) untagged.push(group);
    for (const tag of tags) {
      const members = byTag.get(tag);
      if (members === undefined) byTag.set(tag, [group]);
      else members.push(group);
    }
  }
  if (byTag.size === 0) return [{ tag: null, groups }];
  const sections = Array.from(byTag, ([tag, members]) => ({ tag, groups: members }));
  sections.sort((a, b) => TAG_ORDER.compare(a.tag, b.tag));
  return untagged.length === 0 ? sections : [...sections, { tag: '', groups: untagged }];
}

/** Returns the first `count` groups below their headings, and the number of all others. */
export function firstGroups<T extends CaptureGroup>(
  sections: readonly TagSection<T>[],
  count: number,
): { readonly shown: TagSection<T>[]; readonly hidden: number } {
  const shown: TagSection<T>[] = [];
  let place = 0;
  for (const { tag, groups } of sections) {
    if (place < count) shown.push({ tag, groups: groups.slice(0, count - place) });
    place += groups.length;
  }
  return { shown, hidden: Math.max(0, place - count) };
}
