import {
  type ConsoleOperation,
  changeBankDetails,
  choosePeopleNeeded,
  correctLedger,
  createApiKey,
  invitePerson,
  matchStatementLine,
  type Permitted,
  refundPayment,
  refusalOfCall,
  resumeTenant,
  rotateApiKey,
  runDebits,
  setRoles,
  writeOffClub,
} from '@sparechange/contract/console';
import type { ActName } from './act-names.ts';

/** Calls by which people of the console request an act. */
const calls: Record<ActName, ConsoleOperation[]> = {
  debit_run: [runDebits],
  tenant_resume: [resumeTenant],
  refund: [refundPayment],
  write_off: [writeOffClub],
  ledger_correction: [correctLedger],
  statement_line_match: [matchStatementLine],
  api_key: [createApiKey],
  api_key_rotation: [rotateApiKey],
  club_bank_details: [changeBankDetails],
  console_roles: [invitePerson, setRoles],
  one_person: [choosePeopleNeeded],
};

/** Returns whether somebody with these roles may request an act, for its club if it has one. */
export function mayAskFor(act: ActName, person: Omit<Permitted, 'isByLink'>, clubId: string | undefined): boolean {
  const permitted = { ...person, isByLink: false };
  return calls[act].some(
    (call) => !refusalOfCall(call, permitted, call.clubField === undefined ? {} : { [call.clubField]: clubId }),
  );
}
