import type { PersonStatus, Role } from '@sparechange/contract/console';
import { shortDay, sydneyDay, withUnbrokenTime } from '@sparechange/domain';

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
  viewer: 'figures alone, and nobody’s details',
  treasurer: 'their own club or clubs',
};

/** "rovers.example.org": an address as people say it; its last slash would stand alone on a line. */
export const shownAddress = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** Returns words as the beginning of a line. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

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
export const instantInWords = (instant: string): string => withUnbrokenTime(instants.format(new Date(instant)));

/** "Mon 23 Nov", in Sydney. */
export const instantAsDay = (instant: string): string => shortDay(sydneyDay(new Date(instant)));

const moments = new Intl.DateTimeFormat('en-AU', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'Australia/Sydney',
});

/** "Mon 23 Nov, 10:15 am", in Sydney. */
export const momentInWords = (moment: Date): string =>
  withUnbrokenTime(moments.format(moment).replace(',', '').replace(' at ', ', '));
