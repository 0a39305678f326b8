-- Addresses are kept in the composed form of their letters from here on (NFC). Where both forms have an account, the older row
-- stays as it is: nobody is given somebody else's.

-- safe: hardly any address has letters beyond ASCII, and fewer in another form
update identity.addresses set email = normalize(email, NFC)
where email is not nfc normalized
  and not exists (select from identity.addresses other where other.email = normalize(addresses.email, NFC));
-- safe: the same few
update identity.users set email = normalize(email, NFC)
where email is not nfc normalized
  and exists (select from identity.addresses own where own.uid = users.uid and own.email = normalize(users.email, NFC));
-- safe: the same few
update supporters set email = normalize(email, NFC) where email is not nfc normalized;
