import { buildStale } from '../../scripts/build.ts';
import { electronForTests } from '../../scripts/electron-for-tests.ts';

export default async function build(): Promise<void> {
  const { old } = electronForTests();
  await buildStale(['engine', 'electron', old ? 'renderer-chrome83' : 'renderer']);
}
