import { afterAll, afterEach, expect, test } from 'vitest';
import { bpftraceOptionsSchema, type RecipeId } from '#core/contract/bpftrace.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import type { Profile } from '#core/model/profile.ts';
import { bpftraceCollector } from '#collectors/bpftrace/collector.ts';
import { commandsOf, type Plan } from '#collectors/collector.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { MemorySink } from '../support/memory-sink.ts';
import { clock, planFor } from '../support/perf-recording.ts';
import {
  endPrograms,
  LONG,
  provideProgram,
  run,
  shell,
  startBusy,
  startDemo,
  startProgram,
  suite,
  YIELDING,
} from './machine.ts';
import {
  begun,
  disconnect,
  expectSameFunctions,
  namesOf,
  nothingIsLeft,
  onCpu,
  options,
  planned,
  profileOf,
  record,
  recordWith,
  root,
  selfOf,
  stapCollector,
  statedTotal,
  totalOf,
  untilRows,
  weightWith,
} from './recording.ts';

// Programs must not load the machine for other tests.
afterEach(() => endPrograms(), LONG);
afterAll(disconnect, LONG);

/** Returns a plan that compiles in the machine itself, where stap's cache has the module already. */
async function plannedThere(pid: number): Promise<Plan<StapOptions>> {
  const { buildOn: _buildOn, ...there } = options(pid);
  const plan = await planned(there);
  await run('vm.bash', 'compile', ...commandsOf(plan)[0]!);
  return plan;
}

test(
  'a module of the machine itself, one of another host, and bpftrace give the same functions of a program with frame pointers',
  async () => {
    const pid = await startDemo();
    const profiles: Profile[] = [];
    for (const plan of [await plannedThere(pid), await planned(options(pid))]) {
      const recorded = await record(plan, 300);
      expect(recorded.outcome.incomplete).toBe(false);
      expect(recorded.messages.some((line) => line.startsWith('Pass 4: '))).toBe(true);
      const profile = await profileOf(recorded);
      expect(profile.metadata.format).toBe('stap');
      for (const name of ['main', 'fb_handle_request', 'fb_mid_a', 'fb_leaf_hash', 'fb_leaf_sqrt']) {
        expect(namesOf(profile)).toContain(name);
      }
      expect(totalOf(profile) + recorded.outcome.lost).toBe(statedTotal(recorded.sink));
      profiles.push(profile);
    }
    expectSameFunctions(profiles[0]!, profiles[1]!);

    const given = bpftraceOptionsSchema.parse({ ...options(pid), collector: 'bpftrace' });
    const { plan } = await bpftraceCollector.preflight(root, given);
    expectSameFunctions(
      profiles[1]!,
      await profileOf(await recordWith(bpftraceCollector, plan!, (recording) => untilRows(recording, 20))),
    );
    await nothingIsLeft();
  },
  LONG,
);

test(
  'SystemTap and perf agree within three points on every function over 5 %, in the same seconds',
  async () => {
    const pid = await startDemo();
    const sink = new MemorySink();
    const perfPlan = await planFor(
      { scope: { kind: 'pid', pid, startTicks: null }, event: 'cpu-clock:u', rateHz: onCpu.rateHz },
      root,
    );
    const plan = await planned(options(pid));
    const perf = perfCollector.start(root, perfPlan, sink, clock);
    const ofStap = await profileOf(await record(plan, 4000));
    await untilRows(perf, 4000);
    await perf.stop();
    expectSameFunctions(await profileOf({ outcome: await perf.outcome, sink }), ofStap, 3);
  },
  LONG,
);

test(
  'names the functions of the kernel in which dd works',
  async () => {
    const dd = await startBusy('dd if=/dev/zero of=/dev/null bs=1M');
    const what = { ...onCpu, stacks: 'kernel' } as const;
    const profile = await profileOf(await record(await planned(options(dd, { what })), 200));
    const read = weightWith(profile, 'ksys_read') + weightWith(profile, 'ksys_write');
    expect(read / totalOf(profile)).toBeGreaterThan(0.8);
    await shell(`kill ${dd}`);
  },
  LONG,
);

test(
  'off-CPU time of a sleeper is its own clock’s within 5 %',
  async () => {
    const path = await provideProgram('sleeper');
    await shell('rm -f /tmp/go /tmp/slept; mkfifo /tmp/go; (sleep 100000 >/tmp/go) >/dev/null 2>&1 </dev/null &');
    const sleeper = await startProgram(path, '</tmp/go >/tmp/slept 2>&1');
    const what = { kind: 'recipe', recipe: 'off-cpu' satisfies RecipeId, rateHz: 99, stacks: 'user' } as const;
    const sink = new MemorySink();
    // The headers of Debian 13's kernel define macros of tracepoints twice.
    const mended = suite === 'trixie' ? { mend: true } : {};
    const recording = stapCollector.start(root, await planned(options(sleeper, { what, ...mended })), sink, clock);
    await begun(recording);
    await shell('echo >/tmp/go');
    const slept = Number(await shell('timeout 120 sh -c "until [ -s /tmp/slept ]; do sleep 1; done"; cat /tmp/slept'));
    await recording.stop();
    const outcome = await recording.outcome;
    expect(outcome.error).toBeNull();
    const profile = await profileOf({ outcome, sink });
    expect(profile.valueTypes[0]).toMatchObject({ type: 'off-cpu', unit: 'microseconds' });
    const recorded = weightWith(profile, 'fb_nap');
    expect(slept).toBeGreaterThan(2_000_000);
    expect(Math.abs(recorded / slept - 1)).toBeLessThan(0.05);
    await shell('pkill -x sleep -f "sleep 100000"; true');
  },
  LONG,
);

test(
  'runs a script of the user’s and reads the stacks with counts that it prints',
  async () => {
    const pid = await startProgram('/opt/fb/demo');
    // SystemTap names functions while their process runs.
    const text = [
      'global hits, due',
      'probe timer.s(3) { due = 1 }',
      'probe timer.profile {',
      '  if (pid() != target()) next',
      '  hits[ubacktrace()]++',
      '  if (!due) next',
      '  foreach (stack in hits-) { print_ustack(stack); printf("\\t%d\\n", hits[stack]) }',
      '  exit()',
      '}',
    ].join('\n');
    const plan = await planned(options(pid, { what: { kind: 'script', text } }));
    const sink = new MemorySink();
    const outcome = await stapCollector.start(root, plan, sink, clock).outcome;
    expect(outcome.error).toBeNull();
    expect(selfOf(await profileOf({ outcome, sink }))[0]![0]).toMatch(/^fb_leaf_/);
  },
  LONG,
);

async function recordLua(ofProcess: number, stacks: 'user' | 'lua'): Promise<Profile> {
  const what = { kind: 'recipe', recipe: 'lua', rateHz: 199, stacks } as const;
  return profileOf(await record(await planned(options(ofProcess, { what })), 150));
}

test(
  'records which function of Lua is hot in an nginx under load, within its C stack',
  async () => {
    await shell(`${YIELDING} nginx -c /opt/fb/lua/nginx.conf`);
    try {
      await startProgram('sh -c "while :; do busybox wget -qO- http://127.0.0.1:8080/; done"');
      const worker = Number(await shell('until pgrep -f "^nginx: worker"; do sleep 0.2; done'));
      const profile = await recordLua(worker, 'user');
      const self = selfOf(profile);
      expect(self[0]![0]).toBe('@/opt/fb/lua/hot.lua:8');
      expect(self[0]![1]).toBeGreaterThan(0.3);
      for (const line of [0, 14, 18]) expect(namesOf(profile)).toContain(`@/opt/fb/lua/hot.lua:${line}`);
      expect(namesOf(profile)).toContain('ngx_http_lua_run_thread');
    } finally {
      await shell('nginx -c /opt/fb/lua/nginx.conf -s stop');
    }
  },
  LONG,
);

test.each([
  ['interpreter', '@/opt/fb/lua/hot.lua:8'],
  ['compiler', 'T:@/opt/fb/lua/hot.lua:8'],
])(
  'reads the stack of a LuaJIT of GC32 whose functions run in the %s',
  async (mode, hot) => {
    const lua = await startBusy(`/opt/fb/luajit-gc32 /opt/fb/lua/hot.lua ${mode}`);
    expect(selfOf(await recordLua(lua, 'lua'))[0]![0]).toBe(hot);
    await shell(`kill ${lua}`);
  },
  LONG,
);
