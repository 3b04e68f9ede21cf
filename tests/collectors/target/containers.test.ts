import { describe, expect, test } from 'vitest';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { readContainer } from '#collectors/target/container-facts.ts';
import {
  createContainerNames,
  parseConmon,
  parseContainerList,
  parseCrictl,
  parseRows,
  readDigest,
} from '#collectors/target/container-names.ts';
import { imageText } from '#core/contract/container-text.ts';
import { groupPath, parseControlGroup } from '#core/contract/control-group.ts';
import { findGroup, type NamedGroup } from '#collectors/target/find-group.ts';
import type { Target } from '#collectors/target/target.ts';

const id = '0123456789abcdef'.repeat(4);
const uid = '1b2c3d4e-0000-4111-8222-333344445555';
const slice = `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid.replaceAll('-', '_')}.slice`;

describe('/proc/<pid>/cgroup', () => {
  test.each([
    ['0::/\n', { container: null, podUid: null, unit: null, cgroup: '/' }],
    ['0::/user.slice/user-1000.slice/session-2.scope\n', { container: null, unit: 'session-2.scope' }],
    ['0::/system.slice/nginx.service\n', { container: null, unit: 'nginx.service' }],
    ['0::/user.slice/user@0.service/app.slice/web.service/worker\n', { unit: 'web.service' }],
    [`0::/system.slice/docker-${id}.scope\n`, { container: 'docker:0123456789ab', containerId: id, unit: null }],
    [`12:pids:/docker/${id}\n11:cpu:/docker/${id}\n`, { container: 'docker:0123456789ab', cgroup: null }],
    [`0::/machine.slice/libpod-${id}.scope/container\n`, { container: 'podman:0123456789ab', unit: null }],
    [`0::${slice}/cri-containerd-${id}.scope`, { container: 'containerd:0123456789ab', podUid: uid, unit: null }],
    [`4:cpu:/kubepods/burstable/pod${uid}/${id}\n`, { container: 'kubernetes:0123456789ab', podUid: uid }],
    ['0::/lxc.payload.web01/system.slice\n', { container: 'lxc:web01', containerId: 'web01' }],
    ['1:name=systemd:/lxc/web02\n', { container: 'lxc:web02' }],
    ['3:cpu,perf_event:/a\n0::/b\n', { cgroup: '/a' }],
    ['', { cgroup: null, container: null }],
    ['no such form\n0::relative\n', { cgroup: null }],
  ])('parses %j', (text, facts) => {
    expect(parseControlGroup(text)).toMatchObject(facts);
  });

  test('a group is cut where its container, pod or unit ends', () => {
    expect(groupPath(`/system.slice/docker-${id}.scope/init.scope`, 'container')).toBe(
      `/system.slice/docker-${id}.scope`,
    );
    expect(groupPath(`${slice}/cri-containerd-${id}.scope`, 'pod')).toBe(slice);
    expect(groupPath(`/kubepods/burstable/pod${uid}/${id}/inner`, 'pod')).toBe(`/kubepods/burstable/pod${uid}`);
    expect(groupPath(`/kubepods/burstable/pod${uid}/${id}/inner`, 'container')).toBe(
      `/kubepods/burstable/pod${uid}/${id}`,
    );
    expect(groupPath('/system.slice/nginx.service/worker', 'unit')).toBe('/system.slice/nginx.service');
    expect(groupPath('/system.slice', 'unit')).toBeNull();
  });
});

describe('names by the runtime', () => {
  test('of podman: by the processes that keep its containers, and the lists of its storage', async () => {
    const conmon = (name: string, own: string, graph = '/g'): string =>
      `/usr/bin/conmon\t-c\t${own}\t-b\t${graph}/vfs-containers/${own}/userdata\t-p\t/r/vfs-containers/${own}/userdata/pidfile\t-n\t${name}\t`;
    const [second, third] = ['f'.repeat(64), 'e'.repeat(64)];
    const printed = `${conmon('web', id)}\n${conmon('<b>', second)}\n${conmon('x', third, 'relative')}\nconmon\t-c\tshort\n`;
    const kept = parseConmon(printed);
    const volatile = '/r/vfs-containers/volatile-containers.json';
    expect(kept).toEqual([
      { id, name: 'web', lists: ['/g/vfs-containers/containers.json', volatile] },
      { id: second, name: '<b>', lists: ['/g/vfs-containers/containers.json', volatile] },
      { id: third, name: 'x', lists: [volatile] },
    ]);
    const listed = { id, image: 'a'.repeat(64), metadata: '{"image-name":"localhost/web:1"}' };
    expect(parseContainerList(JSON.stringify([listed, { id: second, metadata: '{' }]))).toEqual([
      [id, { image: 'localhost/web:1', digest: `sha256:${'a'.repeat(64)}` }],
      [second, { image: null }],
    ]);
    for (const wrong of ['', '{}', '[{"id":7}]']) expect(parseContainerList(wrong)).toEqual([]);
  });

  test('of docker', () => {
    const printed = `${id}\tweb\tnginx:1.27\tprod\tweb-0\nnot an id\tx\ty\n${'f'.repeat(64)}\t<b>x</b>\t\n`;
    expect([...parseRows(printed)]).toEqual([
      [id, { name: 'web', image: 'nginx:1.27', pod: 'prod/web-0' }],
      ['f'.repeat(64), { name: '<b>x</b>', image: null, pod: null }],
    ]);
  });

  test('of crictl; other output has no names', () => {
    const labels = { 'io.kubernetes.pod.namespace': 'prod', 'io.kubernetes.pod.name': 'web-0', __proto__: 'x' };
    const containers = [
      { id, metadata: { name: 'app' }, image: { image: 'sha256:ab', userSpecifiedImage: 'app:3' }, labels },
      { id: 'other' },
    ];
    expect([...parseCrictl(JSON.stringify({ containers }))]).toEqual([
      [id, { name: 'app', image: 'app:3', pod: 'prod/web-0' }],
      ['other', { name: null, image: null, pod: null }],
    ]);
    for (const wrong of ['', '{', '[]', '{"containers":[{"id":7}]}']) expect(parseCrictl(wrong).size).toBe(0);
  });

  test('each client runs once for the same containers; a missing or refused one gives no names', async () => {
    const ran: string[] = [];
    const target = {
      run: (argv: readonly string[]) => {
        ran.push(argv[0]!);
        return Promise.reject(new Error('no such program'));
      },
    } as unknown as Target;
    const reader = createContainerNames(target);
    const both = [
      { runtime: 'docker', id },
      { runtime: 'docker', id: 'f'.repeat(64) },
      { runtime: 'lxc', id: 'web' },
    ];
    expect((await reader.read(both)).size).toBe(0);
    await reader.read(both);
    expect(ran).toEqual(['docker']);
  });
});

describe('what a capture stores about a container', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const answering = (answers: Readonly<Record<string, string>>): Target =>
    ({
      run: (argv: readonly string[]) => {
        const printed = answers[argv.slice(0, 2).join(' ')];
        if (printed === undefined) return Promise.reject(new Error('no such program'));
        const empty = new Blob([]);
        return Promise.resolve({
          stdout: new Blob([printed]).stream(),
          stderr: empty.stream(),
          exit: Promise.resolve({ code: 0, signal: null }),
          kill: () => undefined,
        });
      },
    }) as unknown as Target;
  const path = `/system.slice/docker-${id}.scope/init.scope`;
  const known = { id: 'docker:0123456789ab', pod: null };

  test('names and digest by the runtime', async () => {
    const target = answering({ 'docker ps': `${id}\tweb\tnginx:1.27\t\t\n`, 'docker container': `${digest}\n` });
    expect(await readContainer(target, { path })).toEqual({ ...known, name: 'web', image: 'nginx:1.27', digest });
  });

  test('the id alone if the runtime does not answer, nothing outside a container', async () => {
    expect(await readContainer(answering({}), { path })).toEqual({ ...known, name: null, image: null, digest: null });
    expect(await readContainer(answering({}), { path: '/system.slice/nginx.service' })).toBeNull();
  });

  test.each([
    [digest, digest],
    ['a'.repeat(64), digest],
    [`docker.io/library/nginx@${digest}\n`, digest],
    ['', null],
    ['nginx:1.27', null],
    [`sha256:${'a'.repeat(63)}`, null],
    ['<b>', null],
  ])('digest in %j', (text, found) => {
    expect(readDigest(text)).toBe(found);
  });

  test.each([
    ['app:1', digest, 'app:1 (aaaaaaaaaaaa)'],
    ['app:1', null, 'app:1'],
    [null, digest, 'aaaaaaaaaaaa'],
    [null, null, null],
  ])('image %j with digest %j', (image, of, text) => {
    expect(imageText({ ...known, name: null, image, digest: of })).toBe(text);
  });
});

describe('a container, pod or unit by name', () => {
  const row = (facts: Partial<ProcessRow>): ProcessRow =>
    ({ pid: 1, container: null, containerName: null, pod: null, unit: null, cgroup: null, ...facts }) as ProcessRow;
  const rows = [
    row({ container: 'docker:0123456789ab', containerName: 'web', cgroup: `/docker/${id}` }),
    row({ container: 'docker:0123456789ab', containerName: 'web', cgroup: `/docker/${id}/worker` }),
    row({ pod: 'prod/web-0', cgroup: `${slice}/cri-containerd-${id}.scope` }),
    row({ unit: 'nginx.service', cgroup: '/system.slice/nginx.service' }),
    row({ unit: 'twin.service', cgroup: '/a/twin.service' }),
    row({ unit: 'twin.service', cgroup: '/b/twin.service' }),
    row({ container: 'docker:ffffffffffff', containerName: 'old', cgroup: '/' }),
  ];
  const path = (kind: NamedGroup['kind'], name: string): unknown => {
    const found = findGroup(rows, { kind, name });
    return 'problem' in found ? found.problem : found.path;
  };

  test.each<[NamedGroup['kind'], string, string]>([
    ['container', 'web', `/docker/${id}`],
    ['container', '0123', `/docker/${id}`],
    ['container', id, `/docker/${id}`],
    ['container', 'docker:0123456789ab', `/docker/${id}`],
    ['pod', 'prod/web-0', slice],
    ['unit', 'nginx', '/system.slice/nginx.service'],
    ['unit', 'nginx.service', '/system.slice/nginx.service'],
    ['container', '012', 'no process runs in container "012"'],
    ['pod', '__proto__', 'no process runs in pod "__proto__"'],
    ['unit', 'twin', 'unit "twin" names 2 control groups: /a/twin.service, /b/twin.service'],
    ['container', 'old', 'container "old" has no control group of its own in the hierarchy that perf uses'],
  ])('finds the control group of %s %s', (kind, name, expected) => {
    expect(path(kind, name)).toBe(expected);
  });
});
