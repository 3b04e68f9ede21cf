import { describe, expect, test } from 'vitest';
import { runDoctor } from '#collectors/doctor.ts';
import { needing } from '../../support/needing.ts';
import { sshHosts } from '../../support/sshd.ts';
import { ownHosts, printedBy, until } from './ssh-hosts.ts';

const hosts = ownHosts();
const SLOW = { shell: 'bash', home: { '.bashrc': 'sleep 4\n' } };

needing(sshHosts, () => {
  describe.concurrent('a login shell that takes 4 s', () => {
    test('delays 20 commands and queries by about three logins, and is reported', async () => {
      const target = hosts.target(await hosts.host(SLOW));
      await target.connection.connect();
      const started = performance.now();
      for (let round = 0; round < 4; round++) {
        expect(await target.listDirectory('/etc')).toContain('passwd');
        expect(await target.readFile('/etc/passwd')).not.toHaveLength(0);
        expect(await target.stat('/nowhere')).toBeNull();
        await Promise.all([printedBy(target, 'echo', 'a'), target.readLinks(['/proc/self/exe', '/etc/passwd'])]);
      }
      expect(performance.now() - started).toBeLessThan(16_000);
      expect(target.connection.state).toMatchObject({
        kind: 'up',
        message: expect.stringMatching(/^its login shell takes [4-6] s to start a command$/) as string,
        remedy: expect.stringContaining('~/.bashrc') as string,
      });
      for await (const { id, status } of runDoctor(target, null)) {
        expect([id, status]).toEqual(['login', 'warning']);
        break;
      }
    });

    test.each([1, 2, 4])('leaves room for commands with MaxSessions %i', async (maxSessions) => {
      const target = hosts.target(await hosts.host({ ...SLOW, home: { '.bashrc': 'sleep 2.5\n' }, maxSessions }));
      expect(await target.stat('/nowhere')).toBeNull();
      expect(await target.readFile('/etc/passwd')).not.toHaveLength(0);
      expect(await printedBy(target, 'echo', 'a')).toBe('a\n');
      expect(await target.readFile('/etc/passwd')).not.toHaveLength(0);
      const both = [printedBy(target, 'echo', 'a'), printedBy(target, 'echo', 'b')];
      expect(await Promise.all(both)).toEqual(['a\n', 'b\n']);
    });

    test.each([2, 10])('runs a program as root with MaxSessions %i', async (maxSessions) => {
      const target = hosts.target(await hosts.host({ ...SLOW, sudo: 'without password', maxSessions }));
      const process = await target.root!.run(['id', '-u']);
      let printed = '';
      for await (const chunk of process.stdout) printed += Buffer.from(chunk).toString();
      expect(printed).toBe('0\n');
      expect((await process.exit).code).toBe(0);
    });

    test('leaves no shell on the host when the target is disposed of', async () => {
      const host = await hosts.host(SLOW);
      const target = hosts.target(host);
      await target.stat('/nowhere');
      await target.stat('/nowhere');
      const shells = (): boolean => host.processes().some((line) => line.includes('IFS= read'));
      expect(shells()).toBe(true);
      await target.dispose();
      await until(() => !shells());
    });
  });

  test('reports MaxSessions 1 within 5 s, and refuses what needs a second session soon after', async () => {
    const target = hosts.target(await hosts.host({ maxSessions: 1 }));
    await target.connection.connect();
    await target.run(['sleep', '60']);
    const started = performance.now();
    const second = target.run(['true']).then(
      () => 'ran',
      (error: unknown) => String(error),
    );
    await until(() => target.connection.state.message !== null);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(target.connection.state).toMatchObject({
      message: 'it accepts only one session at once, too few to record',
      remedy: 'Raise MaxSessions in its sshd_config',
    });
    expect(await second).toMatch(/accepts 1 session at once, and all are in use$/);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
