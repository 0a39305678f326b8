import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { descriptionFile } from './api-description.ts';
import { freePort } from './local-server.ts';

const program = createRequire(import.meta.url).resolve('@stoplight/prism-cli');

/** A mock that answers by a description alone: it checks what it is asked, and remembers nothing of it. */
export interface Prism {
  /** Asks the mock; adds its objections and refusals to `faults`. */
  ask(path: string, init: RequestInit | undefined, faults: string[]): Promise<Response>;
  stop(): void;
}

export async function startPrism(file: string): Promise<Prism> {
  const port = await freePort();
  const args = [program, 'mock', descriptionFile(file), '--port', String(port), '--host', '127.0.0.1'];
  const mock = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  await untilListening(mock);
  return {
    stop: () => void mock.kill(),
    async ask(path, init, faults) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
      const found = response.headers.get('sl-violations');
      const asked = `${init?.method ?? 'GET'} ${path.split('?')[0]}`;
      if (found) faults.push(`${asked}: ${found}`);
      if (response.status >= 400) faults.push(`${asked} was answered with ${response.status}`);
      return response;
    },
  };
}

async function untilListening(mock: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('Prism is listening')) resolve();
    };
    mock.stdout?.on('data', listen);
    mock.stderr?.on('data', listen);
    mock.once('exit', () => reject(new Error(`Prism ended: ${said}`)));
  });
}
