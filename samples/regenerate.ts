import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordApiserver } from './record-apiserver.ts';
import { recordLookupService } from './record-lookup-service.ts';
import { buildPrograms, makeBuildFolder, recordSample, type Sample } from './record-sample.ts';

/**
 * Rebuilds samples/programs and records samples/profiles again: `npm run samples`. Needs perf, gcc and Go; takes about
 * four minutes. A quiet machine gives better captures.
 */
const PROFILES = join(import.meta.dirname, 'profiles', 'perf-script');

const CAPTURES_A_SIDE = 5;

async function main(): Promise<void> {
  const folder = makeBuildFolder();
  buildPrograms(['page-server-before', 'page-server-after', 'catalog-service'], folder);
  rmSync(PROFILES, { recursive: true, force: true });
  for (const sample of listSamples()) {
    const { document, bytes } = await recordSample(sample);
    const folder = join(PROFILES, sample.id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, document.primaryFile), bytes);
    writeFileSync(join(folder, 'capture.json'), `${JSON.stringify(document, null, 2)}\n`);
    process.stdout.write(`${sample.id}: ${document.samples} samples, ${document.sizeBytes} bytes\n`);
  }
  recordApiserver();
  await recordLookupService(folder);
}

/** Alternates the two sides, so that changes on the machine in the meantime affect both. */
function listSamples(): Sample[] {
  const samples: Sample[] = [];
  for (let run = 0; run < CAPTURES_A_SIDE; run++) {
    for (const side of ['before', 'after'] as const) {
      samples.push({
        id: `page-server-${side}-${run + 1}`,
        title: `page-server, ${side} (${run + 1}/${CAPTURES_A_SIDE})`,
        tags: ['page-server', side],
        series: { id: `page-server-${side}`, run, of: CAPTURES_A_SIDE },
        build: `page-server-${side}`,
        rateHz: 499,
        seconds: 6,
      });
    }
  }
  const title = 'catalog-service (Go)';
  const tags = ['catalog-service', 'go'];
  return [
    ...samples,
    { id: 'catalog-service', title, tags, series: null, build: 'catalog-service', rateHz: 199, seconds: 8 },
  ];
}

await main();
