import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { WireMessage } from '#core/wire/protobuf-writer.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';
import { foldedText } from '../../../support/folded-lines.ts';

// Written by make.py with Perfetto's own message classes.
checkImport({ path: 'perfetto/sdk.pftrace', format: 'perfetto', isText: false });

const SDK = readFileSync(join(import.meta.dirname, '../../../fixtures/import/perfetto/sdk.pftrace'));
const read = (bytes: Uint8Array) => importProfile(byteSource(bytes, 'x'), { format: 'perfetto' });

it('reads samples with their stacks, threads, CPUs and times', async () => {
  const profile = await read(SDK);
  expect(foldedText(profile)).toBe('/bin/app;main;work 2\nworker;main;[app] 1\nworker;main;work;do_syscall_64 1\n');
  expect(Array.from(profile.samples.time!.slice(0, 4))).toEqual([0, 1e6, 2e6, 3e6]);
  expect(Array.from(profile.samples.cpu!.slice(0, 4))).toEqual([1, 1, 1, 1]);
  expect(profile.diagnostics.find(({ code }) => code === 'lost-samples')?.count).toBe(7);
});

it('reads slices as stacks with times, by a clock that counts from packet to packet', async () => {
  const profile = await read(SDK);
  // frame from 0 to 1,000 µs after boot time 10 ms, draw from 100 to 500 µs; the first sample is at 2 ms.
  const slices = { ...profile, metadata: { ...profile.metadata, defaultValueType: 1 as ValueTypeIndex } };
  expect(foldedText(slices)).toBe('render;frame 600000\nrender;frame;draw 400000\n');
  expect(Array.from(profile.samples.time!.slice(4))).toEqual([8e6, 8.1e6, 8.5e6]);
});

const packet = (message: WireMessage) => new WireMessage().message(1, message.bytes).bytes;
const slice = (time: number, type: number, name: string) =>
  packet(
    new WireMessage().number(8, time).message(11, new WireMessage().number(9, type).number(11, 5).text(23, name).bytes),
  );

it('skips damaged packets and counts them', async () => {
  const damaged = Uint8Array.of(0x0a, 3, 0x5a, 1, 0x78);
  const profile = await read(Buffer.concat([slice(5, 1, 'a'), damaged, slice(9, 2, 'a')]));
  expect(foldedText(profile)).toBe('track_5;a 4\n');
  expect(profile.diagnostics.map(({ code }) => code)).toEqual(['skipped-records']);
});

it.each([
  ['compressed packets', packet(new WireMessage().message(50, Uint8Array.of(1))), /traceconv decompress_packets/],
  [
    'no samples and slices',
    packet(new WireMessage().number(8, 5).number(10, 1)),
    /record with the data source linux.perf/,
  ],
])('refuses a trace with %s', async (_, bytes, message) => {
  await expect(read(bytes)).rejects.toMatchObject({ failure: 'unsupported', message: expect.stringMatching(message) });
});
