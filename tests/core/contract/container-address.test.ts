import { describe, expect, test } from 'vitest';
import { describeContainer, parseContainerAddress } from '#core/contract/container-address.ts';
import { parseTargetId, TargetIdFailure } from '#core/contract/target-id.ts';

describe('a container as a target', () => {
  test.each([
    ['docker://web', { client: 'docker', container: 'web', pod: null }, 'container web'],
    ['Podman://my.app_1-x/', { client: 'podman', container: 'my.app_1-x', pod: null }, 'container my.app_1-x'],
    ['kubectl://prod/web-0', { client: 'kubectl', container: null, pod: 'prod/web-0' }, 'pod prod/web-0'],
    [
      'kubectl://prod/web-0/app',
      { client: 'kubectl', container: 'app', pod: 'prod/web-0' },
      'container app of pod prod/web-0',
    ],
  ])('parses and describes %s', (text, address, described) => {
    const found = parseContainerAddress(text);
    expect(found).toEqual(address);
    expect(describeContainer(found!)).toBe(described);
  });

  test.each(['local', 'ssh://web', 'web', 'docker:web', 'xdocker://web', ''])(
    '%j is not a container address',
    (text) => {
      expect(parseContainerAddress(text)).toBeNull();
    },
  );

  test.each([
    'docker://',
    'docker://-rm',
    'docker://a b',
    'docker://a\nb',
    'docker://a/b',
    'podman://$(id)',
    'kubectl://web-0',
    'kubectl://prod/--all',
    'kubectl://a/b/c/d',
    `docker://${'a'.repeat(300)}`,
  ])('refuses %j in one line', (text) => {
    expect(() => parseContainerAddress(text)).toThrow(TargetIdFailure);
    expect(() => parseContainerAddress(text)).toThrow(/^[^\n]{1,200}$/);
  });

  test('is not a host', () => {
    expect(() => parseTargetId('docker://web')).toThrow('is a container, not a host');
  });
});
