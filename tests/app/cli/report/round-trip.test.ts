import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { NoteAnchor } from '#core/contract/notes.ts';
import type { Profile } from '#core/model/profile.ts';
import { captureFile, readReportCapture, readReportHtml } from '#core/import/report/read-report.ts';
import { callCli } from '../../../support/call-cli.ts';
import { perfScript } from '../../../e2e/inputs.ts';

/** A report that is opened and saved again: its data and its notes, each for itself. */

const folder = mkdtempSync(join(tmpdir(), 'flamebench-round-trip-'));
const at = (name: string): string => join(folder, name);

const func = (name: string) => ({ kind: 'function', func: { name, module: '' } }) as const;
const ANCHORS: readonly NoteAnchor[] = [
  { kind: 'whole' },
  func('/home/carola/parse'),
  {
    kind: 'path',
    direction: 'top-down',
    path: [
      { name: 'main', module: '' },
      { name: 'write', module: '' },
    ],
  },
  { kind: 'range', start: 0, end: 1_000_000 },
  { kind: 'delta', of: func('write') },
  func('nowhere'),
];

beforeAll(() => {
  writeFileSync(at('before.folded'), 'main;/home/carola/parse;read 30\nmain;/home/carola/parse 10\nmain;write 20\n');
  writeFileSync(at('after.folded'), 'main;/home/carola/parse;read 9007199254740993\nmain;write 22\n');
  writeFileSync(at('times.txt'), perfScript());
  const notes = ANCHORS.map((anchor, place) => ({
    id: `n${place}`,
    anchor,
    text: `carola saw this <b>${place}</b>\n\n- twice\n- \u0000 & "quoted"`,
    author: 'carola',
    created: place,
    edited: place === 0 ? null : place + 1,
    colour: place % 2 === 0 ? 'none' : 'red',
  }));
  writeFileSync(at('notes.json'), JSON.stringify({ schemaVersion: 2, notes }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function report(output: string, ...args: readonly string[]) {
  const run = await callCli(['report', ...args, '-o', at(output)]);
  expect(run.code, run.stderr).toBe(0);
  const { report: document, captures } = readReportHtml(readFileSync(at(output), 'utf8'));
  return {
    document,
    notes: JSON.stringify(document.notes),
    data: [...captures].map(([id, packed]) => [id, captureFile(packed)] as const),
    profiles: [...captures.values()].map(readReportCapture),
  };
}

/** Returns each stack with its weight, from the root. */
function weights(profile: Profile): (readonly [stack: string, weight: number])[] {
  const view = buildStackView(profile, wholeProfile(profile, profile.metadata.defaultValueType));
  const names: string[] = [];
  return Array.from(view.func, (index, row) => {
    const parent = view.parent[row]!;
    names.push(`${parent < 0 ? '' : `${names[parent]!};`}${profile.strings[profile.functions.name[index]!]!}`);
    return [names[row]!, view.self[row]!] as const;
  });
}

it.each([
  ['a capture', ['times.txt']],
  ['a comparison', ['before.folded', 'after.folded', '--compare']],
])('of %s: data and notes are the same bytes without redaction', async (_, input) => {
  const args = [...input.map((word) => (word.startsWith('-') ? word : at(word))), '--notes', at('notes.json')];
  const first = await report('a.html', ...args, '--redact', 'none');
  const second = await report('b.html', at('a.html'));
  expect(JSON.parse(first.notes)).toHaveLength(ANCHORS.length);
  expect(second.data).toEqual(first.data);
  expect(second.notes).toBe(first.notes);
});

it('after the same replacement, weights, stacks and notes are the same', async () => {
  const args = [at('before.folded'), at('after.folded'), '--compare', '--notes', at('notes.json')];
  const redacted = await report('redacted.html', ...args);
  await report('plain.html', ...args, '--redact', 'none');
  const later = await report('later.html', at('plain.html'), '--redact', 'home,user,host');
  const again = await report('again.html', at('redacted.html'));
  expect(redacted.notes).not.toContain('carola');
  expect(redacted.profiles.flatMap(weights).flat()).toContain('main;/home/user-1/parse;read');
  for (const other of [later, again]) {
    expect(other.notes).toBe(redacted.notes);
    expect(other.profiles.map(weights)).toEqual(redacted.profiles.map(weights));
  }
  expect(again.data).toEqual(redacted.data);
});
