import { expect, test } from 'vitest';
import { readNative } from '#core/model/native/read.ts';
import { writeNative } from '#core/model/native/write.ts';
import { describeProfile } from '../../../renderer/analysis/profile/describe-profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

test('sends the window only what it keeps of a native file, whose columns share its buffer', () => {
  const chunks = writeNative(profileFromText('main;work 2\nmain;idle 1'));
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  const profile = readNative(bytes);
  expect(profile.functions.name.buffer.byteLength).toBe(bytes.length);
  const { name, module, file, line, kind } = describeProfile(profile).functions;
  for (const column of [name, module, file, line, kind]) expect(column.buffer.byteLength).toBe(column.byteLength);
});
