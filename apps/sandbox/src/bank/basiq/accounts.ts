import { getBank } from '#bank/statements/banks.ts';
import { accountHolder, crns } from '#bank/statements/customers.ts';
import { balanceOf, pendingLines } from '#bank/statements/ledger.ts';
import { reportedBalance } from '#bank/statements/reported-balances.ts';
import { isoInstant, sydneyDate } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { type SharedAccount, viewOf } from './connections.ts';
import { dollars } from './dollars.ts';
import { historyStart } from './transactions.ts';
import { getUser } from './users.ts';

const productName = (name: string, institution: string): string => name.replace(`${getBank(institution).name} `, '');

/** Returns the person's name, or another's for CRN 90000007. */
function holderOf({ db }: World, { connection, customer }: SharedAccount): string {
  const user = customer.crn === crns.foreignName ? undefined : getUser(db, connection.userId);
  return user ? `${user.firstName} ${user.lastName}`.trim().toUpperCase() : accountHolder(customer);
}

export function presentAccount(world: World, shared: SharedAccount) {
  const { connection, customer, account, id } = shared;
  const api = `${world.origin}/basiq`;
  const user = `${api}/users/${connection.userId}`;
  const view = viewOf(world, connection);
  const toldCents = reportedBalance(world.db, customer, account.position);
  const balanceCents = toldCents ?? balanceOf(view, customer, account);
  const pending = toldCents === undefined ? pendingLines(view, customer, account) : [];
  const heldCents = pending.reduce((sum, line) => sum + line.cents, 0);
  const limitCents = account.creditLimitCents ?? 0;
  return {
    type: 'account',
    id,
    name: account.name,
    accountHolder: holderOf(world, shared),
    accountNo: `${account.bsb}${account.number}`,
    ...(account.bsb === ''
      ? { maskedNumber: account.number }
      : {
          bsb: account.bsb,
          unmaskedAccNum: account.number,
          maskedNumber: `${'x'.repeat(account.number.length - 4)}${account.number.slice(-4)}`,
        }),
    accountOwnership: account.ownership,
    isOwned: true,
    currency: 'AUD',
    balance: dollars(balanceCents),
    availableFunds: dollars(balanceCents + heldCents + limitCents),
    creditLimit: account.creditLimitCents === undefined ? null : dollars(limitCents),
    class: { type: account.kind, product: productName(account.name, connection.institution) },
    connection: connection.id,
    institution: connection.institution,
    status: connection.status === 'active' ? 'available' : 'unavailable',
    lastUpdated: isoInstant(connection.lastUsedAt),
    transactionIntervals: [{ from: historyStart(connection), to: sydneyDate(world.clock.now()) }],
    links: {
      self: `${user}/accounts/${id}`,
      transactions: `${user}/transactions?filter=account.id.eq('${id}')`,
      connection: `${user}/connections/${connection.id}`,
      institution: `${api}/institutions/${connection.institution}`,
    },
  };
}
