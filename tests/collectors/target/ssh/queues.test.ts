import { describe, expect, test } from 'vitest';
import { ConnectionFailure } from '#collectors/target/connection.ts';
import { ChannelQueue, SessionRefused } from '#collectors/target/ssh/channel-queue.ts';
import { HandshakeQueue } from '#collectors/target/ssh/handshake-queue.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A server that allows `limit` sessions at a time. */
function server(limit: number) {
  const open = new Set<() => void>();
  let most = 0;
  return {
    start(release: () => void): Promise<() => void> {
      if (open.size >= limit) return Promise.reject(new SessionRefused());
      const end = (): void => {
        open.delete(end);
        release();
      };
      open.add(end);
      most = Math.max(most, open.size);
      return Promise.resolve(end);
    },
    most: () => most,
  };
}

describe('channels of a master', () => {
  test.each([
    [100, 8],
    [3, 3],
    [1, 1],
  ])('a server that accepts %i sessions runs %i at a time, and all get their turn', async (limit, most) => {
    const queue = new ChannelQueue('host');
    const host = server(limit);
    const all = Array.from({ length: 20 }, async () => {
      const end = await queue.open((release) => host.start(release));
      await settled();
      end();
    });
    await Promise.all(all);
    expect(host.most()).toBe(most);
  });

  test.each(['before', 'after'])('are counted if one is released %s it is reported as refused', async (order) => {
    let isAlone = false;
    const queue = new ChannelQueue('host', undefined, { alone: () => (isAlone = true) });
    const held = Promise.withResolvers<() => void>();
    await queue.open((release) => Promise.resolve(held.resolve(release)));
    const second = queue.open((release) => {
      if (isAlone) return Promise.resolve('ran');
      if (order === 'before') release();
      return Promise.reject(new SessionRefused());
    });
    await settled();
    expect(isAlone).toBe(true);
    (await held.promise)();
    expect(await second).toBe('ran');
  });

  test('are released after other failures', async () => {
    const queue = new ChannelQueue('host');
    for (let count = 0; count < 20; count++) {
      await expect(queue.open(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
    }
  });

  test('are reported for a server that accepts none', async () => {
    const queue = new ChannelQueue('host');
    const refused = queue.open((release) => server(0).start(release));
    await expect(refused).rejects.toThrow(/^host accepts no session on this connection$/);
    await expect(refused).rejects.toBeInstanceOf(ConnectionFailure);
  });
});

describe('handshakes', () => {
  const never = new AbortController().signal;

  test('run five at a time to one server, the others in turn; another server has its own limit', async () => {
    const queue = new HandshakeQueue();
    const first = await Promise.all(Array.from({ length: 5 }, () => queue.turn('a', never)));
    let sixth: (() => void) | null = null;
    const waiting = queue.turn('a', never).then((release) => (sixth = release));
    await queue.turn('b', never);
    await settled();
    expect(sixth).toBeNull();
    first[0]?.();
    first[0]?.();
    await waiting;
    expect(sixth).not.toBeNull();
    let seventh = false;
    void queue.turn('a', never).then(() => (seventh = true));
    await settled();
    expect(seventh).toBe(false);
  });

  test('do not use up a turn if cancelled', async () => {
    const queue = new HandshakeQueue();
    const first = await Promise.all(Array.from({ length: 5 }, () => queue.turn('a', never)));
    const impatient = new AbortController();
    const gaveUp = queue.turn('a', impatient.signal);
    (await queue.turn('a', AbortSignal.abort()))();
    let hasTurn = false;
    const patient = queue.turn('a', never).then(() => (hasTurn = true));
    impatient.abort();
    (await gaveUp)();
    await settled();
    expect(hasTurn).toBe(false);
    first[0]?.();
    await patient;
    expect(hasTurn).toBe(true);
  });
});
