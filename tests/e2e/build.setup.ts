import { buildStale } from '../../scripts/build.ts';

/** The page under test is built from the sources as they are; unchanged sources build nothing. */
export default async function build(): Promise<void> {
  await buildStale(['renderer']);
}
