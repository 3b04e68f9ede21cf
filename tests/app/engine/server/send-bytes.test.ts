import { open } from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { sendBytes } from '#app/engine/http/send-bytes.ts';

test('closes the file of a client that has left while it was opened', async () => {
  const file = await open(import.meta.filename);
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.destroy();
  await sendBytes(response, file, 10, 'text/plain');
  expect(file.fd).toBe(-1);
});
