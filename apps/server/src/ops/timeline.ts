import { longDay, printableLine, sydneyDateTime } from '@sparechange/domain';
import type { Command } from 'commander';
import { buildTimeline, type Timeline } from '#features/timeline/build-timeline.ts';
import { supporterByEmail, supporterWords } from './find-supporter.ts';
import { operate } from './operate.ts';

function asText({ events, auditLog }: Timeline): string {
  const width = 'Wed 25 Nov 2026 06:00:02'.length + 2;
  const lines = events.map(({ at, on, sentence }) => {
    const when = on ? longDay(on) : sydneyDateTime(new Date(at));
    return when.padEnd(width) + printableLine(sentence);
  });
  const chain = auditLog.isWhole ? 'as they were written, none missing' : 'CHANGED OR INCOMPLETE: see ops audit';
  return [...lines, `${auditLog.entries} entries of the audit log: ${chain}. Times are Sydney times.`].join('\n');
}

/** `supporter timeline`, beside the other commands about one supporter. */
export function timelineCommand(program: Command): void {
  const supporter = program.commands.find((command) => command.name() === 'supporter') ?? program.command('supporter');
  const timeline = supporter
    .command('timeline')
    .argument('<supporter>', supporterWords)
    .description('everything that happened to a supporter, in order, for a dispute; account numbers are masked');
  operate(timeline, async (runtime, [email = '']) => {
    const { supporterId } = await supporterByEmail(runtime, email);
    const json = await buildTimeline(runtime.db, supporterId);
    return { json, text: asText(json), failed: !json.auditLog.isWhole };
  });
}
