import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// The same as `npm start` with hot reload: Vite serves the web app on PORT and passes everything else on to the server,
// which starts again when its sources change.
const root = fileURLToPath(new URL('..', import.meta.url));
const port = Number(process.env.PORT ?? 4000);
const serverPort = port + 5;

const server = spawn(
  process.execPath,
  ['--watch-path=apps/server/src', '--watch-path=packages', '--watch-preserve-output', 'apps/server/src/main.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(serverPort),
      PRODUCT_URL: process.env.PRODUCT_URL ?? `http://localhost:${port}`,
      SANDBOX_PORT: process.env.SANDBOX_PORT ?? String(port + 1),
    },
  },
);
const web = spawn('node_modules/.bin/vite', ['apps/web', '--port', String(port), '--strictPort'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SERVER_URL: `http://localhost:${serverPort}` },
});

const children: ChildProcess[] = [server, web];
for (const child of children) child.on('exit', (code) => stop(code ?? 0));
function stop(code: number): void {
  for (const child of children) child.kill('SIGTERM');
  process.exitCode = code;
}
process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
