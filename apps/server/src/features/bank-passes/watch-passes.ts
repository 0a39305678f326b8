import { type AlarmDeps, raiseAlarm } from '#features/alarms/alarms.ts';
import { listPasses } from './pass-repository.ts';
import { hasFailedTooOften, passSentence } from './pass-unfinished.ts';

/** Age beyond which a pass is no news. */
const newsForMs = 86_400_000;

/** Raises an alarm for a pass that the bank link fails for too many supporters, once for each pass. */
export async function watchPasses(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = deps.clock.now().getTime();
  for (const pass of await listPasses(deps.db)) {
    if (!hasFailedTooOften(pass) || now - pass.dueAt.getTime() > newsForMs) continue;
    const about = `${pass.task} ${pass.dueAt.toISOString()}`;
    await raiseAlarm(deps, { name: 'bank_link_failing', about, sentence: passSentence(pass) });
  }
}
