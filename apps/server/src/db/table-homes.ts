/** Tables of one hash range of supporters: each bucket has its own (docs/decisions/0106-buckets.md). */
export const bucketTables = [
  'account_aliases',
  'accounts',
  'bank_data_deletions',
  'campaign_drops',
  'confirmed_connections',
  'consent_links',
  'debit_holds',
  'debit_skips',
  'debits',
  'deposits',
  'ended_sign_ins',
  'holder_reviews',
  'ineligible_transactions',
  'ledger_balances',
  'ledger_entries',
  'mail_bounces',
  'mandates',
  'pauses',
  'purchase_refunds',
  'receipts',
  'repayments',
  'round_ups',
  'savings_accounts',
  'supporter_work',
  'supporters',
];

/** Tables that migrations made and later ones renamed or dropped. */
export const formerBucketTables = ['bank_pass_failures', 'debit_authorities', 'refunds'];

/** Small tables that buckets refer to: every server has its own copy (docs/decisions/0121-copies-for-buckets.md). */
export const referenceTables = ['closed_days', 'clubs', 'direct_debit_texts'];

/** Tables that each bucket has for its supporters, and control for clubs and operators. */
export const sharedTables = ['audit_checkpoints', 'audit_heads', 'audit_links', 'audit_log', 'mails'];

/** All others of `public`; those of the schemas `identity`, `direct_entry` and `pgboss` are control tables, too. */
export const controlTables = [
  'alarms',
  'api_keys',
  'approval_rule',
  'approvals',
  'bank_detail_changes',
  'bank_statement_lines',
  'bank_statements',
  'book_checks',
  'bucket_servers',
  'club_balances',
  'club_entries',
  'club_figures',
  'club_slugs',
  'debit_runs',
  'extra_closed_days',
  'mail_outages',
  'migrations',
  'notifications',
  'operator_challenges',
  'operator_clubs',
  'operator_links',
  'operator_passkeys',
  'operator_sessions',
  'operators',
  'platform_balances',
  'platform_entries',
  'poll_cursors',
  'product_clock',
  'provider_breakers',
  'provider_settlements',
  'rate_limits',
  'remittance_advices',
  'remittances',
  'suspended_tenants',
  'tenant_versions',
  'timetable_runs',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_events',
];
