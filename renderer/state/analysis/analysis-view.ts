import type { TreeLineage } from '#core/analyze/graph/flame-slice.ts';
import { rowOfPath } from '#core/analyze/graph/row-of-path.ts';
import type { FoundPlace } from '../../analysis/answer.ts';
import type { FoundPlaces, SourceTypes } from '../../analysis/methods.ts';
import type { Problem } from '../../ui/problem.ts';
import { toProblem } from '../problem.ts';
import { createAnalysisPlaces, type AnalysisPlaces, type PlacesSource } from './analysis-places.ts';
import { createAnalysisSearch } from './analysis-search.ts';
import type { AnalysisState, SharedClient } from './analysis-state.ts';

/**
 * What a source (a profile or a comparison) provides for its views. `Question` holds the choices, `Analysis` the
 * answer.
 */
interface AnalysisSource<
  S extends SourceTypes,
  Question,
  Analysis extends FoundPlaces & { readonly revision: number },
  Picked extends FoundPlace,
> extends PlacesSource<S, Analysis, Picked> {
  /** Returns a revision number that is unique within the tab. */
  readonly nextRevision: () => number;
  /** Null if there is nothing to analyse. */
  readonly question: () => Question | null;
  readonly isSame: (a: Question, b: Question) => boolean;
  /** Converts the question to the form sent to the worker. */
  readonly asked: (question: Question) => S['question'];
  readonly answered: (answer: S['answer']) => Analysis;
  readonly setBusy: (isBusy: boolean) => void;
  /** Called just before the content on screen is replaced, to forget its state. */
  readonly willReplace: () => void;
  /** Called when a new analysis is in the store. */
  readonly onAnalysis?: () => void;
}

/**
 * A view of a source. It keeps the analysis in step with the choices, and its places and search in step with the
 * analysis.
 */
interface AnalysisView<Question, Picked> extends Omit<AnalysisPlaces<Picked>, 'named'> {
  /**
   * Resolves when the newest question is answered, refused, or cannot be asked. Withdraws an analysis that has become
   * outdated.
   */
  readonly run: () => Promise<void>;
  /** Asks the same question again without showing progress, because the source has grown. */
  readonly renew: () => Promise<void>;
  /** Stays the same object while only the source grows. */
  readonly lineage: () => TreeLineage;
  /** The question of the analysis on screen; null if there is none. */
  readonly shown: () => Question | null;
  /** Searches after a short pause; an empty text clears the search. */
  readonly setSearch: (text: string) => void;
  readonly dispose: () => void;
}

type PlacesByName = Pick<AnalysisState<unknown, unknown, unknown>, 'zoomPath' | 'pickedPlace'>;

export function createAnalysisView<
  S extends SourceTypes,
  Question,
  Analysis extends FoundPlaces & { readonly revision: number },
  Picked extends FoundPlace,
>(source: AnalysisSource<S, Question, Analysis, Picked>): AnalysisView<Question, Picked> {
  const { store, client } = source;
  const search = createAnalysisSearch<S, Analysis, Picked>(store, client);
  const places = createAnalysisPlaces<S, Analysis, Picked>(source);
  /** The worker to which the following state belongs. */
  let served: SharedClient<S> | null = null;
  let running: Promise<void> | null = null;
  let asked: { readonly question: Question; readonly revision: number } | null = null;
  let shown: Question | null = null;
  let lineage: TreeLineage = { id: 0, rowOfPath };
  /** True while the worker holds the analysis on screen. */
  let held = false;
  /** True while the source has grown and the same question is asked again. */
  let isRenewing = false;

  function isNow(question: Question): boolean {
    const now = source.question();
    return now !== null && source.isSame(question, now);
  }

  const namedPlaces = ({ zoomPath, pickedPlace }: PlacesByName) => ({ zoom: zoomPath, picked: pickedPlace });

  async function analyse(own: SharedClient<S>, question: Question): Promise<Analysis> {
    const revision = source.nextRevision();
    asked = { question, revision };
    let asOf: PlacesByName = store.get();
    const params = { ...source.asked(question), ...namedPlaces(asOf), revision };
    const analysis = source.answered(await own.call('analyze', params));
    let found: FoundPlaces = analysis;
    for (;;) {
      await places.named();
      const { zoomPath, pickedPlace } = store.get();
      if (zoomPath === asOf.zoomPath && pickedPlace === asOf.pickedPlace) return { ...analysis, ...found };
      asOf = { zoomPath, pickedPlace };
      found = await own.call('find-places', { ...namedPlaces(asOf), revision });
    }
  }

  function adopt(analysis: Analysis, question: Question): void {
    const { revision, zoomNode, picked } = analysis;
    if (!isRenewing || shown === null || !source.isSame(shown, question)) lineage = { id: lineage.id + 1, rowOfPath };
    shown = question;
    held = true;
    if (!isRenewing) source.willReplace();
    store.set({
      analysis,
      zoomNode,
      picked: picked === null ? null : source.toPicked(picked, revision),
      problem: null,
    });
    void search.run();
    source.onAnalysis?.();
  }

  function end(problem: Problem | null): void {
    running = null;
    asked = null;
    source.setBusy(false);
    store.set({ problem });
  }

  function clear(): void {
    shown = null;
    source.willReplace();
    store.set({ analysis: null, picked: null });
    end(null);
  }

  async function loop(own: SharedClient<S>): Promise<void> {
    for (;;) {
      await places.named();
      const question = source.question();
      if (client() !== own) return;
      if (question === null) return clear();
      try {
        const analysis = await analyse(own, question);
        if (client() !== own) return;
        if (isNow(question)) adopt(analysis, question);
        else held = false;
      } catch (error) {
        const problem = toProblem(error);
        if (client() !== own) return;
        if (problem.code === 'cancelled') return end(null);
        if (problem.code !== 'withdrawn' && isNow(question)) return end(problem);
      }
      if (held && shown !== null && isNow(shown)) return end(null);
    }
  }

  function run(): Promise<void> {
    const own = client();
    if (own === null) return Promise.resolve();
    if (own !== served) {
      [served, running, asked, shown, held] = [own, null, null, null, false];
    }
    const now = source.question();
    if (running === null && held && shown !== null && now !== null && source.isSame(shown, now)) {
      shown = now;
      store.set({ problem: null });
      return Promise.resolve();
    }
    if (asked !== null && !isNow(asked.question)) {
      void own.call('withdraw', { revision: asked.revision }).catch(() => null);
    }
    if (!isRenewing) source.setBusy(true);
    return (running ??= loop(own));
  }

  async function renew(): Promise<void> {
    // The running analysis may be of the source before it grew.
    if (running !== null) await running;
    isRenewing = true;
    held = false;
    try {
      await run();
    } finally {
      isRenewing = false;
    }
  }

  return {
    run,
    renew,
    lineage: () => lineage,
    shown: () => (client() === served ? shown : null),
    zoom: places.zoom,
    zoomTo: places.zoomTo,
    pick: places.pick,
    take: places.take,
    setSearch: search.setText,
    dispose: search.dispose,
  };
}
