import { malformed } from '../../model/failure.ts';
import { reportNewerFormat } from '../../model/newer-format.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { arrayAt, arrayOrNone, indexAt, numberAt, numberOr, objectAt, textOr } from '../text/json-value.ts';

const NEWEST_VERSION = 1;
/** The kernel and its modules are in brackets, as are areas of processes. */
const KERNEL = /^\[(?!vdso|vsyscall|heap|stack|anon|unknown|uprobes)/;
const [MAX_ID, MAX_CPU] = [2 ** 31, 2 ** 15];

/** Builds the profile of perf's JSON. Times are those of perf's clock, in nanoseconds. */
export function buildPerfJson(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const headers = objectAt(file['headers'] ?? {}, 'headers');
  const builder = new ProfileBuilder(0);
  const version = numberOr(file['linux-perf-json-version'], 0);
  reportNewerFormat(builder.diagnostics, { format: 'JSON file of perf', version, newest: NEWEST_VERSION });
  arrayAt(file['samples'], 'samples').forEach((one, row) => {
    const where = `samples[${row}]`;
    const sample = objectAt(one, where);
    const id = (key: string): number =>
      sample[key] === undefined || sample[key] === -1 ? -1 : indexAt(sample[key], MAX_ID, `${where}.${key}`);
    const frames = arrayOrNone(sample['callchain'], `${where}.callchain`).map((call) => {
      const { ip, symbol, dso } = objectAt(call, `a call of ${where}`);
      const digits = textOr(ip, '');
      if (!/^0x[0-9a-f]{1,16}$/i.test(digits)) throw malformed(`an address of ${where} is not 0x…`);
      const module = textOr(dso, '');
      const name = textOr(symbol, '');
      const kind = KERNEL.test(module) ? FunctionKind.kernel : FunctionKind.user;
      const func = builder.function(name === '' ? unresolvedFunction(module) : { name, module, kind });
      return builder.frame({ func, address: BigInt(digits) });
    });
    const cpu = sample['cpu'] === undefined ? undefined : indexAt(sample['cpu'], MAX_CPU, `${where}.cpu`);
    builder.sample({
      stack: builder.stackOf(frames),
      thread: builder.thread(id('pid'), id('tid'), textOr(sample['comm'], '')),
      time: numberAt(sample['timestamp'], `${where}.timestamp`),
      cpu,
    });
  });
  const cpus = numberOr(headers['nrcpus-online'], 0);
  const command = arrayOrNone(headers['cmdline'], 'cmdline').map((word) => textOr(word, ''));
  const profile = builder.finish([{ type: 'samples', unit: 'count', column: -1 }], {
    format: 'perf-json',
    tool: 'perf',
    timeOrigin: 0n,
    toolVersion: textOr(headers['perf-version'], '') || null,
    command: command.length > 0 ? command.join(' ') : null,
    hostName: textOr(headers['hostname'], '') || null,
    kernel: textOr(headers['os-release'], '') || null,
    arch: textOr(headers['arch'], '') || null,
    cpuCount: cpus > 0 && Number.isInteger(cpus) && cpus < MAX_CPU ? cpus : null,
  });
  return diagnoseUnresolved(profile, 'Install the debug symbols of the binaries before converting.');
}
