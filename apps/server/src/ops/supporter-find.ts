import type { Command } from 'commander';
import { maxCounted, type SupporterSearch, searchSupporters } from '#features/supporters/search-supporters.ts';
import { operate } from './operate.ts';

const maxListed = 20;

export const leftOutWords = ({ leftOut, supporters }: Pick<SupporterSearch, 'leftOut' | 'supporters'>): string[] => {
  if (leftOut === 0) return [];
  const count = leftOut + supporters.length >= maxCounted ? `at least ${leftOut}` : leftOut;
  return [`${count} more are left out; give more of the name.`];
};

/** Finds the first 20 supporters and counts the others. */
export function supporterFindCommand(supporter: Command): void {
  const command = supporter
    .command('find <text...>')
    .description(
      `find supporters by e-mail address, by mobile number in any form, by the reference on a bank statement (its first nine letters do), or by the beginnings of names: "ann smi"; lists ${maxListed} and says how many more there are`,
    );
  operate(
    command,
    async ({ db }, words) => {
      const found = await searchSupporters(db, words.join(' '), maxListed);
      const lines = found.supporters.map(
        ({ firstName, lastName, email, mobile, tenant, club, isClosed }) =>
          `${firstName} ${lastName}  ${email}  ${mobile}  ${tenant}  ${club}${isClosed ? '  closed' : ''}`,
      );
      const text = lines.length > 0 ? [...lines, ...leftOutWords(found)].join('\n') : `Nobody by that ${found.by}.`;
      return { json: found, text };
    },
    { secretWords: true },
  ); // names and numbers of people stay out of a log that is kept for ever
}
