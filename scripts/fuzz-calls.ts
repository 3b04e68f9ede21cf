import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as z from 'zod';
import { startEngine } from '#app/engine/server.ts';
import { contract, type Method } from '#core/contract/contract.ts';
import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import type { Random } from './fuzz-mutants.ts';

/** A request to the engine; `isWelcome`: it has the page's origin and session, so it may reach a method. */
interface Attack {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isWelcome: boolean;
}

/** An engine with a capture, which is attacked. */
export interface CallPlace {
  next(random: Random): Attack;
  /** Resolves with the problem, or null. */
  attack(attack: Attack): Promise<string | null>;
  dispose(): Promise<void>;
}

/** The part of JSON Schema that the contract uses. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const LONG = 'x'.repeat(200_000);
const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  2 ** 31,
  2 ** 53,
  1e308,
  0.5,
  '',
  LONG,
  [],
  {},
  Array.from({ length: 2000 }, () => 'a'),
  JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{}}}'),
  '\0',
  '\ud800',
  '../../../etc/passwd',
  '/etc/passwd',
  '/dev/zero',
  '-oProxyCommand=touch /tmp/owned',
  '$(touch /tmp/owned)',
  "'; touch /tmp/owned; '",
  'ssh://-oProxyCommand=x',
  'ssh://a@b@c:99999',
  'docker://../x',
  'kubectl://a/b/c',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  '\u001b]0;x\u0007',
  '\u202e\u2066',
  '(a+)+$',
  '__proto__',
  'constructor',
];
const ORIGINS = ['null', 'http://evil.example', 'http://localhost', 'https://abcdefghijklmnop.localhost', ''];
const TOKENS = ['', 'x', LONG.slice(0, 5000), '__proto__'];

/**
 * Starts an engine in a folder of its own, without programs on its path, so that no call starts a tool of this machine.
 * Changes the environment of the process, or of the worker.
 */
export async function makeCallPlace(): Promise<CallPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-fuzz-'));
  const before = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  Object.assign(process.env, { PATH: folder, HOME: folder });
  const logged: string[] = [];
  const engine = await startEngine({
    libraryPath: join(folder, 'library'),
    configPath: join(folder, 'config'),
    staticRoot: folder,
    samplesPath: null,
    sshConfigPath: join(folder, 'none'),
    log: (line) => logged.push(line),
  });
  const { host, port } = new URL(engine.origin);
  const methods = Object.entries(contract).map(
    ([name, { params }]) =>
      [name as Method, z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' }) as Schema] as const,
  );

  const send = ({
    path,
    method,
    headers,
    body,
  }: Omit<Attack, 'isWelcome'>): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const fragmentToken = new URLSearchParams(new URL(engine.newUrl()).hash.slice(1)).get('token');
  const exchange = {
    path: PATHS.session,
    method: 'POST',
    headers: { host, origin: engine.origin },
    body: JSON.stringify({ fragmentToken }),
  };
  const { sessionToken } = JSON.parse((await send(exchange)).text) as { sessionToken: string };
  const good = { host, origin: engine.origin, [TOKEN_HEADER]: sessionToken };
  const uploaded = await send({
    path: `${PATHS.upload}?name=a.folded`,
    method: 'POST',
    headers: good,
    body: 'a;b 3\n',
  });
  const { id } = (JSON.parse(uploaded.text) as { result: { id: string } }).result;
  const known = [id, 'local', `${process.pid}`, sessionToken];

  /** Returns parameters of the schema's shape; about one value in ten is hostile. */
  function valueOf(schema: Schema, random: Random, depth = 0): unknown {
    const any = <T>(list: readonly T[]): T => list[random(list.length)]!;
    if (random(10) === 0 || depth > 8) return any(HOSTILE);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return valueOf(any(choices), random, depth + 1);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return any(schema.enum);
    const { type = 'object', properties = {}, required = [], items, prefixItems, minimum = 0 } = schema;
    switch (typeof type === 'string' ? type : any(type)) {
      case 'string':
        return any([any(known), 'a', any(HOSTILE)]);
      case 'integer':
      case 'number':
        return any([minimum, schema.maximum ?? 7, minimum + random(100), process.pid]);
      case 'boolean':
        return random(2) === 0;
      case 'null':
        return null;
      case 'array':
        if (prefixItems !== undefined) return prefixItems.map((each) => valueOf(each, random, depth + 1));
        return Array.from({ length: (schema.minItems ?? 0) + random(3) }, () =>
          valueOf(items ?? {}, random, depth + 1),
        );
      default: {
        const names = Object.keys(properties).filter((name) => required.includes(name) || random(2) === 0);
        return Object.fromEntries(names.map((name) => [name, valueOf(properties[name]!, random, depth + 1)]));
      }
    }
  }

  return {
    next(random) {
      const any = <T>(list: readonly T[]): T => list[random(list.length)]!;
      const [name, schema] = any(methods);
      const call = {
        path: `${PATHS.rpc}${name}`,
        method: 'POST',
        headers: good as Record<string, string>,
        body: JSON.stringify(valueOf(schema, random)),
      };
      switch (random(12)) {
        case 0:
          return { ...call, headers: { ...good, origin: any(ORIGINS) }, isWelcome: false };
        case 1:
          return {
            ...call,
            headers: { ...good, host: any(['evil.example', '127.0.0.1.evil.example']) },
            isWelcome: false,
          };
        case 2:
          return { ...call, headers: { ...good, [TOKEN_HEADER]: any(TOKENS) }, isWelcome: false };
        // The link's token again.
        case 3:
          return { ...exchange, isWelcome: false };
        case 4:
          return { ...call, method: any(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']), isWelcome: false };
        case 5:
          return { ...call, body: call.body.slice(0, random(call.body.length)), isWelcome: true };
        case 6:
          return {
            ...call,
            path: `${PATHS.rpc}${encodeURIComponent(String(any(HOSTILE)).slice(0, 100).toWellFormed())}`,
            isWelcome: true,
          };
        default:
          return { ...call, isWelcome: true };
      }
    },

    async attack(attack) {
      const { status, text } = await send(attack);
      if (logged.length > 0) return logged.splice(0).join('\n');
      if (status >= 500) return `status ${status}: ${text.slice(0, 200)}`;
      if (!attack.isWelcome && status < 400) return `status ${status} for a call that must be refused`;
      if (attack.method === 'POST' && typeof JSON.parse(text) !== 'object') return `no answer: ${text.slice(0, 200)}`;
      return 'polluted' in {} ? 'changed the prototype of all objects' : null;
    },

    async dispose() {
      await engine.close();
      Object.assign(process.env, before);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
