import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { serverTables } from '#app/engine/fleet/clickhouse-tables.ts';
import { hash64, PushBatch } from '#app/engine/fleet/push.ts';
import { openFleetToPush } from '#app/engine/fleet/open-fleet.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { captureRows } from '#core/fleet/capture-rows.ts';
import { callCli } from '../../../support/call-cli.ts';
import { chdb, clickHouseData, type ClickHouseServer } from '../../../support/clickhouse.ts';
import { faultyProxy } from '../../../support/faulty-proxy.ts';
import { behavesAsFleet } from '../../../support/fleet-behaviour.ts';
import { captureNamed } from '../../../support/generated-fleet.ts';
import { inTerminal } from '../../../support/in-terminal.ts';
import { needing } from '../../../support/needing.ts';
import { otlpRequest } from '../../../support/otlp-json.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { LAUNCHER } from '../../../support/run-cli.ts';
import { addToLibrary, startCli } from '../../../support/start-cli.ts';

needing(chdb, () => {
  const data = clickHouseData();
  let server: ClickHouseServer;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-clickhouse-'));
    server = await data.start();
  });
  afterAll(async () => {
    await data.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  let made = 0;
  const address = (database: string, port = server.port): string => `clickhouse://127.0.0.1:${port}/${database}`;
  const make = async (): Promise<string> => {
    const name = address(`fleet_${made++}`);
    const run = await callCli(['fleet', 'init', '--to', name]);
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: `${name}: ready for flamebench fleet push\n` });
    return name;
  };
  const write = (name: string, text: string, mode = 0o600): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };
  const totalIn = async (name: string): Promise<number> =>
    (JSON.parse((await callCli(['fleet', 'top', '--in', name, '--json'])).stdout) as { total: number }).total;
  const run = async (query: string, port = server.port): Promise<void> => {
    const client = createClient({ url: `http://127.0.0.1:${port}`, log: { level: ClickHouseLogLevel.OFF } });
    try {
      await client.command({ query });
    } finally {
      await client.close();
    }
  };

  behavesAsFleet({ name: 'ClickHouse', make });

  test('a database without a fleet, and one with tables of others, stay as they are', async () => {
    const none = await callCli(['fleet', 'list', '--in', address('none')]);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain(`there is no fleet at ${address('none')}; flamebench fleet init --to`);
    await run('CREATE DATABASE others');
    await run('CREATE TABLE others.samples (a String) ENGINE = MergeTree ORDER BY a');
    const foreign = await callCli(['fleet', 'init', '--to', address('others')]);
    expect(foreign).toMatchObject({ code: 2, stdout: '' });
    expect(foreign.stderr).toContain("has a table samples that is not a fleet's; name another database");
  });

  test('init is repeatable, and completes what an interrupted one left', async () => {
    const name = address('partly');
    for (const statement of serverTables({ database: 'partly', cluster: null, ttlDays: 30, byTeam: false }).slice(0, 4))
      await run(statement);
    const early = await callCli(['fleet', 'list', '--in', name]);
    expect(early.stderr).toContain('there is no fleet at');
    for (const _ of [1, 2]) {
      expect(await callCli(['fleet', 'init', '--to', name, '--ttl', '30'])).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await callCli(['fleet', 'list', '--in', name])).toMatchObject({ code: 0, stdout: 'No captures.\n' });
  });

  test('another version of the tables is refused by its number', async () => {
    for (const [version, remedy] of [
      [0, 'push the captures to a new database'],
      [99, 'update Flamebench'],
    ] as const) {
      const name = await make();
      const marker = `${name.split('/').at(-1)!}.flamebench_fleet`;
      await run(`TRUNCATE TABLE ${marker}`);
      await run(`INSERT INTO ${marker} VALUES (${version})`);
      const refused = await callCli(['fleet', 'list', '--in', name]);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain(
        `${name} has version ${version} of the fleet's tables; this Flamebench has version 1; ${remedy}`,
      );
    }
  });

  const TABLES = ['frames', 'stacks', 'samples', 'totals', 'captures'] as const;
  test.each(TABLES.flatMap((table) => [[table, 'cut before'] as const, [table, 'cut after'] as const]))(
    'nothing counts twice if the connection at the rows of %s is %s',
    async (table, fault) => {
      const name = await make();
      const database = name.split('/').at(-1)!;
      const proxy = await faultyProxy(server.port, fault, `INSERT INTO ${table}`);
      onTestFinished(() => proxy.stop());
      const words = [write('a.folded', 'main;a 3\nmain 1\n'), write('b.folded', 'main;b 5\n')];
      const through = address(database, proxy.port);
      const cut = await callCli(['fleet', 'push', ...words, '--to', through]);
      expect(cut).toMatchObject({ code: 4, stdout: '' });
      expect(cut.stderr).toContain(`${through} can't be reached: `);
      expect(cut.stderr).not.toContain(': added');
      expect(cut.stderr.trim().split('\n')).toHaveLength(1);
      const again = await callCli(['fleet', 'push', ...words, '--to', name]);
      expect(again).toMatchObject({ code: 0 });
      expect(await totalIn(name)).toBe(9);
    },
  );

  test('two pushes of one capture at the same time count once', async () => {
    const name = await make();
    const rows = captureRows(profileFromText('main;a 3\nmain 1'), hash64);
    const fleets = [await openFleetToPush(name), await openFleetToPush(name)];
    const batches = fleets.map((fleet) => new PushBatch(fleet));
    for (const batch of batches) {
      expect(await batch.pushedBefore('one')).toBeNull();
      await batch.add({ ...captureNamed('one', 'web-1', '1.0', 0), event: 'samples', unit: 'count' }, rows);
    }
    for (const batch of batches) await batch.flush();
    for (const fleet of fleets) fleet.close();
    expect(await totalIn(name)).toBe(4);
    const listed = await callCli(['fleet', 'list', '--captures', '--in', name]);
    expect(listed.stdout).toContain('\n1 capture\n');
  });

  test('a server that is not there is named in one line', async () => {
    const closed = await faultyProxy(server.port, 'cut before', '');
    await closed.stop();
    const name = address('fleet', closed.port);
    const away = await callCli(['fleet', 'push', write('one.folded', 'main 1\n'), '--to', name]);
    expect(away).toMatchObject({ code: 4, stdout: '' });
    expect(away.stderr).toMatch(/^flamebench: clickhouse:\/\/\S+ can't be reached: [^\n]*ECONNREFUSED[^\n]*\n$/);
  });

  test.each([
    ['a page', '<html>\n<body>\u001b[31m</body></html>\n', 'does not answer as ClickHouse does: '],
    ['nothing', '', 'does not answer as ClickHouse does: no version'],
    ['no types', '["version","found"]\n', 'does not answer as ClickHouse does: no version'],
    ['no numbers', '["version","found"]\n["UInt64","UInt64"]\n["x","1"]\n', 'does not answer as ClickHouse does: '],
    ['no list', '1\n2\n', 'does not answer as ClickHouse does: a row is not a list'],
  ])('a server that answers with %s is no fleet', async (_, answer, reason) => {
    const other = createServer((request, response) => request.resume().on('end', () => response.end(answer)));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const listed = await callCli(['fleet', 'list', '--in', address('fleet', (other.address() as AddressInfo).port)]);
    expect(listed).toMatchObject({ code: 4, stdout: '' });
    expect(listed.stderr).toContain(reason);
    expect(listed.stderr).toMatch(/^[^\n\u001b]*\n$/);
  });

  test('--watch keeps captures waiting while the server is away', { timeout: 180_000 }, async () => {
    const other = clickHouseData();
    onTestFinished(() => other.remove());
    const first = await other.start();
    const name = address('fleet', first.port);
    await callCli(['fleet', 'init', '--to', name]);
    const library = await openLibrary(path.join(folder, 'library'));
    onTestFinished(() => library.close());
    const watch = startCli(['fleet', 'push', '--watch', '--to', name, '--library', library.path]);
    await watch.says('watching ');
    await addToLibrary(library, 'first.folded', 'main;a 2\n');
    await watch.says('added, 2 samples');
    await first.stop();
    const { id } = await addToLibrary(library, 'second.folded', 'main;b 3\n');
    await watch.says("can't be reached: ");
    await watch.says('1 capture waiting');
    await other.start({ port: first.port });
    await watch.says(`${id}: added, 3 samples`);
    watch.child.kill('SIGINT');
    expect(await watch.ended).toMatchObject({ code: 0, stdout: `${name}: 2 captures pushed\n` });
    expect(await totalIn(name)).toBe(5);
  });

  test('a request to a receiver counts once, also if the server was cut off while it was stored', async () => {
    const name = await make();
    const proxy = await faultyProxy(server.port, 'cut after', 'INSERT INTO samples');
    onTestFinished(() => proxy.stop());
    const through = address(name.split('/').at(-1)!, proxy.port);
    const receiver = startCli(['fleet', 'receive', '--to', through, '--listen', '127.0.0.1:0']);
    await receiver.says('Ctrl-C ends');
    const url = /http:\S+(?=;)/.exec(receiver.said())![0];
    const body = JSON.stringify(
      otlpRequest(
        ['web-1', 'web-2'].map((host, place) => ({
          attributes: { 'service.name': 'page', 'service.version': '1.0', 'host.name': host },
          stacks: { 'main;parse': 3 + place, main: 1 },
        })),
      ),
    );
    const statuses: number[] = [];
    for (const _ of [1, 2, 3]) {
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([503, 200, 200]);
    receiver.child.kill('SIGTERM');
    const { code, stdout, stderr } = await receiver.ended;
    expect(code).toBe(0);
    expect(stdout).toContain(`${through}: 2 captures added, 2 already there, 0 profiles rejected`);
    expect(stderr).toContain(`refused a request with 503: ${through} can't be reached`);
    expect(await totalIn(name)).toBe(9);
    const listed = await callCli(['fleet', 'list', '--in', name, '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      releases: [{ service: 'page', release: '1.0', hosts: 2, captures: 2 }],
    });
  });

  test('user and password come from a file that only its owner reads', async () => {
    const other = clickHouseData();
    onTestFinished(() => other.remove());
    const guarded = await other.start({ login: ['ada', 'se:cret'] });
    const name = address('fleet', guarded.port);
    const login = write('login', 'ada\nse:cret\n');
    const init = (...args: string[]) => callCli(['fleet', 'init', '--to', name, ...args]);
    expect((await init()).stderr).toContain('does not accept the user and password; name a file with both by --login');
    expect((await init('--login', write('wrong', 'ada\nother\n'))).stderr).toContain('does not accept');
    expect((await init('--login', write('open', 'ada\nse:cret\n', 0o644))).stderr).toContain('other users can read');
    expect((await init('--login', folder)).stderr).toContain('is not a file');
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    expect((await init('--login', path.join(folder, 'pipe'))).stderr).toContain('is not a file');
    expect((await init('--login', write('empty', ''))).stderr).toContain('has no user');
    expect(await init('--login', login)).toMatchObject({ code: 0, stderr: '' });
    const env = { FLAMEBENCH_FLEET_LOGIN: login, FLAMEBENCH_FLEET: name };
    expect(await callCli(['fleet', 'list'], { env })).toMatchObject({ code: 0, stdout: 'No captures.\n' });
    const plain = await callCli(['fleet', 'list', '--in', 'clickhouse://db.example/fleet'], { env });
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toContain('would get the password unencrypted; use clickhouses://');
  });

  test('user and password are asked for in a terminal, which does not show the password', async () => {
    const other = clickHouseData();
    onTestFinished(() => other.remove());
    const guarded = await other.start({ login: ['ada', 'se:cret'] });
    const name = address('fleet', guarded.port);
    const asked = inTerminal(process.env, [LAUNCHER, 'fleet', 'init', '--to', name]);
    onTestFinished(() => asked.pty.kill());
    await asked.said(/User: $/);
    asked.pty.write('ada\r');
    await asked.said(/Password: $/);
    asked.pty.write('se:cret\r');
    await asked.said(/ready for flamebench fleet push/);
    expect(await asked.ended).toBe(0);
    expect(asked.shown()).not.toContain('cret');
    const left = inTerminal(process.env, [LAUNCHER, 'fleet', 'list', '--in', name]);
    onTestFinished(() => left.pty.kill());
    await left.said(/User: $/);
    left.pty.write('ada\r');
    await left.said(/Password: $/);
    left.pty.write('\u0003');
    expect(await left.ended).toBe(2);
    expect(left.shown()).toContain('does not accept the user and password; name a file');
  });

  // chdb cannot create policies, but applies those of its configuration.
  test('the row policy of --teams hides what others pushed', async () => {
    const statements = serverTables({ database: 'fleet', cluster: null, ttlDays: null, byTeam: true });
    const policies = statements.flatMap((one) => {
      const [, table, filter] = /^CREATE ROW POLICY .* ON fleet\.(\w+)\nUSING (.+) TO ALL$/.exec(one) ?? [];
      return table === undefined ? [] : [{ table, filter }];
    });
    expect(policies).toHaveLength(5);
    const users = `<default><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
      <databases><fleet>${policies.map(({ table, filter }) => `<${table}><filter>${filter}</filter></${table}>`).join('')}
      </fleet></databases></default>`;
    const config = path.join(folder, 'config.xml');
    writeFileSync(
      config,
      `<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users>${users}</users>
      <users_config>${config}</users_config></clickhouse>`,
    );
    const other = clickHouseData();
    onTestFinished(() => other.remove());
    const { port } = await other.start({ config });
    for (const one of statements)
      if (!one.startsWith('CREATE ROW POLICY')) await run(one.replace('currentUser()', `'ada'`), port);
    const name = address('fleet', port);
    const [ada, own] = [write('ada.folded', 'main;secret 3\n'), write('own.folded', 'main;open 5\n')];
    expect(await callCli(['fleet', 'push', ada, '--to', name])).toMatchObject({ code: 0 });
    for (const { table } of policies)
      await run(`ALTER TABLE fleet.${table} MODIFY COLUMN team String MATERIALIZED currentUser()`, port);
    expect(await callCli(['fleet', 'list', '--in', name])).toMatchObject({ stdout: 'No captures.\n' });
    await callCli(['fleet', 'push', own, '--to', name]);
    expect(await totalIn(name)).toBe(5);
    expect((await callCli(['fleet', 'search', 'secret', '--in', name])).stdout).toContain(
      'No function contains secret.',
    );
    // The same file is a capture of each team.
    await callCli(['fleet', 'push', ada, '--to', name]);
    expect(await totalIn(name)).toBe(8);
    await expect(run(`INSERT INTO fleet.captures (id, team) VALUES ('x', 'ada')`, port)).rejects.toThrow(
      'MATERIALIZED',
    );
  });

  test('ClickHouse parses the statements for clusters and teams', async () => {
    const printed = await callCli([
      'fleet',
      'init',
      '--to',
      address('fleet'),
      '--cluster',
      'eu-1',
      '--ttl',
      '90',
      '--teams',
    ]);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    const statements = printed.stdout
      .split(';\n')
      .map((text) => text.trim())
      .filter((text) => text !== '');
    expect(statements).toEqual(serverTables({ database: 'fleet', cluster: 'eu-1', ttlDays: 90, byTeam: true }));
    for (const statement of statements) await run(`EXPLAIN AST ${statement}`);
    await expect(run('EXPLAIN AST CREATE TABLE a (b ENGINE')).rejects.toThrow('Syntax error');
    expect(statements.filter((one) => one.includes('ENGINE = Replicated'))).toHaveLength(6);
    expect(statements.filter((one) => one.includes('ENGINE = Distributed'))).toHaveLength(6);
    expect(statements.filter((one) => one.startsWith('CREATE ROW POLICY'))).toHaveLength(5);
  });
});
