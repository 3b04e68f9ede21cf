import { serveComparison } from './compare-worker.ts';
import { servePart } from './part-worker.ts';
import { serveProfile } from './profile-worker.ts';
import { COMPARE_WORKER, PART_WORKER } from './worker-names.ts';

/** Entry of the workers that read and analyse: one script for all, so that importers and analyses are loaded once. */
if (self.location.hash === PART_WORKER) servePart();
else if (self.name === COMPARE_WORKER) serveComparison();
else serveProfile();
