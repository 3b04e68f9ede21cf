import { electronForTests } from './electron-for-tests.ts';
import { buildFor } from './old/build-for.ts';

export default async function build(): Promise<void> {
  await buildFor(electronForTests());
}
