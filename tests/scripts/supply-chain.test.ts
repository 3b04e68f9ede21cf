import { describe, expect, it } from 'vitest';
import { readAudit, shippedPart, type Sbom } from '../../scripts/supply-chain.ts';

const component = (ref: string): Sbom['components'][number] => ({
  'bom-ref': ref,
  name: ref.slice(0, ref.lastIndexOf('@')),
  scope: 'optional',
  properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
});

/**
 * An app that bundles `view`, runs on Electron, and is built by `builder`; all of them depend on some version of
 * `shared`.
 */
const full: Sbom = {
  bomFormat: 'CycloneDX',
  metadata: { component: { 'bom-ref': 'app@1.0.0', name: 'folder-of-the-checkout', type: 'library' } },
  components: ['view@1.0.0', 'electron@45.0.0', 'builder@2.0.0', 'shared@1.0.0', 'shared@2.0.0', 'fetcher@1.0.0'].map(
    component,
  ),
  dependencies: [
    { ref: 'app@1.0.0', dependsOn: ['view@1.0.0', 'electron@45.0.0', 'builder@2.0.0'] },
    { ref: 'view@1.0.0', dependsOn: ['shared@1.0.0'] },
    { ref: 'shared@1.0.0', dependsOn: ['view@1.0.0'] },
    { ref: 'builder@2.0.0', dependsOn: ['shared@2.0.0'] },
    { ref: 'electron@45.0.0', dependsOn: ['fetcher@1.0.0'] },
  ],
};

describe('a package’s bill', () => {
  it('lists what is bundled with its dependencies, and Electron without its downloader', () => {
    const bill = shippedPart(full, ['view', 'electron']);
    expect(bill.components).toEqual([
      { 'bom-ref': 'view@1.0.0', name: 'view', scope: 'required' },
      { 'bom-ref': 'electron@45.0.0', name: 'electron', scope: 'required' },
      { 'bom-ref': 'shared@1.0.0', name: 'shared', scope: 'required' },
    ]);
    expect(bill.metadata.component).toEqual({ 'bom-ref': 'app@1.0.0', name: 'app', type: 'application' });
    expect(bill.dependencies).toContainEqual({ ref: 'app@1.0.0', dependsOn: ['view@1.0.0', 'electron@45.0.0'] });
    expect(bill.dependencies).toContainEqual({ ref: 'electron@45.0.0', dependsOn: [] });
  });

  it('is refused if npm does not know an imported package', () => {
    expect(() => shippedPart(full, ['view', 'unknown'])).toThrow('unknown is imported but not a dependency');
  });
});

describe('the registry’s signatures', () => {
  it.each<[string, number, string, object]>([
    ['all verified', 0, '{"invalid":[],"missing":[]}', { kind: 'verified' }],
    [
      'one invalid',
      1,
      '{"invalid":[{"name":"ws","version":"8.0.0"}],"missing":[]}',
      { kind: 'broken', reason: 'no valid signature: ws@8.0.0' },
    ],
    [
      'one missing where the registry signs',
      1,
      '{"invalid":[],"missing":[{"name":"zod","version":"4.0.0"}]}',
      { kind: 'broken', reason: 'no valid signature: zod@4.0.0' },
    ],
    [
      'a registry that signs nothing',
      1,
      '{"error":{"code":"","summary":"found no dependencies to audit that were installed from a supported registry"}}',
      { kind: 'unchecked', reason: 'found no dependencies to audit that were installed from a supported registry' },
    ],
    ['no output of npm', 1, '', { kind: 'unchecked', reason: 'no network' }],
  ])('%s', (_what, status, stdout, outcome) => {
    expect(readAudit(status, stdout, 'npm error code E\nnpm error no network\n')).toEqual(outcome);
  });
});
