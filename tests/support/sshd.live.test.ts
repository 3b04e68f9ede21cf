import { expect, test } from 'vitest';
import { needing } from './needing.ts';
import { sshHosts, startSshHost } from './sshd.ts';

needing(sshHosts, () => {
  test.each(['own', 'shared'] as const)('root on a host ($0 files) changes no file of this machine', async (files) => {
    const host = await startSshHost({ files, root: { 'etc/motd': 'hello\n' } });
    try {
      const folders = ['/usr/local/bin', '/usr/bin', '/opt', '/var/lib', '/etc', '/home', '/tmp', '/root'];
      const script = 'for folder; do if [ -w "$folder" ]; then echo "$folder"; fi; done; cat /etc/motd';
      const writable = (await host.execute(['sh', '-c', script, 'sh', ...folders])).trim().split('\n');
      expect(writable).toEqual(['/etc', '/home', '/tmp', '/root', 'hello']);
    } finally {
      await host.dispose();
    }
  });

  test.each([{ 'usr/local/bin/perf': '' }, { 'etc/../usr/local/bin/perf': '' }, { '../../escaped': '' }])(
    'refuses to put %o on a host',
    async (root) => {
      await expect(startSshHost({ root })).rejects.toThrow('in home, root/etc and root/home only');
    },
  );
});
