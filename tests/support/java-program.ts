import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { missingComponents } from '../../scripts/components.mjs';
import { HOT_JAVA } from './java-source.ts';
import { makeLockedFolder } from './locked-folder.ts';
import type { Need } from './needing.ts';

export const jdk: Need = {
  name: 'a JDK',
  present: () => missingComponents(['jdk']).length === 0,
};

/** A Java program that runs until the test ends. */
export interface JavaProgram {
  readonly pid: number;
  readonly child: ChildProcess;
  /** What it has printed so far. */
  text(): string;
}

interface JavaStart {
  /** Options of the JVM. */
  readonly options?: readonly string[];
  readonly idle?: true;
  readonly env?: Readonly<Record<string, string>>;
  /** Words before `java`. */
  readonly by?: readonly string[];
}

/** Compiles {@link HOT_JAVA} for a test file, which starts it. Programs end after each test, and remove their files. */
export function javaPrograms(): { start(how?: JavaStart): Promise<JavaProgram> } {
  const folder = makeLockedFolder('fb-java-');
  const started = new Set<ChildProcess>();
  let isCompiled = false;
  const endAll = async (): Promise<void> => {
    const ending = [...started].filter((child) => child.exitCode === null && child.signalCode === null);
    const ended = ending.map((child) => once(child, 'exit'));
    for (const child of ending) child.kill('SIGTERM');
    await Promise.all(ended);
    started.clear();
  };
  afterEach(endAll);
  afterAll(() => folder.remove());
  return {
    async start({ options = [], idle, env = {}, by = [] } = {}) {
      if (!isCompiled) {
        chmodSync(folder.path, 0o755);
        writeFileSync(join(folder.path, 'Hot.java'), HOT_JAVA);
        spawnSync('javac', ['Hot.java'], { cwd: folder.path, stdio: 'inherit' });
        isCompiled = true;
      }
      const words = [...by, 'java', '-Xmx64m', ...options, '-cp', folder.path, 'Hot', ...(idle ? ['idle'] : [])];
      const child = spawn(words[0]!, words.slice(1), {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.add(child);
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
      while (!text.includes('ready')) await once(child.stdout, 'data');
      return { pid: child.pid!, child, text: () => text };
    },
  };
}

/** Returns what a JVM says of its recordings. */
export const recordingsOf = (pid: number): string =>
  spawnSync('jcmd', [String(pid), 'JFR.check'], { encoding: 'utf8' }).stdout;
