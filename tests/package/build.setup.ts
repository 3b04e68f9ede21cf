import { buildStale } from '../../scripts/build.ts';

export default async function build(): Promise<void> {
  await buildStale(['renderer', 'package']);
}
