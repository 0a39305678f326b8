-- Until when the supporter's banks have sent data of the tracked accounts, the bank that is furthest behind deciding: the
-- next look begins before that (docs/decisions/0031), and the supporter is told of it. What was taken for it was when we
-- last asked, which is another thing: the provider also answers for a bank that no longer lets itself be asked.
alter table supporters add column bank_data_at timestamptz;
update supporters set bank_data_at = synced_at;
