import { describe, expect, test } from 'vitest';
import { stapOptionsSchema } from '#core/contract/stap.ts';
import { createStapCollector } from '#collectors/stap/collector.ts';
import type { StapPlan } from '#collectors/stap/plan.ts';
import type { Target } from '#collectors/target/target.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { clock } from '../../support/perf-recording.ts';
import { sshHosts } from '../../support/sshd.ts';
import { ownHosts, printedBy } from '../target/ssh-hosts.ts';

const HOME_PATH = { PATH: '/home/fb-test/bin:/usr/bin:/bin' };
/** Adds paths to each memory map that is read on the host. */
const HEAD = `#!/bin/sh
case $(readlink /proc/self/fd/0) in
  */maps)
    cat
    for path in /../../../../.bash_profile /usr/../../../../../.profile /opt/./x /home/fb-test/lib.so; do
      echo "7f0000000000-7f0000001000 r-xp 00000000 08:01 42                         $path"
    done ;;
  *) exec /usr/bin/head "$@" ;;
esac
`;
const UNAME = `#!/bin/sh
if [ "$1" = -r ]; then cat /home/fb-test/release; else exec /usr/bin/uname "$@"; fi
`;
const STAP = `#!/bin/sh
if [ "$1" = -V ]; then echo 'Systemtap translator/driver (version 5.2/0.192)' >&2; exit; fi
mkdir -p "$SYSTEMTAP_DIR/cache"
printf '%s\\n' "$@" >"$SYSTEMTAP_DIR/cache/stap_x.ko"
echo "$SYSTEMTAP_DIR/cache/stap_x.ko"
`;
const STAPRUN = `#!/bin/sh
echo '# flamebench stap type=cpu unit=samples stacks=kernel,user keys=pid,tid,comm rate=99 depth=64 module=stap_x'
printf 'kernel\\nuser\\n 0x1 : main+0x1/0x2 [/bin/a]\\nrow 3 1 1 a\\n# flamebench total=3 in_kernel=0 cycles=1 nanoseconds=1\\n'
`;

needing(sshHosts, () => {
  const hosts = ownHosts();

  describe('a hostile SSH target', () => {
    test('writes nothing on the SSH host that compiles for it except its binaries, in their folder', async () => {
      const [web, build] = await Promise.all([
        hosts.host({
          home: { 'bin/head': HEAD, 'bin/uname': UNAME, 'bin/staprun': STAPRUN, 'lib.so': 'x', release: '6.1.0-1\n' },
          env: HOME_PATH,
        }),
        hosts.host({ home: { 'bin/stap': STAP, mark: '' }, env: HOME_PATH }),
      ]);
      const [target, there] = [hosts.target(web), hosts.target(build)];
      const builder: Target = {
        ...there,
        stat: (path) =>
          path.endsWith('/Makefile') ? Promise.resolve({ size: 1, uid: 0, modifiedAt: 0 }) : there.stat(path),
        readRanges: (ranges) => Promise.resolve(ranges.map(() => null)),
      };
      const recorded = await target.run(['sleep', '600']);
      const options = stapOptionsSchema.parse({
        collector: 'stap',
        scope: { kind: 'pid', pid: recorded.pid, startTicks: null },
        what: { kind: 'recipe', recipe: 'on-cpu', rateHz: 99, stacks: 'user' },
        seconds: null,
        buildOn: 'ssh://build-1',
        asRoot: false,
      });
      // Anyone may load a module of this staprun.
      const collector = createStapCollector(() => Promise.resolve(builder));
      const member: Target = {
        ...target,
        run: (argv, given) => target.run(argv[0] === 'id' ? ['echo', 'stapusr stapdev'] : argv, given),
      };
      const { plan, checks } = await collector.preflight(member, options);
      expect(checks.map(({ found }) => found).join('\n')).toContain('is not a path in normal form: left out');
      const { error } = await collector.start(member, plan!, new MemorySink(), clock).outcome;
      expect(error).toBeNull();
      const news = await printedBy(there, 'find', '/home/fb-test', '-newer', '/home/fb-test/mark', '!', '-type', 'd');
      const { root, folder } = (plan as StapPlan).build!;
      expect(news.split('\n').filter((path) => path !== '' && !path.startsWith(`${root}/`))).toEqual([
        `${folder}/systemtap/cache/stap_x.ko`,
      ]);
      expect(news).toContain(`${root}/home/fb-test/lib.so\n`);

      await target.writeFile('/home/fb-test/release', new TextEncoder().encode('../../../../.config'));
      const refused = await collector.preflight(member, options);
      expect(refused.plan).toBeNull();
      expect(refused.checks).toContainEqual(expect.objectContaining({ id: 'headers', status: 'failed' }));
      recorded.kill('SIGKILL');
    }, 60_000);
  });
});
