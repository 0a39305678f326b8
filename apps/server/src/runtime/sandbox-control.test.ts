import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { parseConfig } from '#config/config.ts';
import { anyAnswer, controlSandbox } from './sandbox-control.ts';

test.each([
  ['{"error":"No such account is shared."}', 'No such account is shared.'],
  [
    '{"error":"✖ must be dollars, like \\"4.35\\"\\n  → at amount\\n✖ must be a day\\n  → at date"}',
    'amount: must be dollars, like "4.35"; date: must be a day',
  ],
  ['{"oops":1}', '{"oops":1}'],
])('the sandbox’s answer %s is said in one line', async (answer, words) => {
  const server = createServer((_request, response) => response.writeHead(400).end(answer));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const config = parseConfig({ SANDBOX_PORT: String(port) });
  await expect(controlSandbox(config, '/purchases', {}, anyAnswer)).rejects.toThrow(`The sandbox refused: ${words}`);
  server.close();
});
