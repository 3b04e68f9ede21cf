import {
  connectionTitle,
  isAfterRest,
  PROBE_CAVEAT,
  PROBE_CONNECTIONS,
  probeWarnings,
  requestsOf,
  SHIFT_CAVEAT,
  shiftText,
  type ProbeSide,
} from '#core/load/describe-probe.ts';
import {
  medianOf,
  medianText,
  PHASE_LABELS,
  phaseValues,
  PROBE_PHASES,
  shiftOf,
  type ProbePhases,
  type ProbeSample,
} from '#core/load/probe.ts';
import { spreadText } from '#core/load/charts/probes.ts';
import { createFormatter } from '#core/units/format.ts';
import { alignColumns } from '../output/align-columns.ts';
import { asLines } from '../output/terminal.ts';

const format = createFormatter('en');

export const probeSummary = (samples: readonly ProbeSample[]) =>
  Object.fromEntries(
    PROBE_CONNECTIONS.map((connection) => [
      connection,
      Object.fromEntries(
        PROBE_PHASES.map((phase) => [phase, medianOf(phaseValues(requestsOf(samples, connection), phase))]),
      ),
    ]),
  );

/** Returns the shift of each phase of each series. */
export const probeShifts = (before: readonly ProbeSample[], after: readonly ProbeSample[]) =>
  Object.fromEntries(
    PROBE_CONNECTIONS.map((connection) => {
      const [one, other] = [requestsOf(before, connection), requestsOf(after, connection)];
      const shifts = PROBE_PHASES.map((phase) => [phase, shiftOf(phaseValues(one, phase), phaseValues(other, phase))]);
      return [connection, Object.fromEntries(shifts)];
    }),
  );

/** Describes a series of probes, with the shift from an earlier one unless `before` is null. */
export function describeProbe(side: ProbeSide, before: ProbeSide | null): string {
  const { plan, samples, notes = [] } = side.probe;
  const statuses = [...new Set(samples.map(({ status }) => status))].join(', ');
  const lines = [
    `${plan.url} · ${samples.length} ${samples.length === 1 ? 'probe' : 'probes'} · status ${statuses}`,
    ...(before === null ? [] : probeWarnings(before, side).map((warning) => `warning: ${warning}`)),
    ...PROBE_CONNECTIONS.flatMap((connection) => {
      const own = requestsOf(samples, connection);
      const title = connectionTitle(connection, isAfterRest(plan));
      if (own.length === 0) {
        const why =
          side.probe.notes === undefined
            ? 'the server closes connections, or answers each with an error'
            : 'no request';
        return ['', `${title}: ${why}`];
      }
      return [
        '',
        `${title} (${own.length})`,
        ...tableOf(own, before === null ? null : requestsOf(before.probe.samples, connection)),
        `total: ${spreadText(phaseValues(own, 'total'), format)}`,
      ];
    }),
    '',
    ...notes,
    PROBE_CAVEAT,
    ...(before === null ? [] : [SHIFT_CAVEAT]),
  ];
  return asLines(lines);
}

/** Returns one row per phase, with a bar of its median within the total. */
function tableOf(own: readonly ProbePhases[], before: readonly ProbePhases[] | null): string[] {
  const whole = medianOf(phaseValues(own, 'total'))?.median ?? 0;
  let from = 0;
  const rows = PROBE_PHASES.flatMap((phase) => {
    const found = medianOf(phaseValues(own, phase));
    if (found === null) return [];
    const bar = phase === 'total' ? '' : barOf(from, found.median, whole);
    if (phase !== 'total') from += found.median;
    const change = before === null ? [] : [shiftText(phaseValues(before, phase), phaseValues(own, phase), format)];
    return [[PHASE_LABELS[phase], medianText(found, format), ...change, bar]];
  });
  return alignColumns(['phase', 'median', ...(before === null ? [] : ['Δ']), ''], rows);
}

const BAR = 30;

function barOf(from: number, length: number, whole: number): string {
  if (!(whole > 0)) return '';
  const start = Math.min(BAR - 1, Math.round((from / whole) * BAR));
  const cells = Math.max(length > 0 ? 1 : 0, Math.min(BAR - start, Math.round((length / whole) * BAR)));
  return `|${'·'.repeat(start)}${'█'.repeat(cells)}${'·'.repeat(BAR - start - cells)}|`;
}
