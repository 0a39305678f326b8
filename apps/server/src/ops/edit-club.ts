import type { ClubFacts } from '@sparechange/contract/club-facts';
import { addClub, editClub, reinstateClub, retireClub } from '#features/beneficiaries/clubs/edit-club.ts';
import type { Runtime } from '#runtime/compose.ts';
import { commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { dayOption } from './read-options.ts';

type Options = Record<string, string | boolean | undefined>;

const deps = ({ db, clock, tenants }: Runtime) => ({ db, clock, tenants, by: commandActor().id });

/** An option that is `none` empties its field. */
const orNone = (value: string | boolean | undefined) => (value === 'none' ? null : String(value));

function factsIn({ name, slug, parent, abn, contact }: Options): Partial<ClubFacts> {
  return {
    ...(name === undefined ? {} : { name: String(name) }),
    ...(slug === undefined ? {} : { slug: String(slug) }),
    ...(parent === undefined ? {} : { parentId: orNone(parent) }),
    ...(abn === undefined ? {} : { abn: orNone(abn) }),
    ...(contact === undefined ? {} : { contactEmail: orNone(contact) }),
  };
}

const factOptions = (command: OpsCommand): OpsCommand =>
  command
    .option('--parent <id>', 'the parent club, or none')
    .option('--abn <abn>')
    .option('--contact <email>', "who is emailed the club's advices and confirms new bank details, or none");

/** Adds the commands that add, change and retire a club. */
export function editClubCommands(clubs: OpsCommand): void {
  factOptions(clubs.command('add'))
    .description('add a club; its bank details are given with bank-details')
    .requiredOption('--name <name>')
    .requiredOption('--slug <slug>', 'its link')
    .carryOut(async (runtime, _words, options) => {
      const { name, slug } = options;
      const id = await addClub(deps(runtime), { ...factsIn(options), name: String(name), slug: String(slug) });
      return { json: { id }, text: `${name} is the club ${id}` };
    });
  factOptions(clubs.command('edit <club>'))
    .description('change the details given of a club; an old link redirects to the new one')
    .option('--name <name>')
    .option('--slug <slug>')
    .carryOut(async (runtime, [club = ''], options) => {
      const facts = factsIn(options);
      const id = await editClub(deps(runtime), club, facts);
      return { json: { id, changed: Object.keys(facts) }, text: `${id}: ${Object.keys(facts).join(', ')} changed` };
    });
  clubs
    .command('retire <club>')
    .description('stop taking gifts for a club; earlier gifts are still paid out')
    .option('--from <day>', 'YYYY-MM-DD, today by default; none cancels it')
    .carryOut(async (runtime, [club = ''], { from }) => {
      if (from === 'none') {
        const id = await reinstateClub(deps(runtime), club);
        return { json: { id, from: null }, text: `${id} takes gifts again` };
      }
      const day = typeof from === 'string' ? dayOption(from) : undefined;
      const id = await retireClub(deps(runtime), club, day);
      return { json: { id, from: day ?? null }, text: `${id} is retired` };
    });
}
