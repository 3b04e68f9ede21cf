import { recordedProgram } from '#core/contract/recorded-program.ts';
import type { CaptureDocument, Side } from '#core/contract/schemas.ts';
import { countOf } from '../ui/format.ts';

/** The runs of one series, or one capture by itself. */
export interface CaptureGroup {
  readonly id: string;
  readonly name: string;
  /** The recorded command line as a whole; null where the document does not say. */
  readonly command: string | null;
  readonly isSeries: boolean;
  /** Of a series of two sides that were recorded in turn; null: of any other. */
  readonly side: Side | null;
  /** In order of the runs. */
  readonly captures: readonly CaptureDocument[];
}

/** Groups the runs of a series by side, at the place of the newest capture of each. Order is otherwise as given. */
export function groupCaptures(captures: readonly CaptureDocument[]): CaptureGroup[] {
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
      name: groupName(ordered),
      command: recordedProgram(ordered[0]!).command,
      isSeries: series !== null,
      side: series?.side ?? null,
      captures: ordered,
    };
  });
}

function groupKey({ id, series }: CaptureDocument): string {
  if (series === null) return `capture ${id}`;
  return series.side === undefined ? `series ${series.id}` : `series ${series.id} ${series.side}`;
}

/** `before · 3 runs` */
export const groupSize = ({ side, captures }: CaptureGroup): string =>
  [side, countOf(captures.length, 'run')].filter((part) => part !== null).join(' · ');

/** Which repeat of its side a run is, from 1: runs of two sides are counted over both. */
export function runNumber({ series }: CaptureDocument): number {
  if (series === null) return 1;
  return (series.side === undefined ? series.run : Math.floor(series.run / 2)) + 1;
}

/** The name that the user gave all runs, else the program and its arguments. */
function groupName(captures: readonly CaptureDocument[]): string {
  const [first, ...others] = captures.map(nameParts);
  if (first === undefined || captures[0]!.series === null) return captures[0]?.name ?? '';
  const isShared = others.every(({ name }) => name === first.name);
  const { program, generated } = recordedProgram(captures[0]!);
  if (isShared && first.name !== generated) return first.onHost === '' ? first.name : `${first.name} ${first.onHost}`;
  if (program === null) return commonName(captures);
  return first.onHost === '' ? program : `${program} ${first.onHost}`;
}

/** A capture's name without what recording adds to it: `nginx on web1 before (1/3)`. */
function nameParts({ name, series, target }: CaptureDocument): { readonly name: string; readonly onHost: string } {
  let rest = name.replace(/ \(\d+\/\d+\)$/, '');
  if (series?.side !== undefined) rest = withoutEnd(rest, ` ${series.side}`);
  const onHost = target === null ? '' : `on ${target.host}`;
  const bare = onHost === '' ? rest : withoutEnd(rest, ` ${onHost}`);
  return { name: bare, onHost: bare === rest ? '' : onHost };
}

const withoutEnd = (text: string, end: string): string =>
  text.length > end.length && text.endsWith(end) ? text.slice(0, -end.length) : text;

/**
 * What all names begin with, up to a whole word and without a trailing run number or separator; the first name where they share nothing.
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
