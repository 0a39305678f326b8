-- Where an operator acts on an alarm: the console's page, and the arguments of the ops command that shows the same.
alter table alarms
  add column page text, -- null: its sentence says it, or there is nothing to look at
  add column reference text, -- of the payment, where the page is that of payments
  add column command text;
