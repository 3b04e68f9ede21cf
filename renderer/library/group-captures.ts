import type { CaptureDocument } from '#core/contract/schemas.ts';

/** The runs of one series, or one capture by itself. */
export interface CaptureGroup {
  readonly id: string;
  readonly name: string;
  readonly isSeries: boolean;
  /** In order of the runs. */
  readonly captures: readonly CaptureDocument[];
}

/** Groups the runs of a series, at the place of its newest capture. Order is otherwise as given. */
export function groupCaptures(captures: readonly CaptureDocument[]): CaptureGroup[] {
  const groups = new Map<string, CaptureDocument[]>();
  for (const capture of captures) {
    const key = capture.series === null ? `capture ${capture.id}` : `series ${capture.series.id}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [capture]);
    else group.push(capture);
  }
  return [...groups].map(([id, members]) => {
    const ordered = members.toSorted((a, b) => (a.series?.run ?? 0) - (b.series?.run ?? 0));
    return { id, name: commonName(ordered), isSeries: ordered[0]!.series !== null, captures: ordered };
  });
}

/** What all names begin with, without a trailing run number or separator; the first name where they share nothing. */
export function commonName(captures: readonly Pick<CaptureDocument, 'name'>[]): string {
  const [first, ...others] = captures.map((capture) => capture.name);
  if (first === undefined || others.length === 0) return first ?? '';
  let shared = first.length;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, shared))) shared -= 1;
  }
  const name = first
    .slice(0, shared)
    .replace(/\(\d*$/, '')
    .replace(/(?:[\s·,:#(/_-]|\brun\b)+$/iu, '')
    .trim();
  return name === '' ? first : name;
}
