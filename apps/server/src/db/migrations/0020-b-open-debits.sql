-- Finds the debits that are open at the provider without reading the settled ones: counted each settlement, and the oldest are followed up.
create index debits_open on debits (submitting_at) where state in ('submitting', 'submitted');
