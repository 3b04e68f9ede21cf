import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { AP_LOADER } from '#collectors/java/async-profiler.ts';
import { findCommand } from '../../scripts/components.mjs';
import { jdk } from './java-program.ts';
import type { Need } from './needing.ts';

const cache = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'flamebench',
  'maven-for-tests',
);

/** The artefact with async-profiler's libraries, which {@link asyncProfiler} has fetched by Maven; outside the checkout. */
export const ASYNC_PROFILER_JAR = path.join(cache, `${AP_LOADER.split(':').slice(1).join('-')}.jar`);

export const asyncProfiler: Need = {
  name: `a JDK, Maven, and ${AP_LOADER}`,
  present: () => jdk.present() && (existsSync(ASYNC_PROFILER_JAR) || fetched()),
};

function fetched(): boolean {
  if (findCommand('mvn') === null) return false;
  mkdirSync(cache, { recursive: true });
  const copy = ['dependency:copy', `-Dartifact=${AP_LOADER}`, `-DoutputDirectory=${cache}`];
  const own = `-Dmaven.repo.local=${path.join(cache, 'repository')}`;
  return spawnSync('mvn', ['-q', '-B', ...copy, own], { cwd: cache, stdio: 'ignore' }).status === 0;
}
