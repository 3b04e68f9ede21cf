import fc from 'fast-check';

// Property tests are repeatable; another seed tries other inputs.
fc.configureGlobal({ seed: 2026 });
