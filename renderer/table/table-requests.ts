import type { Neighbours } from '#core/analyze/neighbours.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { toProblem } from '../state/problem.ts';
import type { ProfileView } from '../state/profile-view.ts';
import { WorkerFailure } from '../worker/profile-client.ts';
import type { Analysis, WorkerMethod, WorkerParams, WorkerResult } from '../worker/protocol.ts';
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
  const ask = <M extends WorkerMethod>(method: M, params: WorkerParams<M>): Promise<WorkerResult<M>> => {
    const client = view.client();
    return client === null ? never() : client.call(method, params).catch(unlessOutdated);
  };
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

/** What an outdated view asked for is not answered: its tables are about to be replaced. */
function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

function unlessOutdated(error: unknown): Promise<never> {
  const outdated = error instanceof WorkerFailure && ['stale', 'cancelled'].includes(error.failure.code);
  if (outdated) return never();
  throw error;
}
