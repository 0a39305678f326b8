-- While it is set nothing is delivered; events are kept.
alter table webhook_endpoints add column paused_at timestamptz;
