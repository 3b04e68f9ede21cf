import { InvalidArgumentError, type Command } from 'commander';
import { PPROF_ENDPOINTS, readPprofUrl, readTypedAddress, type PprofOptions } from '#core/contract/pprof.ts';
import { usageError } from '../../errors.ts';
import { readOptionFile } from '../../input/read-option-file.ts';
import { reachableServiceUrl } from '#app/engine/targets/container-target.ts';
import { collect, wholeNumberOption } from '../../option-values.ts';
import {
  collectPids,
  declareSeriesOptions,
  noNextStep,
  ofTarget,
  readSeries,
  type AskedRecording,
  type RecordRow,
  type SeriesFlags,
} from '../series-options.ts';

/** How the service is reached. */
export interface AccessFlags {
  readonly header?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

interface PprofFlags extends SeriesFlags, AccessFlags {
  readonly pid?: readonly number[];
  readonly kind?: readonly string[];
  readonly seconds: number;
  readonly delta?: true;
  readonly states?: true;
}

const DEFAULT_SECONDS = 30;

export const pprofRow: RecordRow = {
  id: 'pprof',
  summary: 'fetch profiles from a service over HTTP, such as Go’s net/http/pprof',
  example: 'flamebench record pprof http://127.0.0.1:6060 --seconds 30',
  declare,
  read: readPprofRequest,
  nextStep: noNextStep,
};

function declare(command: Command): void {
  command
    .argument('[url...]', 'the service’s root, its /debug/pprof/ or one profile, as the target sees it')
    .option('--pid <pid>', 'find the address by the ports this process listens on, instead of a URL', collectPids)
    .option(
      '--kind <kinds>',
      `what: ${Object.keys(PPROF_ENDPOINTS).join(', ')}, or a custom profile; separate several with commas (default: cpu)`,
      kinds,
    )
    .option(
      '--seconds <seconds>',
      'how long the server samples: cpu, fgprof, gperftools, and with --delta',
      wholeNumberOption(1, 3600),
      DEFAULT_SECONDS,
    )
    .option('--delta', 'for heap, allocs, block, mutex and goroutine: record the growth during --seconds')
    .option('--states', 'with --kind goroutine: also keep their states as text (debug=2)');
  declareAccess(command);
  command.option('--interleave', 'alternate between two addresses and make an experiment: URL_BEFORE URL_AFTER');
  declareSeriesOptions(command, 'also write the profile to this file; with several, FILE-1…');
}

export function declareAccess(command: Command): void {
  command
    .option('--header <header>', "send with each request: 'Name: value'; never stored; repeatable", collect)
    .option('--cert <file>', 'client certificate, PEM; with --key')
    .option('--key <file>', 'key of --cert, PEM, without a passphrase')
    .option('--ca <file>', 'CA to trust instead of the system’s, PEM');
}

/** Throws a usage error for conflicting options. */
function readPprofRequest(command: Command): AskedRecording {
  const flags = command.opts<PprofFlags>();
  const series = readSeries(flags);
  if (series.container !== null && flags.pid !== undefined) {
    throw usageError('a container as the target takes a URL', 'give http://localhost:PORT/, or --pid alone');
  }
  const places = readPlaces(command.args, flags, series.targets.length);
  const common = readCommon(flags);
  const { scope: asked } = places[0]![0];
  const ofUrl = asked.kind === 'url' ? readPprofUrl(asked.url).kind : null;
  if (flags.states === true && !(ofUrl === null ? common.kinds : [ofUrl]).includes('goroutine'))
    throw usageError('--states is for goroutines', 'add --kind goroutine, or leave --states out');
  const optionsOf = ({ scope, headers }: ProfileAddress): PprofOptions => ({
    ...common,
    scope,
    ...(headers.length === 0 ? {} : { headers }),
  });
  return {
    ...series,
    sides: async (index, target) => {
      const reached = async (place: ProfileAddress): Promise<PprofOptions> => {
        const options = optionsOf(place);
        const { scope } = options;
        if (series.container === null || series.dryRun || scope.kind !== 'url') return options;
        return { ...options, scope: { ...scope, url: await reachableServiceUrl(target, series.container, scope.url) } };
      };
      const [before, after] = places[index]!;
      return [await reached(before), after && (await reached(after))];
    },
  };
}

interface ProfileAddress {
  readonly scope: PprofOptions['scope'];
  readonly headers: NonNullable<PprofOptions['headers']>;
}

/** Returns the places requested of each target; two if there are two sides. */
function readPlaces(
  urls: readonly string[],
  flags: PprofFlags,
  targets: number,
): (readonly [ProfileAddress, ProfileAddress?])[] {
  const headers = (flags.header ?? []).map(readHeader);
  const isInTurn = flags.interleave === true;
  if (urls.length > 0 && flags.pid !== undefined)
    throw usageError('a URL and --pid can’t be combined', 'give one of them');
  const wanted = isInTurn ? 2 : 1;
  if (flags.pid === undefined && urls.length !== wanted) {
    throw urls.length === 0
      ? usageError('no address given', isInTurn ? 'give URL_BEFORE URL_AFTER' : 'give a URL, or --pid N')
      : usageError(
          `${urls.length} ${urls.length === 1 ? 'address' : 'addresses'} given`,
          isInTurn ? '--interleave takes two: URL_BEFORE URL_AFTER' : 'give one, or --interleave with two',
        );
  }
  if (isInTurn && flags.pid !== undefined) {
    throw usageError('--interleave takes two addresses', 'give URL_BEFORE URL_AFTER instead of --pid');
  }
  const [before, after] = urls.map((text) => {
    const { url, credentials } = readUrl(text);
    return { scope: { kind: 'url' as const, url }, headers: [...credentials, ...headers] };
  });
  return Array.from({ length: targets }, (_, index): readonly [ProfileAddress, ProfileAddress?] => {
    const pid = ofTarget('--pid', flags.pid, index, targets);
    if (pid !== undefined) return [{ scope: { kind: 'pid', pid, startTicks: null }, headers }];
    return after === undefined ? [before!] : [before!, after];
  });
}

function readCommon(flags: PprofFlags): Omit<PprofOptions, 'scope'> {
  const tls = readTls(flags);
  return {
    collector: 'pprof',
    kinds: [...(flags.kind ?? ['cpu'])],
    seconds: flags.seconds,
    ...(flags.delta === true ? { delta: true } : {}),
    ...(flags.states === true ? { goroutineStates: true } : {}),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  };
}

export function readTls({ cert, key, ca }: AccessFlags): NonNullable<PprofOptions['tls']> {
  if ((cert === undefined) !== (key === undefined)) {
    throw usageError('--cert and --key belong together', 'give both, or neither');
  }
  return {
    ...(cert === undefined ? {} : { certificate: readPem(cert) }),
    ...(key === undefined ? {} : { key: readPem(key) }),
    ...(ca === undefined ? {} : { ca: readPem(ca) }),
  };
}

/** Moves a user and password into a header, because addresses are shown and stored. */
export function readUrl(text: string): { url: string; credentials: ProfileAddress['headers'] } {
  const typed = readTypedAddress(text);
  if (typed === null) {
    throw usageError(
      `not an address of a service: ${JSON.stringify(text)}`,
      'give http://HOST:PORT/ or https://…, with a port up to 65535',
    );
  }
  const { url, credentials } = typed;
  if (credentials === null) return { url, credentials: [] };
  const value = `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
  return { url, credentials: [{ name: 'Authorization', value }] };
}

export function readHeader(text: string): ProfileAddress['headers'][number] {
  const [, name = '', value = ''] =
    /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? [];
  if (name !== '') return { name, value };
  throw usageError('--header is not a header', "give it as 'Name: value'");
}

function readPem(path: string): string {
  const text = readOptionFile(path);
  if (text.length <= 100_000 && /^\s*-----BEGIN [A-Z ]+-----/.test(text)) return text;
  throw usageError(`${path} is not PEM`, 'convert it: openssl x509 -inform der -in …');
}

function kinds(text: string): string[] {
  const named = text.split(',').map((kind) => kind.trim());
  if (named.length <= 16 && named.every((kind) => /^[A-Za-z][\w.-]{0,63}$/.test(kind))) return named;
  throw new InvalidArgumentError('It takes profile names, separated by commas.');
}
