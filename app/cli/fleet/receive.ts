import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { errorCode } from '#app/engine/failure.ts';
import { addProfile } from '#app/engine/fleet/add-profile.ts';
import { openFleetToPush } from '#app/engine/fleet/open-fleet.ts';
import { otlpServer, type OtlpEncoding, type OtlpReceipt } from '#app/engine/fleet/otlp-server.ts';
import { PushBatch } from '#app/engine/fleet/push.ts';
import type { FleetStore } from '#app/engine/fleet/store.ts';
import { readOtlpRequest, type OtlpResource } from '#core/import/otlp/request.ts';
import { isLoopbackHost } from '#core/contract/loopback-host.ts';
import { ImportFailure, messageOf } from '#core/model/failure.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Redaction } from '#core/redact/identities.ts';
import { countText } from '#core/units/format.ts';
import { usageError } from '../errors.ts';
import { readOptionFile } from '../input/read-option-file.ts';
import { print, say, warn } from '../output/terminal.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { shown } from './list.ts';
import { loggingIn } from './log-in.ts';
import { fleetName } from './options.ts';
import { readKinds, readLabels } from './push.ts';
import { isAway } from './watch.ts';

interface ReceiveFlags {
  readonly to?: string;
  readonly login?: string;
  readonly listen: string;
  readonly tokenFile?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly maxBody: number;
  readonly label?: readonly string[];
  readonly redact: string;
}

/** Beyond it, a request takes gigabytes once it is decoded. */
const MAX_MEBIBYTES = 64;

/** Adds OTLP profiles that arrive by HTTP until interrupted. */
export async function receive(command: Command): Promise<void> {
  const flags = command.opts<ReceiveFlags>();
  const name = fleetName('--to', flags.to);
  const { host, port } = readListen(flags.listen);
  const { token, tls } = readSecrets(flags);
  if (!isLoopbackHost(host) && (token === null || tls === null)) {
    throw usageError(
      `--listen ${host}: other machines can reach this address, which needs a token and TLS`,
      'add --token-file FILE, --cert FILE and --key FILE, or listen on 127.0.0.1',
    );
  }
  if (flags.maxBody < 1 || flags.maxBody > MAX_MEBIBYTES) {
    throw usageError(`--max-body: not from 1 to ${MAX_MEBIBYTES}`, 'leave it out for 16 MiB');
  }
  const open = loggingIn(flags.login, (login) => openFleetToPush(name, login));
  // What is not a fleet is an error now, not at the first request.
  const fleet = await open().catch((error: unknown) => {
    if (isAway(error)) return warn(messageOf(error));
    throw error;
  });
  fleet?.close();

  const receiver = new Receiver(open, readKinds(flags.redact), readLabels(flags.label ?? []));
  const refused = new Map<number, number>();
  const server = makeServer({
    token,
    tls,
    maxBytes: flags.maxBody * 2 ** 20,
    add: (body, encoding) => receiver.add(body, encoding),
    onRefused(status, message) {
      const times = (refused.get(status) ?? 0) + 1;
      refused.set(status, times);
      if (times === 1) warn(`refused a request with ${status}: ${shown(message)}; others are counted`);
    },
  });
  await untilInterrupted(
    async (signal) => {
      const address = await listen(server, host, port);
      say(`receiving at ${tls === null ? 'http' : 'https'}://${address}/v1development/profiles; Ctrl-C ends`);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      await close(server);
    },
    ['SIGINT', 'SIGTERM'],
  );
  const { added, known, rejected } = receiver.counts;
  const times = [...refused].map(([status, count]) => `${count} with ${status}`).join(', ');
  print(
    `${name}: ${countText(added, 'capture')} added, ${known} already there, ${countText(rejected, 'profile')} rejected` +
      `${times === '' ? '' : `; requests refused: ${times}`}\n`,
  );
}

/** Adds requests one after the other. The fleet is open only meanwhile, so that others can read it. */
class Receiver {
  readonly counts = { added: 0, known: 0, rejected: 0 };
  readonly #open: () => Promise<FleetStore>;
  readonly #kinds: ReadonlySet<Redaction>;
  readonly #labels: ReadonlyMap<string, string>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(open: () => Promise<FleetStore>, kinds: ReadonlySet<Redaction>, labels: ReadonlyMap<string, string>) {
    this.#open = open;
    this.#kinds = kinds;
    this.#labels = labels;
  }

  add(body: Uint8Array, encoding: OtlpEncoding): Promise<OtlpReceipt> {
    const adding = this.#last.then(() => this.#add(body, encoding));
    this.#last = adding.catch(() => undefined);
    return adding;
  }

  async #add(body: Uint8Array, encoding: OtlpEncoding): Promise<OtlpReceipt> {
    const resources = readOtlpRequest(body, encoding).filter(({ profiles }) => profiles > 0);
    if (resources.length === 0) return { rejected: 0, reason: '' };
    const own = { added: 0, known: 0, rejected: 0 };
    const reasons = new Set<string>();
    const fleet = await this.#open();
    try {
      const batch = new PushBatch(fleet, BATCH_ROWS);
      for (const resource of resources) {
        const reason = await this.#addOne(batch, resource);
        if (reason === 'added' || reason === 'known') own[reason] += 1;
        else {
          own.rejected += resource.profiles;
          reasons.add(shown(reason));
        }
      }
      await batch.flush();
    } finally {
      fleet.close();
    }
    for (const key of ['added', 'known', 'rejected'] as const) this.counts[key] += own[key];
    say(`${countText(own.added, 'capture')} added, ${own.known} already there`);
    const reason = [...reasons].slice(0, MAX_REASONS).join('; ');
    if (own.rejected > 0) warn(`${countText(own.rejected, 'profile')} rejected: ${reason}`);
    return { rejected: own.rejected, reason };
  }

  /** Adds the profiles of a resource as a capture. Resolves with why they were rejected, unless they were not. */
  async #addOne(batch: PushBatch, resource: OtlpResource): Promise<string> {
    let profile: Profile;
    try {
      profile = resource.build();
    } catch (error) {
      if (error instanceof ImportFailure) return error.message;
      throw error;
    }
    const id = contentHash(profile, resource);
    if ((await batch.pushedBefore(id)) !== null) return 'known';
    const { service, release, commit } = resource;
    const name = service === '' ? 'OTLP profile' : service;
    const stated = { id, name, document: null, host: null, service, release, commit, labels: this.#labels };
    return (await addProfile(batch, profile, stated, this.#kinds)) === null ? 'no sample has weight' : 'added';
  }
}

/** Resources of a request are few rows each, and are written together. */
const BATCH_ROWS = 50_000;
/** Reasons that an answer and a line give. */
const MAX_REASONS = 3;

/** Equal for a request that is repeated, also if a collector numbered its dictionary anew. */
function contentHash(profile: Profile, { profileIds }: OtlpResource): string {
  const hash = createHash('sha256').update(JSON.stringify(profileIds));
  for (const chunk of writeNative(profile)) hash.update(chunk);
  return hash.digest('hex');
}

function readListen(text: string): { readonly host: string; readonly port: number } {
  const [, ipv6, other, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) {
    throw usageError(`--listen: '${text}' is not an address with a port`, 'write 127.0.0.1:4318 or [::1]:4318');
  }
  return { host: ipv6 ?? other!, port: Number(port) };
}

function readSecrets({ tokenFile, cert, key }: ReceiveFlags) {
  if ((cert === undefined) !== (key === undefined)) throw usageError('--cert and --key belong together', 'name both');
  const token = tokenFile === undefined ? null : readOptionFile(tokenFile, 'owner').trim();
  // What a header can contain.
  if (token !== null && !/^[!-~]{16,}$/.test(token)) {
    throw usageError(
      `${tokenFile} has no token of 16 or more letters, digits and signs`,
      `openssl rand -hex 32 > ${tokenFile}`,
    );
  }
  return {
    token,
    tls:
      cert === undefined || key === undefined
        ? null
        : { cert: readOptionFile(cert), key: readOptionFile(key, 'owner') },
  };
}

function makeServer(options: Parameters<typeof otlpServer>[0]): Server {
  try {
    return otlpServer(options);
  } catch (error) {
    throw usageError(`--cert and --key: ${messageOf(error)}`, 'name a certificate and its key in PEM format');
  }
}

/** Resolves with the address and port that others use. */
function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = errorCode(error) === 'EADDRINUSE';
      reject(
        usageError(
          isTaken ? `port ${port} is in use by another program` : `can’t listen on ${host}: ${messageOf(error)}`,
          'name another address with --listen',
        ),
      );
    });
    server.listen(port, host, () => {
      // Later errors concern one connection.
      server.on('error', () => undefined);
      const { port: bound } = server.address() as AddressInfo;
      resolve(`${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}

/** Ends once the running requests have their answers. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // A connection that is kept alive would hold the server open until its client leaves.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.once('close', () => clearInterval(idle));
  });
}
