/**
 * The page's only Trusted Types policy: scripts of its own origin may become workers. For the CSP's `trusted-types`
 * directive.
 */
export const WORKER_POLICY = 'flamebench-worker';
