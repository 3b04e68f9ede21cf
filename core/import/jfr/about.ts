import type { ProfileBuilder } from '../../model/profile-builder.ts';
import type { ProfileMetadata } from '../../model/profile.ts';
import type { JfrChunk, JfrEvent } from './chunk.ts';
import type { JfrConstants, JfrValue } from './constants.ts';
import { intervalType } from './events.ts';

/** async-profiler's interval, and the event that it counts. */
export interface JfrInterval {
  readonly type: string;
  readonly unit: string;
  readonly value: number;
}

const UNITS_PER_SECOND: ReadonlyMap<string, number> = new Map([
  ['ns', 1e9],
  ['us', 1e6],
  ['ms', 1e3],
  ['s', 1],
]);
/** Events with information about the recording and its machine. */
const TOLD = new Set([
  'jdk.ActiveRecording',
  'jdk.ActiveSetting',
  'jdk.JVMInformation',
  'jdk.OSInformation',
  'jdk.CPUInformation',
  'jdk.DataLoss',
  'jdk.CPUTimeSamplesLost',
]);

/** A recording's information about itself. The environment and arguments, which may contain secrets, are not kept. */
export class JfrAbout {
  readonly #builder: ProfileBuilder;
  #tool: string | null = null;
  #toolVersion: string | null = null;
  #jvmVersion: string | null = null;
  #event = '';
  #interval = 0;
  #rateHz: number | null = null;
  #osVersion = '';
  #comments: string[] = [];
  #arch: string | null = null;
  #cpuCount: number | null = null;
  /** −1 if unknown. */
  pid = -1;

  constructor(builder: ProfileBuilder) {
    this.#builder = builder;
  }

  /** Known once the chunk's events were read; null if the recording has none. */
  get interval(): JfrInterval | null {
    if (this.#tool !== 'async-profiler' || this.#interval <= 0 || this.#event === '') return null;
    return { ...intervalType(this.#event), value: this.#interval };
  }

  static tells(typeName: string): boolean {
    return TOLD.has(typeName);
  }

  read(chunk: JfrChunk, constants: JfrConstants, { typeId }: JfrEvent): void {
    const name = chunk.metadata.type(typeId)?.name;
    const values = constants.readValues(chunk.metadata.operations(typeId));
    const text = (field: string): string => constants.text(values.get(field));
    if (name === 'jdk.ActiveSetting') this.#setting(chunk, numberOf(values.get('id')), text('name'), text('value'));
    else if (name === 'jdk.ActiveRecording') this.#recording(text('name'));
    else if (name === 'jdk.JVMInformation')
      this.#machine(text('jvmName'), text('jvmVersion'), numberOf(values.get('pid')));
    else if (name === 'jdk.OSInformation') this.#osVersion = text('osVersion');
    else if (name === 'jdk.CPUInformation') {
      const count = numberOf(values.get('hwThreads'));
      if (count > 0) this.#cpuCount = count;
      const cpu = text('cpu');
      if (/^\w+$/.test(cpu)) this.#arch = cpu;
    } else this.#lost(name === 'jdk.DataLoss', numberOf(values.get('lostSamples')));
  }

  /** Returns everything except times. */
  metadata(): Partial<ProfileMetadata> {
    const interval = this.interval;
    const kernel = /\buname: Linux (\d\S*)/.exec(this.#osVersion)?.[1] ?? null;
    const isTime = interval?.unit === 'nanoseconds';
    return {
      tool: this.#tool ?? 'JDK Flight Recorder',
      toolVersion: this.#tool === null ? this.#jvmVersion : this.#toolVersion,
      kernel,
      arch: this.#arch ?? /\b(x86_64|aarch64|arm64)\b/.exec(this.#osVersion)?.[1] ?? null,
      cpuCount: this.#cpuCount,
      rateHz: isTime ? 1e9 / interval.value : this.#rateHz,
      period: interval,
      comments: this.#comments,
    };
  }

  #recording(name: string): void {
    const version = /^async-profiler (.*)$/.exec(name)?.[1];
    if (version === undefined) return;
    this.#tool = 'async-profiler';
    this.#toolVersion = version;
  }

  #setting(chunk: JfrChunk, id: number, name: string, value: string): void {
    if (name === 'event') this.#event = value;
    if (chunk.metadata.type(id)?.name !== 'jdk.ExecutionSample') return;
    if (name === 'interval' && /^\d{1,15}$/.test(value)) this.#interval = Number(value);
    const period = /^(\d{1,9}) (ns|us|ms|s)$/.exec(value);
    if (name === 'period' && period !== null && period[1] !== '0') {
      this.#rateHz = UNITS_PER_SECOND.get(period[2]!)! / Number(period[1]);
    }
  }

  #machine(jvmName: string, jvmVersion: string, pid: number): void {
    if (pid > 0) this.pid = pid;
    this.#jvmVersion = /\(([^()]+)\)/.exec(jvmVersion)?.[1] ?? jvmVersion;
    const comment = `JVM: ${jvmName} ${this.#jvmVersion}`;
    if (jvmName !== '' && !this.#comments.includes(comment)) this.#comments.push(comment);
  }

  #lost(isData: boolean, samples: number): void {
    if (isData) {
      this.#builder.diagnostics.add('lost-data', 'The JVM lost events, because its buffers were full.', {
        remedy: 'Record fewer events, or give the recorder more memory (-XX:FlightRecorderOptions:memorysize=…).',
      });
    } else if (samples > 0) {
      this.#builder.diagnostics.add('lost-samples', 'The JVM lost samples.', {
        count: samples,
        remedy: 'Sample less often.',
      });
    }
  }
}

const numberOf = (value: JfrValue | undefined): number => (typeof value === 'number' ? value : 0);
