import type { ReportFacts, ReportNote, ReportSection } from '#core/contract/report/report.ts';
import { loadMethods } from '#core/contract/load/methods.ts';
import { loadSides, reportLoadOf, type ReportLoad } from '#core/contract/report/load.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { USUAL_REDACTIONS } from '#core/redact/identities.ts';
import { draftCaptureId } from '../../../core/report/build-report.ts';
import { factsOf } from '../../../core/report/facts-of.ts';
import { captureSections } from '../../../core/report/templates.ts';
import type { ReportViewer } from '../../../core/report/html-file.ts';
import type {
  ReportChoice,
  ReportFileChoice,
  ReportPreview,
  ShownGraph,
  WindowFormat,
} from '../../analysis/profile/report/report-protocol.ts';
import { allCaptures } from '../compare/sides.ts';
import type { CompareTab } from '../compare/compare.types.ts';
import type { AnalysedTab } from '../tabs/open-tab.ts';
import type { ProfileTab } from '../profile/tab.ts';
import { tabTitle } from '../tab-title.ts';
import type { Workbench } from '../workbench.ts';
import { defaultColour, profileColours } from '../colour-choice.ts';
import type { ProfileView } from '../profile/view.ts';
import type { ViewState } from '../profile/view-state.ts';

/** The source of a report: a capture's active view, or a comparison. */
export interface ReportSource {
  readonly name: string;
  /** Initial choice of the builder. */
  readonly initial: ReportChoice;
  readonly preview: (choice: ReportChoice) => Promise<ReportPreview>;
  readonly file: (choice: ReportFileChoice) => Promise<Blob>;
  /** The graph on screen, for pictures of it; null if the report's first graph is the same. */
  readonly shown: ShownGraph | null;
  /** Adds a capture of the library with its notes; null for a comparison, whose captures are fixed. */
  readonly add: ((choice: ReportChoice, capture: CaptureDocument) => Promise<ReportChoice>) | null;
}

/** Returns the source of a tab's report; null if there is nothing to report yet. */
export function reportSource(workbench: Workbench, tab: AnalysedTab): ReportSource | null {
  if (tab.kind === 'compare') return comparisonSource(workbench, tab);
  return tab.kind === 'profile' ? profileSource(workbench, tab) : null;
}

function profileSource(workbench: Workbench, tab: ProfileTab): ReportSource | null {
  const { store, engine: rpc, tabs } = workbench;
  const view = tab.store.get().activeView;
  const client = view?.client() ?? null;
  if (view === null || client === null) return null;
  const { captures } = store.get();
  const { selection, transforms, tree, orientation, zoomPath, searchText } = view.store.get();
  const seen = { selection, transforms };
  const document = captures?.find(({ id }) => id === tab.store.get().captureId) ?? null;
  const name = tabTitle(tab, captures);
  const loads = loadsOf(rpc, loadSides([document?.load?.test], null));
  return {
    name,
    initial: {
      ...choiceOf(workbench, name),
      captures: [{ name, facts: factsFor(document), held: null }],
      notes: notesOf(tab, draftCaptureId(0)),
      look: {
        direction: tree.kind === 'bottom-up' ? 'bottom-up' : 'top-down',
        orientation,
        zoom: tree.kind === 'time-order' ? [] : zoomPath,
        search: searchText,
      },
    },
    preview: async (choice) => client.call('report-preview', { ...seen, choice: { ...choice, loads: await loads() } }),
    file: async ({ choice, ...rest }) =>
      client.call('report-file', { ...seen, ...rest, choice: { ...choice, loads: await loads() } }),
    shown: shownGraph(view),
    add: async (choice, capture) => {
      const { source } = await tabs.captureInput(capture.id, capture.primaryFile).source.open(false);
      const { held } = await client.call('report-hold', { source });
      const { notes } = await rpc.call('library.notes', { id: capture.id });
      const on = draftCaptureId(choice.captures.length);
      return {
        ...choice,
        captures: [...choice.captures, { name: capture.name, facts: factsFor(capture), held }],
        notes: [...choice.notes, ...notes.map((note) => ({ on, note }))],
        sections: choice.sections === null ? null : [...choice.sections, ...captureSections(on)],
      };
    },
  };
}

function comparisonSource(workbench: Workbench, tab: CompareTab): ReportSource | null {
  const { store, engine: rpc } = workbench;
  const { analysis } = tab.store.get();
  if (analysis === null) return null;
  const { revision } = analysis;
  const { captures } = store.get();
  const state = tab.store.get();
  const { look, zoomPath } = state;
  const name = tabTitle(tab, captures);
  // The readable captures, in the order of the comparison.
  const compared = allCaptures(state).filter(({ phase }) => phase === 'ready');
  const all = compared.map(({ origin, source }) => {
    const document = origin.kind === 'capture' ? (captures?.find(({ id }) => id === origin.id) ?? null) : null;
    return { name: document?.name ?? source.fileName, facts: factsFor(document), held: null };
  });
  const testsOf = (side: CompareCaptures): (string | undefined)[] =>
    side.captures.map(({ origin }) =>
      origin.kind === 'capture' ? captures?.find(({ id }) => id === origin.id)?.load?.test : undefined,
    );
  const loads = loadsOf(rpc, loadSides(testsOf(state.before), testsOf(state.after)));
  return {
    name,
    initial: {
      ...choiceOf(workbench, name),
      captures: all,
      notes: notesOf(tab, null),
      deltaStyle: {
        look: look.graph === 'delta' ? 'delta' : 'sides',
        orientation: look.orientation,
        zoom: zoomPath,
        width: look.width,
        search: state.searchText,
      },
    },
    preview: async (choice) => tab.ask('report-preview', { revision, choice: { ...choice, loads: await loads() } }),
    file: async ({ choice, ...rest }) =>
      tab.ask('report-file', { revision, ...rest, choice: { ...choice, loads: await loads() } }),
    shown: null,
    add: null,
  };
}

type CompareCaptures = ReturnType<CompareTab['store']['get']>['before'];

/** Returns a function that reads the load tests once; missing ones are skipped. */
function loadsOf(engine: Workbench['engine'], wanted: ReturnType<typeof loadSides>): () => Promise<ReportLoad[]> {
  let found: Promise<ReportLoad[]> | null = null;
  const read = async (): Promise<ReportLoad[]> => {
    const answers = await Promise.allSettled(
      wanted.map(async ({ id, side }) => {
        const answer = await engine.call('load', { method: 'get', params: { id } });
        return reportLoadOf(side, loadMethods.get.result.parse(answer));
      }),
    );
    return answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  };
  return () => (found ??= wanted.length === 0 ? Promise.resolve([]) : read());
}

const factsFor = (document: CaptureDocument | null): ReportFacts | null =>
  document === null ? null : factsOf(document, null);

/** Returns the notes of a tab, on its only capture or on the comparison. */
const notesOf = ({ notes }: Pick<ProfileTab, 'notes'>, on: string | null): ReportNote[] =>
  notes.store.get().notes.map((note) => ({ on, note }));

/** Initial choice of the builder for any subject. */
export const NO_CHOICE: ReportChoice = {
  title: '',
  author: '',
  version: '',
  sections: null,
  template: 'overview',
  notes: [],
  loads: [],
  redactions: USUAL_REDACTIONS,
  keep: [],
  withoutTimes: false,
  captures: [],
  look: null,
  deltaStyle: null,
};

/** Returns the initial choice for a report of this title. */
export const choiceOf = ({ store, preferences }: Workbench, title: string): ReportChoice => ({
  ...NO_CHOICE,
  title,
  author: preferences.get().noteAuthor,
  version: store.get().engine?.version ?? '',
});

/** Returns the choice without the added capture at `place` (at least 1); those after it move up. */
export function withoutCapture(choice: ReportChoice, place: number): ReportChoice {
  const moved = (id: string): string | null => {
    const at = Number(id.slice(1)) - 1;
    return at === place ? null : draftCaptureId(at > place ? at - 1 : at);
  };
  const sections = choice.sections?.flatMap((section): ReportSection[] => {
    if (!('capture' in section)) return [section];
    const capture = moved(section.capture);
    return capture === null ? [] : [{ ...section, capture }];
  });
  return {
    ...choice,
    captures: choice.captures.filter((_, at) => at !== place),
    sections: sections ?? null,
    notes: choice.notes.flatMap(({ on, note }) => {
      const kept = on === null ? null : moved(on);
      return on !== null && kept === null ? [] : [{ on: kept, note }];
    }),
  };
}

/** Fetches the viewer that reports embed, which is served next to the page. */
export async function fetchViewer(): Promise<ReportViewer> {
  const response = await fetch('report-viewer.json');
  if (!response.ok) throw new Error('The report viewer is missing; build Flamebench again.');
  return (await response.json()) as ReportViewer;
}

/** Creates a file of a tab's report with the initial choice, for copying. */
export async function exportReportFile(source: ReportSource, format: WindowFormat): Promise<Blob> {
  return source.file({ choice: source.initial, format, scale: 2, table: null, viewer: null, shown: source.shown });
}

/** Returns the graph that a view has on screen; null before its first analysis. */
function shownGraph({ profile, store }: ProfileView): ShownGraph | null {
  const state = store.get();
  const { analysis, colour, orientation, search, searchText } = state;
  if (analysis === null) return null;
  const mode = colour ?? defaultColour(profile);
  return {
    revision: analysis.revision,
    graph: graphOf(state, analysis.tree),
    orientation,
    colours: { mode, slots: profileColours(profile, mode) },
    matches: search.status === 'matched' ? search.matches.flags : null,
    search: searchText,
  };
}

function graphOf(
  { graphPlaces, zoomNode }: ViewState,
  { kind, widths = 'time' }: ViewState['tree'],
): ShownGraph['graph'] {
  if (kind === 'time-order') return { kind, widths, at: graphPlaces.timeOrder };
  if (kind === 'sandwich') {
    return { kind, ...(graphPlaces.sandwich ?? { centre: null, callers: null, callees: null }) };
  }
  return { kind: 'own', node: zoomNode };
}
