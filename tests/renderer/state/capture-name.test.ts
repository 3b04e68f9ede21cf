import { describe, expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { nameText, shownName, shownNames } from '../../../renderer/state/capture-name.ts';
import { groupCaptures } from '../../../renderer/state/group-captures.ts';
import { setTextStyle } from '../../../renderer/ui/format.ts';

setTextStyle({ locale: 'en-GB', digits: 3, percentDigits: 1, names: 'short' });

const NOON = new Date(2026, 10, 29, 12, 0, 0).getTime();
const HOUR = 3_600_000;

const recorded = (id: string, command: string, more: Partial<CaptureDocument> = {}): CaptureDocument =>
  ({
    id,
    name: 'srv (22472)',
    createdAt: NOON,
    process: { name: 'srv', pid: 22472, command },
    collector: null,
    event: 'cycles',
    series: null,
    ...more,
  }) as CaptureDocument;

const texts = (...captures: CaptureDocument[]): string[] => [...shownNames(captures).values()].map(nameText);

describe('captures that nobody named', () => {
  test('have the program without its folders, and its first arguments', () => {
    expect(texts(recorded('a', '/opt/app/srv --port 80'))).toEqual(['srv --port 80']);
    expect(texts(recorded('a', `/srv --config ${'x'.repeat(20)} --name ${'y'.repeat(40)}`))).toEqual([
      `srv --config ${'x'.repeat(20)} --name …`,
    ]);
    expect(texts(recorded('a', 's'.repeat(300)))).toEqual([`${'s'.repeat(47)}…`]);
  });

  test('are told apart by the time; by the day, event and commit only where they differ', () => {
    const of = (id: string, more: Partial<CaptureDocument> = {}): CaptureDocument => recorded(id, 'srv', more);
    expect(texts(of('a'), of('b', { createdAt: NOON + HOUR }))).toEqual(['srv · 12:00', 'srv · 13:00']);
    expect(texts(of('a'), of('b', { createdAt: NOON + 24 * HOUR }))).toEqual([
      'srv · 29 Nov 12:00',
      'srv · 30 Nov 12:00',
    ]);
    expect(texts(of('a'), of('b', { createdAt: NOON + 7000, event: 'faults' }))).toEqual([
      'srv · cycles · 12:00',
      'srv · faults · 12:00',
    ]);
    expect(texts(of('a', { commit: 'a41f9c2'.padEnd(40, '0') }), of('b', { createdAt: NOON + HOUR }))).toEqual([
      'srv · a41f9c2 · 12:00',
      'srv · 13:00',
    ]);
  });

  test('are never equal, even within a minute or a second', () => {
    const of = (id: string, ms: number): CaptureDocument => recorded(id, 'srv', { createdAt: NOON + ms });
    expect(texts(of('id-000001', 0), of('id-000002', 7000), of('id-000003', 7001))).toEqual([
      'srv · 12:00:00',
      'srv · 12:00:07 · 000002',
      'srv · 12:00:07 · 000003',
    ]);
  });

  test('keep a name that the user gave, and do not distinguish a capture from those', () => {
    const named = recorded('a', 'srv', { name: 'before the fix' });
    const only = recorded('b', 'srv');
    expect(texts(named, only)).toEqual(['before the fix', 'srv']);
    expect(shownName(named, [named, only])).toBe('before the fix');
  });

  test('have the same name in tabs, lists and the library, whatever its search hides', () => {
    const all = [recorded('a', 'srv'), recorded('b', 'srv', { createdAt: NOON + HOUR })];
    expect(shownName(all[0]!, all)).toBe('srv · 12:00');
    expect(groupCaptures([all[0]!], shownNames(all))[0]!.name).toBe('srv · 12:00');
  });
});
