import type { ProbePlan, StoredProbe } from '../contract/load/probe.ts';
import type { Formatter } from '../units/format.ts';
import type { LoadTable } from './load-text.ts';
import {
  medianOf,
  medianText,
  PHASE_LABELS,
  phaseValues,
  PROBE_PHASES,
  shiftOf,
  type ProbePhases,
  type ProbeSample,
} from './probe.ts';

/** A series of probes to show: one, or two as before and after. */
export interface ProbeSide {
  readonly role: 'only' | 'before' | 'after';
  readonly name: string;
  readonly probe: StoredProbe;
}

/** The two requests of a probe, which are never averaged together. */
export const PROBE_CONNECTIONS = ['cold', 'kept'] as const;
export type ProbeConnection = (typeof PROBE_CONNECTIONS)[number];

/** Returns the phases of all requests of one kind; `kept` is empty if the server closes connections. */
export const requestsOf = (samples: readonly ProbeSample[], connection: ProbeConnection): ProbePhases[] =>
  samples.flatMap((sample) => sample[connection] ?? []);

/** Whether the first request of each pair follows a restart or a pause. */
export const isAfterRest = ({ restart, idle }: Pick<ProbePlan, 'restart' | 'idle'>): boolean =>
  restart !== null || idle > 0;

/** Names a series: `new connection`, or `second request, kept connection` if the first follows a restart or a pause. */
export function connectionTitle(connection: ProbeConnection, isRested: boolean): string {
  const title = connection === 'cold' ? 'new connection' : 'kept connection';
  return isRested ? `${connection === 'cold' ? 'first' : 'second'} request, ${title}` : title;
}

/** Describes what happens before each probe; empty if nothing does. The command is redacted by the caller. */
function restText({ restart, idle, preflight }: Pick<ProbePlan, 'restart' | 'idle' | 'preflight'>): string {
  const sent = preflight === undefined ? '' : `; each request after a CORS preflight from ${preflight}`;
  const parts = [
    ...(idle > 0 ? [`after ${idle} s without requests`] : []),
    ...(restart === null ? [] : [`after the command ${restart}`]),
  ];
  return `${parts.length === 0 ? '' : `; each pair ${parts.join(' and ')}`}${sent}`;
}

/** Describes the total load, for a confirmation. The caller redacts the URL and the command. */
export const totalProbeText = (plan: ProbePlan, host: string): string =>
  `curl on ${host} sends ${(plan.preflight === undefined ? 2 : 4) * plan.times} requests to ${plan.url}, one after another${restText(plan)}.`;

/** What is measured, and how it is summarised. */
export const PROBE_CAVEAT =
  'medians with 95 % intervals of order statistics; first byte: round trip and server, from the open connection to the first byte';
export const SHIFT_CAVEAT = 'Δ: Hodges and Lehmann’s shift after − before, with its 95 % interval';

const hasPreflights = (samples: readonly ProbeSample[]): boolean =>
  samples.some(({ cold, kept }) => (cold ?? kept)?.preflight !== undefined);

/** Returns what makes two series of probes incomparable: one sentence each. Restart commands may differ. */
export function probeWarnings(before: Pick<ProbeSide, 'probe'>, after: Pick<ProbeSide, 'probe'>): string[] {
  const [one, other] = [before, after].map(({ probe: { plan } }) => {
    const words = [
      ...(plan.restart === null ? [] : ['after a restart']),
      ...(plan.idle > 0 ? [`after ${plan.idle} s without requests`] : []),
    ];
    return words.join(' and ') || 'without a restart or a pause';
  });
  const [had, has] = [before, after].map(({ probe: { samples } }) => hasPreflights(samples));
  return [
    ...(one === other ? [] : [`The first requests are not comparable: ${one} before, ${other} after.`]),
    ...(had === has
      ? []
      : [
          `Only the requests ${had === true ? 'before' : 'after'} have a CORS preflight, which is part of their total.`,
        ]),
  ];
}

/** Returns the shift of a phase, `+1.2 ms (+1 ms to +1.4 ms)`; `–` if a side lacks it. */
export function shiftText(before: readonly number[], after: readonly number[], format: Formatter): string {
  const found = shiftOf(before, after);
  if (found === null) return '–';
  const value = (seconds: number): string => format.value(seconds, 'seconds', { sign: 'always' });
  return found.interval === null
    ? value(found.shift)
    : `${value(found.shift)} (${found.interval.map(value).join(' to ')})`;
}

/** Returns the phases of each series with medians, intervals, and of two sides their shift. */
export function probeTable(sides: readonly ProbeSide[], format: Formatter): LoadTable {
  const isRested = sides.some(({ probe }) => isAfterRest(probe.plan));
  const [first, second] = sides;
  const rows = PROBE_CONNECTIONS.flatMap((connection) =>
    PROBE_PHASES.flatMap((phase) => {
      const values = sides.map(({ probe }) => phaseValues(requestsOf(probe.samples, connection), phase));
      // Nothing is opened for a kept connection.
      if (values.flat().every((seconds) => seconds === 0)) return [];
      return [
        [
          connectionTitle(connection, isRested),
          PHASE_LABELS[phase],
          ...values.map((own) => medianText(medianOf(own), format)),
          ...(second === undefined ? [] : [shiftText(values[0]!, values[1]!, format)]),
          values.map(({ length }) => String(length)).join(' → '),
        ],
      ];
    }),
  );
  const measured = first === undefined || second === undefined ? ['Median'] : ['Before', 'After', 'Δ'];
  return { names: 2, header: ['Request', 'Phase', ...measured, 'Probes'], rows };
}

/** Returns one line per side about what was asked and answered, then what the numbers mean. */
export function probeNotes(sides: readonly ProbeSide[]): string[] {
  return [
    ...sides.map(({ role, probe: { plan, samples, notes } }) => {
      const statuses = [...new Set(samples.map(({ status }) => status))].join(', ');
      const isClosed = notes === undefined && requestsOf(samples, 'kept').length === 0;
      const closed = isClosed ? '; the server closes connections' : '';
      const side = role === 'only' ? '' : `${role}: `;
      return `${side}${plan.url}, status ${statuses}${closed}${restText(plan)}`;
    }),
    ...new Set(sides.flatMap(({ probe: { notes = [] } }) => notes)),
    ...(sides.length > 1 ? [...probeWarnings(sides[0]!, sides[1]!), SHIFT_CAVEAT] : []),
    PROBE_CAVEAT,
  ];
}
