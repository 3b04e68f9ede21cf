import { buildStale } from '../../scripts/build.ts';

/** Builds the page under test from the current sources; unchanged sources build nothing. */
export default async function build(): Promise<void> {
  await buildStale(['renderer']);
}
