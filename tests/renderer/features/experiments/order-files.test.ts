import { expect, it } from 'vitest';
import { orderFiles } from '../../../../renderer/features/experiments/compare-files-dialog.tsx';

const file = (name: string, lastModified: number) => ({ name, lastModified });

it.each([
  ['run-after.folded', 1, 'run-before.folded', 2],
  ['new.perf.txt', 1, 'baseline.perf.txt', 2],
  ['app.pb.gz', 1, 'app-old.pb.gz', 2],
  ['app-patched.pb.gz', 1, 'app.pb.gz', 2],
  ['b.folded', 20, 'a.folded', 10],
])('%s (%d) comes after %s (%d)', (later, laterTime, earlier, earlierTime) => {
  const [one, other] = [file(later, laterTime), file(earlier, earlierTime)];
  expect(orderFiles(one, other)).toEqual([other, one]);
  expect(orderFiles(other, one)).toEqual([other, one]);
});

it('ignores words within words, and keeps the order if nothing distinguishes them', () => {
  const [one, other] = [file('renewal.folded', 5), file('threshold.folded', 5)];
  expect(orderFiles(one, other)).toEqual([one, other]);
  expect(orderFiles(other, one)).toEqual([other, one]);
});
