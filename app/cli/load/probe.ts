import { z } from 'zod';
import { readFileSync } from 'node:fs';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
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
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { createFormatter } from '#core/units/format.ts';
import { MAX_PROBES, planProbe, probeArgv, runProbe, type ProbePlan } from '#app/engine/loads/run-probe.ts';
import { ExitCode } from '../command.ts';
import { openOutput } from '../convert/output-file.ts';
import { captureError, inputError, usageError } from '../errors.ts';
import { alignColumns } from '../output/align-columns.ts';
import { jsonText } from '../output/json-text.ts';
import { print, say } from '../output/terminal.ts';
import { withTargets } from '../targets/cli-targets.ts';
import type { LoadOptions } from './load-options.ts';
import { asCaptureFailure } from './run.ts';

const format = createFormatter('en');

const amount = z.number().nonnegative();
const phasesSchema = z.object({
  dns: amount,
  tcp: amount,
  tls: amount.nullable(),
  firstByte: amount,
  download: amount,
  total: amount,
});
const savedSchema = z.object({
  url: z.string(),
  samples: z
    .array(z.object({ cold: phasesSchema, kept: phasesSchema.nullable(), status: z.number() }))
    .min(1)
    .max(MAX_PROBES),
});

/** Times one URL's phases, on a new and on a kept connection; with `--before FILE` compared with an earlier probe. */
export async function probeUrl(words: readonly string[], options: LoadOptions): Promise<ExitCode> {
  const [url, ...others] = words;
  if (url === undefined || others.length > 0) throw usageError('load probe wants one URL');
  const times = timesOf(options.repeat ?? '10');
  const before = beforeOf(options.before);
  const plan: ProbePlan = {
    url,
    headers: options.header ?? [],
    times,
    restart: options.restart ?? null,
    idle: idleOf(options.idle ?? '0'),
  };
  const isCold = plan.restart !== null || plan.idle > 0;
  return withTargets(async (targets) => {
    const name = options.target ?? LOCAL_TARGET;
    const [id = name] = await targets.resolve([name]);
    const target = await targets.open(id);
    const program = await planProbe(target, plan).catch(asCaptureFailure);
    const shown = redactText(url);
    const total = `curl on ${target.host} sends ${2 * times} requests to ${shown}, one after another${coldText(plan)}.`;
    if (options.dryRun === true) {
      print(`${escapeControls(total)}\n  ${escapeControls(quoteArgv(redactArgv(probeArgv(program, plan))))}\n`);
      return ExitCode.ok;
    }
    say(total);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    process.once('SIGINT', end);
    const samples = await runProbe(target, program, plan, ending.signal)
      .catch(asCaptureFailure)
      .finally(() => process.off('SIGINT', end));
    if (samples.length === 0) throw captureError('stopped before the first probe ended');
    const output = openOutput(options.output);
    const text =
      options.json === true
        ? jsonText({ url: shown, host: target.host, summary: summaryOf(samples), samples })
        : describe(shown, samples, before, isCold);
    output.write(new TextEncoder().encode(text));
    output.commit();
    return ExitCode.ok;
  });
}

function idleOf(word: string): number {
  if (!/^\d{1,5}$/.test(word)) throw usageError(`--idle ${word}: not a whole number of seconds`);
  return Number(word);
}

/** Says what happens before each probe. */
function coldText({ restart, idle }: ProbePlan): string {
  const parts = [
    ...(idle > 0 ? [`after ${idle} s without requests`] : []),
    ...(restart === null ? [] : [`after the command ${redactText(restart)}`]),
  ];
  return parts.length === 0 ? '' : `; each pair ${parts.join(' and ')}`;
}

function timesOf(word: string): number {
  const times = /^\d{1,4}$/.test(word) ? Number(word) : 0;
  if (times < 1 || times > MAX_PROBES) throw usageError(`--repeat ${word}: not a number from 1 to ${MAX_PROBES}`);
  return times;
}

function beforeOf(paths: readonly string[] | undefined): readonly ProbeSample[] | null {
  if (paths === undefined) return null;
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0) throw usageError('load probe takes one --before file');
  let read;
  try {
    read = savedSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw inputError(`${path} can't be read as JSON`, 'flamebench load probe URL --json -o FILE writes it');
  }
  if (read.success) return read.data.samples;
  throw inputError(`${path} is not a probe`, 'flamebench load probe URL --json -o FILE writes it');
}

const CONNECTIONS = [
  { id: 'cold', title: 'new connection', of: (samples: readonly ProbeSample[]) => samples.map(({ cold }) => cold) },
  {
    id: 'kept',
    title: 'kept connection',
    of: (samples: readonly ProbeSample[]) => samples.flatMap(({ kept }) => kept ?? []),
  },
] as const;

const summaryOf = (samples: readonly ProbeSample[]) =>
  Object.fromEntries(
    CONNECTIONS.map(({ id, of }) => [
      id,
      Object.fromEntries(PROBE_PHASES.map((phase) => [phase, medianOf(phaseValues(of(samples), phase))])),
    ]),
  );

function describe(
  url: string,
  samples: readonly ProbeSample[],
  before: readonly ProbeSample[] | null,
  isCold: boolean,
): string {
  const statuses = [...new Set(samples.map(({ status }) => status))].join(', ');
  const lines = [
    `${url} · ${samples.length} ${samples.length === 1 ? 'probe' : 'probes'} · status ${statuses}`,
    ...CONNECTIONS.flatMap(({ id, title, of }) => {
      const own = of(samples);
      if (own.length === 0) return ['', `${title}: the server closes connections, or answers each with an error`];
      return [
        '',
        `${isCold ? `${id === 'cold' ? 'first' : 'second'} request, ` : ''}${title} (${own.length})`,
        ...tableOf(own, before === null ? null : of(before)),
        spreadText(own),
      ];
    }),
    '',
    'medians with 95 % intervals of order statistics; first byte: round trip and server, from the request sent to the first byte',
    ...(before === null ? [] : ['Δ: Hodges and Lehmann’s shift after − before, with its 95 % interval']),
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
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
    const change = before === null ? [] : [shiftText(phaseValues(before, phase), phaseValues(own, phase))];
    return [[PHASE_LABELS[phase], medianText(found, format), ...change, bar]];
  });
  return alignColumns(['phase', 'median', ...(before === null ? [] : ['Δ']), ''], rows);
}

/** Returns the distribution of the total, which a median hides: `total: 1 ms · 2 ms · 3 ms · 4 ms · 9 ms`. */
function spreadText(own: readonly ProbePhases[]): string {
  const sorted = phaseValues(own, 'total').toSorted((a, b) => a - b);
  const at = (share: number): string => format.value(sorted[Math.round(share * (sorted.length - 1))]!, 'seconds');
  return `total: min ${at(0)} · p25 ${at(0.25)} · p50 ${at(0.5)} · p75 ${at(0.75)} · max ${at(1)}`;
}

const BAR = 30;

function barOf(from: number, length: number, whole: number): string {
  if (!(whole > 0)) return '';
  const start = Math.min(BAR - 1, Math.round((from / whole) * BAR));
  const cells = Math.max(length > 0 ? 1 : 0, Math.min(BAR - start, Math.round((length / whole) * BAR)));
  return `|${'·'.repeat(start)}${'█'.repeat(cells)}${'·'.repeat(BAR - start - cells)}|`;
}

function shiftText(before: readonly number[], after: readonly number[]): string {
  const found = shiftOf(before, after);
  if (found === null) return '–';
  const value = (seconds: number): string => format.value(seconds, 'seconds', { sign: 'always' });
  return found.interval === null
    ? value(found.shift)
    : `${value(found.shift)} (${found.interval.map(value).join(' to ')})`;
}
