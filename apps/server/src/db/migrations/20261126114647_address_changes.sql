-- Users whose new address the product has yet to follow, which may keep supporters on another server.
create table identity.address_changes (
  uid text primary key,
  times int not null default 1 -- changes since it last followed
);
