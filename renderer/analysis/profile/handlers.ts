import { nodesOfPaths, pathsOfNodes } from '#core/analyze/tree/open-paths.ts';
import type { ProfileMethods, ProfileSource } from './protocol.ts';
import type { ProfileSession } from './session.ts';
import type { RequestHandlers } from '../serve-requests.ts';
import { readSource } from '../read-source.ts';
import { sharedHandlers } from '../session.ts';

/** Returns the handlers of all requests about an open profile; `session` throws while none is open. */
export function profileHandlers(
  session: () => ProfileSession,
): RequestHandlers<Omit<ProfileMethods, 'open' | 'refresh' | 'cache'>> {
  const at = (revision: number) => session().at(revision);
  return {
    ...sharedHandlers<ProfileSource>(session),
    'close-view': ({ view }) => {
      session().closeView(view);
      return null;
    },
    neighbours: ({ revision, func }) => session().neighbours(revision, func),
    'leaf-weights': ({ revision, func }) => session().leafWeights(revision, func),
    summary: ({ revision, rules }) => session().summary(revision, rules),
    goroutines: ({ revision }) => session().goroutines(revision),
    labels: ({ revision }) => session().labels(revision),
    'source-lines': ({ revision, func }) => session().sourceLines(revision, func),
    graph: ({ revision, tree }) => session().graphs.facts(at(revision), tree),
    'graph-node': ({ revision, tree, node }) => session().graphs.ownNode(at(revision), tree, node),
    'graph-place': ({ revision, tree, node }) => session().graphs.place(at(revision), tree, node),
    'graph-find': ({ revision, tree, place }) => session().graphs.find(at(revision), tree, place),
    'graph-moment': ({ revision, tree, at: moment }) => session().graphs.moment(at(revision), tree, moment),
    'self-weights': ({ revision, tree, ...request }) =>
      session().graphs.source(at(revision), tree).requestSelf(request),
    samples: ({ revision, tree, node }) => session().graphs.samples(at(revision), tree, node),
    'tree-step': ({ revision, ...asked }) => session().tables.step(at(revision), asked),
    'tree-rows': ({ revision, ...asked }) => session().tables.rows(at(revision), asked),
    'tree-find': ({ revision, ...asked }) => session().tables.find(at(revision), asked),
    'tree-paths': ({ revision, nodes }) => pathsOfNodes(at(revision).tree, nodes),
    'tree-nodes': ({ revision, paths }) => nodesOfPaths(at(revision).tree, paths),
    'sample-counts': ({ revision }) => session().tables.sampleCounts(at(revision)),
    'describe-view': ({ revision, ...asked }) => session().tables.describe(at(revision), asked),
    'call-edges': ({ revision, func }) => session().tables.edges(at(revision), { func }),
    'time-function': ({ revision, window, buckets, func }) => {
      const { times } = session();
      return times.functionBars(at(revision), window, times.buckets(window, buckets), func);
    },
    'time-groups': ({ revision, window, buckets, groups }) =>
      session().times.groupBars(at(revision), window, buckets, groups),
    'time-threads': ({ revision, window, buckets }) => {
      const { times } = session();
      return times.threads(at(revision), window, times.buckets(window, buckets));
    },
    'time-kinds': ({ revision, window, buckets, threads }) =>
      session().times.threadKinds(at(revision), window, buckets, threads),
    'time-sample': ({ revision, thread, time, span }) => session().times.sampleAt(at(revision), thread, time, span),
    'time-place': ({ revision, ...moment }) => session().placeAt(revision, moment),
    'heat-map': ({ revision, window, maxColumns }) => session().times.heatMap(at(revision), window, maxColumns),
    'time-gaps': () => session().gaps(),
    export: (params) => session().exported(params),
    'report-preview': (params) => session().reportPreview(params),
    'report-file': (params) => session().reportFile(params),
    'report-hold': async ({ source }) => ({
      held: session().hold(await readSource({ source, format: null }, () => undefined)),
    }),
  };
}
