import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxClock } from './sandbox-clock.ts';

const Setting = z.union([
  z.object({ offsetMs: z.number() }).strict(),
  z.object({ now: z.iso.datetime({ offset: true }) }).strict(),
]);

export function timeRoutes(app: FastifyInstance, clock: SandboxClock): void {
  const answer = () => ({ now: clock.now().toISOString(), offsetMs: clock.offsetMs() });

  app.get('/clock', async () => answer());

  app.post('/clock', async ({ body }) => {
    const setting = Setting.parse(body);
    await clock.set('now' in setting ? { now: new Date(setting.now) } : setting);
    return answer();
  });
}
