import { posix } from 'node:path';
import { isJava, type JavaOptions } from '#core/contract/java.ts';
import { expectChosen } from '../chosen-process.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { innerPid, parseCommandLine, parseFields } from '../target/proc-files.ts';
import { readText } from '../target/read-texts.ts';
import type { Target } from '../target/target.ts';
import { parseTargetPath } from '../target/target-words.ts';

/** What is known of a JVM before it is touched. */
export interface JavaProcess {
  readonly pid: number;
  readonly startTicks: string;
  /** Absolute path. */
  readonly jcmd: string;
  /** `UID:GID` of a process of another user, as which root runs jcmd; null: of the target's user. */
  readonly owner: string | null;
  /** Of its JDK, as far as its files say: `17.0.15`. */
  readonly version: string | null;
}

/** SIGQUIT's bit of SigCgt in /proc/PID/status; jcmd sends it to a JVM to which nothing has attached yet. */
const SIGQUIT_BIT = 1n << 2n;

/**
 * Finds out by reading /proc whether jcmd can attach. Throws a {@link RefusedRecording} with the reason if not; see
 * docs/runtimes.md.
 */
export async function inspectJava(target: Target, { pid, startTicks }: JavaOptions['scope']): Promise<JavaProcess> {
  const chosen = await expectChosen(target, { pid, startTicks });
  const [links, ownStatus, status, cmdline, environ] = await Promise.all([
    target.readLinks([`/proc/${pid}/exe`, `/proc/${pid}/root`, '/proc/self/ns/mnt', `/proc/${pid}/ns/mnt`]),
    readText(target, '/proc/self/status'),
    ...['status', 'cmdline', 'environ'].map((name) => readText(target, `/proc/${pid}/${name}`)),
  ]);
  const [executable, root, ownMounts, mounts] = links;
  const ids = (of: string, name: string): string => parseFields(of).get(name)?.split(/\s+/)[1] ?? '';
  const [ownUid, uid, gid] = [ids(ownStatus, 'Uid'), ids(status!, 'Uid'), ids(status!, 'Gid')];
  if (typeof executable !== 'string' || !/^\d+ \d+$/.test(`${uid} ${gid}`))
    throw otherUser(pid, 'record as that user or as root');
  if (!isJava({ executable })) {
    const program = posix.basename(executable.replace(/ \(deleted\)$/, ''));
    throw new RefusedRecording('not-java', `process ${pid} runs ${program}, not java`, 'record it with perf');
  }
  if (mounts !== ownMounts || root !== '/' || innerPid(status!) !== pid)
    throw new RefusedRecording(
      'other-files',
      `process ${pid} has other files than this host, as in a container or a service with PrivateTmp, and would write its recording there`,
      `run there: jcmd ${innerPid(status!) ?? pid} JFR.start settings=profile duration=30s filename=/tmp/a.jfr, and open the file`,
    );
  if (ownUid !== uid) {
    if (ownUid !== '0') throw otherUser(pid, 'record as that user or as root');
    if ((await target.findExecutable('setpriv')) === null)
      throw otherUser(pid, 'record as that user, or install util-linux, whose setpriv runs jcmd as that user');
  }
  const words = parseCommandLine(new TextEncoder().encode(cmdline));
  if (isAttachDisabled(words, environ!))
    throw new RefusedRecording(
      'attach-disabled',
      `process ${pid} was started with -XX:+DisableAttachMechanism, so jcmd can’t attach`,
      'start it without that option, or record it with perf',
    );
  const caught = BigInt(`0x${/^[0-9a-f]{1,16}$/.exec(parseFields(status!).get('SigCgt') ?? '')?.[0] ?? '0'}`);
  if ((caught & SIGQUIT_BIT) === 0n)
    throw new RefusedRecording(
      'signal-not-handled',
      `process ${pid} does not handle SIGQUIT, by which jcmd attaches: it has just started, or has -Xrs`,
      'record it a second later, or start it without -Xrs',
    );
  const folder = posix.dirname(executable);
  const [jcmd, release] = await Promise.all([findJcmd(target, folder), readRelease(target, folder)]);
  if (jcmd === null)
    throw new RefusedRecording(
      'no-jcmd',
      `there is no jcmd on ${target.host}, neither beside process ${pid}’s java nor on the search path`,
      'install the JDK of its version (Debian: openjdk-…-jdk-headless), or record it with perf',
    );
  return {
    pid,
    startTicks: chosen.startTicks,
    jcmd,
    owner: ownUid === uid ? null : `${uid}:${gid}`,
    version: release,
  };
}

const otherUser = (pid: number, remedy: string): RefusedRecording =>
  new RefusedRecording('not-allowed', `process ${pid} belongs to another user, so jcmd can’t attach`, remedy);

/** Returns whether the last of the options that decide it turns attaching off. */
function isAttachDisabled(words: readonly string[], environ: string): boolean {
  const given = [...environ.matchAll(/(?:^|\0)(?:JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS)=([^\0]*)/g)];
  const options = [...given.flatMap(([, value = '']) => value.split(/\s+/)), ...words];
  return options.findLast((word) => /^-XX:[+-]DisableAttachMechanism$/.test(word))?.startsWith('-XX:+') ?? false;
}

/** Searches beside the process's own java, in a JDK 8 beside its JRE, and then on the search path. */
async function findJcmd(target: Target, folder: string): Promise<string | null> {
  for (const place of [folder, posix.join(folder, '../../bin')]) {
    const path = parseTargetPath(posix.join(place, 'jcmd'));
    const found = path === null ? null : await target.findExecutable(path);
    if (found !== null) return found;
  }
  return target.findExecutable('jcmd');
}

async function readRelease(target: Target, folder: string): Promise<string | null> {
  const path = parseTargetPath(posix.join(folder, '../release'));
  const bytes = path === null ? null : await target.readFile(path, 64 << 10).catch(() => null);
  const version = parseFields(new TextDecoder().decode(bytes ?? new Uint8Array())).get('JAVA_VERSION') ?? '';
  return /^\d[\w.+-]{0,40}$/.exec(version)?.[0] ?? null;
}
