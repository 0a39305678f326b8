-- Users whose new password the product has yet to confirm by mail, as it may keep supporters on another server.
create table identity.password_changes (
  uid text primary key,
  changed_at timestamptz not null default clock_timestamp()
);
