import * as audit from './audit.ts';
import type { ConsoleOperation } from './operation.ts';
import * as people from './people.ts';
import * as session from './session.ts';

/** Every operation of the console. */
export const consoleOperations: readonly ConsoleOperation[] = [
  session.retrieveSession,
  session.beginPasskeySignIn,
  session.finishPasskeySignIn,
  session.signInWithPassword,
  session.requestSignInLink,
  session.signInWithLink,
  session.confirmWithCode,
  session.signOut,
  session.signOutEverywhere,
  session.retrieveSignIn,
  session.beginPasskey,
  session.addPasskey,
  session.removePasskey,
  session.beginPassword,
  session.setPassword,
  people.listPeople,
  people.invitePerson,
  people.inviteAgain,
  people.setRoles,
  people.recoverPerson,
  people.removePerson,
  people.findClubs,
  audit.listAuditEntries,
  audit.retrieveAuditState,
];
