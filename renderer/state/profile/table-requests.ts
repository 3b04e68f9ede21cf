import type { Neighbours } from '#core/analyze/tree/neighbours.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { toProblem } from '../problem.ts';
import type { ProfileView } from './view.ts';
import type { Analysis } from '../../analysis/profile/protocol.ts';
import type { FunctionRequests } from '../../ui/table/functions/functions.types.ts';
import type { TreeTableSource } from '../../ui/table/tree/use-rows.ts';

/** The requests of a view's tables, about one analysis. */
export interface TableRequests {
  readonly functions: FunctionRequests;
  readonly tree: TreeTableSource;
  readonly edges: (func: FunctionIndex) => Promise<Neighbours>;
}

/** `captureName` returns the capture's current name, as notes of tables say it. */
export function tableRequests(view: ProfileView, analysis: Analysis, captureName: () => string): TableRequests {
  const { revision, treeLength } = analysis;
  const { ask, client } = view;
  return {
    functions: {
      match: (pattern) => ask('filter', { revision, pattern }),
      explain: (error) => toProblem(error).message,
      sums: (rows) => ask('sums', { revision, of: 'functions', rows }),
      sampleCounts: async () => ({
        ...analysis.rows,
        length: analysis.rows.func.length,
        ...(await ask('sample-counts', { revision })),
      }),
      notes: () => ask('describe-view', { revision, captureName: captureName() }),
      ranks: (by) => ask('text-ranks', { revision, by }),
    },
    tree: {
      length: treeLength,
      rows: (first, count, order) => ask('tree-rows', { revision, first, count, order }),
      step: (step, order) => ask('tree-step', { revision, step, order }),
      find: (find, order) => ask('tree-find', { revision, find, order }),
      sums: (rows) => ask('sums', { revision, of: 'nodes', rows }),
      paths: async (nodes) =>
        (await client()
          ?.call('tree-paths', { revision, nodes })
          .catch(() => null)) ?? null,
      nodes: (paths) => ask('tree-nodes', { revision, paths }),
    },
    edges: (func) => ask('call-edges', { revision, func }),
  };
}
