import { afterAll, beforeAll } from 'vitest';
import { parseTargetId, type SshDestination } from '#core/contract/target.ts';
import { createSshTarget, type SshTarget } from '#collectors/target/ssh/ssh-target.ts';
import { needing } from '../../support/needing.ts';
import { sshHosts, startSshHost, type SshHost } from '../../support/sshd.ts';
import { describeTarget } from '../target-suite.ts';

needing(sshHosts, () => {
  let host: SshHost;
  beforeAll(async () => {
    host = await startSshHost({ files: 'shared' });
  });
  afterAll(() => host.dispose());

  describeTarget('ssh', () => targetOf(host));
});

function targetOf(host: SshHost): SshTarget {
  return createSshTarget(destinationOf(host.destination), { configFile: host.clientConfigFile });
}

function destinationOf(id: string): SshDestination {
  const address = parseTargetId(id);
  if (address.kind === 'local') throw new Error('no ssh target');
  return address;
}
