import { recordedProgram } from '#core/contract/recorded-program.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { clockTime, day } from '../ui/format.ts';

/** What a capture is called in lists and tabs. */
export interface ShownName {
  /** The name that the user gave, else the program with its first arguments. */
  readonly name: string;
  /** Distinguishes it from others of this name that nobody named: commit, event, time; null if it is alone. */
  readonly mark: string | null;
}

/** Maximum length of a program with its arguments, in UTF-16 units; whole words are kept. */
const LONGEST = 48;

/** Returns the names of all captures by ID. */
export function shownNames(captures: readonly CaptureDocument[]): ReadonlyMap<string, ShownName> {
  const alike = new Map<string, CaptureDocument[]>();
  const names = new Map<string, ShownName>();
  for (const capture of captures) {
    const program = generatedName(capture);
    names.set(capture.id, { name: program ?? capture.name, mark: null });
    if (program === null) continue;
    const others = alike.get(program);
    if (others === undefined) alike.set(program, [capture]);
    else others.push(capture);
  }
  for (const [name, group] of alike) {
    if (group.length === 1) continue;
    const marks = marksOf(group);
    group.forEach(({ id }, index) => names.set(id, { name, mark: marks[index]! }));
  }
  return names;
}

export function shownName(capture: CaptureDocument, captures: readonly CaptureDocument[]): string {
  const program = generatedName(capture);
  if (program === null) return capture.name;
  const alike = captures.filter((other) => other.id === capture.id || generatedName(other) === program);
  return nameText(shownNames(alike).get(capture.id) ?? { name: program, mark: null });
}

export const nameText = ({ name, mark }: ShownName): string => (mark === null ? name : `${name} · ${mark}`);

/** Returns the program and its first arguments instead of a generated name; null for other names, and for runs. */
function generatedName(capture: CaptureDocument): string | null {
  if (capture.series !== null) return null;
  const { program, generated } = recordedProgram(capture);
  return program === null || !generated.includes(capture.name) ? null : firstWords(program);
}

function firstWords(line: string): string {
  if (line.length <= LONGEST) return line;
  const end = line.lastIndexOf(' ', LONGEST - 2);
  return `${line.slice(0, end < 8 ? LONGEST - 1 : end).trimEnd()}${end < 8 ? '' : ' '}…`;
}

/** Returns a mark for each capture, of as few parts as differ; the time with seconds where minutes are not enough. */
function marksOf(group: readonly CaptureDocument[]): string[] {
  const differ = (of: (capture: CaptureDocument) => string): boolean => new Set(group.map(of)).size > 1;
  const hasEvents = differ(({ event }) => event ?? '');
  const hasDays = differ(({ createdAt }) => day(createdAt));
  const hasCommits = differ(({ commit }) => commit ?? '');
  const textOf = (capture: CaptureDocument, withSeconds: boolean): string =>
    [
      hasCommits ? (capture.commit?.slice(0, 7) ?? null) : null,
      hasEvents ? capture.event : null,
      [hasDays ? day(capture.createdAt) : null, clockTime(capture.createdAt, withSeconds)]
        .filter((part) => part !== null)
        .join(' '),
    ]
      .filter((part) => part !== null)
      .join(' · ');
  const marks = group.map((capture) => textOf(capture, false));
  if (new Set(marks).size === group.length) return marks;
  const exact = group.map((capture) => textOf(capture, true));
  const counts = new Map<string, number>();
  for (const mark of exact) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  // Recorded within one second.
  return exact.map((mark, index) => (counts.get(mark) === 1 ? mark : `${mark} · ${group[index]!.id.slice(-6)}`));
}
