-- A session may end before its time: its person signed out. The row stays for a while, so that its refresh token is
-- answered as an ended session and not as an unknown one.
alter table identity.sessions add column ended_at timestamptz;

-- A hand-off dies with the session that asked for it: with its end, and with whatever ends every session of its user.
-- The challenge is set by the browser that will redeem the code; without one a code opens nothing.
alter table identity.handoffs
  add column since bigint not null default 0,
  add column session_hash bytea,
  add column challenge bytea;
alter table identity.handoffs alter column since drop default;

-- Sign-ins at a provider that is not ours which a supporter has ended here. Every token of a sign-in carries its second.
create table ended_sign_ins (
  supporter_id uuid not null,
  auth_time bigint not null,
  and_earlier boolean not null,
  ended_at timestamptz not null,
  primary key (supporter_id, auth_time, and_earlier)
);
