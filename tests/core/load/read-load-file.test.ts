import { expect, it } from 'vitest';
import { readLoadFile } from '#core/load/read-load-file.ts';
import { ownLoadForm } from '#core/load/recognise.ts';
import { ImportFailure } from '#core/model/failure.ts';

const phases = { dns: 0, tcp: 0.001, tls: null, firstByte: 0.002, download: 0, total: 0.003 };
const probe = {
  url: 'http://a/<b>',
  host: null,
  summary: { cold: {}, kept: {} },
  samples: [{ cold: phases, kept: null, status: 200 }],
};
const row = {
  concurrency: 10,
  hop: 'app',
  qps: 100,
  latency: { mean: 0.1, p50: null, p90: null, p99: null },
  components: [],
  added: null,
};

const failureOf = (document: object): string => {
  try {
    readLoadFile(JSON.stringify(document));
  } catch (error) {
    if (error instanceof ImportFailure) return `${error.failure}: ${error.message}`;
    throw error;
  }
  return 'read';
};

it('reads probes, with what happened before each', () => {
  expect(readLoadFile(`\ufeff${JSON.stringify(probe)}`)).toEqual({
    kind: 'probe',
    probe: {
      plan: { url: 'http://a/<b>', headers: [], times: 1, restart: null, idle: 0 },
      samples: probe.samples,
    },
  });
  expect(readLoadFile(JSON.stringify({ ...probe, idle: 60, restart: 'true' }))).toMatchObject({
    probe: { plan: { idle: 60, restart: 'true' } },
  });
});

it('reads hops', () => {
  expect(readLoadFile(JSON.stringify({ hops: [row] }))).toEqual({ kind: 'hops', rows: [row] });
});

it('recognises each form by its beginning, and nothing else', () => {
  expect(ownLoadForm(JSON.stringify(probe, null, 2).slice(0, 200))).toBe('probe');
  expect(ownLoadForm('{ "hops": [')).toBe('hops');
  expect(ownLoadForm('{ "steps": [], "samples": [] }')).toBeNull();
});

it.each([
  ['a number that is none', { ...probe, samples: [{ cold: { ...phases, dns: 'x' }, kept: null, status: 200 }] }],
  ['a negative time', { ...probe, samples: [{ cold: { ...phases, dns: -1 }, kept: null, status: 200 }] }],
  ['no probe', { ...probe, samples: [] }],
  ['a hop without latencies', { hops: [{ ...row, latency: undefined }] }],
  ['no hop', { hops: [] }],
  ['a sweep without steps', { kneeBound: { leastSuccess: 0.99, mostLatency: null }, steps: [] }],
])('refuses %s', (_, document) => {
  expect(failureOf(document)).toMatch(/^malformed: (not the JSON of a load test: \w|a load test without runs)/);
});

it('refuses JSON that was cut off', () => {
  expect(() => readLoadFile(JSON.stringify(probe).slice(0, -5))).toThrow('ends early or is damaged');
});
