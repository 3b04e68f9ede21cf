import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { FlameSlice, MatchRequest, PathEntry, SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import type { FunctionText } from '#core/analyze/tables/table-protocol.ts';
import type { TimeStrip } from '#core/analyze/time/time-strip.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { CompareStep } from '#core/compare/progress.ts';
import type { Failure, FoundPlace, OfRevision } from './answer.ts';
import type { TimeWindow } from './profile/time-protocol.ts';

/** What the window asks of a worker, whatever source is open in it. One worker holds one source; ending the worker frees it. */

export type OpenSource =
  | { readonly kind: 'file'; readonly file: File }
  /** A one-time handle of the engine. */
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly fileName: string;
      readonly size: number | null;
    };

/** Where the engine keeps the parsed form of a capture. */
export interface CachePlace {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The call tree that an analysis was asked for. */
export interface OwnTree {
  readonly kind: 'own';
}
export const OWN_TREE: OwnTree = { kind: 'own' };

/** A function that the user picked. */
export interface PickedPlace {
  readonly func: FunctionRef;
  /** Its place in the tree, from below the root down to the function; null if no particular place was picked. */
  readonly path: readonly FunctionRef[] | null;
}

/** Places of one analysis by names, to be found again in the next. */
export interface Places {
  /** The zoomed node, from below the tree's root down. */
  readonly zoom: readonly FunctionRef[];
  readonly picked: PickedPlace | null;
}

export interface FoundPlaces {
  /** The node of `zoom`, or its deepest caller that this tree has. */
  readonly zoomNode: CallNodeIndex;
  /** Null if nothing was picked, or no function has that name. */
  readonly picked: FoundPlace | null;
}

/** What differs from source to source. */
export interface SourceTypes {
  /** Added to what is opened, and what the worker answers. */
  readonly open: object;
  readonly opened: object;
  /** Says which opened file is meant; empty if there is only one. */
  readonly held: object;
  readonly question: object;
  readonly answer: FoundPlaces & { readonly revision: number };
  /** The trees that its graphs show. */
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
  /** PUTs the native form to the engine, for the next open. */
  cache: { params: CachePlace & S['held']; result: { bytes: number } };
  /**
   * The window chooses a revision unlike any before; requests about an older one are refused as `stale`. Refused as `bad-pattern` or
   * `slow-pattern` if a pattern is, as `refused` if the result would mean nothing.
   */
  analyze: { params: OfRevision<S['question'] & Places>; result: S['answer'] };
  /** Finds the places of a former analysis in this one, as `analyze` does. */
  'find-places': { params: OfRevision<Places>; result: FoundPlaces };
  /** Ends an analysis that still runs, which is then refused as `withdrawn`; the one before it stays. */
  withdraw: { params: { revision: number }; result: null };
  audit: { params: { revision: number }; result: S['audit'] };
  slice: { params: OfRevision<SliceRequest & { tree: S['tree'] }>; result: S['slice'] };
  /** From the tree's root to the node, both included. */
  path: { params: OfRevision<{ tree: S['tree']; node: CallNodeIndex }>; result: readonly S['pathEntry'][] };
  match: { params: OfRevision<MatchRequest & { tree: S['tree'] }>; result: CallNodeIndex | null };
  /** The heaviest node of a function in the analysis' own tree; null if the tree has none. */
  heaviest: { params: OfRevision<{ func: FunctionIndex }>; result: CallNodeIndex | null };
  /** By the names that are shown. Case counts if the pattern has a capital letter. Ended after one second. */
  search: { params: OfRevision<{ pattern: string }>; result: S['matches'] };
  /** As `search`, for a table's own filter: neither ends the other. */
  filter: { params: OfRevision<{ pattern: string }>; result: Uint8Array };
  /** Places of functions in the order of a text, by function index. */
  'text-ranks': { params: OfRevision<{ by: FunctionText }>; result: Int32Array };
  /** The weight of several functions or nodes together; each stack counts once. */
  sums: { params: OfRevision<S['summed']>; result: S['sums'] };
  /** What a transform would do; refused as `bad-pattern` or `slow-pattern` if its pattern is. */
  preview: { params: S['previewed']; result: S['preview'] };
  /** `buckets`: at the most; see `steadyBuckets`. Null if no sample has a time. */
  'time-strip': { params: OfRevision<TimeWindow & { buckets: number } & S['strip']>; result: TimeStrip | null };
}

/** A table of methods, by name. */
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

/** What a worker reports unasked. */
export type WorkerNews =
  /** First of all, once. */
  | { readonly kind: 'ready'; readonly formats: readonly FormatRow[] }
  | { readonly kind: 'progress'; readonly readBytes: number; readonly totalBytes: number | null }
  /** `done`: 0 to 1 of a whole comparison. */
  | { readonly kind: 'step'; readonly step: CompareStep; readonly done: number };

export type WorkerMessage =
  | WorkerNews
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure };
