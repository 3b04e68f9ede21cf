import { describe, expect, it } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { commonName, groupCaptures, groupSize, runNumber } from '../../../renderer/state/group-captures.ts';
import { readTags } from '../../../renderer/features/library/tags-dialog.tsx';

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

describe('two sides that were recorded in turn', () => {
  const PROGRAMS = [
    ['/tmp/x/phased', '1.0', '-v', '--load', 'a b', '--more'],
    ['/tmp/x/phased', '1.3', '-v', '--load', 'a b', '--more'],
  ] as const;

  /** As `record --interleave` names them; `name`: the user's own. */
  const runs = (name: string | null): CaptureDocument[] =>
    Array.from({ length: 6 }, (_, run) => {
      const side = run % 2 === 0 ? 'before' : 'after';
      const argv = PROGRAMS[run % 2]!;
      const title = `${name ?? argv.slice(0, 4).join(' ')} ${side} (${Math.floor(run / 2) + 1}/3)`;
      return {
        ...capture(String(run), title, { id: 's', run, of: 6, side }),
        collector: {
          id: 'perf',
          toolVersion: null,
          commands: [
            ['perf', 'record', '-g', '--', ...argv],
            ['perf', 'script'],
          ],
          exitCode: 0,
          signal: null,
        },
      };
    }).reverse();

  const rows = (captures: readonly CaptureDocument[]): string[] =>
    groupCaptures(captures).map((group) => `${group.name} | ${groupSize(group)}`);

  it('are a group each, called by the program and its arguments', () => {
    expect(rows(runs(null))).toEqual([
      "phased 1.3 -v --load 'a b' --more | after · 3 runs",
      "phased 1.0 -v --load 'a b' --more | before · 3 runs",
    ]);
    const [after, before] = groupCaptures(runs(null));
    expect(before!.command).toBe("/tmp/x/phased 1.0 -v --load 'a b' --more");
    expect([after, before].map((group) => group!.captures.map(runNumber))).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('keep the name that they were given', () => {
    expect(rows(runs('warm cache'))).toEqual(['warm cache | after · 3 runs', 'warm cache | before · 3 runs']);
  });

  it('of a program that is called the same on both sides stay apart', () => {
    const same = runs(null).map((one) => ({
      ...one,
      name: one.name.replace('1.3', '1.0'),
      collector: { ...one.collector!, commands: [['perf', 'record', '--', './work']] },
    }));
    expect(rows(same.map((one) => ({ ...one, name: one.name.replace(/^\S+ 1\.0 -v --load/, './work') })))).toEqual([
      'work | after · 3 runs',
      'work | before · 3 runs',
    ]);
  });

  it('of processes are called by their command lines, with the host where the names tell it', () => {
    const process = { pid: 7, name: 'nginx', command: 'nginx: worker process' } as CaptureDocument['process'];
    const target = { kind: 'ssh', host: 'web1', kernel: null, arch: null, cpuCount: null } as const;
    const captures = [0, 1].map((run) => ({
      ...capture(String(run), `nginx (7) on web1 (${run + 1}/2)`, { id: 's', run, of: 2 }),
      process,
      target,
    }));
    expect(rows(captures)).toEqual(['nginx: worker process on web1 | 2 runs']);
  });
});

describe('commonName', () => {
  const common = (...names: string[]): string => commonName(names.map((name) => ({ name })));

  it('ends with a whole word', () => {
    expect(common('/tmp/x/phased 1.0', '/tmp/x/phased 1.3')).toBe('/tmp/x/phased');
    expect(common('load 10', 'load 12')).toBe('load');
    expect(common('web (1/2)', 'web (2/2)')).toBe('web');
    expect(common('server', 'server')).toBe('server');
  });
});

describe('readTags', () => {
  it('divides by commas, drops blanks and repeats', () => {
    expect(readTags(' a, b ,,a,c d ')).toEqual(['a', 'b', 'c d']);
    expect(readTags('')).toEqual([]);
  });
});
