import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { folderSource, isProfileFolder } from '#app/engine/files/folder-source.ts';
import { openFleetToPush } from '#app/engine/fleet/open-fleet.ts';
import { addProfile } from '#app/engine/fleet/add-profile.ts';
import { PushBatch } from '#app/engine/fleet/push.ts';
import type { FleetStore } from '#app/engine/fleet/store.ts';
import { compareText } from '#core/analyze/compare-text.ts';
import type { CaptureRows } from '#core/fleet/capture-rows.ts';
import type { FleetCapture } from '#core/fleet/merge-captures.ts';
import { FLEET_REDACTIONS } from '#core/fleet/redact-capture.ts';
import type { Redaction } from '#core/redact/identities.ts';
import { redactText, REDACTED } from '#core/redact/secret-shapes.ts';
import { countSamples } from '#core/model/sample-counts.ts';
import { countText } from '#core/units/format.ts';
import { listText } from '#core/units/list-text.ts';
import { ExitCode } from '../command.ts';
import { usageError } from '../errors.ts';
import { importInput } from '../input/read-input.ts';
import { findInput, type FoundInput } from '../library/find-input.ts';
import { jsonText } from '../output/json-text.ts';
import { print, say, showProgress, warn } from '../output/terminal.ts';
import { warnOfCaptures } from '../output/warn-of-diagnostics.ts';
import { loggingIn } from './log-in.ts';
import { shown } from './list.ts';
import { fleetName, readPair } from './options.ts';
import { watchLibrary } from './watch.ts';

interface PushFlags {
  readonly to?: string;
  readonly login?: string;
  readonly service?: string;
  readonly release?: string;
  readonly commit?: string;
  readonly host?: string;
  readonly label?: readonly string[];
  readonly redact: string;
  readonly from?: string;
  readonly json?: true;
  readonly library?: string;
  readonly watch?: true;
}

/** What became of a word of the command line. */
interface Pushed {
  readonly word: string;
  readonly id: string;
  readonly name: string;
  readonly isNew: boolean;
  readonly host: string | null;
  readonly samples: number;
  /** What redaction left, in lines; only of a fleet's first capture. */
  readonly left: readonly string[];
}

/** Adds captures one after the other. */
export async function push(command: Command): Promise<ExitCode> {
  const flags = command.opts<PushFlags>();
  const name = fleetName('--to', flags.to);
  const kinds = readKinds(flags.redact);
  const labels = readLabels(flags.label ?? []);
  const inputs: NamedInput[] = [];
  for (const word of command.args) {
    if (word === STDIO) throw usageError('fleet push reads files, not stdin', 'name a file, which can be pushed again');
    inputs.push({ word, found: await findInput(word, flags.library) });
  }
  if (inputs.length === 0 && flags.watch !== true) {
    throw usageError('no capture is named', 'name files or captures, or add --watch');
  }
  if (flags.watch === true && flags.json === true) throw usageError('--watch prints no JSON', 'leave --json out');
  const open = loggingIn(flags.login, (login) => openFleetToPush(name, login));
  if (inputs.length > 0) await pushNamed({ name, open }, inputs, { flags, kinds, labels });
  if (flags.watch === true) {
    const count = await watchLibrary({
      open,
      folder: flags.library,
      async push(fleet, word, found) {
        const batch = new PushBatch(fleet);
        const one = await pushOne(batch, word, found, { flags, kinds, labels });
        await batch.flush();
        return linesOf(one);
      },
    });
    print(`${name}: ${countText(count, 'capture')} pushed\n`);
  }
  return ExitCode.ok;
}

interface NamedInput {
  readonly word: string;
  readonly found: FoundInput;
}

async function pushNamed(
  { name, open }: { readonly name: string; readonly open: () => Promise<FleetStore> },
  inputs: readonly NamedInput[],
  options: PushOptions,
): Promise<void> {
  const { flags } = options;
  const fleet = await open();
  const batch = new PushBatch(fleet);
  const pushed: Pushed[] = [];
  let said = 0;
  const sayWritten = (): void => {
    if (flags.json !== true) for (const line of pushed.slice(said).flatMap(linesOf)) say(line);
    said = pushed.length;
  };
  try {
    for (const [place, { word, found }] of inputs.entries()) {
      showProgress(`pushing ${place + 1} of ${inputs.length}: ${word}`);
      pushed.push(await pushOne(batch, word, found, options).finally(() => showProgress('')));
      if (batch.isWritten) sayWritten();
    }
  } finally {
    // Also what was read before a capture that can't be; nothing waits after a failed write.
    try {
      await batch.flush();
      if (batch.isWritten) sayWritten();
    } finally {
      fleet.close();
    }
  }
  const added = pushed.filter(({ isNew }) => isNew).length;
  if (flags.json === true) {
    print(jsonText({ fleet: name, added, captures: pushed.map((one) => ({ ...one, left: undefined })) }));
  } else print(`${name}: ${countText(added, 'capture')} added, ${pushed.length - added} already there\n`);
}

const linesOf = ({ word, isNew, host, samples, left }: Pushed): string[] => [
  ...left,
  isNew
    ? `${word}: added, ${countText(samples, 'sample')}, ${host === null ? 'host unknown' : `host ${host}`}`
    : `${word}: already there; nothing was added`,
];

interface PushOptions {
  readonly flags: PushFlags;
  readonly kinds: ReadonlySet<Redaction>;
  readonly labels: ReadonlyMap<string, string>;
}

async function pushOne(batch: PushBatch, word: string, found: FoundInput, options: PushOptions): Promise<Pushed> {
  const id = await contentHash(found);
  const before = await batch.pushedBefore(id);
  if (before !== null) return { word, id, isNew: false, left: [], ...before };
  const { flags } = options;
  const isFirst = await batch.isEmpty();
  const profile = await importInput(found.path, { from: flags.from }, found.mayReadHere);
  warnOfCaptures([{ name: word, diagnostics: profile.diagnostics }]);
  const added = await addProfile(
    batch,
    profile,
    {
      id,
      name: found.document?.name ?? basename(found.path),
      document: found.document,
      host: flags.host ?? null,
      service: flags.service ?? '',
      release: flags.release ?? '',
      commit: flags.commit ?? '',
      labels: options.labels,
    },
    options.kinds,
  );
  if (added === null) throw usageError(`${word} has no sample with weight`, 'leave it out');
  const { capture, rows, replaced } = added;
  const { name, host } = capture;
  for (const { kind, token, count } of replaced)
    warn(`${name}: ${kind} replaced by ${token} in ${countText(count, 'name')}`);
  const left = isFirst ? namesLeft(batch.fleet.name, capture, rows) : [];
  return { word, id, name, isNew: true, host, samples: countSamples(profile), left };
}

/** Returns lines with the names that a fleet gets, which redaction left. */
function namesLeft(fleet: string, { name, host, program }: FleetCapture, { frames, samples }: CaptureRows): string[] {
  const kinds = {
    capture: [name],
    host: [host ?? ''],
    program: [program ?? ''],
    function: frames.map(({ func }) => func),
    module: frames.map((frame) => frame.module),
    file: frames.map(({ file }) => file),
    thread: samples.map(({ thread }) => thread),
  };
  const lines = Object.entries(kinds).flatMap(([kind, names]) => {
    const distinct = [...new Set(names.filter((text) => text !== ''))].sort(compareText);
    return distinct.length === 0 ? [] : [`  ${countText(distinct.length, kind)}: ${listText(distinct.map(shown))}`];
  });
  return [`the first capture of ${fleet}; what redaction leaves:`, ...lines];
}

/** Returns the hash of the file's bytes; of a capture of the library, of the file that was recorded. */
async function contentHash({ path, document }: FoundInput): Promise<string> {
  const recorded = document === null ? path : join(dirname(path), document.primaryFile);
  const file = existsSync(recorded) ? recorded : path;
  const source = isProfileFolder(file) ? folderSource(file) : fileSource(file);
  const hash = createHash('sha256');
  for await (const chunk of source.chunks()) hash.update(chunk);
  return hash.digest('hex');
}

export function readKinds(text: string): ReadonlySet<Redaction> {
  if (text === 'none') return new Set();
  const kinds = text.split(',').map((one) => one.trim());
  const unknown = kinds.find((one) => !FLEET_REDACTIONS.some((kind) => kind === one));
  if (unknown === undefined) return new Set(kinds as Redaction[]);
  throw usageError(`--redact: unknown kind '${unknown}'`, `use ${FLEET_REDACTIONS.join(', ')}, or none`);
}

/** Values that look like secrets are redacted, as in command lines. */
export function readLabels(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const [key, value] = readPair('--label', text);
      return [key, redactText(` ${key}=${value}`) === ` ${key}=${value}` ? value : REDACTED];
    }),
  );
}
