import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import { describeQuality, withLost } from '#core/model/quality-grade.ts';
import { qualitySentence } from '#core/model/quality-sentence.ts';
import { byteSource } from '../../support/byte-source.ts';

const read = (json: unknown): ReturnType<typeof importProfile> =>
  importProfile(byteSource(typeof json === 'string' ? json : JSON.stringify(json), 'input.json'));

describe('a file in a newer version of its format', () => {
  const stackprof = { mode: 'cpu', raw: [1, 1, 1], frames: { 1: { name: 'f' } }, gc_samples: 0, samples: 1 };
  const safari = {
    sampleStackTraces: [{ timestamp: 0, stackFrames: [{ name: 'f' }] }],
    sampleDurations: [1],
    instrumentTypes: [],
  };
  const gecko = {
    name: 'main',
    stringArray: ['f'],
    frameTable: { func: [0] },
    funcTable: { name: [0] },
    stackTable: { prefix: [null], frame: [0] },
    samples: { stack: [0], time: [1] },
  };
  const raw = { name: 'main', stringTable: ['f'], frameTable: { schema: { location: 0 }, data: [[0]] } };
  const rawTables = {
    stackTable: { schema: { prefix: 0, frame: 1 }, data: [[null, 0]] },
    samples: { schema: { stack: 0, time: 1 }, data: [[0, 1]] },
  };
  const graph = 'Call graph:\n    5 Thread_1\n      5 f  (in a) + 1  [0x1]\n\nTotal number in stack\n';
  const files = {
    'a processed Firefox profile': [
      70,
      (version: number) => ({ meta: { processType: 0, preprocessedProfileVersion: version }, threads: [gecko] }),
    ],
    'a raw Firefox profile': [
      36,
      (version: number) => ({ meta: { processType: 0, version }, libs: [], threads: [{ ...raw, ...rawTables }] }),
    ],
    'a stackprof file': [1.2, (version: number) => ({ version, ...stackprof })],
    'a Safari recording': [1, (version: number) => ({ version, recording: safari })],
    'a sample report': [
      7,
      (version: number) =>
        `Analysis of sampling x (pid 1) every 1 millisecond\nReport Version:  ${version}\n\n${graph}`,
    ],
  } as const;

  it.each(Object.entries(files))('is read with a warning and a lower grade: %s', async (_, [newest, make]) => {
    const [known, newer] = await Promise.all([make(newest), make(newest + 1)].map((file) => read(file)));
    expect([known!.diagnostics.filter(({ code }) => code === 'newer-format'), captureQuality(known!)?.grade]).toEqual([
      [],
      'good',
    ]);
    expect(newer!.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'newer-format',
        message: expect.stringContaining(`version ${newest + 1} is newer than ${newest}`) as string,
      }),
    );
    const quality = captureQuality(newer!)!;
    expect(describeQuality(quality)).toBe('limited: newer format version');
    expect(describeQuality(withLost(quality, 1000, 1))).toBe('limited: newer format version');
    expect(qualitySentence(quality, 1000).sentence).toMatch(/^Quality is limited: the file is in a newer version/);
  });
});
