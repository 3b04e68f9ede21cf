import { expect, test } from 'vitest';
import { findSymbolName } from '#collectors/perf/symbol-name.ts';

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

const frame = (name: string): string => `\t    55d20d0df14c ${name}+0x10 (/srv/app)\n`;

test('keeps a name that perf printed itself', async () => {
  expect(await findSymbolName(chunks(frame('a::spin<unsigned int>')), 'a::spin<unsigned int>')).toBe(
    'a::spin<unsigned int>',
  );
  expect(await findSymbolName(chunks(), 'mix')).toBe('mix');
  expect(await findSymbolName(chunks(frame('other')), 'a::b')).toBe('a::b');
});

test('finds a name that perf did not demangle, even across chunks', async () => {
  const text = frame('_ZN1a1fEv') + frame('_ZN1a4spinEj') + frame('_ZN1a4spinEj');
  expect(await findSymbolName(chunks(text), 'a::spin(unsigned int)')).toBe('_ZN1a4spinEj');
  expect(await findSymbolName(chunks(text.slice(0, 60), text.slice(60)), 'a::spin(unsigned int)')).toBe('_ZN1a4spinEj');
});
