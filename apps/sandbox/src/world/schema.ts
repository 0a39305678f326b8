/** Everything the sandbox remembers. What can be worked out from a CRN and a date (accounts, past purchases) is not stored. */
export const schema = `
create table if not exists settings (key text primary key, value text not null) strict;

create table if not exists scheduled_events (
  id integer primary key, due_at integer not null, kind text not null, payload text not null,
  unique (due_at, kind, payload)
) strict;
create index if not exists scheduled_events_due on scheduled_events (due_at, id);

create table if not exists users (
  id text primary key, email text, mobile text, first_name text not null, middle_name text not null,
  last_name text not null, business text not null, created_at integer not null
) strict;
create index if not exists users_email on users (lower(email));

create table if not exists auth_links (
  user_id text primary key, id text not null, mobile text not null, expires_at integer not null
) strict;

create table if not exists consents (
  id text primary key, user_id text not null, status text not null, created_at integer not null,
  updated_at integer not null, expires_at integer not null, revoked_at integer
) strict;
create index if not exists consents_user on consents (user_id, created_at);

create table if not exists connections (
  id text primary key, user_id text not null, institution text not null, crn text not null, status text not null,
  created_at integer not null, expires_at integer not null, last_used_at integer not null,
  pending_issue integer not null default 0, posted_issue integer not null default 0
) strict;
create index if not exists connections_user on connections (user_id, created_at);
create index if not exists connections_customer on connections (institution, crn);

create table if not exists shared_accounts (
  connection_id text not null, position integer not null, primary key (connection_id, position)
) strict;

create table if not exists jobs (
  id text primary key, user_id text not null, connection_id text not null, institution text not null,
  crn text not null, created_at integer not null, updated_at integer not null, is_open integer not null, steps text not null
) strict;
create index if not exists jobs_user on jobs (user_id, created_at);
create index if not exists jobs_connection on jobs (connection_id, created_at);

create table if not exists job_plans (
  user_id text not null, job_id text unique, plan text not null -- the user's next job takes the plan that has none yet
) strict;
create index if not exists job_plans_user on job_plans (user_id);

create table if not exists refreshes (connection_id text not null, at integer not null) strict;
create index if not exists refreshes_connection on refreshes (connection_id, at);

create table if not exists bank_accounts (
  bsb text not null, number text not null, institution text not null, crn text not null, position integer not null,
  primary key (bsb, number)
) strict;

create table if not exists postings (
  id integer primary key, institution text not null, crn text not null, position integer not null,
  purchased_on text not null, posted_on text not null, visible_at integer not null, posts_at integer not null,
  cents integer not null, currency text not null, class text not null, description text not null
) strict;
create index if not exists postings_account on postings (institution, crn, position, posted_on, id);

create table if not exists reported_balances (
  institution text not null, crn text not null, position integer not null, cents integer not null,
  primary key (institution, crn, position)
) strict;

create table if not exists visits (
  id text primary key, user_id text not null, action text not null, state text, step text not null,
  institution text, crn text, code text, job_ids text not null, created_at integer not null
) strict;

create table if not exists events (
  id text primary key, created_at integer not null, entity text not null, event_type text not null,
  user_id text not null, data_ref text not null, data text not null
) strict;
create index if not exists events_created on events (created_at);
create index if not exists events_user on events (user_id, created_at);

create table if not exists subscriptions (
  id text primary key, provider text not null, name text not null, description text not null, url text not null,
  secret text not null, event_types text not null, created_at integer not null
) strict;

create table if not exists messages (
  number integer primary key, id text not null unique, provider text not null, subscription_id text not null,
  event_type text not null, event_id text not null, body text not null, state text not null,
  attempts text not null, created_at integer not null, next_attempt_at integer not null
) strict;
create index if not exists messages_due on messages (state, next_attempt_at, number);
create index if not exists messages_subscription on messages (subscription_id, number);

create table if not exists contacts (
  id text primary key, ref text not null, name text not null, email text not null, bank_account_id text not null,
  branch_code text not null, account_number text not null, metadata text not null, is_removed integer not null,
  created_at integer not null
) strict;
create index if not exists contacts_email on contacts (email);

create table if not exists agreements (
  ref text primary key, authoriser_id text not null, contact_id text not null, status text not null,
  terms text not null, metadata text not null, created_at integer not null, responded_at integer not null
) strict;
create index if not exists agreements_contact on agreements (contact_id, status);

create table if not exists payment_requests (
  number integer primary key, ref text not null unique, idempotency_key text not null, contact_id text not null,
  amount integer not null, description text not null, metadata text not null, status text not null,
  matures_at integer not null, created_at integer not null, credit_ref text not null, return_code integer, is_late integer not null
) strict;
create index if not exists payment_requests_credit on payment_requests (credit_ref);
create index if not exists payment_requests_contact on payment_requests (contact_id, created_at);

create table if not exists payouts (
  number integer primary key, ref text not null unique, idempotency_key text not null, contact_id text not null,
  amount integer not null, batch_description text not null, description text not null, channels text not null,
  metadata text not null, payout_metadata text not null, matures_at integer not null, created_at integer not null,
  debit_ref text not null, return_code integer
) strict;
create index if not exists payouts_debit on payouts (debit_ref);

create table if not exists transactions (
  number integer primary key, ref text not null unique, pair_ref text not null, parent_ref text, side text not null,
  type text not null, category text not null, contact_id text not null, amount integer not null, description text,
  metadata text not null, channels text not null, current_channel text not null, bank_account_id text not null,
  bank_ref text, status text not null, status_changed_at integer not null, created_at integer not null,
  matures_at integer not null, cleared_at integer, clears_at integer, failure_code text, reversal text
) strict;
create index if not exists transactions_due on transactions (matures_at) where status = 'maturing';
create index if not exists transactions_clearing on transactions (clears_at) where status = 'clearing';
create index if not exists transactions_changed on transactions (status_changed_at, side, type, status, category, created_at);
create index if not exists transactions_created on transactions (created_at, side, type, status, category, status_changed_at);
create index if not exists transactions_parent on transactions (parent_ref);
create index if not exists transactions_pair on transactions (pair_ref);
create index if not exists transactions_contact on transactions (contact_id, status);

create table if not exists idempotency_keys (
  key text primary key, resource_ref text not null, created_at integer not null
) strict;

create table if not exists forced_returns (
  id integer primary key, payer text not null, kind text not null, code integer not null, is_late integer not null
) strict;
create index if not exists forced_returns_payer on forced_returns (payer, kind);

create table if not exists float_adjustments (
  id integer primary key, at integer not null, cents integer not null, description text not null
) strict;

create table if not exists faults (id integer primary key, fault text not null) strict;

create table if not exists mails (
  id integer primary key, recipient text not null, sender text not null, subject text not null, text text not null,
  html text not null, received_at integer not null
) strict;
create index if not exists mails_recipient on mails (recipient, id);
`;

export const tables = [...schema.matchAll(/create table if not exists (\w+)/g)].map(([, name]) => String(name));
