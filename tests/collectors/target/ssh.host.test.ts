import { beforeAll } from 'vitest';
import { needing } from '../../support/needing.ts';
import { sshHosts, type SshHost } from '../../support/sshd.ts';
import { describeTarget } from '../target-suite.ts';
import { ownHosts } from './ssh-hosts.ts';

needing(sshHosts, () => {
  const hosts = ownHosts();
  let host: SshHost;
  beforeAll(async () => {
    host = await hosts.host({ files: 'shared' });
  });
  describeTarget('ssh', () => hosts.target(host));
});
