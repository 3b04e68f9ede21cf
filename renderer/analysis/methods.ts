import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { FlameSlice, MatchRequest, PathEntry, SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import type { FunctionText } from '#core/analyze/tables/table-protocol.ts';
import type { TimeStrip } from '#core/analyze/time/strip.ts';
import type { NoteAnchor } from '#core/contract/notes.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { AnchoredNote } from '#core/notes/anchor-notes.ts';
import type { CompareStep } from '#core/compare/comparison.ts';
import type { Failure, FoundPlace, OfRevision } from './answer.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';

export interface TimeWindow {
  /** The visible part of time; null shows all of it. */
  readonly window: TimeRange | null;
}

/**
 * Methods that a worker offers to the window, whatever its source. A worker holds one source; terminating the worker
 * frees it.
 */

export type OpenSource =
  | { readonly kind: 'file'; readonly file: File }
  /** A one-time URL of the engine. */
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly fileName: string;
      readonly size: number | null;
    };

/** The engine's address for the parsed form of a capture. */
export interface CachePlace {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Refers to the analysis' own call tree. */
export interface OwnTree {
  readonly kind: 'own';
}
export const OWN_TREE: OwnTree = { kind: 'own' };

/** A function that the user selected. */
export interface PickedPlace {
  readonly func: FunctionRef;
  /** Path in the tree, from below the root down to the function; null if no particular place was selected. */
  readonly path: readonly FunctionRef[] | null;
}

/** Places of one analysis, named so that they can be found again in the next. */
export interface NamedPlaces {
  /** Path to the zoomed node, from below the tree's root down. */
  readonly zoom: readonly FunctionRef[];
  readonly picked: PickedPlace | null;
}

export interface FoundPlaces {
  /** The node of `zoom`, or its deepest caller that exists in this tree. */
  readonly zoomNode: CallNodeIndex;
  /** Null if nothing was selected or no function has that name. */
  readonly picked: FoundPlace | null;
}

/** The types in which sources differ. */
export interface SourceTypes {
  /** Additional parameters of opening a source, and the result. */
  readonly open: object;
  readonly opened: object;
  /** Identifies the opened file; empty if there is only one. */
  readonly held: object;
  readonly question: object;
  readonly answer: FoundPlaces & { readonly revision: number };
  /** The trees that the source's graphs show. */
  readonly tree: { readonly kind: string };
  readonly slice: FlameSlice;
  readonly pathEntry: PathEntry;
  readonly matches: { readonly flags: Uint8Array };
  readonly audit: object;
  readonly summed: object;
  readonly sums: object;
  readonly previewed: object;
  readonly preview: object;
  readonly strip: object;
}

export interface AnalysisMethods<S extends SourceTypes> {
  open: { params: { source: OpenSource; format: string | null } & S['open']; result: S['opened'] };
  /** Sends the native form to the engine with PUT, to be read at the next opening. */
  cache: { params: CachePlace & S['held']; result: { bytes: number } };
  /**
   * Analyses the source. The window numbers each request with a new revision; requests about an older one are refused
   * as `stale`. Fails as `bad-pattern` or `slow-pattern` if a pattern does, and as `refused` if the result would be
   * meaningless.
   */
  analyze: { params: OfRevision<S['question'] & NamedPlaces>; result: S['answer'] };
  /** Finds the places of an earlier analysis in this one, as `analyze` does. */
  'find-places': { params: OfRevision<NamedPlaces>; result: FoundPlaces };
  /** Cancels a running analysis, which then fails as `withdrawn`; the previous analysis stays. */
  withdraw: { params: { revision: number }; result: null };
  audit: { params: { revision: number }; result: S['audit'] };
  slice: { params: OfRevision<SliceRequest & { tree: S['tree'] }>; result: S['slice'] };
  /** Returns the path from the tree's root to the node, both included. */
  path: { params: OfRevision<{ tree: S['tree']; node: CallNodeIndex }>; result: readonly S['pathEntry'][] };
  match: { params: OfRevision<MatchRequest & { tree: S['tree'] }>; result: CallNodeIndex | null };
  /** Returns the heaviest node of a function in the analysis' own tree; null if there is none. */
  heaviest: { params: OfRevision<{ func: FunctionIndex }>; result: CallNodeIndex | null };
  /** Returns the places of notes, in the order of `anchors`, found by the matching rules of Compare. */
  'anchor-notes': { params: OfRevision<{ anchors: readonly NoteAnchor[] }>; result: readonly AnchoredNote[] };
  /** Searches the names shown. Case matters if the pattern contains a capital letter. The limit is one second. */
  search: { params: OfRevision<{ pattern: string }>; result: S['matches'] };
  /** Works as `search` does, for a table's filter; the two do not cancel each other. */
  filter: { params: OfRevision<{ pattern: string }>; result: Uint8Array };
  /** Returns each function's rank when sorted by a text, by function index. */
  'text-ranks': { params: OfRevision<{ by: FunctionText }>; result: Int32Array };
  /** Returns the combined weight of several functions or nodes, counting each stack once. */
  sums: { params: OfRevision<S['summed']>; result: S['sums'] };
  /** Returns the effect of a transform; fails as `bad-pattern` or `slow-pattern` if its pattern does. */
  preview: { params: S['previewed']; result: S['preview'] };
  /** Returns a time strip with at most `buckets` buckets; see `steadyBuckets`. Null if no sample has a timestamp. */
  'time-strip': { params: OfRevision<TimeWindow & { buckets: number } & S['strip']>; result: TimeStrip | null };
}

/** Maps each method's name to its parameters and result. */
export type MethodTable<Table> = { [M in keyof Table]: { params: unknown; result: unknown } };
export type ParamsOf<Table extends MethodTable<Table>, M extends keyof Table> = Table[M]['params'];
export type ResultOf<Table extends MethodTable<Table>, M extends keyof Table> = Table[M]['result'];

export interface FormatRow {
  readonly id: string;
  readonly label: string;
}

export interface WorkerRequest {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

/** Messages that a worker sends without a request. */
export type WorkerNews =
  /** Sent once, before all other messages. */
  | { readonly kind: 'ready'; readonly formats: readonly FormatRow[] }
  | { readonly kind: 'progress'; readonly readBytes: number; readonly totalBytes: number | null }
  /** `done` is the completed fraction of the comparison, from 0 to 1. */
  | { readonly kind: 'step'; readonly step: CompareStep; readonly done: number };

export type WorkerMessage =
  | WorkerNews
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure };
