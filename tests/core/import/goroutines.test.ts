import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { namesRootFirst } from '../../support/profile-rollup.ts';

checkImport({ path: 'goroutines/server.txt', format: 'goroutines', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text), { format: 'goroutines' });
const stacksOf = (profile: Profile): string[] =>
  Array.from(profile.samples.stack, (stack) => namesRootFirst(profile, stack).join(';'));

describe('goroutines', () => {
  it('have a state, the waiting time and their creator', async () => {
    const profile = await read(
      'goroutine 7 [select, 12 minutes]:\nmain.wait(0x1, {0x2, (0x3)})\n\t/src/main.go:9 +0x1\ncreated by main.main in goroutine 1\n\t/src/main.go:4 +0x2\n',
    );
    expect(stacksOf(profile)).toEqual(['main.wait']);
    expect(profile.samples.weights.map(([weight]) => weight)).toEqual([1, 720e9]);
    expect(profile.samples.labelSets[profile.samples.labelSet![0]!]).toEqual([
      { key: 'state', text: 'select' },
      { key: 'created by', text: 'main.main' },
    ]);
    expect(profile.frames.line![0]).toBe(9);
    expect(profile.diagnostics).toEqual([]);
  });

  it.each([
    ['net/http.(*conn).serve(0x1)', 'net/http.(*conn).serve'],
    ['main.f[...](...)', 'main.f[...]'],
    ['main.main.func1()', 'main.main.func1'],
    ['runtime.goexit({})', 'runtime.goexit'],
    ['(', '('],
    ['()', '()'],
  ])('parse call %s as %s', async (call, name) => {
    expect(stacksOf(await read(`goroutine 1 [running]:\n${call}\n\ta.go:1 +0x1\n`))).toEqual([name]);
  });

  it('are read after a panic, and preceding lines are counted', async () => {
    const profile = await read('panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\ta.go:1 +0x1\nexit status 2\n');
    expect(stacksOf(profile)).toEqual(['main.main']);
    expect(profile.diagnostics.map(({ code, count }) => [code, count])).toEqual([['skipped-line', 2]]);
  });

  it('are refused if there are none', async () => {
    await expect(read('panic: boom\n')).rejects.toMatchObject({ failure: 'malformed', location: { line: 1 } });
  });
});
