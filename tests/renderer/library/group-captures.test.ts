import { describe, expect, it } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { groupCaptures } from '../../../renderer/library/group-captures.ts';
import { readTags } from '../../../renderer/library/tags-dialog.tsx';

function capture(id: string, name: string, series: CaptureDocument['series'] = null): CaptureDocument {
  return {
    schemaVersion: 1,
    id,
    name,
    tags: [],
    state: 'finished',
    incomplete: false,
    createdAt: 0,
    format: 'perf-script',
    primaryFile: 'raw.perf-script.txt',
    otherFiles: [],
    sizeBytes: 1,
    origin: 'recorded',
    collector: null,
    target: null,
    process: null,
    event: null,
    rateHz: null,
    startedAt: null,
    durationMs: null,
    samples: null,
    lostSamples: null,
    cpuSeconds: null,
    series,
    diagnostics: [],
  };
}

describe('groupCaptures', () => {
  it('gathers the runs of a series in their order, at the place of the first', () => {
    const groups = groupCaptures([
      capture('1', 'x'),
      capture('2', 'before · run 2', { id: 's', run: 1, of: 2 }),
      capture('3', 'y'),
      capture('4', 'before · run 1', { id: 's', run: 0, of: 2 }),
    ]);
    expect(groups.map((group) => [group.name, group.captures.map(({ id }) => id)])).toEqual([
      ['x', ['1']],
      ['before', ['4', '2']],
      ['y', ['3']],
    ]);
  });

  it('names a series without the numbers of its runs', () => {
    const runs = [1, 10].map((run) => capture(String(run), `web (${run}/10)`, { id: 's', run, of: 10 }));
    expect(groupCaptures(runs)[0]?.name).toBe('web');
  });

  it('keeps a capture called like a series apart from it', () => {
    const groups = groupCaptures([capture('s', 'a'), capture('1', 'b', { id: 's', run: 0, of: 2 })]);
    expect(groups).toHaveLength(2);
  });

  it('takes the first name where the runs were renamed apart', () => {
    const series = (run: number) => ({ id: 's', run, of: 2 });
    expect(groupCaptures([capture('1', 'cold', series(0)), capture('2', 'warm', series(1))])[0]?.name).toBe('cold');
  });
});

describe('readTags', () => {
  it('divides by commas, drops blanks and repeats', () => {
    expect(readTags(' a, b ,,a,c d ')).toEqual(['a', 'b', 'c d']);
    expect(readTags('')).toEqual([]);
  });
});
