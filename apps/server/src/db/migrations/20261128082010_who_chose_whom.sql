-- Who gave a treasurer their club, and who changed a club's contact in the last 30 days, as the audit log names them:
-- they do not agree to its other bank details (docs/decisions/0146-who-agrees-to-bank-details.md). Null before this was kept.
alter table operator_clubs add column granted_by text;
alter table clubs add column contact_changed_by text[];
