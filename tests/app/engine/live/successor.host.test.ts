import { expect, test } from 'vitest';
import { SuccessorSearch } from '#app/engine/live/successor.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { needing } from '../../../support/needing.ts';
import { sshHosts } from '../../../support/sshd.ts';
import { ownHosts } from '../../../collectors/target/ssh-hosts.ts';

needing(sshHosts, () => {
  const hosts = ownHosts();

  test('a search that goes on once the engine has closed its targets does not connect again', async () => {
    const host = await hosts.host();
    const target = hosts.target(host);
    const { pid } = await host.start(['sleep', '600'], { user: true });
    const search = new SuccessorSearch(target, (await findProcess(target, pid))!, SYSTEM_CLOCK);
    await target.dispose();
    await expect(search.find(() => false)).rejects.toThrow(/was closed$/);
    expect(target.connection.state.kind).toBe('idle');
    expect((await host.log()).split('Accepted publickey')).toHaveLength(2);
    search.end();
  }, 60_000);
});
