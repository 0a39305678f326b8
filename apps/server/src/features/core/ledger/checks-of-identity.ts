import { type Checks, type Finding, ofControl, type Rows } from './check.ts';

const openAccounts: Rows = {
  columns: 'supporter_id uuid, uid text, email text',
  select: (bucket) => bucket`select supporter_id, uid, email from supporters where closed_on is null`,
};

const closedAccounts: Rows = {
  columns: 'supporter_id uuid, uid text, closed_on date',
  select: (bucket) => bucket`select supporter_id, uid, closed_on from supporters where closed_on is not null`,
};

/** Invariants between supporters and users of the embedded identity service. */
export const checksOfIdentity = ofControl({
  'an open account has somebody who can sign in': {
    reported: openAccounts,
    find: (db) => db<Finding[]>`
      with open as (
        select supporter_id, exists (select from identity.users where users.uid = account.uid) as has_user
        from reported_by_buckets account
      )
      select null as violation, count(*) as checked from open
      union all select format('supporter %s is open and has no identity user', supporter_id), 0 from open where not has_user`,
  },

  'a closed account has nobody who can sign in': {
    reported: closedAccounts,
    find: (db) => db<Finding[]>`
      with closed as ( -- whoever could not be removed at once is tried again by the consent run
        select supporter_id, exists (select from identity.users where users.uid = account.uid)
          and exists (select from timetable_runs where task = 'consent-run' and finished_at is not null
            and closed_on < (due_at at time zone 'Australia/Sydney')::date) as has_user
        from reported_by_buckets account
      )
      select null as violation, count(*) as checked from closed
      union all select format('supporter %s is closed and has an identity user', supporter_id), 0 from closed where has_user`,
  },

  'an open account has the address of its identity user': {
    reported: openAccounts,
    find: (db) => db<Finding[]>`
      with open as (
        select supporter_id, lower(account.email) = lower(users.email)
          or exists (select from identity.address_changes change
            where change.uid = account.uid and noted_at > now() - interval '1 hour') as is_same -- or will be soon
        from reported_by_buckets account join identity.users using (uid)
      )
      select null as violation, count(*) as checked from open
      union all select format('supporter %s has another address than their identity user', supporter_id), 0
      from open where not is_same`,
  },
});

/** Returns invariants of our own users; another service keeps its own. */
export const identityChecksFor = (hasOwnUsers: boolean): Checks => (hasOwnUsers ? checksOfIdentity : {});
