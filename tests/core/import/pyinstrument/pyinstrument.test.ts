import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';

// pyinstrument 5.1: 1.758983 s, of which `leaf` has 1.742753 s and `mid` the rest.
checkImport({ path: 'pyinstrument/work.json', format: 'pyinstrument', isText: true });

const read = (frame: unknown) =>
  importProfile(byteSource(JSON.stringify({ start_time: 1, duration: 2, root_frame: frame })));

it('reports callees that exceed their caller by more than rounding', async () => {
  const frame = { function: 'a', time: 1, children: [{ function: 'b', time: 1.5, children: [] }] };
  const { diagnostics, samples } = await read(frame);
  expect(diagnostics.map(({ code }) => code)).toEqual(['children-exceed']);
  expect(Array.from(samples.weights[0]!)).toEqual([1_500_000]);
});

it('reads deep stacks', async () => {
  const deep = '{"function":"f","time":1,"children":['.repeat(400) + ']}'.repeat(400);
  const { stacks } = await importProfile(byteSource(`{"start_time":1,"duration":2,"root_frame":${deep}}`));
  expect(stacks.length).toBe(400);
});

it.each([
  [{ function: 'a', time: -1 }, /time of "a" is -1000000 microseconds/],
  [{ function: 'a', time: '1' }, /time of "a" is not a number/],
  [[], /root_frame is not an object/],
])('refuses %j', async (frame, message) => {
  await expect(read(frame)).rejects.toMatchObject({ failure: 'malformed', message: expect.stringMatching(message) });
});
