import { KeyScope } from '@sparechange/contract/programs';
import { apiKey, keyRotation } from '#features/disbursements/programs/key-acts.ts';
import { type ApiKey, listKeys } from '#features/disbursements/programs/key-repository.ts';
import { keyInWords, revokeKey, type ShownKey } from '#features/disbursements/programs/keys.ts';
import { doOrAsk } from '#runtime/approved-acts.ts';
import { askedAnswer } from './approvals.ts';
import { type Answer, CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { wholeOption } from './read-options.ts';

function scopesOption(list: unknown): KeyScope[] {
  const { data: scopes } = KeyScope.array().safeParse(String(list).split(','));
  if (!scopes)
    throw new CommandProblem(`--scopes takes some of ${KeyScope.options.join(', ')}, with commas between them.`);
  return scopes;
}

const shown = ({ id, text, expiresAt }: ShownKey): Answer => ({
  json: { id, key: text, expiresAt },
  text: `${text}\nThis is shown once. The key ${id} is valid until ${expiresAt.toISOString()}.`,
});

function stateOf({ revokedAt, expiresAt, formerUntil }: ApiKey, now: Date): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt <= now) return `expired ${expiresAt.toISOString()}`;
  const overlap = formerUntil && formerUntil > now ? `, the former secret until ${formerUntil.toISOString()}` : '';
  return `until ${expiresAt.toISOString()}${overlap}`;
}

const lineOf = (key: ApiKey, now: Date): string =>
  [
    `${key.id}  ${key.name}`,
    key.scopes.join(','),
    ...(key.clubId ? [`club ${key.clubId}`] : []),
    stateOf(key, now),
    key.usedAt ? `used ${key.usedAt.toISOString()}` : 'never used',
  ].join('  ');

const days = '--days <days>';
const daysWords = 'days until the key expires';

export function keyCommands(keys: OpsCommand): void {
  keys
    .command('create <name>')
    .description('make a key, which is shown once')
    .requiredOption('--scopes <list>', `some of ${KeyScope.options.join(', ')}`)
    .option('--club <club>', 'only for this club and those under it')
    .option(days, daysWords, '365')
    .carryOut(async (runtime, [name = ''], { scopes, club, days }) => {
      const request = { name, scopes: scopesOption(scopes), days: wholeOption('--days', days) };
      const args = { ...request, clubId: club as string | undefined };
      const tried = await doOrAsk(runtime, commandActor(), apiKey, args, keyInWords(request));
      return 'approval' in tried ? askedAnswer(tried.approval) : shown(tried.result);
    });
  keys
    .command('list')
    .description('every key: its id, scopes, club, expiry and last use')
    .carryOut(async ({ db, clock }) => {
      const list = await listKeys(db);
      return {
        json: { keys: list },
        text: list.map((key) => lineOf(key, clock.now())).join('\n') || 'There are no keys.',
      };
    });
  keys
    .command('rotate <id>')
    .description('replace the secret of a key; the new one is shown once')
    .option('--overlap <hours>', 'hours for which the old secret stays valid', '72')
    .option(days, daysWords, '365')
    .carryOut(async (runtime, [id = ''], { overlap, days }) => {
      const args = { id, days: wholeOption('--days', days), overlapHours: wholeOption('--overlap', overlap) };
      const tried = await doOrAsk(runtime, commandActor(), keyRotation, args, `Another secret of API key ${id}`);
      return 'approval' in tried ? askedAnswer(tried.approval) : shown(tried.result);
    });
  keys
    .command('revoke <id>')
    .description('revoke a key immediately')
    .carryOut(async (runtime, [id = '']) => {
      const name = await revokeKey(runtime, id, commandActor());
      return { json: { revoked: id, name }, text: `${id}  ${name} is revoked` };
    });
}
