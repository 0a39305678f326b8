-- People of the organisation sign in by OpenID Connect, too (docs/decisions/0143).

alter table operator_challenges drop constraint operator_challenges_purpose_check;
alter table operator_challenges add constraint operator_challenges_purpose_check
  check (purpose in ('sign_in', 'passkey', 'password', 'openid')) not valid;
alter table operator_sessions drop constraint operator_sessions_method_check;
alter table operator_sessions add constraint operator_sessions_method_check
  check (method in ('passkey', 'password', 'link', 'openid')) not valid;
