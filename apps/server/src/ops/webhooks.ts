import { EventType } from '@sparechange/contract/program-events';
import { NotFound } from '#errors.ts';
import { type LoggedAttempt, listAttempts } from '#features/disbursements/outgoing-webhooks/delivery-repository.ts';
import { type Endpoint, listEndpoints } from '#features/disbursements/outgoing-webhooks/endpoint-repository.ts';
import {
  addEndpoint,
  removeEndpoint,
  replay,
  rotateEndpoint,
  type ShownSecret,
} from '#features/disbursements/outgoing-webhooks/endpoints.ts';
import { isUuid } from '#uuid.ts';
import { type Answer, CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { wholeOption } from './read-options.ts';

function typesOption(list: unknown): EventType[] {
  const { data: types } = EventType.array().safeParse(String(list).split(','));
  if (!types)
    throw new CommandProblem(`--types takes some of ${EventType.options.join(', ')}, with commas between them.`);
  return types;
}

const shown = ({ id, secret }: ShownSecret): Answer => ({
  json: { id, secret },
  text: `${secret}\nThis is shown once. The endpoint is ${id}.`,
});

const endpointLine = ({ id, url, types, clubId, pausedAt, waiting, parked }: Endpoint): string =>
  [
    `${id}  ${url}`,
    types.join(','),
    ...(clubId ? [`club ${clubId}`] : []),
    ...(pausedAt ? ['paused'] : []),
    `${waiting} waiting`,
    ...(parked > 0 ? [`${parked} parked`] : []),
  ].join('  ');

const attemptLine = ({ eventId, type, at, status, durationMs, answer, state }: LoggedAttempt): string =>
  `${at.toISOString()}  ${eventId}  ${type}  ${status ?? 'no answer'}  ${durationMs} ms  ${state}  ${answer}`.trimEnd();

const maxListed = 1_000;

export function webhookCommands(webhooks: OpsCommand): void {
  webhooks
    .command('add <url>')
    .description('add an endpoint; its secret is shown once')
    .requiredOption('--types <list>', `some of ${EventType.options.join(', ')}`)
    .option('--club <club>', 'only events of this club and those under it')
    .carryOut(
      async (runtime, [url = ''], { types, club }) => {
        const request = { url, types: typesOption(types), clubId: club as string | undefined };
        return shown(await addEndpoint(runtime, request, commandActor()));
      },
      { secretWords: true }, // some receivers have theirs in the address
    );
  webhooks
    .command('list')
    .description('every endpoint: its address, types, club, and waiting or parked events')
    .carryOut(async ({ db }) => {
      const endpoints = await listEndpoints(db);
      return { json: { endpoints }, text: endpoints.map(endpointLine).join('\n') || 'There are no endpoints.' };
    });
  webhooks
    .command('remove <endpoint>')
    .description('stop delivering to an endpoint')
    .carryOut(async (runtime, [id = '']) => {
      await removeEndpoint(runtime, id, commandActor());
      return { json: { removed: id }, text: `${id} is removed` };
    });
  webhooks
    .command('rotate <endpoint>')
    .description('replace the secret of an endpoint; the new one is shown once')
    .option('--overlap <hours>', 'hours for which both secrets sign', '24')
    .carryOut(async (runtime, [id = ''], { overlap }) => {
      const overlapHours = wholeOption('--overlap', overlap);
      return shown(await rotateEndpoint(runtime, { id, overlapHours }, commandActor()));
    });
  webhooks
    .command('deliveries <endpoint>')
    .description('the latest delivery attempts: event, status, duration, state and the start of the response')
    .option('--limit <number>', `how many to list, up to ${maxListed}`, '50')
    .carryOut(async ({ db }, [id = ''], { limit }) => {
      if (!isUuid(id)) throw new NotFound(`The endpoint ${id}`);
      const most = Math.min(wholeOption('--limit', limit), maxListed);
      const attempts = await listAttempts(db, { endpointId: id, limit: most });
      return { json: { attempts }, text: attempts.map(attemptLine).join('\n') || 'Nothing was delivered there yet.' };
    });
  webhooks
    .command('replay <endpoint> [event]')
    .description('deliver again what was parked, or one event')
    .carryOut(async (runtime, [endpointId = '', eventId]) => {
      const queued = await replay(runtime, { endpointId, eventId }, commandActor());
      const endpoint = (await listEndpoints(runtime.db)).find(({ id }) => id === endpointId);
      const when = endpoint?.pausedAt ? 'once the endpoint is resumed' : 'within a minute';
      const text = `${queued} queued again; they are delivered ${when}`;
      return { json: { queued }, text };
    });
}
