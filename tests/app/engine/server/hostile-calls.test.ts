import { expect, test } from 'vitest';
import { makeCallPlace } from '../../../../scripts/fuzz-calls.ts';
import { createRandom } from '../../../../scripts/fuzz-mutants.ts';

const ATTACKS = 2000;

test(
  `answers or refuses ${ATTACKS} hostile calls of all methods, without an internal error`,
  { timeout: 120_000 },
  async () => {
    const place = await makeCallPlace();
    try {
      const random = createRandom(1);
      for (let count = 0; count < ATTACKS; count++) {
        const attack = place.next(random);
        expect(await place.attack(attack), `${attack.method} ${attack.path} ${attack.body.slice(0, 500)}`).toBeNull();
      }
    } finally {
      await place.dispose();
    }
  },
);
