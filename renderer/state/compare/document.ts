import type { SideChoice } from '../../analysis/comparison/protocol.ts';
import type { ComparisonDocument } from './document-schema.ts';
import { choiceOf } from './sides.ts';
import type { CompareState } from './compare.types.ts';
import { loadPart } from '../../ui/load-part.ts';
import type { Side } from '#core/contract/side.ts';

/** The state of a comparison that a document stores. */
type KeptState = Pick<CompareState, 'name' | 'options' | 'look' | 'searchText' | 'zoomPath'> &
  Readonly<Record<Side, SideChoice>>;

/** Returns the choices of both sides in the form that experiments store. */
export function keptChoices({
  before,
  after,
  options,
}: Pick<KeptState, Side | 'options'>): Pick<ComparisonDocument, Side | 'options'> {
  const side = ({ threads, ...choice }: SideChoice) => ({ ...choice, threads: threads === null ? null : [...threads] });
  const { normalisation, rules, transforms } = options;
  return {
    before: side(choiceOf(before)),
    after: side(choiceOf(after)),
    options: {
      normalisation,
      rules: { ...rules, off: [...rules.off], user: [...rules.user] },
      transforms: [...transforms],
    },
  };
}

/** Returns the parts of a comparison to keep, as JSON. */
export function serialiseComparison(state: KeptState): ComparisonDocument {
  const { look, searchText, zoomPath } = state;
  return {
    name: state.name,
    ...keptChoices(state),
    look: { ...look, table: { ...look.table, hiddenModules: [...look.table.hiddenModules] } },
    search: searchText,
    zoom: [...zoomPath],
  };
}

/**
 * Reads the result of {@link serialiseComparison} from any storage; null if there is none or it is invalid. Loads the
 * schema only if there is something to read.
 */
export async function readComparison(kept: unknown): Promise<ComparisonDocument | null> {
  if (kept === null) return null;
  const { comparisonSchema } = await loadPart(() => import('./document-schema.ts'));
  return comparisonSchema.safeParse(kept).data ?? null;
}

/** Returns the state that a document describes; empty if there is none. */
export function restoreComparison(document: ComparisonDocument | null): Partial<CompareState> {
  if (document === null) return {};
  const { name: called, before, after, options, look, search, zoom } = document;
  return {
    name: called,
    before: { ...before, captures: [] },
    after: { ...after, captures: [] },
    options,
    look,
    searchText: search,
    search: { status: search === '' ? 'none' : 'running' },
    zoomPath: zoom,
  };
}
