-- Rounds of deliveries begin with the endpoint that was called longest ago.
alter table webhook_endpoints add column called_at timestamptz; -- by the machine's clock; null: never
