import { run } from './machine.ts';

/** Boots the machine and the host that only compiles. With `FB_VM_KEEP` they keep running for the next run. */
export async function setup(): Promise<() => Promise<void>> {
  await run('image.bash');
  await run('vm.bash', 'start');
  await run('vm.bash', 'build-host');
  return async () => {
    if (process.env['FB_VM_KEEP'] === undefined) await run('vm.bash', 'stop');
  };
}
