import { describe, expect, test } from 'vitest';
import { captureFacts, type FactsDocument } from '#core/compare/measure/read-facts.ts';
import type { Profile, ProfileMetadata } from '#core/model/profile.ts';
import { profileFromSketch } from '../../../support/sketch-profile.ts';

const document: FactsDocument = {
  target: { kind: 'local', host: 'here', kernel: '6.18', arch: 'x86_64', cpuCount: 2 },
  rateHz: 499,
  durationMs: 6020,
  cpuSeconds: { start: 1.5, end: 4 },
};

const sampled = [0, 1, 2].map((second) => ({ stack: ['f'], weight: 1, time: second * 1e9 }));

function fileOf(metadata: Partial<ProfileMetadata>, samples: Parameters<typeof profileFromSketch>[0] = []): Profile {
  const profile = profileFromSketch(samples);
  return { ...profile, metadata: { ...profile.metadata, ...metadata } };
}

describe('facts of a capture', () => {
  test('have the run of a load test during which it was recorded, which its captures have in common', () => {
    const load = { test: 'load-1', concurrency: 50, run: 2 };
    const runOf = (run: number) =>
      captureFacts({ ...document, load: { ...load, run, requests: 7 } }, fileOf({}), 'a').facts.loadRun;
    expect(captureFacts({ ...document, load }, fileOf({}), 'b').facts.loadRun).toBe(runOf(2));
    expect(runOf(1)).not.toBe(runOf(2));
  });
  test('come from the recording, whatever the file states', () => {
    const profile = fileOf({ hostName: 'elsewhere', durationNs: 1e9, rateHz: 99, cpuCount: 64 }, sampled);
    expect(captureFacts(document, profile, 'run 1')).toEqual({
      facts: {
        name: 'run 1',
        host: 'here',
        kernel: '6.18',
        cpuCount: 2,
        durationSeconds: 6.02,
        rateHz: 499,
        cpuSeconds: 2.5,
        format: 'sketch',
        quality: expect.objectContaining({ grade: expect.any(String) }),
        requests: null,
        conditions: expect.objectContaining({ threads: 1, buildId: null }),
      },
      sources: {
        host: 'document',
        kernel: 'document',
        cpuCount: 'document',
        durationSeconds: 'document',
        rateHz: 'document',
        cpuSeconds: 'document',
        requests: null,
      },
    });
  });

  test('have no CPU seconds of one process if others were sampled, or if a command ended by itself too soon', () => {
    const secondsOf = (facts: Partial<FactsDocument>, ...pids: number[]): number | null => {
      const profile = profileFromSketch(pids.map((tid) => ({ stack: ['f'], weight: 1, tid })));
      const threads = { ...profile.threads, pid: profile.threads.tid };
      return captureFacts({ ...document, ...facts }, { ...profile, threads }, 'run').facts.cpuSeconds;
    };
    const collector = { id: 'perf', toolVersion: null, commands: [['perf', '--', 'make']], exitCode: 0, signal: null };
    expect(secondsOf({}, 7, 7)).toBe(2.5);
    expect(secondsOf({}, 7, 8)).toBeNull();
    expect(secondsOf({ collector, durationMs: 9000 }, 7)).toBeNull();
    expect(secondsOf({ collector, durationMs: 11_000 }, 7)).toBe(2.5);
    expect(secondsOf({ collector: { ...collector, exitCode: null, signal: 'SIGINT' }, durationMs: 9000 }, 7)).toBe(2.5);
  });

  test('come from the file if nothing was recorded', () => {
    const imported = { target: null, rateHz: null, durationMs: null, cpuSeconds: null };
    const period = { type: 'cpu', unit: 'nanoseconds', value: 10_000_000 };
    const profile = fileOf({ hostName: 'elsewhere', durationNs: 30e9, period }, sampled);
    for (const none of [null, imported]) {
      const { facts, sources } = captureFacts(none, profile, 'cpu.pb.gz');
      expect(facts).toMatchObject({ host: 'elsewhere', durationSeconds: 30, rateHz: 100, cpuSeconds: null });
      expect(sources).toMatchObject({ host: 'profile', durationSeconds: 'profile', rateHz: 'profile', kernel: null });
    }
  });

  test('identify a command that ran from start to end', () => {
    const collector = { id: 'perf', toolVersion: null, commands: [['perf', '--', 'make']], exitCode: 0, signal: null };
    const profile = fileOf({ durationNs: 30e9 });
    const facts = (change: Partial<NonNullable<FactsDocument['collector']>> | null, incomplete = false) =>
      captureFacts({ ...document, incomplete, collector: change && { ...collector, ...change } }, profile, 'a').facts;
    expect(facts({}).isWholeRun).toBe(true);
    expect(facts({ commands: [['perf', '-p', '7']] }).isWholeRun).toBeUndefined();
    expect(facts({ exitCode: null }).isWholeRun).toBeUndefined();
    expect([facts({}, true).isWholeRun, facts(null).isWholeRun]).toEqual([undefined, undefined]);
  });

  test('identify a duration that is only the span of the samples', () => {
    for (const durationNs of [null, 2e9]) {
      const { facts, sources } = captureFacts(null, fileOf({ durationNs }, sampled), 'out.txt');
      expect([facts.durationSeconds, sources.durationSeconds, facts.durationIsSpan]).toEqual([2, 'times', true]);
    }
  });

  test('are unknown if missing or unusable', () => {
    const period = { type: 'space', unit: 'bytes', value: 524_288 };
    const profile = fileOf({ durationNs: null, period, hostName: '' });
    const damaged = { target: null, rateHz: 0, durationMs: -1, cpuSeconds: { start: 5, end: 4 } };
    const { facts, sources } = captureFacts(damaged, profile, 'x');
    expect(Object.values(facts)).toEqual(['x', null, null, null, null, 'sketch', null, null, null]);
    expect(new Set(Object.values(sources))).toEqual(new Set([null]));
    expect(captureFacts(null, fileOf({}, [sampled[0]!]), 'one').facts.durationSeconds).toBeNull();
  });
});
