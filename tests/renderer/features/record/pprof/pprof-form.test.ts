import { expect, test } from 'vitest';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { EMPTY_FORM } from '../../../../../renderer/features/record/collector-pages.ts';
import { processKey } from '../../../../../renderer/features/record/pprof/pprof-form.ts';
import { readForm } from '../../../../../renderer/features/record/record-form.ts';

const form = { ...EMPTY_FORM, collector: 'pprof', url: 'localhost:6060' } as const;
const process = { pid: 7, startTicks: '1' } as ProcessRow;

test('requests the kinds of an address, and turns a password into a header', () => {
  const read = readForm({ ...form, url: 'http://me:pä@a:1/', kinds: ['cpu'], otherKinds: 'mine, heap', seconds: '5' });
  expect(read).toMatchObject({
    ok: true,
    params: {
      targets: [{ target: 'local' }],
      options: {
        collector: 'pprof',
        scope: { kind: 'url', url: 'http://a:1/' },
        kinds: ['cpu', 'mine', 'heap'],
        seconds: 5,
        headers: [{ name: 'Authorization', value: `Basic ${Buffer.from('me:pä').toString('base64')}` }],
      },
    },
  });
});

test('probes a process’s ports after the user allowed it, for that process only', () => {
  const chosen = { ...form, place: 'pid', processes: new Map([['local', process]]) } as const;
  expect(readForm({ ...form, place: 'pid' })).toMatchObject({ field: 'processes' });
  expect(readForm(chosen)).toMatchObject({ ok: false, field: 'probed' });
  const wanted = { ...chosen, probed: processKey(chosen) };
  expect(readForm(wanted)).toMatchObject({ params: { options: { scope: { kind: 'pid', pid: 7, startTicks: '1' } } } });
  const other = new Map([['local', { ...process, pid: 8 }]]);
  expect(readForm({ ...wanted, processes: other })).toMatchObject({ ok: false, field: 'probed' });
});

test('takes two addresses for alternating sides', () => {
  const inTurn = { ...form, purpose: { kind: 'in-turn', experimentId: null } } as const;
  expect(readForm(inTurn)).toMatchObject({ ok: false, field: 'afterUrl' });
  expect(readForm({ ...inTurn, afterUrl: 'b' })).toMatchObject({ params: { after: { scope: { url: 'http://b' } } } });
  expect(readForm({ ...inTurn, place: 'pid' })).toMatchObject({ ok: false, field: 'place' });
});

test.each([
  [{ url: '' }, 'url'],
  [{ url: 'file:///etc/passwd' }, 'url'],
  [{ kinds: [] }, 'kinds'],
  [{ otherKinds: '../x' }, 'otherKinds'],
  [{ seconds: '' }, 'seconds'],
  [{ seconds: '1.5' }, 'seconds'],
  [{ headers: 'no colon' }, 'headers'],
])('%j is refused at its field', (change, field) => {
  expect(readForm({ ...form, ...change })).toMatchObject({ ok: false, field });
});
