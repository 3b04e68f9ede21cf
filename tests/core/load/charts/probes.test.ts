import { expect, it } from 'vitest';
import { reportLoadOf } from '#core/contract/report/load.ts';
import { probeNotes, probeTable, probeWarnings, type ProbeSide } from '#core/load/describe-probe.ts';
import { probeCharts, spreadText } from '#core/load/charts/probes.ts';
import { medianOf, medianText, type ProbePhases } from '#core/load/probe.ts';
import { loadCsv, loadSvg, loadTables } from '#core/report/load-files.ts';
import { htmlText, markup } from '#core/export/markup.ts';
import type { PreparedReport } from '#core/report/prepare.ts';
import { loadSection } from '#core/report/sections/load-section.ts';
import { createFormatter } from '#core/units/format.ts';

const format = createFormatter('en');

/** Phases with a total of `ms` + 3 milliseconds. */
const phases = (ms: number, tls: number | null = null): ProbePhases => ({
  dns: 0,
  tcp: 0.001,
  tls,
  firstByte: ms / 1000,
  download: 0.002,
  total: (ms + 3) / 1000,
});

function side(role: ProbeSide['role'], ms: number, { idle = 0, isKept = true } = {}): ProbeSide {
  const samples = [0, 1, 2, 3, 4, 5].map((drift) => ({
    cold: phases(ms + drift),
    kept: isKept ? phases(drift) : null,
    status: 200,
  }));
  return {
    role,
    name: `<b>${role}`,
    probe: { plan: { url: 'http://a/', headers: [], times: 6, restart: null, idle }, samples },
  };
}

it('draws a bar per kind of request with the medians of its phases, and every total', () => {
  const [bars, totals] = probeCharts([side('only', 100)], 'en');
  expect(bars!.svg.attributes['aria-label']).toBe(
    'Where a request’s time goes: new connection: TCP 1 ms (1 ms to 1 ms), first byte 103 ms (100 ms to 105 ms), ' +
      'download 2 ms (2 ms to 2 ms), total 106 ms (103 ms to 108 ms); kept connection: TCP 1 ms (1 ms to 1 ms), ' +
      'first byte 2.5 ms (0 ns to 5 ms), download 2 ms (2 ms to 2 ms), total 5.5 ms (3 ms to 8 ms)',
  );
  const text = htmlText(totals!.svg);
  expect(text.match(/<circle/g)).toHaveLength(12);
  expect(totals!.svg.attributes['aria-label']).toContain('new connection: min 103 ms');
  expect(probeCharts([], 'en')).toEqual([]);
});

it('compares both sides request by request, and names first requests after a pause', () => {
  const sides = [side('before', 100, { idle: 60 }), side('after', 10, { idle: 60, isKept: false })];
  const { header, rows } = probeTable(sides, format);
  expect(header).toEqual(['Request', 'Phase', 'Before', 'After', 'Δ', 'Probes']);
  expect(rows.at(3)).toEqual([
    'first request, new connection',
    'total',
    '106 ms (103 ms to 108 ms)',
    '15.5 ms (13 ms to 18 ms)',
    '-90 ms (-93 ms to -87 ms)',
    '6 → 6',
  ]);
  expect(rows.at(-1)!.slice(2)).toEqual(['5.5 ms (3 ms to 8 ms)', '–', '–', '6 → 0']);
  expect(probeNotes(sides)[1]).toBe(
    'after: http://a/, status 200; the server closes connections; each pair after 60 s without requests',
  );
});

it('is in reports: charts and a table, Markdown, CSV and SVG, with names as text', () => {
  const loads = [side('before', 100), side('after', 10)].map(({ role, ...series }) =>
    reportLoadOf(role, { ...series, runs: [] }),
  );
  const prepared = { report: { title: 'Probes', loads, notes: [] } } as unknown as PreparedReport;
  const page = htmlText(markup('div', {}, ...loadSection(prepared)));
  expect(page).toContain('aria-label="Where a request’s time goes: new connection, before: TCP');
  expect(page).toContain('Phases of a request');
  expect(page).not.toContain('<b>');
  expect(loadTables(prepared)).toMatchObject([{ name: 'before: <b>before, after: <b>after', rows: { length: 8 } }]);
  expect(loadCsv(prepared, []).trim().split('\n').at(-1)).toBe(
    '<b>after,after,6,kept connection,200,0,0.001,,0.005,0.002,0.008',
  );
  expect(loadSvg(prepared)).toContain('after: &lt;b&gt;after');
});

it('has one median of an even number of probes', () => {
  const totals = [1.33, 1.33, 1.35, 1.36];
  expect(medianText(medianOf(totals), format)).toBe('1.34 s');
  expect(spreadText(totals, format)).toBe('min 1.33 s · p25 1.33 s · p50 1.34 s · p75 1.35 s · max 1.36 s');
});

it('says that first requests after a restart are not comparable with those after a pause', () => {
  const [idle, plain] = [side('before', 100, { idle: 60 }), side('after', 10)];
  const { probe } = plain;
  const restarted: ProbeSide = {
    ...plain,
    probe: { ...probe, plan: { ...probe.plan, restart: 'systemctl restart a' } },
  };
  const said = 'The first requests are not comparable: after 60 s without requests before, after a restart after.';
  expect(probeWarnings(idle, restarted)).toEqual([said]);
  expect(probeNotes([idle, restarted])).toContain(said);
  expect(probeWarnings(restarted, { probe: { ...probe, plan: { ...restarted.probe.plan, restart: './b' } } })).toEqual(
    [],
  );
});
