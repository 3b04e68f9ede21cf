import { describe, expect, it, test } from 'vitest';
import { readLoadFile } from '#core/load/read-load-file.ts';
import { ownLoadForm } from '#core/load/recognise.ts';
import { probeCharts } from '#core/load/charts/probes.ts';
import { probeNotes, probeTable, requestsOf } from '#core/load/describe-probe.ts';
import { storedProbeSchema, type StoredProbe } from '#core/contract/load/probe.ts';
import { htmlText } from '#core/export/markup.ts';
import { createFormatter } from '#core/units/format.ts';

/** Milliseconds. */
interface Timings {
  readonly [phase: string]: number;
}

/** An entry as Chrome's network panel writes it; `at` in milliseconds after midnight. */
const entry = (at: number, method: string, url: string, timings: Timings, others: object = {}): object => ({
  startedDateTime: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
  time: 0,
  request: { method, url, headers: [{ name: 'authorization', value: 'Bearer secret' }] },
  response: { status: 200, content: { text: '…' } },
  timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0, ...timings },
  ...others,
});
const har = (...entries: object[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages: [], entries } });

const API = 'https://api.example/orders';
const PREFLIGHT = { _resourceType: 'preflight' };

const read = (text: string, only: string | null = null): StoredProbe => {
  const file = readLoadFile(text, only);
  if (file.kind !== 'probe') throw new Error(file.kind);
  return file.probe;
};

describe('a HAR file of a network panel', () => {
  // A new connection of 10 + 30 ms with 20 of TLS, its preflight of 90 ms within 100 ms blocked, then one without.
  const text = har(
    entry(0, 'POST', `${API}?token=secret`, {
      blocked: 100,
      dns: 10,
      connect: 30,
      ssl: 20,
      send: 1,
      wait: 49,
      receive: 5,
    }),
    entry(5, 'OPTIONS', `${API}?token=secret`, { dns: 10, connect: 30, ssl: 20, wait: 50 }, PREFLIGHT),
    entry(1000, 'POST', API, { blocked: 2, send: 1, wait: 39, receive: 5 }, { _resourceType: 'fetch' }),
    entry(2000, 'GET', 'https://cdn.example/a.js', { wait: 9 }),
    entry(2000, 'POST', API, {}, { response: { status: 0 } }),
    entry(2000, 'POST', API, {}, { _fromCache: 'disk' }),
    entry(2000, 'GET', 'data:text/plain,x', {}),
  );

  it('is recognised, and has phases that add up, without the preflight in the blocked time', () => {
    expect(ownLoadForm(text.slice(0, 65_536))).toBe('har');
    const probe = read(text);
    expect(storedProbeSchema.safeParse(probe).success).toBe(true);
    expect(probe.plan.url).toBe(API);
    expect(probe.samples).toEqual([
      {
        status: 200,
        kept: null,
        cold: {
          blocked: 0.01,
          // Both opened a connection; the preflight waited 50 ms on its own.
          dns: 0.02,
          tcp: 0.02,
          tls: 0.04,
          preflight: 0.05,
          firstByte: 0.05,
          download: 0.005,
          total: 0.195,
        },
      },
      {
        status: 200,
        cold: null,
        kept: {
          blocked: 0.002,
          preflight: 0,
          dns: 0,
          tcp: 0,
          tls: null,
          firstByte: 0.04,
          download: 0.005,
          total: 0.047,
        },
      },
    ]);
    expect(JSON.stringify(probe)).not.toContain('secret');
    // The preflight is part of its request; four others are not of the address, or have no answer.
    expect(probe.notes?.slice(0, 2)).toEqual([
      'POST requests of a HAR file, without the query of their URL.',
      '4 other requests of the file are left out.',
    ]);
  });

  it('is read for another address on request', () => {
    expect(read(text, 'GET https://cdn').plan.url).toBe('https://cdn.example/a.js');
    expect(() => read(text, 'nowhere')).toThrow(/no answered request matches/);
  });

  it('has its phases in the table, the notes and the charts', () => {
    const side = { role: 'only', name: 'har', probe: read(text) } as const;
    const { rows } = probeTable([side], createFormatter('en'));
    expect(rows.map(([request, phase, median]) => [request, phase, median])).toContainEqual([
      'new connection',
      'preflight',
      '50 ms',
    ]);
    expect(probeNotes([side]).join('\n')).toContain('left out');
    expect(probeNotes([side]).join('\n')).not.toContain('closes connections');
    expect(htmlText(probeCharts([side], 'en')[0]!.svg)).toContain('preflight 50 ms');
    expect(requestsOf(side.probe.samples, 'kept')).toHaveLength(1);
  });
});

test('a preflight before its request, as other browsers write it, adds to its time', () => {
  const probe = read(har(entry(0, 'OPTIONS', API, { wait: 30 }), entry(40, 'GET', API, { wait: 20 })));
  expect(probe.samples[0]!.kept).toMatchObject({ preflight: 0.03, blocked: 0, total: 0.05 });
});

test.each([
  ['{"log":{"version":"1.2","creator":{},"entries":[', /ends early/],
  ['{"log":{"creator":{},"entries":{}}}', /not a HAR file: log\.entries/],
  [har({ startedDateTime: 1 }), /not a HAR file: log\.entries\.0/],
  [har(entry(0, 'GET', API, {}, { timings: { wait: '9' } })), /log\.entries\.0\.timings\.wait/],
  [har(), /no request of the HAR file has an answer/],
  [har(entry(0, 'GET', 'javascript:alert(1)', {})), /no request/],
  [har(entry(0, 'GET', API, {}, { startedDateTime: 'yesterday' })), /no request/],
  [har(entry(0, 'GET', API, { wait: 1e300 })), /more than 292 years/],
])('%# is refused with the reason', (text, why) => {
  expect(() => read(text)).toThrow(why);
});

test('hostile names and numbers stay data', () => {
  const text = har(
    entry(0, '__proto__', 'https://user:secret@a/<script>#x', { wait: -5, receive: 2, __proto__: 1 }),
  ).replace('"timings":{', '"__proto__":{"x":1},"timings":{"__proto__":{"x":1},');
  const { plan, samples } = read(text);
  expect(plan.url).toBe('https://a/<script>');
  expect(samples[0]!.kept).toMatchObject({ firstByte: 0, download: 0.002, total: 0.002 });
  expect(({} as { x?: number }).x).toBeUndefined();
});
