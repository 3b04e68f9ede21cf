import { isChange } from '#core/compare/statistics/judge.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import type { LiveEvent, LiveStatus } from '#core/contract/live.ts';
import { csvRows, csvText, type ExportColumn } from '#core/export/csv-text.ts';
import type { FunctionState } from '#core/live/baseline/baseline.ts';
import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import type { LiveSnapshot } from '#core/live/live-store.ts';
import type { RollingWindow } from '#core/live/rolling-window.ts';
import { countText, formatValue } from '#core/units/format.ts';
import { pprofCells, rowTitle, sortNodes, type PprofCells } from '../top/pprof-table.ts';

type Rolling = LiveSnapshot & RollingWindow;

export interface Shown {
  readonly sort: 'self' | 'total';
  /** May be Infinity. */
  readonly rows: number;
  /** What is known of functions since the pin; empty without one, null if nothing is decided. */
  readonly states: readonly FunctionState[] | null;
  /** Size of the last ten seconds as a multiple of the baseline's, to which changes are relative; null: unknown. */
  readonly size: number | null;
}

interface FunctionsShown {
  readonly total: number;
  readonly count: number;
  readonly cells: PprofCells;
  readonly rows: readonly { readonly func: number; readonly self: number; readonly total: number }[];
}

function topOf({ profile }: Rolling, { sort, rows }: Shown): FunctionsShown {
  const selection = wholeProfile(profile);
  const view = buildStackView(profile, selection);
  const stats = functionStats(view);
  const nodes = Array.from(stats.func, (func, row) => ({ func, self: stats.self[row]!, total: stats.total[row]! }));
  const sorted = sortNodes(nodes, sort, ({ func }) => rowTitle(profile, func, false));
  const { unit } = profile.valueTypes[selection.valueType]!;
  return {
    total: view.total,
    count: nodes.length,
    cells: pprofCells(nodes, view.total, unit),
    rows: sorted.slice(0, rows),
  };
}

/** Returns one line of JSON; see docs/live.md. */
export function liveAsJson(
  status: LiveStatus,
  rolling: Rolling,
  { events, ...shown }: Shown & { readonly events: readonly LiveEvent[] },
): string {
  const { profile, samples, range, seconds, isWidened } = rolling;
  const { strings, functions, valueTypes, metadata } = profile;
  const { total, rows } = topOf(rolling, shown);
  const { type, unit } = valueTypes[metadata.defaultValueType]!;
  const line = {
    state: status.state,
    update: status.update,
    elapsedSeconds: status.elapsedMs / 1000,
    window: {
      seconds,
      widened: isWidened,
      samples,
      /** Seconds on the source's clock. */
      start: clockSeconds(profile.metadata.timeOrigin, range?.start),
      end: clockSeconds(profile.metadata.timeOrigin, range?.end),
    },
    samples: status.samples,
    samplesPerSecond: status.samplesPerSecond,
    lost: status.lost,
    gapSeconds: status.gapSeconds,
    collectorCpu: status.collectorCpu,
    latencyMs: status.latencyMs,
    rawBytes: status.raw?.bytes ?? null,
    // Before the first samples, it is unknown what they measure.
    valueType: status.samples === 0 ? null : { type, unit },
    total,
    baseline: status.baseline && {
      name: status.baseline.name,
      seconds: status.baseline.seconds,
      size: shown.size,
    },
    changes:
      shown.states &&
      shown.states.filter(isChanged).map(({ func, of: measure, state }) => ({
        name: strings[functions.name[func]!]!,
        module: strings[functions.module[func]!]!,
        measure,
        change: state,
      })),
    same: shown.states && countOf(shown.states, 'same'),
    open: shown.states && countOf(shown.states, 'open'),
    functions: rows.map(({ func, self, total: all }) => ({
      name: strings[functions.name[func]!]!,
      module: strings[functions.module[func]!]!,
      self,
      total: all,
    })),
    events,
    error: status.error,
  };
  return `${JSON.stringify(line)}\n`;
}

/**
 * Returns a row for each function of the window; `second` is the time since the start, `change` what is known since
 * the pin: `grew`, `shrank`, `same`, `open`, or `not-decided`. `isFirst` adds the head, with the unit of the weights.
 */
export function liveAsCsv(
  { elapsedMs }: Pick<LiveStatus, 'elapsedMs'>,
  rolling: Rolling,
  { isFirst, ...shown }: Shown & { readonly isFirst: boolean },
): string {
  const { strings, functions, valueTypes, metadata } = rolling.profile;
  const { unit } = valueTypes[metadata.defaultValueType]!;
  const states = new Map(shown.states?.toReversed().map(({ func, state }) => [func, state]));
  const unknown = shown.states === null ? 'not-decided' : '';
  const columns: ExportColumn<FunctionsShown['rows'][number]>[] = [
    { header: 'second', cell: () => Math.round(elapsedMs) / 1000 },
    { header: 'function', cell: ({ func }) => strings[functions.name[func]!]! },
    { header: 'module', cell: ({ func }) => strings[functions.module[func]!]! },
    { header: `self (${unit})`, cell: ({ self }) => self },
    { header: `total (${unit})`, cell: ({ total }) => total },
    { header: 'change', cell: ({ func }) => states.get(func) ?? unknown },
  ];
  const { rows } = topOf(rolling, shown);
  return isFirst ? csvText([], columns, rows) : csvRows(columns, rows);
}

const clockSeconds = (origin: bigint | null, time: number | undefined): number | null =>
  origin === null || time === undefined ? null : Number(origin) / 1e9 + time / 1e9;

/** Returns the table below two lines on the state of the collection. */
export function liveAsText(status: LiveStatus, rolling: Rolling, shown: Shown & { readonly width: number }): string {
  const { profile } = rolling;
  const { count, cells, rows } = topOf(rolling, shown);
  const marks = new Map(
    shown.states?.filter(isChanged).map(({ func, state }) => [func, state === 'grew' ? '▲ ' : '▼ ']),
  );
  const titled = rows.map(({ func, self, total }) => {
    const mark = marks.get(func) ?? '';
    return { self, total, title: (room: number) => mark + rowTitle(profile, func, false, room - mark.length) };
  });
  const more = count - rows.length;
  return [
    ...[titleLine(status, rolling), factsLine(status) + baselineText(status, shown)].map((line) =>
      escapeControls(line).slice(0, shown.width),
    ),
    ...cells.table(titled, shown.width),
    ...(more > 0 ? [`and ${countText(more, 'more function')}`] : []),
    '',
  ].join('\n');
}

function titleLine(
  { title, host, state, events, samples: all }: LiveStatus,
  { seconds, isWidened, samples }: Rolling,
): string {
  const window = seconds === null ? 'everything' : seconds < 60 ? `last ${seconds} s` : `last ${seconds / 60} min`;
  const widened = isWidened ? ', longer: too few samples' : '';
  const newest = events.at(-1);
  const said = newest === undefined || newest.kind === 'started' ? '' : ` · ${newest.text}`;
  const shown = all === 0 ? 'no samples yet' : `${window}${widened}: ${countText(samples, 'sample')}`;
  return `${title} on ${host} · ${state} · ${shown}${said}`;
}

function factsLine({
  samplesPerSecond,
  samples,
  lost,
  collectorCpu,
  latencyMs,
  rateHz,
  gapSeconds,
  raw,
}: LiveStatus): string {
  const parts = [
    ...(rateHz === null ? [] : [`${rateHz} Hz`]),
    `${samplesPerSecond.toFixed(0)} samples/s`,
    `${samples.toLocaleString('en')} in all`,
    `${lost.toLocaleString('en')} lost`,
    `collector ${collectorCpu === null ? '–' : (collectorCpu * 100).toFixed(1)} % of a CPU`,
    ...(gapSeconds < 0.1 ? [] : [`gaps ${gapSeconds.toFixed(1)} s`]),
    `latency ${latencyMs === null ? '–' : (latencyMs / 1000).toFixed(1)} s`,
    ...(raw === null ? [] : [`raw ${formatValue(raw.bytes, 'bytes')}${ofRing(raw)}`]),
  ];
  return parts.join(' · ');
}

const ofRing = ({ maxBytes }: NonNullable<LiveStatus['raw']>): string =>
  maxBytes === null ? '' : ` of ${formatValue(maxBytes, 'bytes')}`;

const isChanged = ({ state }: FunctionState): boolean => isChange(state);

/** Counts functions in a state; a function counts in the state of the measure that says more. */
function countOf(states: readonly FunctionState[], wanted: 'same' | 'open'): number {
  const rank = { open: 1, same: 0, grew: 2, shrank: 2 } as const;
  const best = new Map<number, FunctionState['state']>();
  for (const { func, state } of states) {
    const known = best.get(func);
    if (known === undefined || rank[state] > rank[known]) best.set(func, state);
  }
  return [...best.values()].filter((state) => state === wanted).length;
}

function baselineText({ baseline }: LiveStatus, { states, size }: Shown): string {
  if (baseline === null) return '';
  if (states === null) return ` · changes from ${baseline.name} ${VERDICT_WORDS['not-decided']} (too few functions)`;
  const changed = new Set(states.filter(isChanged).map(({ func }) => func)).size;
  const rest = `, ${countOf(states, 'open')} need more samples, ${countOf(states, 'same')} ${VERDICT_WORDS.same}`;
  return ` · ${countText(changed, 'function')} changed (▲ ▼) from ${baseline.name}${rest}${size === null ? '' : `, relative to the typical function (×${size.toFixed(2)})`}`;
}
