import type { ReportLoad } from '../contract/report/load.ts';
import type { Report } from '../contract/report/report.ts';
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
  const removed = new Removed(keep);
  const stripped = kinds.has('arguments') ? withoutArguments(data, removed) : data;
  const { report, profiles } = stripped;
  const replacements = findReplacements(textsOf(stripped), kinds).filter(({ from }) => !keep.has(from));
  const redactor = createRedactor(replacements);
  const redacted = new Map<string, Profile>();
  for (const [id, profile] of profiles) {
    redacted.set(
      id,
      redactProfile(kinds.has('kernel-addresses') ? withoutKernelAddresses(profile, removed) : profile, redactor),
    );
  }
  const mappedReport = mapTexts(report, redactor.apply);
  // Ids are chosen by whoever wrote the notes, and may contain anything.
  const notes = mappedReport.notes.map((one, place) => ({ ...one, note: { ...one.note, id: `note-${place + 1}` } }));
  const document = kinds.size === 0 ? mappedReport : { ...mappedReport, notes };
  const replaced = [
    ...replacements.map((replacement, place) => ({ ...replacement, count: redactor.counts[place]! })),
    ...removed.rows(),
  ].filter(({ count }) => count > 0);
  return {
    report: { ...document, redacted: [...report.redacted, ...listed(replaced)] },
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

/** What is removed whole, counted by its text; texts to keep stay. */
class Removed {
  readonly #keep: ReadonlySet<string>;
  readonly #rows = new Map<string, CountedReplacement>();

  constructor(keep: ReadonlySet<string>) {
    this.#keep = keep;
  }

  /** Counts a removal; returns false if the text is to stay. */
  remove(kind: Redaction, from: string, token: string, count = 1): boolean {
    if (this.#keep.has(from)) return false;
    this.#rows.set(from, { kind, from, token, count: (this.#rows.get(from)?.count ?? 0) + count });
    return true;
  }

  rows(): CountedReplacement[] {
    return [...this.#rows.values()];
  }
}

const REMOVED = '(arguments removed)';

function withoutArguments({ report, profiles }: ReportData, removed: Removed): ReportData {
  const first = ([program, ...words]: readonly string[]): string[] => {
    if (program === undefined) return [];
    const isGone = words.length > 0 && words[0] !== REMOVED && removed.remove('arguments', words.join(' '), REMOVED);
    return [program, ...(isGone ? [REMOVED] : words)];
  };
  const line = (text: string): string => {
    const command = text.trim();
    const end = command.search(/\s/);
    const words = end < 0 ? '' : command.slice(end).trimStart();
    if (words === '' || words === REMOVED) return text;
    return removed.remove('arguments', words, REMOVED) ? `${command.slice(0, end)} ${REMOVED}` : text;
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

/** The label under which the addresses of kernel frames, which are numbers, are listed. */
const KERNEL_FRAMES = 'addresses of kernel frames';

function withoutKernelAddresses(profile: Profile, removed: Removed): Profile {
  const { frames, functions } = profile;
  if (frames.address === null) return profile;
  const isKernel = (at: bigint, frame: number): boolean =>
    at !== NO_ADDRESS && (functions.kind[frames.func[frame]!] === FunctionKind.kernel || at >= 0xffff_8000_0000_0000n);
  const count = frames.address.reduce((sum, at, frame) => sum + (isKernel(at, frame) ? 1 : 0), 0);
  if (count === 0 || !removed.remove('kernel-addresses', KERNEL_FRAMES, 'none', count)) return profile;
  const address = frames.address.map((at, frame) => (isKernel(at, frame) ? NO_ADDRESS : at));
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
  for (const { strings, valueTypes, metadata, diagnostics, samples, events } of profiles.values()) {
    for (const text of strings) symbols.push(text);
    symbols.push(...events);
    mapTexts([valueTypes, metadata, diagnostics, samples.labelSets], into(prose));
    if (metadata.tool !== null) prose.push(metadata.tool);
    if (metadata.hostName !== null) hosts.push(metadata.hostName);
  }
  const containers = report.captures.flatMap(({ facts }) => facts?.container ?? []);
  return { symbols, prose, written, hosts, containers, users: report.made.author === null ? [] : [report.made.author] };
}

/** Replaces identities in all texts of a profile. */
export function redactProfile(profile: Profile, { apply }: Redactor): Profile {
  const { strings, valueTypes, metadata, diagnostics, samples, events } = profile;
  const { tool } = metadata;
  return {
    ...profile,
    strings: strings.map(apply),
    events: events.map(apply),
    valueTypes: mapTexts(valueTypes, apply),
    // Not a keyword here: profiles name any tool.
    metadata: { ...mapTexts(metadata, apply), tool: tool === null ? null : apply(tool) },
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
