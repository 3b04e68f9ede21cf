import fc from 'fast-check';

// One run of the property tests is like the next; change the seed to look further.
fc.configureGlobal({ seed: 2026 });
