import { expect, it } from 'vitest';
import { REDACTIONS, USUAL_REDACTIONS } from '#core/redact/identities.ts';
import type { BuiltReport } from '#core/report/build-report.ts';
import { unpackBytes } from '#core/import/report/embed.ts';
import { reportSvg } from '#core/report/report-picture.ts';
import { reportCsv, reportJson, reportMarkdown, tablesOf } from '#core/report/report-text.ts';
import { FunctionKind } from '#core/model/profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { hostileReport } from '../../support/hostile-report.ts';
import { htmlOf, reportOf } from '../../support/report-of.ts';

const TEXT =
  '/home/carolina/src/x run by carolina@eu7-build.acme.example on EU7-BUILD at ffffffff81234567, poll_eu7_build';

/** Returns every file of a report as text, data of the page unpacked, in UTF-8 and as bytes. */
function everything({ prepared, ...built }: BuiltReport): Record<string, string> {
  const html = htmlOf({ ...built, prepared });
  const packed = [...html.matchAll(/<script type="application\/x-flamebench-[a-z]+" id="[\w-]+">([^<]*)</g)].map(
    ([, data]) => unpackBytes(data!),
  );
  expect(packed.length).toBe(3);
  return {
    html,
    data: packed.map((bytes) => new TextDecoder('latin1').decode(bytes)).join('\n'),
    svg: reportSvg(prepared, false)!,
    interactive: reportSvg(prepared, true, true)!,
    md: reportMarkdown(prepared, 'x.svg'),
    json: reportJson(prepared),
    ...Object.fromEntries(tablesOf(prepared).map((table) => [table, reportCsv(prepared, table)])),
  };
}

it('is nowhere in any file of a report, whatever had the name', async () => {
  for (const [name, text] of Object.entries(everything(await hostileReport(TEXT, USUAL_REDACTIONS)))) {
    expect(text, name).not.toMatch(/carolina|eu7[-_.]build/i);
    expect(text, name).toMatch(/\/home\/user-\d\/src\/x/);
  }
});

it('with all kinds, folders, arguments, kernel addresses and containers are nowhere either', async () => {
  const all = await hostileReport(TEXT, REDACTIONS);
  for (const [name, text] of Object.entries(everything(all))) {
    expect(text, name).not.toMatch(/carolina|eu7[-_.]build|\/home\/|ffffffff81234567/i);
  }
  expect(all.report.captures[0]!.facts!.collector!.commands).toEqual([['perf', '(arguments removed)']]);
});

it('the search of the files finds what is kept', async () => {
  const files = Object.entries(everything(await hostileReport(TEXT, [])));
  for (const [name, text] of files) expect(text, name).toMatch(/carolina/);
});

it('lists arguments and kernel frames like other replacements, and leaves those that are kept', async () => {
  const plain = profileFromText('main;sys_read 3\nmain 1');
  const { frames, functions, strings } = plain;
  const isKernel = (func: number): boolean => strings[functions.name[func]!] === 'sys_read';
  const profile = {
    ...plain,
    metadata: { ...plain.metadata, command: 'perf record -p 7' },
    functions: {
      ...functions,
      kind: functions.kind.map((kind, func) => (isKernel(func) ? FunctionKind.kernel : kind)),
    },
    frames: {
      ...frames,
      address: BigUint64Array.from(frames.func, (func) => (isKernel(func) ? 0xffffffff81000000n : 64n)),
    },
  };
  const kinds = ['arguments', 'kernel-addresses'] as const;
  const told = ({ replaced }: BuiltReport) =>
    replaced.map(({ kind, from, token, count }) => [kind, from, token, count]);
  const addresses = ({ profiles }: BuiltReport) => [...profiles.get('c1')!.frames.address!];
  const bare = await reportOf([profile], { kinds });
  expect(told(bare)).toEqual([
    ['arguments', 'report', '(arguments removed)', 1],
    ['arguments', 'record -p 7', '(arguments removed)', 1],
    ['kernel-addresses', 'addresses of kernel frames', 'none', 1],
  ]);
  expect(addresses(bare)).not.toContain(0xffffffff81000000n);
  expect(addresses(bare)).toContain(64n);
  const keep = ['record -p 7', 'addresses of kernel frames'];
  const kept = await reportOf([profile], { kinds, keep });
  expect(told(kept)).toEqual([['arguments', 'report', '(arguments removed)', 1]]);
  expect(kept.profiles.get('c1')!.metadata.command).toBe('perf record -p 7');
  expect(addresses(kept)).toContain(0xffffffff81000000n);
  const again = await reportOf([bare.profiles.get('c1')!], { kinds, made: { ...bare.report.made, version: '0' } });
  expect(told(again)).toEqual([]);
});
