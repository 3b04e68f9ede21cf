import type { Neighbours } from '#core/analyze/neighbours.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { ask as askView } from '../profile/graph-requests.ts';
import { toProblem } from '../state/problem.ts';
import type { ProfileView } from '../state/profile-view.ts';
import type { Analysis, WorkerMethod, WorkerParams } from '../worker/protocol.ts';
import type { FunctionRequests } from './function-table.tsx';
import type { TreeTableSource } from './use-tree-rows.ts';

/** What the tables of a view ask its worker, about one analysis. */
export interface TableRequests {
  readonly functions: FunctionRequests;
  readonly tree: TreeTableSource;
  readonly edges: (func: FunctionIndex) => Promise<Neighbours>;
}

export function tableRequests(view: ProfileView, analysis: Analysis): TableRequests {
  const { revision, treeLength } = analysis;
  const ask = <M extends WorkerMethod>(method: M, params: WorkerParams<M>) => askView(view, method, params);
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
      notes: () => ask('describe-view', { revision }),
      ranks: (by) => ask('text-ranks', { revision, by }),
    },
    tree: {
      length: treeLength,
      rows: (first, count, order) => ask('tree-rows', { revision, first, count, order }),
      step: (step, order) => ask('tree-step', { revision, step, order }),
      find: (find, order) => ask('tree-find', { revision, find, order }),
      sums: (rows) => ask('sums', { revision, of: 'nodes', rows }),
    },
    edges: (func) => ask('call-edges', { revision, func }),
  };
}
