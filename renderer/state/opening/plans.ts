import type { AnalysedPlan, TabPlan, WorkbenchState } from '../workbench-state.ts';
import type { FleetReplicate } from '#core/contract/fleet/methods.ts';
import { TOKEN_HEADER } from '#core/contract/paths.ts';
import type { FileOrigin, SessionCompared, SessionTab } from '#core/contract/session.ts';
import type { Settings } from '#core/contract/settings-schema.ts';
import { readComparison, serialiseComparison } from '../compare/document.ts';
import { createCompareTab, type StartCompareClient } from '../compare/tab.ts';
import type { CompareSeed } from '../compare/seed.ts';
import { compareTitle } from '../compare/title.ts';
import type { CompareCapture, CompareInput, CompareTab } from '../compare/compare.types.ts';
import { COLOUR_CHOICES } from '../colour-choice.ts';
import type { ProfileClient, WorkerEvents } from '../clients/worker-client.ts';
import type { EngineClient } from '../engine-client.ts';
import { engineNoteKeeper } from '../notes/note-book.ts';
import { createLoadTab, isFileKey, type LoadTab } from '../load/tab.ts';
import type { AnalysedTab, OpenTab } from '../tabs/open-tab.ts';
import type { PreferencesStore } from '../preferences.ts';
import { createProfileTab, type ProfileTab } from '../profile/tab.ts';
import type { TabSource } from '../tab-source.ts';
import type { Store } from '../store.ts';
import { captureSource, fleetSource, recentSource } from './sources.ts';
import { serialiseViews } from '../profile/document.ts';
import type { ViewDefaults } from '../profile/views.ts';

/** Starts the clients of workers. */
export interface StartClients {
  readonly profile: (events: WorkerEvents) => ProfileClient;
  readonly compare: StartCompareClient;
}

/** Converts between tabs and their plans. */
export interface TabPlans {
  readonly make: (id: string, plan: TabPlan) => OpenTab;
  readonly makeComparison: (id: string, seed: CompareSeed) => CompareTab;
  /** Returns the plan that recreates the tab in its current state; `plan` is the one that it was created from. */
  readonly planOf: (tab: OpenTab, plan: TabPlan) => TabPlan;
  readonly planOfAnalysed: (tab: AnalysedTab, plan: TabPlan) => AnalysedPlan;
  /** Returns null for a tab that has nothing to remember. */
  readonly toSession: (tab: OpenTab, plan: TabPlan) => SessionTab | null;
  /** Returns null if the tab cannot be opened again. */
  readonly fromSession: (kept: SessionTab) => Promise<TabPlan | null>;
  readonly captureInput: (captureId: string, fileName: string, requests?: number | null) => CompareInput;
  readonly fleetInput: (replicate: FleetReplicate) => CompareInput;
  readonly recentSource: (recentId: string, fileName: string, given: Parameters<typeof recentSource>[4]) => TabSource;
}

/** What opening a tab needs. */
export interface TabDependencies {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly preferences: Pick<PreferencesStore, 'get'>;
  readonly clients: StartClients;
}

export function createTabPlans({ engine, store, preferences, clients }: TabDependencies): TabPlans {
  const headers = { [TOKEN_HEADER]: engine.token };
  const noteKeeper = engineNoteKeeper(engine);

  function sourceOf(origin: FileOrigin, fileName: string): TabSource | null {
    if (origin.kind === 'capture') return captureSource(engine, headers, origin.id, fileName);
    if (origin.kind === 'fleet') return fleetSource(engine, headers, origin, fileName, null);
    return origin.kind === 'recent' ? recentSource(engine, headers, origin.id, fileName, null) : null;
  }

  function inputOf({ source: origin, fileName, requests, format }: SessionCompared): CompareInput | [] {
    const source = sourceOf(origin, fileName);
    return source === null ? [] : { source, origin, requests, format: format ?? null };
  }

  const makeComparison = (id: string, seed: CompareSeed): CompareTab =>
    createCompareTab(id, seed, {
      startClient: clients.compare,
      noteKeeper,
      documentOf: async (captureId) =>
        store.get().captures?.find((capture) => capture.id === captureId) ??
        engine.call('library.get', { id: captureId }),
    });

  return {
    makeComparison,
    make: (id, plan) => {
      if (plan.kind === 'load') return createLoadTab(id, plan);
      if (plan.kind === 'compare') return Object.assign(makeComparison(id, plan.seed), aboutOf(plan));
      const tab = createProfileTab(id, plan.source, clients.profile, {
        live: plan.live ?? null,
        noteKeeper,
        views: plan.views,
        defaultsFor: ({ type }, { hasTime }) => viewDefaults(preferences.get(), type, hasTime),
      });
      return Object.assign(tab, aboutOf(plan));
    },
    planOf,
    planOfAnalysed,
    toSession: (tab, made) => {
      if (tab.kind === 'load') return loadSession(tab);
      const plan = planOfAnalysed(tab, made);
      if (plan.kind === 'profile') {
        const { source, origin, format, views } = plan;
        return {
          id: tab.id,
          fileName: source.fileName,
          source: origin,
          format,
          views,
          ...aboutOf(tab),
          ...notesOf(tab),
        };
      }
      const { experimentId, before, after, document } = plan.seed;
      const kept = (inputs: readonly CompareInput[]): SessionCompared[] =>
        inputs.map(({ source, origin, requests, format = null }) => ({
          source: origin,
          fileName: source.fileName,
          requests,
          ...(format === null ? {} : { format }),
        }));
      return {
        id: tab.id,
        fileName: compareTitle((tab as CompareTab).store.get()),
        source: { kind: 'compare', experimentId, before: kept(before), after: kept(after) },
        format: null,
        views: document as SessionTab['views'],
        ...aboutOf(tab),
        ...notesOf(tab),
      };
    },
    fromSession: async ({ source: origin, fileName, format, views, ...kept }) => {
      if (origin.kind === 'load-tests') {
        const { first, second } = origin;
        return { kind: 'load', place: { page: 'tests', first, second }, files: [], title: fileName };
      }
      if (origin.kind === 'load-experiment') {
        return { kind: 'load', place: { page: 'experiment', shown: origin.id }, files: [], title: fileName };
      }
      if (origin.kind === 'compare') {
        const { experimentId, before, after } = origin;
        const sides = { before: before.flatMap(inputOf), after: after.flatMap(inputOf) };
        if (sides.before.length + sides.after.length === 0) return null;
        const document = await readComparison(views);
        return { kind: 'compare', seed: { name: null, experimentId, ...sides, document }, ...aboutOf(kept) };
      }
      const source = sourceOf(origin, fileName);
      return source === null ? null : { kind: 'profile', source, origin, format, views, ...aboutOf(kept) };
    },
    captureInput: (id, fileName, requests = null) => ({
      source: captureSource(engine, headers, id, fileName),
      origin: { kind: 'capture', id },
      requests,
    }),
    recentSource: (recentId, fileName, given) => recentSource(engine, headers, recentId, fileName, given),
    fleetInput: ({ source: origin, file, requests }) => ({
      source: fleetSource(engine, headers, origin, file.fileName, file),
      origin,
      requests,
    }),
  };
}

const aboutOf = ({ about }: Pick<AnalysedTab, 'about'>): Pick<AnalysedTab, 'about'> =>
  about === undefined ? {} : { about };

function notesOf({ notes }: AnalysedTab): Pick<SessionTab, 'notes'> {
  const unstored = notes.unstored();
  return unstored.length === 0 ? {} : { notes: [...unstored] };
}

/** A form that was not started is not kept, nor are files, which browsers do not reveal. */
function loadSession({ id, store }: LoadTab): SessionTab | null {
  const { title, place, running } = store.get();
  const kept = { id, fileName: title, format: null, views: null };
  if (place.page === 'experiment') {
    if (place.shown === null && running === null) return null;
    return { ...kept, source: { kind: 'load-experiment', id: place.shown } };
  }
  const { first, second } = place;
  if (first === '' || isFileKey(first)) return null;
  return { ...kept, source: { kind: 'load-tests', first, second: isFileKey(second) ? '' : second } };
}

function planOf(tab: OpenTab, plan: TabPlan): TabPlan {
  if (tab.kind !== 'load') return planOfAnalysed(tab, plan);
  const { place, title } = tab.store.get();
  return { kind: 'load', place, files: tab.files, title };
}

function planOfAnalysed(tab: AnalysedTab, plan: TabPlan): AnalysedPlan {
  if (tab.kind === 'compare') return { kind: 'compare', seed: seedOf(tab), ...aboutOf(tab) };
  const { format, views, live } = plan as Extract<TabPlan, { kind: 'profile' }>;
  const state = tab.store.get();
  return {
    kind: 'profile',
    source: tab.source,
    // The plan's control, because the tab's own adds this tab's notes to what it saves.
    ...(live === undefined ? {} : { live }),
    origin: originOf(tab, plan),
    format: state.format ?? format,
    // A tab that was not read yet keeps its stored views.
    views: (serialiseViews(state) as SessionTab['views'] | null) ?? views,
    ...aboutOf(tab),
  };
}

/** Returns where a profile's bytes come from now; it may have been added to the library since it was opened. */
export function originOf(tab: ProfileTab, plan: TabPlan | undefined): FileOrigin {
  const { captureId } = tab.store.get();
  if (captureId !== null) return { kind: 'capture', id: captureId };
  return plan?.kind === 'profile' ? plan.origin : { kind: 'dropped' };
}

function seedOf({ store }: CompareTab): CompareSeed {
  const state = store.get();
  const inputs = (captures: readonly CompareCapture[]): CompareInput[] =>
    captures.map(({ source, origin, requests, format = null }) => ({ source, origin, requests, format }));
  return {
    name: state.name,
    experimentId: state.experimentId,
    before: inputs(state.before.captures),
    after: inputs(state.after.captures),
    document: serialiseComparison(state),
  };
}

/** Returns the user's defaults for graphs of a value type, except those that the profile does not support. */
function viewDefaults({ valueTypes, orientation: usual }: Settings, type: string, hasTime: boolean): ViewDefaults {
  const found = valueTypes.find((one) => one.type === type);
  if (found === undefined) return { orientation: usual };
  const { tree, orientation } = found;
  const colour = COLOUR_CHOICES.find((choice) => choice === found.colour);
  const fits = tree !== null && (tree !== 'time-order' || hasTime);
  return {
    ...(fits ? { tree: { kind: tree } } : {}),
    orientation: orientation ?? usual,
    ...(colour === undefined ? {} : { colour }),
  };
}
