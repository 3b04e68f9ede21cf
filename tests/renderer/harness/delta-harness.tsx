import { useMemo, useState, type JSX } from 'react';
import { DEFAULT_MATCH_RULES } from '#core/compare/match/match-rules.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import { selectionDelta } from '#core/compare/selection-delta.ts';
import { createValueText } from '#core/compare/value-text.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { INITIAL_COMPARE_LOOK } from '../../../renderer/state/compare/compare.types.ts';
import { deltaNotes } from '../../../renderer/features/compare/table/export.ts';
import {
  DeltaTable,
  type DeltaRequests,
  type DeltaTableProps,
} from '../../../renderer/features/compare/table/delta-table.tsx';
import { judgedRows } from '#core/compare/judged-rows.ts';
import { functionTexts } from '../../../renderer/state/function-text.ts';
import { OWN_LAYOUT } from '../../../renderer/ui/table/table.types.ts';
import type { Compared, SideChoice } from '../../../renderer/analysis/comparison/protocol.ts';
import { createCompareSession, type CompareSession } from '../../../renderer/analysis/comparison/session.ts';
import { textRanks } from '../../../renderer/analysis/session.ts';
import { MADE_UP_TEXTS } from './table-harness.tsx';
import { patternsInPlace } from '../analysis/patterns-in-place.ts';

type HarnessDeltasProps = Pick<DeltaTableProps, 'compared' | 'texts' | 'values' | 'requests' | 'onExport'>;

/** The delta table as in the workbench, with its state in the page. */
function HarnessDeltas(props: HarnessDeltasProps): JSX.Element {
  const [look, setLook] = useState(INITIAL_COMPARE_LOOK.table);
  const [layout, setLayout] = useState(OWN_LAYOUT);
  const [selected, setSelected] = useState<number | null>(null);
  return (
    <main className="one">
      <DeltaTable
        {...props}
        narrow={false}
        matches={null}
        selected={selected}
        onSelect={setSelected}
        onActivate={(func) => {
          document.documentElement.dataset['zoomed'] = String(func);
        }}
        onContextMenu={() => undefined}
        onHover={(func) => {
          document.documentElement.dataset['hovered'] = String(func);
        }}
        look={look}
        onLook={(change) => setLook({ ...look, ...change })}
        layout={layout}
        onLayout={setLayout}
        onCopy={(text) => {
          document.documentElement.dataset['copied'] = text;
        }}
      />
    </main>
  );
}

interface LoadedComparison {
  readonly session: CompareSession;
  readonly compared: Compared;
}

const EVERYTHING: SideChoice = { valueType: null, threads: null, timeRange: null };

/** Loads `?before=…&after=…`: folded texts, with the captures of a side separated by `|`. */
export async function loadComparison(before: string, after: string): Promise<LoadedComparison> {
  const session = createCompareSession(patternsInPlace);
  const side = async (name: string, texts: string) => {
    const captures: { capture: number; requests: null }[] = [];
    for (const [place, text] of texts.split('|').entries()) {
      const bytes = new TextEncoder().encode(text);
      const profile = await importProfile({
        fileName: `${name}.folded`,
        size: bytes.length,
        chunks: async function* () {
          yield bytes;
        },
      });
      captures.push({ capture: session.add(profile, null, `${name} ${place + 1}`).capture, requests: null });
    }
    return { ...EVERYTHING, captures };
  };
  const compared = await session.analyze({
    revision: 1,
    before: await side('before', before),
    after: await side('after', after),
    normalisation: 'raw',
    rules: DEFAULT_MATCH_RULES,
    transforms: [],
    zoom: [],
    picked: null,
  });
  return { session, compared };
}

export function DeltaHarness({ session, compared }: LoadedComparison): JSX.Element {
  const texts = useMemo(() => functionTexts(compared.functions), [compared]);
  const values = useMemo(
    () => createValueText('en', compared.normalised, Math.max(compared.before.total, compared.after.total)),
    [compared],
  );
  const requests = useMemo<DeltaRequests>(() => {
    const { comparison, trees, names, filter } = session.at(compared.revision);
    const { table } = comparison.matched;
    return {
      match: (pattern) => filter(names, pattern),
      explain: String,
      sums: async (functions) => selectionDelta(trees.tree, functions, table.functions.length),
      ranks: async (by) => textRanks(table, by),
    };
  }, [session, compared]);
  return (
    <HarnessDeltas
      compared={compared}
      texts={texts}
      values={values}
      requests={requests}
      onExport={(csv, rows) => {
        const notes = deltaNotes('harness', compared, DEFAULT_MATCH_RULES, rows);
        document.documentElement.dataset['exported'] = csv(notes);
      }}
    />
  );
}

/** `?deltas=100000` shows the table alone, with synthetic functions. */
export function DeltaRowsHarness({ rows }: { readonly rows: number }): JSX.Element {
  const compared = useMemo(() => madeUp(rows), [rows]);
  const values = useMemo(() => createValueText('en', compared.normalised, 1_000_003), [compared]);
  const requests = useMemo<DeltaRequests>(
    () => ({
      match: async (pattern) => {
        const expression = new RegExp(pattern, 'i');
        return Uint8Array.from({ length: rows }, (_, func) => Number(expression.test(`function_${func}`)));
      },
      explain: String,
      sums: async () => ({ self: { before: 0, after: 0 }, total: { before: 0, after: 0 } }),
      ranks: async () => {
        const order = Array.from({ length: rows }, (_, func) => [`function_${func}`, func] as const);
        order.sort(([a], [b]) => (a < b ? -1 : 1));
        const ranks = new Int32Array(rows);
        order.forEach(([, func], place) => {
          ranks[func] = place;
        });
        return ranks;
      },
    }),
    [rows],
  );
  return (
    <HarnessDeltas
      compared={compared}
      texts={MADE_UP_TEXTS}
      values={values}
      requests={requests}
      onExport={() => undefined}
    />
  );
}

function madeUp(rows: number): DeltaTableProps['compared'] {
  const judge = (before: number, after: number, place: number): Judgement => {
    const delta = after - before;
    const isFound = place % 3 === 0;
    return {
      before,
      after,
      delta,
      relative: before === 0 ? null : delta / before,
      interval: [delta - 9, delta + 9],
      level: 0.95,
      p: isFound ? 0.001 : 0.4,
      q: isFound ? 0.01 : 0.7,
      method: 'welch',
      verdict: !isFound || delta === 0 ? 'noise' : delta > 0 ? 'grew' : 'shrank',
      presence: before === 0 ? 'only-after' : 'both',
    };
  };
  const total = Array.from({ length: rows }, (_, row) =>
    judge((row * 7919) % 1_000_003, (row * 104_729) % 1_000_003, row),
  );
  const self = total.map(({ before, after }, row) => judge(Math.floor(before / 3), Math.floor(after / 3), row + 1));
  const side = { captures: [], total: 1_000_003, sampleCount: 1_000_003 };
  return {
    self: judgedRows(self),
    total: judgedRows(total),
    whole: judge(1_000_003, 1_000_003, 1),
    growthFirst: false,
    isReplicated: true,
    sharesHost: true,
    runs: { before: 5, after: 5 },
    before: side,
    after: side,
    normalised: { kind: 'per-second', isDefault: true, formula: '', divisors: [], unit: 'microseconds/second' },
  };
}
