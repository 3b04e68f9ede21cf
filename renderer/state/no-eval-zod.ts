import { z } from 'zod';

/** zod probes `new Function` as soon as a schema is made; the page's CSP forbids it and would report each probe. Import this first. */
z.config({ jitless: true });
