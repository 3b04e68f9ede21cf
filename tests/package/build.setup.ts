import { buildStale } from '../../scripts/build.ts';
import { PACKED_PARTS } from '../../scripts/package-linux.ts';

export default async function build(): Promise<void> {
  await buildStale(PACKED_PARTS);
}
