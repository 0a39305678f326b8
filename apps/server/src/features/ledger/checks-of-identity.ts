import type { Checks, Finding } from './check.ts';

/** Invariants between supporters and users of the embedded identity service. */
export const checksOfIdentity: Checks = {
  'an open account has somebody who can sign in': (db) => db<Finding[]>`
    with open as (
      select supporter_id, exists (select from identity.users where users.uid = supporters.uid) as has_user
      from supporters where closed_on is null
    )
    select null as violation, count(*) as checked from open
    union all select format('supporter %s is open and has no identity user', supporter_id), 0 from open where not has_user`,

  'an open account has the address of its identity user': (db) => db<Finding[]>`
    with open as (
      select supporter_id, lower(supporters.email) = lower(users.email) as is_same
      from supporters join identity.users using (uid) where closed_on is null
    )
    select null as violation, count(*) as checked from open
    union all select format('supporter %s has another address than their identity user', supporter_id), 0
    from open where not is_same`,
};

/** Returns invariants of our own users; Firebase keeps its own. */
export const identityChecksFor = ({ firebase }: { firebase?: object | undefined }): Checks =>
  firebase ? {} : checksOfIdentity;
