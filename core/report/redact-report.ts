import type { ReportLoad } from '../contract/report-load.ts';
import type { Report } from '../contract/report.ts';
import { FunctionKind, NO_ADDRESS, type Profile } from '../model/profile.ts';
import {
  createRedactor,
  findReplacements,
  type Redaction,
  type Redactor,
  type Replacement,
} from '../redact/identities.ts';

/** A report with the captures that it is about, before it is written. */
interface ReportData {
  readonly report: Report;
  readonly profiles: ReadonlyMap<string, Profile>;
}

/** A replacement and its number of occurrences in distinct texts. */
export interface CountedReplacement extends Replacement {
  readonly count: number;
}

export interface RedactedReport extends ReportData {
  /** What was replaced; those that changed nothing are left out. */
  readonly replaced: readonly CountedReplacement[];
}

/** Redacts a report. `keep` lists texts that stay although their kind is replaced. */
export function redactReport(
  data: ReportData,
  kinds: ReadonlySet<Redaction>,
  keep: ReadonlySet<string> = new Set(),
): RedactedReport {
  const stripped = kinds.has('arguments') ? withoutArguments(data) : data;
  const { report, profiles } = stripped;
  const replacements = findReplacements(textsOf(stripped), kinds).filter(({ from }) => !keep.has(from));
  const redactor = createRedactor(replacements);
  const redacted = new Map<string, Profile>();
  for (const [id, profile] of profiles) {
    redacted.set(
      id,
      redactProfile(kinds.has('kernel-addresses') ? withoutKernelAddresses(profile) : profile, redactor),
    );
  }
  const mappedReport = mapTexts(report, redactor.apply);
  // Ids are chosen by whoever wrote the notes, and may contain anything.
  const notes = mappedReport.notes.map((one, place) => ({ ...one, note: { ...one.note, id: `note-${place + 1}` } }));
  const document = kinds.size === 0 ? mappedReport : { ...mappedReport, notes };
  const replaced = replacements
    .map((replacement, place) => ({ ...replacement, count: redactor.counts[place]! }))
    .filter(({ count }) => count > 0);
  return {
    report: { ...document, redacted: [...report.redacted, ...listed(replaced), ...removed(kinds)] },
    profiles: redacted,
    replaced,
  };
}

/** Returns one row per token, which homes and addresses may share; paths and kernel addresses have one row each. */
function listed(replaced: readonly CountedReplacement[]): Report['redacted'] {
  const rows = new Map<string, Report['redacted'][number]>();
  for (const { kind, token, count } of replaced) {
    const isNumbered = kind === 'paths' || kind === 'kernel-addresses';
    const key = isNumbered ? kind : token;
    const before = rows.get(key);
    const row = before ?? {
      kind,
      token: isNumbered ? (kind === 'paths' ? '/dir-N/' : 'kernel-address-N') : token,
      count: 0,
    };
    rows.set(key, { ...row, count: row.count + count });
  }
  return [...rows.values()];
}

/** Returns probes without the arguments of the command before each. */
const withoutRestart = (
  probe: NonNullable<ReportLoad['probe']>,
  line: (text: string) => string,
): NonNullable<ReportLoad['probe']> => ({
  ...probe,
  plan: { ...probe.plan, restart: probe.plan.restart === null ? null : line(probe.plan.restart) },
});

const removed = (kinds: ReadonlySet<Redaction>): Report['redacted'] =>
  kinds.has('arguments') ? [{ kind: 'arguments', token: REMOVED, count: 1 }] : [];

const REMOVED = '(arguments removed)';

function withoutArguments({ report, profiles }: ReportData): ReportData {
  const first = (words: readonly string[]): string[] => (words.length < 2 ? [...words] : [words[0]!, REMOVED]);
  const line = (text: string): string => {
    const end = text.trimStart().search(/\s/);
    return end < 0 ? text : `${text.trimStart().slice(0, end)} ${REMOVED}`;
  };
  return {
    report: {
      ...report,
      made: { ...report.made, command: first(report.made.command) },
      ...(report.loads === undefined
        ? {}
        : {
            loads: report.loads.map((load) => ({
              ...load,
              ...(load.commands === undefined ? {} : { commands: load.commands.map(first) }),
              ...(load.probe === undefined ? {} : { probe: withoutRestart(load.probe, line) }),
            })),
          }),
      captures: report.captures.map((capture) => {
        const { facts } = capture;
        if (facts === null) return capture;
        const { collector, process } = facts;
        return {
          ...capture,
          facts: {
            ...facts,
            collector: collector && { ...collector, commands: collector.commands.map(first) },
            ...(process === undefined || process === null
              ? {}
              : { process: { ...process, command: line(process.command) } }),
          },
        };
      }),
    },
    profiles: new Map(
      [...profiles].map(([id, profile]) => {
        const { command } = profile.metadata;
        const metadata = { ...profile.metadata, command: command === null ? null : line(command) };
        return [id, { ...profile, metadata }];
      }),
    ),
  };
}

function withoutKernelAddresses(profile: Profile): Profile {
  const { frames, functions } = profile;
  if (frames.address === null) return profile;
  const address = frames.address.map((at, frame) =>
    functions.kind[frames.func[frame]!] === FunctionKind.kernel || at >= 0xffff_8000_0000_0000n ? NO_ADDRESS : at,
  );
  return { ...profile, frames: { ...frames, address } };
}

function textsOf({ report, profiles }: ReportData) {
  const prose: string[] = [];
  const symbols: string[] = [];
  const hosts: string[] = [];
  const written: string[] = [];
  const into =
    (list: string[]) =>
    (text: string): string => {
      list.push(text);
      return text;
    };
  const { title, notes, sections, ...rest } = report;
  mapTexts({ title, notes, sections }, into(written));
  mapTexts(rest, into(prose));
  for (const { facts } of report.captures) if (facts !== null && facts.target !== null) hosts.push(facts.target.host);
  for (const { strings, metadata, diagnostics, samples } of profiles.values()) {
    symbols.push(...strings);
    mapTexts([metadata, diagnostics, samples.labelSets], into(prose));
    if (metadata.hostName !== null) hosts.push(metadata.hostName);
  }
  const containers = report.captures.flatMap(({ facts }) => facts?.container ?? []);
  return { symbols, prose, written, hosts, containers, users: report.made.author === null ? [] : [report.made.author] };
}

function redactProfile(profile: Profile, { apply }: Redactor): Profile {
  const { strings, metadata, diagnostics, samples, events } = profile;
  return {
    ...profile,
    strings: strings.map(apply),
    events: events.map(apply),
    metadata: mapTexts(metadata, apply),
    diagnostics: mapTexts(diagnostics, apply),
    samples: { ...samples, labelSets: mapTexts(samples.labelSets, apply) },
  };
}

/** Fields whose texts are keywords of the format. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'kind',
  'id',
  'capture',
  'on',
  'direction',
  'orientation',
  'look',
  'sort',
  'measure',
  'colour',
  'normalisation',
  'off',
  'format',
  'code',
  'severity',
  'unit',
  'version',
  'clock',
  'token',
  'tool',
  'side',
]);

/** For facts of containers, whose ids are not keywords. */
const NO_WORDS: ReadonlySet<string> = new Set();

/** Returns the value with every text replaced, except keywords of the format. */
function mapTexts<T>(value: T, apply: (text: string) => string): T {
  return mapped(value, apply) as T;
}

function mapped(value: unknown, apply: (text: string) => string, ownWords = OWN_WORDS): unknown {
  if (typeof value === 'string') return apply(value);
  if (Array.isArray(value)) return value.map((one) => mapped(one, apply, ownWords));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      ownWords.has(key) ? one : mapped(one, apply, key === 'container' ? NO_WORDS : ownWords),
    ]),
  );
}
