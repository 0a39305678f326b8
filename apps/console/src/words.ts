import type { PersonStatus, Role } from '@sparechange/contract/console';

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  finance: 'Finance',
  support: 'Support',
  viewer: 'Viewer',
  treasurer: 'Treasurer',
};

export const rolesInWords: Record<Role, string> = {
  owner: 'everything, people and settings included',
  finance: 'money, runs and reconciliation',
  support: 'supporters, with bank data masked',
  viewer: 'figures without persons',
  treasurer: 'their own club or clubs',
};

export const statusNames: Record<PersonStatus, string> = {
  invited: 'Invited',
  active: 'Active',
  removed: 'Removed',
};

const instants = new Intl.DateTimeFormat('en-AU', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Australia/Sydney',
});

/** "23 Nov 2026, 10:15 am", in Sydney. */
export const instantInWords = (instant: string): string => instants.format(new Date(instant));

/** The console's own acts, by their code in the audit log; those of others are words already. */
export const actsInWords: Record<string, string> = {
  'console signIn': 'Signed in',
  'console signOut': 'Signed out',
  'console signOutEverywhere': 'Signed out everywhere',
  'console confirmWithCode': 'Confirmed with a code',
  'console addPasskey': 'Added a passkey',
  'console removePasskey': 'Removed a passkey',
  'console setPassword': 'Set a password and an authenticator',
  'console invitePerson': 'Invited somebody',
  'console inviteAgain': 'Mailed an invitation again',
  'console setRoles': 'Changed roles',
  'console recoverPerson': 'Recovered a sign-in',
  'console removePerson': 'Removed somebody',
};
