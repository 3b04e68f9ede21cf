import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import type { ProfileMetadata } from '../../model/profile.ts';
import { unitOfEvent } from './events.ts';

/** Facts of the header without a metadata field; kept as comments. */
const KEPT = new Set(['captured on', 'cpudesc', 'total memory']);
/**
 * Key of the line that describes how Flamebench had perf read a perf.data: the perf version, the machine and the
 * command.
 */
export const READ_BY = 'read by';

/** perf's header has some 30 lines; `event` lines and command lines may be long. */
const MAX_LINES = 500;
const MAX_KEY_LENGTH = 100;
const MAX_VALUE_LENGTH = 100_000;
/** Enough for a command with two paths. */
const MAX_READ_BY = 10_000;

/**
 * The `# key : value` lines that `perf script --header` prints first. If a key occurs twice (recordings joined by cat),
 * the first one counts. Source: the print_* functions in the kernel's tools/perf/util/header.c.
 */
export class HeaderComments {
  readonly #values = new Map<string, string>();
  /** Number of lines with a key, including repeated keys. */
  #count = 0;

  add(text: string): void {
    const colon = text.indexOf(':');
    const key = text.slice(1, Math.max(1, colon)).trim();
    if (colon < 0 || key === '' || key.length > MAX_KEY_LENGTH || this.#count >= MAX_LINES) return;
    this.#count += 1;
    if (!this.#values.has(key)) this.#values.set(key, text.slice(colon + 1, colon + 1 + MAX_VALUE_LENGTH).trim());
  }

  /** Adds a note if Flamebench had perf read a perf.data. */
  note(diagnostics: DiagnosticCounter): void {
    const readBy = this.#values.get(READ_BY);
    if (readBy === undefined) return;
    const message = `A perf.data that perf script read: ${readBy.slice(0, MAX_READ_BY)}`;
    diagnostics.add('read-by-perf', message, { severity: 'info' });
  }

  metadata(): Partial<ProfileMetadata> {
    const values = this.#values;
    if (values.size === 0) return {};
    const command = values.get('cmdline') ?? null;
    const event = parseEvent(values.get('event') ?? '');
    return {
      tool: 'perf',
      toolVersion: values.get('perf version') ?? null,
      command,
      hostName: values.get('hostname') ?? null,
      kernel: values.get('os release') ?? null,
      arch: values.get('arch') ?? null,
      cpuCount: parseCount(values.get('nrcpus online') ?? values.get('nrcpus avail')),
      rateHz: event?.rateHz ?? rateOfCommand(command ?? ''),
      period: event?.period ?? null,
      comments: [...values].filter(([key]) => KEPT.has(key)).map(([key, value]) => `${key}: ${value}`),
    };
  }
}

/**
 * Parses `name = cycles, , id = {…}, …, { sample_period, sample_freq } = 999, …, freq = 1`: a rate if `freq` is set,
 * otherwise a period.
 */
function parseEvent(text: string): Pick<ProfileMetadata, 'rateHz' | 'period'> | null {
  const name = /^name = (.+?), /.exec(text)?.[1];
  const number = parseCount(/\{ sample_period, sample_freq \} = (\d+)/.exec(text)?.[1]);
  if (name === undefined || number === null) return null;
  if (/, freq = 1\b/.test(text)) return { rateHz: number, period: null };
  return { rateHz: null, period: { type: name, unit: unitOfEvent(name), value: number } };
}

/** Parses `-F 99`, `-F99`, `--freq=99` of perf record. Arguments after `--` belong to the workload. */
function rateOfCommand(command: string): number | null {
  const own = command.split(' -- ')[0]!;
  return parseCount(/ (?:-[a-zA-Z]*F ?|--freq[= ])(\d+)(?: |$)/.exec(own)?.[1]);
}

function parseCount(text: string | undefined): number | null {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : null;
}
