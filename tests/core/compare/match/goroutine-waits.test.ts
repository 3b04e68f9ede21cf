import { expect, test } from 'vitest';
import { rankFunctions } from '#core/compare/rank-functions.ts';
import { GOROUTINE_WAITS } from '#core/compare/match/goroutine-waits.ts';
import { DEFAULT_MATCH_RULES } from '#core/compare/match/match-rules.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { captureOf, compareRaw } from '../captures.ts';

/** A dump; stacks are leaf first. */
function goroutines(...stacks: (readonly [number, string])[]): Promise<Profile> {
  const all = stacks.flatMap(([count, stack]) => {
    const calls = stack.split(';').map((name) => `${name}()\n\t/a.go:1 +0x1\n`);
    return Array.from({ length: count }, (_, id) => `goroutine ${id + 1} [select]:\n${calls.join('')}`);
  });
  return importProfile(byteSource(all.join('\n')), { format: 'goroutines' });
}

const PARK = 'runtime.gopark;runtime.chanrecv;runtime.chanrecv1';
const IDLE = 'runtime.gopark;internal/poll.(*pollDesc).wait;net/http.(*persistConn).readLoop';

test('growth of goroutines is absolute and first, at the function that leaks', async () => {
  const before = await goroutines([2, `${PARK};main.worker;main.main`], [90, IDLE]);
  const after = await goroutines([2, `${PARK};main.worker;main.main`], [10, IDLE], [25, `${PARK};main.leak;main.main`]);
  const found = await compareRaw([captureOf(before)], [captureOf(after)], null);
  expect(found.normalised).toMatchObject({ kind: 'raw', isDefault: true });
  expect(found.warnings.map(({ code }) => code)).toContain(GOROUTINE_WAITS);
  const rows = rankFunctions(found, 'self').map(({ name, self }) => [name, self.delta, self.verdict]);
  expect(rows[0]).toEqual(['main.leak', 25, 'unknown']);
  expect(rows[1]).toEqual(['net/http.(*persistConn).readLoop', -80, 'unknown']);
  expect(rows.map(([name]) => name)).not.toContain('runtime.gopark');
});

test('the frames stay if the rule is off, and in other profiles', async () => {
  const side = captureOf(await goroutines([2, `${PARK};main.worker`]));
  const off = await compareRaw([side], [side], null, { ...DEFAULT_MATCH_RULES, off: [GOROUTINE_WAITS] });
  expect(rankFunctions(off, 'self').map(({ name }) => name)).toContain('runtime.gopark');
  const cpu = captureOf(profileFromText('main.main;runtime.gopark 3'));
  const other = await compareRaw([cpu], [cpu], null);
  expect(rankFunctions(other, 'self').map(({ name }) => name)).toContain('runtime.gopark');
  expect(other.warnings.map(({ code }) => code)).not.toContain(GOROUTINE_WAITS);
});
