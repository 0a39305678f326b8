-- The request that made a supporter: a repeat of that very request after a lost answer is not a second registration.
alter table supporters add column registration_key text;
