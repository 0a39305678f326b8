import type { Db } from '#world/database.ts';
import type { Contact } from './contacts.ts';

export interface ArmedReturn {
  code: number;
  isLate: number;
}

/** `payer` is a contact id or an e-mail address. The next debit of that payer, or deposit to them, comes back. */
export function armReturn(db: Db, payer: string, kind: 'debit' | 'deposit', code: number, isLate: boolean): void {
  db.run(
    'insert into armed_returns (payer, kind, code, is_late) values (?, ?, ?, ?)',
    payer.toLowerCase(),
    kind,
    code,
    isLate ? 1 : 0,
  );
}

export const takeArmedReturn = (db: Db, { id, email }: Contact, kind: 'debit' | 'deposit'): ArmedReturn | undefined =>
  db.find<ArmedReturn>(
    `delete from armed_returns where id = (select min(id) from armed_returns where payer in (?, ?) and kind = ?)
     returning code, is_late as isLate`,
    id.toLowerCase(),
    email.toLowerCase(),
    kind,
  );
