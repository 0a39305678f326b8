-- When somebody who reads the mails of the address has shown it. Until then they carry no words of whoever registered.
alter table supporters add column email_proven_at timestamptz;
update supporters set email_proven_at = now()
  from identity.users where users.uid = supporters.uid and users.email = supporters.email and users.email_verified;
