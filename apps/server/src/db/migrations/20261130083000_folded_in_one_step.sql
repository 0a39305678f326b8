-- A character that decomposes into an apostrophe, as the full-width grave accent does, loses it in the same step.
create or replace function folded(written text) returns text language sql immutable parallel safe strict as $$
  select case when octet_length(written) = length(written) then translate(lower(written), '-''`', ' ')
    else translate(replace(replace(replace(replace(
      lower(regexp_replace(
        translate(normalize(translate(written, '''`´ʹʻʼˈ‘’‛′＇', ''), NFKD), '''`ʹʼ′', ''),
        '[\u0300-\u036f]', '', 'g') collate "pg_c_utf8"),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      'øłđðħıŧŋς-‐‑‒–—―−', 'olddhitnσ        ')
  end
$$;
