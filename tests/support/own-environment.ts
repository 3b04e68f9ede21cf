import { afterAll, vi } from 'vitest';

/** Test files share a process, so what one puts into the environment ends with it. */
afterAll(() => {
  vi.unstubAllEnvs();
});
