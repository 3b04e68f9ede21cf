import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import {
  fleetMethods,
  MAX_FLEET_ROWS,
  type FleetAnswer,
  type FleetMethod,
  type FleetParams,
  type FleetReplicate,
} from '#core/contract/fleet/methods.ts';
import { MAX_SIDE_CAPTURES } from '#core/contract/experiment.ts';
import type { FleetSource, ReplicateDocument } from '#core/contract/fleet/replicate.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import type { MergedCaptures } from '#core/fleet/merge-captures.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import { EngineFailure } from '../failure.ts';
import type { FileHandles } from '../files/file-handles.ts';
import { answerMethod } from '../http/rpc.ts';
import { openFleet } from './open-fleet.ts';
import type { FleetStore } from './store.ts';
import { carriersOf, searchFunctions } from './find-function.ts';
import { historyOf } from './history.ts';
import { labelsOf, listReleases, valuesOf } from './list-fleet.ts';
import { mergedProfile, readMerged } from './merged.ts';
import { fleetTypes, MINUTE_MS, type FleetGroup, type FleetType } from './read-fleet.ts';
import { describeFilter, type FleetFilter } from './select.ts';
import { isServerAddress, readServerAddress } from './server-address.ts';
import { minuteOf, readFleetSides, type FleetSides } from './sides.ts';

/** Answers a call of the contract's method `fleet`. */
export const callFleet = (
  fileHandles: FileHandles,
  call: { readonly method: string; readonly params: unknown },
): Promise<unknown> => answerMethod(fleetMethods, handlersOf(fileHandles), call, 'fleets');

type FleetHandlers = { readonly [M in FleetMethod]: (params: FleetParams<M>) => Promise<FleetAnswer<M>> };

const handlersOf = (fileHandles: FileHandles): FleetHandlers => ({
  named: () => Promise.resolve({ store: process.env['FLAMEBENCH_FLEET'] || null }),
  describe: ({ store, filter }) =>
    reading(store, async (fleet) => {
      const releases = await listReleases(fleet, filter);
      return {
        releases: cut(releases),
        captures: releases.reduce((sum, one) => sum + one.captures, 0),
        services: cut(await valuesOf(fleet, 'service')),
        hosts: cut(await valuesOf(fleet, 'host')),
        labels: cut(await labelsOf(fleet)),
        types: await fleetTypes(fleet, [filter]),
      };
    }),
  search: ({ store, filter, type, text }) =>
    reading(store, async (fleet) => cut(await searchFunctions(fleet, [filter], type, text))),
  history: ({ store, filter, type, name, metric, replicates }) =>
    reading(store, async (fleet) => {
      const rows = await historyOf(fleet, filter, type, name, metric, replicates);
      return { rows, firstGrew: rows.find(({ verdict }) => verdict === 'grew')?.release ?? null };
    }),
  carriers: ({ store, sides, type, name }) =>
    reading(store, async (fleet) => {
      const of = async (side: Side) =>
        (await carriersOf(fleet, sides[side], type, name)).map((one) => ({ side, ...one }));
      const rows = [...(await of('before')), ...(await of('after'))];
      return cut(rows.sort((a, b) => b.total / b.whole - a.total / a.whole));
    }),
  merge: ({ source: { store, filter, type, replicate } }) =>
    reading(store, async (fleet) => {
      const own = replicate === null ? filter : narrowed(filter, replicate);
      const { profile } = await readMerged(fleet, own, type, replicate?.document.target.host === '');
      return fileOf(fileHandles, profile, nameOf(own));
    }),
  compare: ({ store, sides: filters, type, replicates }) =>
    reading(store, async (fleet) => {
      const sides = await readFleetSides(fleet, filters, type, { replicates, withThreads: true });
      for (const side of SIDES) {
        if (sides[side].length > MAX_SIDE_CAPTURES) {
          throw new EngineFailure(
            'too-many',
            `${sides[side].length} ${replicates} are on the ${side} side; the window compares up to ${MAX_SIDE_CAPTURES}.`,
            'Select hosts, a label or a time, or run flamebench fleet diff.',
          );
        }
      }
      const of = (side: Side) =>
        sides[side].map((group) => replicateOf(fileHandles, sides, group, { store, filter: filters[side], type }));
      return { before: of('before'), after: of('after'), notes: [...sides.merged, ...sides.warnings] };
    }),
});

/**
 * Opens the fleet at a path that the user typed, or the server that FLAMEBENCH_FLEET names, and closes it afterwards.
 * Other servers are refused: a page, or a tab that it restores, could name one that gets the user's password.
 */
async function reading<T>(store: string, use: (fleet: FleetStore) => Promise<T>): Promise<T> {
  const fleet = await openFleet(isServerAddress(store) ? ownServer(store) : pathOf(store));
  try {
    return await use(fleet);
  } finally {
    fleet.close();
  }
}

function pathOf(store: string): string {
  const path = store.startsWith('~/') ? join(homedir(), store.slice(2)) : store;
  if (isAbsolute(path)) return path;
  throw new EngineFailure('usage', `${store} is not an absolute path.`, 'Start it with / or ~/.');
}

function ownServer(store: string): string {
  const { name } = readServerAddress(store);
  const named = process.env['FLAMEBENCH_FLEET'] ?? '';
  if (isServerAddress(named) && readServerAddress(named).name === name) return name;
  throw new EngineFailure(
    'usage',
    `Windows open only the server that FLAMEBENCH_FLEET names, and it does not name ${name}.`,
    'Set it, and start Flamebench again.',
  );
}

const cut = <T>(rows: readonly T[]): { rows: T[]; more: number } => ({
  rows: rows.slice(0, MAX_FLEET_ROWS),
  more: Math.max(0, rows.length - MAX_FLEET_ROWS),
});

/** Returns the filter of one replicate of a side. */
function narrowed(filter: FleetFilter, { by, value }: NonNullable<FleetSource['replicate']>): FleetFilter {
  if (by !== 'minute') return { ...filter, [by]: [value] };
  const start = Date.parse(value);
  return {
    ...filter,
    since: Math.max(start, filter.since ?? start),
    until: Math.min(start + MINUTE_MS, filter.until ?? Infinity),
  };
}

function replicateOf(
  fileHandles: FileHandles,
  { dictionary, replicates, isUnpaired }: FleetSides,
  group: FleetGroup,
  selected: { readonly store: string; readonly filter: FleetFilter; readonly type: FleetType },
): FleetReplicate {
  const { type, filter } = selected;
  const minute = minuteOf(replicates, group);
  const merged = mergedProfile(dictionary, group, type, describeFilter(filter), isUnpaired, minute);
  const { host, id } = group.captures[0]!;
  return {
    source: {
      kind: 'fleet',
      ...(selected as Pick<FleetSource, 'store' | 'filter' | 'type'>),
      replicate: {
        ...(minute !== null
          ? { by: 'minute', value: new Date(minute).toISOString() }
          : host === null
            ? { by: 'capture', value: id }
            : { by: 'host', value: host }),
        document: documentOf(merged),
      },
    },
    file: fileOf(fileHandles, merged.profile, `${nameOf(filter)}, ${merged.facts.name}`),
    requests: merged.facts.requests,
  };
}

function documentOf({ facts }: MergedCaptures): ReplicateDocument {
  const { program, durationSeconds, cpuSeconds } = facts;
  return {
    target: { kind: 'ssh', host: facts.host ?? '', kernel: facts.kernel, arch: null, cpuCount: facts.cpuCount },
    rateHz: facts.rateHz,
    durationMs: durationSeconds === null ? null : durationSeconds * 1000,
    ...(facts.durationIsSpan === true ? { durationIsSpan: true as const } : {}),
    cpuSeconds: cpuSeconds === null ? null : { start: 0, end: cpuSeconds },
    process: program === undefined ? null : { name: program, executable: program, buildId: null },
  };
}

function fileOf(fileHandles: FileHandles, profile: Profile, fileName: string): FleetAnswer<'merge'> {
  const chunks = [...writeNative(profile)];
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return { handle: fileHandles.add({ fileName, chunks }), fileName, size };
}

const MAX_NAME = 200;

/** Names merged captures by what was selected, the release first; a single capture by its id. */
function nameOf(filter: FleetFilter): string {
  const { release, capture, service } = filter;
  const [id] = capture;
  if (id !== undefined) return `capture ${id.slice(0, 12)}`;
  const named = [...release, ...service];
  return (release.length === 0 ? describeFilter(filter) : named.join(' ')).slice(0, MAX_NAME);
}
