import type { Db, Pool } from '#db/connect.ts';
import { clubMutations } from './club-mutations.ts';
import { beginWithoutGuards } from './set-guards-aside.ts';

/** Returns what is found after a change in SQL, which is undone; it is made in `place` of the transaction. */
export async function violationsAfter(
  db: Pool,
  change: string,
  find: (tx: Db) => Promise<string[]>,
  place = (tx: Db): Db => tx,
): Promise<string[]> {
  const undo = new Error('undo');
  let violations: string[] = [];
  await beginWithoutGuards(db, async (tx) => {
    await place(tx).unsafe(change);
    violations = await find(tx);
    throw undo;
  }).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return violations;
}

/** Debits the same round-ups a second time. */
const copyOfADebit = `
  drop index debits_cover_once;
  insert into debits (supporter_id, run_date, kind, attempt, club_id, amount_cents, savings_cents, first_seq, last_seq,
    mandate_id, reference, planned_at)
  select supporter_id, '2026-12-02', kind, attempt, club_id, amount_cents, savings_cents, first_seq, last_seq, mandate_id,
    'RUCOPY', planned_at
  from debits where state = 'cleared' and kind = 'round-up' limit 1`;

/** Takes the rows at one place of their chains out of the audit log, and their links. */
const removedFromAuditLog = (seq: number): string => `
  delete from audit_log using audit_links link where audit_log.id = link.id and link.seq = ${seq};
  delete from audit_links where seq = ${seq};`;

const withoutReceiptChecks = 'alter table receipts drop constraint receipts_hashed;';

/** By audit check, changes in SQL that it must find; they pass every trigger and foreign key. */
export const auditMutations: Record<string, Record<string, string>> = {
  'transfers sum to zero': {
    'a leg is lost': `delete from ledger_entries where kind = 'cleared' and account = 'cash'`,
    'a leg is a cent too much': `update ledger_entries set cents = cents + 1 where kind = 'submitted' and account = 'in_flight'`,
  },
  'balances equal the journal': {
    'a balance is a cent too much': `update ledger_balances set cents = cents + 1 where account = 'pledged'`,
    'a balance is lost': `delete from ledger_balances where account = 'club_payable'`,
    'a transfer is booked past the balances': `
      insert into ledger_entries select supporter_id, 'donation', supporter_id, leg.account, leg.cents, club_id, '2026-11-25'
      from supporters cross join (values ('pledged'::ledger_account, 5), ('promised', -5)) as leg (account, cents)`,
  },
  'closed balances equal the journal': {
    'one was closed a cent too high': `update ledger_balances set closed_cents = closed_cents + 1 where closed_until is not null`,
    'something is booked on a closed day': `update ledger_entries set booked_on = '2026-05-07' where account = 'in_flight'`,
  },
  'no account below zero': {
    'more is taken from the set-aside than is in it': `update ledger_balances set cents = -1 where account = 'savings_payable'`,
  },
  'journals are append-only': {
    'the guard is off': 'alter table ledger_entries disable trigger ledger_append_only',
    'the guard is gone': 'drop trigger audit_log_append_only on audit_log',
    'the guard of agreed wordings is off':
      'alter table direct_debit_texts disable trigger direct_debit_texts_append_only',
    'the guard of a partition is off': 'alter table audit_log_default disable trigger audit_log_chained',
  },
  'what is recorded is pledged': {
    'a round-up is recorded and not booked': `
      delete from ledger_entries where kind = 'recorded' and supporter_id = (select supporter_id from round_ups limit 1)`,
    'a round-up is changed afterwards':
      'update round_ups set counted_cents = counted_cents - 1 where counted_cents > 1',
  },
  'each round-up in at most one debit': {
    'a debit covers what another one covers': copyOfADebit,
  },
  'no round-up is passed over': {
    'a debit starts later than it should':
      'update debits set first_seq = first_seq + 1, last_seq = last_seq + 1 where first_seq = 1 and deferrals = 0',
  },
  'each debit equals its round-ups less its refunds': {
    'a debit asks for a cent too much': `update debits set amount_cents = amount_cents + 1 where kind = 'round-up'`,
  },
  'each failed debit is re-presented at most once': {
    'a failed debit is forgotten although its amount was asked for': 'update debits set represented_by = null',
    'what failed twice is asked for once':
      'update debits set represented_cents = represented_cents + 1, amount_cents = amount_cents + 1 where represented_cents > 0',
  },
  'a closed account collects nothing': {
    'it still has an account to debit': `update accounts set is_funding = true where supporter_id in (
        select supporter_id from supporters where closed_on is not null)`,
    'somebody is closed and a debit of theirs still planned': `update supporters set closed_on = '2026-11-25' where supporter_id in (
        select supporter_id from debits where state = 'planned')`,
    'somebody was debited after they had closed': `update supporters set closed_on = '2026-11-01' where supporter_id in (
        select supporter_id from debits where state = 'cleared' and kind = 'round-up')`,
  },
  'what has waited three runs is dropped, once, and nothing else': {
    'what is overdue is kept': 'update debits set dropped_on = null where deferrals >= 3 and dropped_on is not null',
    'the drop is not booked': `
      delete from ledger_entries entry where kind = 'dropped' and exists (
        select from debits where debits.supporter_id = entry.supporter_id and debits.id = source)`,
    'what has waited twice is dropped': 'update debits set deferrals = 2 where deferrals = 3',
  },
  'a debit that waited was never asked for': {
    'a debit waits although the provider has it': `update debits set state = 'deferred', deferred_because = 'below floor', deferrals = 1 where state = 'submitted'`,
    'it waits and no run is counted': `update debits set deferrals = 0 where state = 'deferred' and deferrals = 1`,
  },
  'only what failed is re-presented': {
    'a cleared debit is asked for again': `update debits set state = 'cleared' where represented_by is not null`,
  },
  'deleted round-ups are what their debits asked for': {
    'a debit of deleted round-ups is a cent too much': `
      update debits set amount_cents = amount_cents + 1 where supporter_id in (select supporter_id from bank_data_deletions)`,
    'the record of a deletion says less than there was':
      'update bank_data_deletions set debited_cents = debited_cents - 1',
  },
  'what a deletion or an ended campaign dropped is booked, and was never collected': {
    'a campaign drops a cent more than was waiting': 'update campaign_drops set counted_cents = counted_cents + 1',
    'what a campaign dropped is not booked': `
      delete from ledger_entries where kind = 'dropped' and source in (select id from campaign_drops)`,
    'more is dropped than was waiting': 'update bank_data_deletions set dropped_cents = dropped_cents + 1',
    'the drop is not booked': `delete from ledger_entries where kind = 'dropped'`,
    'a debit is dropped that no deletion knows': `update debits set dropped_on = '2026-11-25' where state = 'returned'`,
  },
  'each refund is taken off one debit': {
    'a refund is taken off and still waits': 'update purchase_refunds set taken_off_by = null',
    'more is taken off than was refunded': `
      update debits set refunds_cents = refunds_cents + 1, amount_cents = amount_cents - 1 where refunds_cents > 0`,
    'it is taken off a debit that does not exist':
      'update purchase_refunds set taken_off_by = supporter_id where taken_off_by is not null',
  },
  'each refund pays its purchase back': {
    'it takes off more than the purchase had given': 'update purchase_refunds set cents = cents + 1',
    'it comes too late': 'update purchase_refunds set posted_on = posted_on + 61',
    'its purchase is not there': 'update purchase_refunds set round_up_seq = round_up_seq + 1000',
  },
  'each run has asked for its debits': {
    'a debit was put into a run afterwards': copyOfADebit,
    'a debit was taken out of its run': `delete from debits where id = (select id from debits where kind = 'round-up' limit 1)`,
    'a run forgot what it asked for': 'update debit_runs set cents = cents - 1',
  },
  'no week above its limit': {
    'the round-up that crosses the limit is not cut':
      'update round_ups set counted_cents = raw_cents where limit_cents > 0',
  },
  'each state is booked with its amounts': {
    'a debit is called cleared and nothing is booked': `update debits set state = 'cleared' where state = 'submitted'`,
    'clearing is booked twice over': `update ledger_entries set cents = cents * 2 where kind = 'cleared'`,
    'the halves of club and savings are swapped by a cent': `
      update ledger_entries entry set cents = cents + case account when 'club_payable' then 1 else -1 end
      where kind = 'cleared' and account in ('club_payable', 'savings_payable')
        and exists (select from debits where debits.supporter_id = entry.supporter_id and debits.id = entry.source and savings_cents > 0)`,
    'a transfer belongs to no debit': `update ledger_entries set source = supporter_id where kind = 'returned'`,
  },
  'what was asked for is with the club, set aside, in flight or returned': {
    'money in flight vanished': `update ledger_balances set cents = 0 where account = 'in_flight'`,
    'cash is not what was kept': `update ledger_balances set cents = cents - 1 where account = 'cash'`,
    'a debit came back and its money stayed': `update debits set state = 'reversed' where state = 'cleared'`,
  },
  'no more is given back of a debit than it took': {
    'a refund is a cent too much': `update repayments set amount_cents = (select amount_cents + 1 from debits where debits.id = debit_id) where state = 'cleared'`,
    'a debit that never cleared is given back': `update debits set state = 'returned' where id in (select debit_id from repayments where state = 'cleared')`,
  },
  'each repayment is booked as its state says': {
    'a refund came back and was not booked back': `update repayments set state = 'returned' where state = 'cleared'`,
    'a refund that was claimed besides is the club’s loss': `update ledger_entries set account = 'club_payable' where account = 'receivable_from_payer' and kind <> 'reversed'`,
    'a refund is not booked': `delete from ledger_entries where kind = 'repayment_planned'`,
  },
  'what was set aside is there, on its way or deposited': {
    'a cent of the set-aside is lost': `update ledger_balances set cents = cents - 1 where account = 'savings_payable'`,
    'a deposit took more than there was': `update ledger_balances set cents = cents + 1 where account = 'savings_deposited'`,
    'what is to be recovered is forgotten': `delete from ledger_balances where account = 'savings_recoverable'`,
  },
  'deposits are what is on its way or has arrived': {
    'a deposit is for a cent too much': `update deposits set amount_cents = amount_cents + 1 where state = 'cleared'`,
    'a deposit is forgotten': `delete from deposits where state = 'cleared'`,
    'a deposit in flight is taken for one that arrived': `update deposits set state = 'submitted' where state = 'cleared'`,
  },
  'each deposit is booked as its state says': {
    'a deposit came back and was not booked back': `update deposits set state = 'returned' where state = 'reversed'`,
    'a refused deposit is not booked back': `delete from ledger_entries where kind = 'deposit_refused'`,
    'a deposit is booked under another id': `update ledger_entries set source = supporter_id where kind = 'deposit_planned'`,
  },
  'nothing is set aside while something is to be recovered': {
    'both are owed at once': `
      insert into ledger_balances select supporter_id, 'savings_payable', 5 from ledger_balances
      where account = 'savings_recoverable' and cents > 0
      on conflict (supporter_id, account) do update set cents = 5`,
  },
  'a changed savings account receives nothing before its day': {
    'a deposit goes to a changed account at once': `
      update savings_accounts set receives_from = '2027-01-01' where receives_from is not null`,
  },
  'platform transfers sum to zero': {
    'a leg is lost': `delete from platform_entries where account = 'owed_to_clubs' and kind = 'day_closed'`,
    'a leg is a cent too much': `update platform_entries set cents = cents + 1 where account = 'provider_float'`,
  },
  'platform balances equal their journal': {
    'a balance is a cent too much': `update platform_balances set cents = cents + 1 where account = 'owed_to_clubs'`,
    'a balance is lost': `delete from platform_balances where account = 'receivable_from_club'`,
  },
  'trust account and provider hold what is owed less named shortfalls': {
    'money is gone': `update platform_balances set cents = cents - 100 where account = 'provider_float'`,
    'a shortfall is not named': `update platform_balances set cents = 0 where account = 'receivable_from_club'`,
  },
  'each closed day is in the books of the platform': {
    'a payment is booked on a day that is closed': `
      insert into ledger_entries select supporter_id, 'cleared', uuidv7(), leg.account, leg.cents, club_id, '2026-11-25'
      from supporters cross join (values ('cash'::ledger_account, 5), ('club_payable', -5)) as leg (account, cents) limit 2`,
    'a closed day is forgotten': `delete from platform_entries where kind = 'day_closed'`,
  },
  'each club below zero is a receivable': {
    'a receivable is forgotten': `delete from platform_balances where account = 'receivable_from_club'`,
    'a club owes a cent less than it was overpaid': `update platform_balances set cents = cents - 1 where account = 'receivable_from_club'`,
  },
  'each correction of a club is in the books of the platform': {
    'a correction is booked for the club alone': `delete from platform_entries where kind = 'correction'`,
    'a correction is booked for the platform alone': `delete from club_entries where kind = 'corrected'`,
  },
  'each line of a bank statement is booked, and in suspense until it is matched': {
    'a line is forgotten': 'delete from bank_statement_lines',
    'a line is not booked': `delete from platform_entries where kind = 'statement_line'`,
    'a matched line stays in suspense': `delete from platform_entries where kind = 'statement_line_matched'`,
    'a line is a cent more than the bank said': 'update bank_statement_lines set cents = cents + 1',
  },
  'each matched line is its payment': {
    'a line is matched with a payment of another amount': `update bank_statement_lines set cents = cents - 1 where matched_kind = 'payout'`,
    'a settlement shrinks afterwards': 'update provider_settlements set cents = cents - 1',
  },
  'no receivable of the platform and nothing it owes is below zero': {
    'more was paid to savers than was theirs': `update platform_balances set cents = -1 where account = 'owed_to_savers'`,
  },
  'a parked payment is being submitted and has no answer': {
    'a debit that cleared stays parked': `update debits set parked_at = now() where state = 'cleared'`,
    'the provider has it': `update debits set provider_ref = 'PR.parked' where parked_at is not null`,
    'a planned debit is parked': `update debits set parked_at = now(), unknown_since = now() where state = 'planned'`,
    'nobody knows since when': 'update debits set unknown_since = null where parked_at is not null',
  },
  'each receipt is the bytes it was issued as': {
    'the bytes were changed': `${withoutReceiptChecks} update receipts set pdf = pdf || ' '`,
    'the hash was changed': `${withoutReceiptChecks} update receipts set pdf_sha256 = sha256('another text')`,
  },
  'receipt numbers are unique and have no gap': {
    'a receipt is lost': 'delete from receipts where seq = 1',
    'two have one number': `update receipts set number = 'the same'`,
  },
  'each receipt adds up to the journal': {
    'a receipt says a cent too much': 'update receipts set total_cents = total_cents + 1',
    'one of its lines is lost': `update receipts set facts = facts #- '{clubs,0,lines,0}'`,
    'something is booked in its month afterwards': `update ledger_entries set booked_on = '2026-05-31' where account = 'club_payable' and booked_on = '2026-10-07'`,
  },
  'each payment is one of the provider': {
    'a debit is submitted without a reference': `update debits set provider_ref = null where state = 'submitted'`,
  },
  'each remittance sent is one of the provider': {
    'a remittance is on its way without a reference': `update remittances set provider_ref = null where state = 'submitted'`,
    'a remittance that arrived stays parked': `update remittances set parked_at = now() where state = 'cleared'`,
  },
  'no two payments share a reference of the provider': {
    'a deposit and a debit claim the same payment': `
      update deposits set provider_ref = (select provider_ref from debits where provider_ref is not null limit 1) where state = 'cleared'`,
    'two debits claim the same payment': `update debits set provider_ref = 'PR.1' where state in ('submitted', 'cleared')`,
  },
  'each entry of the audit log is as it was written': {
    'a row was changed': `update audit_log set details = details || '{"code": 1}'`,
    'a row was dated back': `update audit_log set at = at - interval '1 microsecond'`,
    'a row was removed': 'delete from audit_log where id = (select id from audit_log order by id limit 1)',
    'a row was slipped in': `
      insert into audit_log (supporter_id, at, actor, action) select supporter_id, at, actor, 'agreed' from audit_log limit 1`,
  },
  'each chain of the audit log is whole': {
    'a row was removed together with its link': removedFromAuditLog(1),
    'the tail was cut off': removedFromAuditLog(2),
    'a whole chain was removed': removedFromAuditLog(1) + removedFromAuditLog(2),
    'a row was changed and its own link with it': `
      update audit_links set hash = sha256('another content') where seq = 1`,
    'the head is lost': 'delete from audit_heads',
  },
  'a closed account has nobody who can sign in': {
    'the user of a closed account is there again': `
      insert into identity.users (uid, email, password_hash, valid_since)
      select uid, uid || '@example.com', '-', 0 from supporters where closed_on is not null limit 1;
      insert into timetable_runs (task, due_at, finished_at)
      select 'consent-run', max(closed_on) + interval '2 days', now() from supporters;`,
  },
  'an open account has somebody who can sign in': {
    'a user is removed and the account stays open': `
      delete from identity.users where uid = (select uid from supporters where closed_on is null limit 1)`,
  },
  'an open account has the address of its identity user': {
    'a changed address is not followed': `update identity.users set email = 'changed.' || email`,
    'a supporter has somebody else’s address': `
      update supporters set email = 'other@example.com'
      where supporter_id = (select supporter_id from supporters where closed_on is null limit 1)`,
  },
  ...clubMutations,
};
