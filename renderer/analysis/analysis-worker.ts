import { serveComparison } from './comparison/worker.ts';
import { serveProfile } from './profile/worker.ts';
import { COMPARE_WORKER } from './worker-names.ts';

/** Entry point of the analysis workers. They share one script, so that importers and analyses are loaded only once. */
if (self.name === COMPARE_WORKER) serveComparison();
else serveProfile();
