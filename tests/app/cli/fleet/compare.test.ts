import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { behavesAsFleet } from '../../../support/fleet-behaviour.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

let made = 0;
behavesAsFleet({ name: 'DuckDB', make: () => Promise.resolve(path.join(folder, `${made++}.duckdb`)) });
