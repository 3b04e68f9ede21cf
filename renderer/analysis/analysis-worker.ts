import { serveComparison } from './comparison/worker.ts';
import { serveProfile } from './profile/worker.ts';
import { COMPARE_WORKER } from './worker-names.ts';

/** Entry of the workers that read and analyse: one script for all, so that importers and analyses are loaded once. */
if (self.name === COMPARE_WORKER) serveComparison();
else serveProfile();
