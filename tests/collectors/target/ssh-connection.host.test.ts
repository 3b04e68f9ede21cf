import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needing } from '../../support/needing.ts';
import { sshHosts } from '../../support/sshd.ts';
import { ownHosts, printedBy, until, untilState } from './ssh-hosts.ts';

const hosts = ownHosts();

needing(sshHosts, () => {
  describe.concurrent('a connection over ssh', () => {
    test('runs many commands concurrently', async () => {
      const target = hosts.target(await hosts.host());
      const numbers = Array.from({ length: 20 }, (_, index) => `${index}`);
      const printed = await Promise.all(numbers.map((number) => printedBy(target, 'echo', number)));
      expect(printed).toEqual(numbers.map((number) => `${number}\n`));
    });

    test('takes turns with MaxSessions 1', async () => {
      const target = hosts.target(await hosts.host({ maxSessions: 1 }));
      const printed = await Promise.all(['a', 'b', 'c', 'd'].map((word) => printedBy(target, 'echo', word)));
      expect(printed).toEqual(['a\n', 'b\n', 'c\n', 'd\n']);
      expect(await target.listDirectory('/etc')).toContain('passwd');
    });

    test('names the setting with MaxSessions 0', async () => {
      const target = hosts.target(await hosts.host({ maxSessions: 0 }));
      await expect(target.run(['true'])).rejects.toThrow(/accepts no session on this connection$/);
    });

    test('reports processes as lost when the server goes, leaves nothing, and connects again', async () => {
      const host = await hosts.host();
      const target = hosts.target(host);
      const directory = await target.makeTempDir();
      const process = await target.run(['sh', '-c', 'sleep 600 & sleep 600']);
      expect(host.processes().join('\n')).toContain('sleep 600');
      host.killServer();
      expect(await process.exit).toEqual({ code: null, signal: null });
      await untilState(target, 'lost');
      expect(target.connection.state.message).toMatch(/^the connection to .* was lost$/);
      await host.startServer();
      expect(await printedBy(target, 'echo', 'again')).toBe('again\n');
      expect(target.connection.state.kind).toBe('up');
      await until(() => !host.processes().join('\n').includes('sleep'));
      expect(await target.stat(directory)).toBeNull();
    });

    test('restricts the socket of a forwarded port to this user, and removes it', async () => {
      const target = hosts.target(await hosts.host());
      const forwarded = await target.forwardPort(1);
      if (!('path' in forwarded.address)) throw new Error('no socket');
      const { path } = forwarded.address;
      expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
      expect((await stat(path)).mode & 0o077).toBe(0);
      await forwarded.close();
      await expect(stat(path)).rejects.toThrow(/ENOENT/);
    });

    test('connects again after a close, but not once the target is disposed of', async () => {
      const host = await hosts.host();
      const target = hosts.target(host);
      const logins = async (): Promise<number> => (await host.log()).split('Accepted publickey').length - 1;
      expect(await printedBy(target, 'echo', 'a')).toBe('a\n');
      await target.connection.close();
      expect(await printedBy(target, 'echo', 'b')).toBe('b\n');
      expect(await logins()).toBe(2);
      await target.dispose();
      await expect(target.run(['true'])).rejects.toThrow(/the connection to .* was closed$/);
      await expect(target.stat('/')).rejects.toThrow(/was closed$/);
      await expect(target.connection.connect()).rejects.toThrow(/was closed$/);
      expect(await logins()).toBe(2);
    });

    test('can be closed while it prompts', async () => {
      const target = hosts.target(await hosts.host({ auth: 'password' }));
      const connected = target.connection.connect();
      const ended = connected.catch((error: unknown) => String(error));
      await untilState(target, 'needs-you');
      await target.connection.close();
      expect(await ended).toMatch(/was closed/);
      expect(target.connection.state.kind).toBe('idle');
    });
  });
});
