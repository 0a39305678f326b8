-- Where the provider keeps our account, each debit is a line of it, and not one sum a day.

alter table bank_statement_lines drop constraint bank_statement_lines_matched_kind_check;
alter table bank_statement_lines add constraint bank_statement_lines_matched_kind_check
  check (matched_kind in ('settlement', 'collection', 'payout', 'payout_returned', 'claim', 'by_hand')) not valid;
