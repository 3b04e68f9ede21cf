import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../support/byte-source.ts';

/**
 * Reports printed by these versions of the tools: wrk 4.1, hey 0.1.4, ab 2.3, pprof of Go 1.26, gperftools 2.10,
 * jemalloc 5.3.
 */
const FOLDER = join(import.meta.dirname, '../../fixtures/foreign');
const names = readdirSync(FOLDER);

const LOAD_TESTS: Readonly<Record<string, string>> = {
  'wrk.txt': 'wrk',
  'hey.txt': 'hey',
  'hey.csv': 'hey',
  'ab.txt': 'ab',
};
const REPORTS: Readonly<Record<string, string>> = {
  'pprof-top.txt': 'pprof -top',
  'pprof-tree.txt': 'pprof -tree',
  'pprof-traces.txt': 'pprof -traces',
  'pprof-raw.txt': 'pprof -raw',
  'pprof-list.txt': 'pprof -list',
  'pprof-dot.txt': 'pprof -dot',
  'gperftools-text.txt': 'pprof --text',
  'jeprof-text.txt': 'pprof --text',
};

const read = (text: string | Uint8Array, name = 'input'): Promise<unknown> => importProfile(byteSource(text, name));

it('has a fixture for each, and tests each fixture', () => {
  expect(names.toSorted()).toEqual([...Object.keys(LOAD_TESTS), ...Object.keys(REPORTS)].toSorted());
});

it.each(Object.entries(LOAD_TESTS))('%s is recognised as the result of a load test, by %s', async (name, tool) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  const failure = {
    failure: 'unrecognized',
    message: expect.stringMatching(new RegExp(String.raw`^the result of a load test \(${tool}\).*flamebench record`)),
    location: { byte: 0 },
  };
  await expect(read(text)).rejects.toMatchObject(failure);
  await expect(read(text.replaceAll('\n', '\r\n'))).rejects.toMatchObject(failure);
  await expect(read(`$ ${tool} http://127.0.0.1/\n${text}`, 'stacks.folded')).rejects.toMatchObject(failure);
});

it.each([
  ['oha', 'Summary:\n  Success rate:\t100.00%\n  Total:\t0.0340 secs\n'],
  ['oha', '{\n  "summary": {\n    "successRate": 1.0,\n    "total": 0.03\n'],
  [
    'vegeta',
    'Requests      [total, rate, throughput]         1200, 120.00, 65.87\nDuration      [total, attack, wait]  10s\n',
  ],
  ['vegeta', '{"latencies":{"total":237119463,"mean":2371194}}'],
  ['autocannon', 'Running 10s test @ http://localhost:3000\n10 connections\n'],
  ['bombardier', 'Bombarding http://localhost:8080 for 10s using 125 connection(s)\n'],
  ['h2load', 'starting benchmark...\nspawning thread #0: 1 total client(s). 10 total requests\n'],
  ['k6', '     http_req_blocked...........: avg=1µs\n     http_req_duration..........: avg=3ms\n'],
  ['siege', 'Transactions:\t\t        2000 hits\nAvailability:\t\t      100.00 %\n'],
  ['JMeter', 'timeStamp,elapsed,label,responseCode\n1,2,x,200\n'],
  ['Locust', 'Type,Name,Request Count,Failure Count\nGET,/,12,0\n'],
])('recognises the output of %s', async (tool, text) => {
  await expect(read(text)).rejects.toMatchObject({
    failure: 'unrecognized',
    message: expect.stringContaining(`load test (${tool})`),
  });
});

it.each(Object.entries(REPORTS))('%s is refused as the output of `%s`, with advice', async (name, command) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  const failure = {
    failure: 'unsupported',
    message: expect.stringMatching(new RegExp(`^the output of \`${command}\`.*pprof -proto`)),
    location: { byte: 0 },
  };
  await expect(read(text)).rejects.toMatchObject(failure);
  await expect(read(text.replaceAll('\n', '\r\n'), `${name}.pprof`)).rejects.toMatchObject(failure);
});

it.each([['--- symbol\nbinary=/srv/app\n0x0000000000401000 main\n---\n--- profile\n\0\0\0\0', /pprof --raw/]])(
  'distinguishes %j',
  async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({ failure: 'unsupported', message: expect.stringMatching(message) });
  },
);

it('takes no time for texts that nearly match', async () => {
  for (const piece of [
    'Type: a\n',
    'Summary:\n',
    '\n',
    'PeriodType: a\nA: b\n',
    'http_req_duration',
    'digraph "" {\n',
    'Running 1 test @ x ',
  ]) {
    await expect(read(piece.repeat(Math.ceil(2 ** 16 / piece.length)))).rejects.toMatchObject({
      name: 'ImportFailure',
    });
  }
});
