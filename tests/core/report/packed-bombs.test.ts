import process from 'node:process';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { readLoadResults } from '#core/load/read-load-results.ts';
import { captureElement, REPORT_MARK, REPORT_TYPE } from '#core/import/report/layout.ts';
import { captureFile, readReportHtml } from '#core/import/report/read-report.ts';
import { byteSource } from '../../support/byte-source.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { htmlOf, reportOf } from '../../support/report-of.ts';

const SPACES = deflateRawSync(Buffer.alloc(2 ** 20, ' '), { finishFlush: constants.Z_FULL_FLUSH });

/** A zlib stream of this many MiB of spaces, without an end. */
const bomb = (mebibytes: number): Buffer =>
  Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: mebibytes }, () => SPACES)]);

const page = (packed: Buffer): string =>
  `<html>${REPORT_MARK}<script type="${REPORT_TYPE}" id="report-data">${packed.toString('base64')}</script></html>`;

/** The processor time of this thread that an action takes, in microseconds. */
async function cpuTime(action: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await action();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** What unpacking a GiB takes on this machine now, in microseconds of processor time. */
const gibibyte = await cpuTime(() => {
  for (let part = 0; part < 1024; part++) inflateRawSync(SPACES, { finishFlush: constants.Z_SYNC_FLUSH });
});

/** Expects a refusal with the limit's number in less processor time than unpacking two GiB takes. */
async function expectRefused(action: () => unknown, limit: RegExp): Promise<void> {
  const spent = await cpuTime(() =>
    expect((async () => action())()).rejects.toMatchObject({
      failure: 'too-large',
      message: expect.stringMatching(limit),
    }),
  );
  expect(spent / gibibyte).toBeLessThan(2);
}

describe('packed data in a text', () => {
  it.each([900, 4400])(
    'a report whose document unpacks to %i MiB is refused before it is unpacked',
    async (mebibytes) => {
      const html = page(bomb(mebibytes));
      await expectRefused(() => readReportHtml(html), /more than 32 MiB/);
      await expectRefused(() => importProfile(byteSource(Buffer.from(html), 'a.report.html')), /more than 32 MiB/);
    },
  );

  it('the captures of a report have one limit together', async () => {
    const html = htmlOf(await reportOf([profileFromText('main;work 3')])).replace(
      new RegExp(`(id="${captureElement('c1')}">)[^<]*`),
      `$1${bomb(4400).toString('base64')}`,
    );
    const { captures } = readReportHtml(html);
    await expectRefused(() => captureFile(captures.get('c1')!), /more than 500 times its size/);
  });

  it('the histograms of a log have one limit together', async () => {
    const packed = bomb(4400);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(0x1c849304);
    head.writeUInt32BE(packed.length, 4);
    const log = `#[Histogram log format version 1.3]\n"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n0.0,1.0,1.0,${Buffer.concat([head, packed]).toString('base64')}\n`;
    await expectRefused(() => readLoadResults(log), /more than 500 times its size/);
  });
});
