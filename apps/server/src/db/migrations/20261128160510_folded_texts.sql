-- Returns the form in which texts are compared by a search, as `folded` of packages/domain/src/folded.ts does: lower case, without
-- accents and apostrophes, a space for a dash. Case is that of Unicode, whatever the database's own collation; plain letters,
-- most of what is searched, are spared the long way.
create function folded(written text) returns text language sql immutable parallel safe strict as $$
  select case when octet_length(written) = length(written) then translate(lower(written), '-''`', ' ')
    else translate(replace(replace(replace(replace(
      lower(regexp_replace(normalize(translate(written, '''`´ʹʻʼˈ‘’‛′＇', ''), NFKD), '[\u0300-\u036f]', '', 'g')
        collate "pg_c_utf8"),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      'øłđðħıŧŋς-‐‑‒–—―−', 'olddhitnσ        ')
  end
$$;
