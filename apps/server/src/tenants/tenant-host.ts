/**
 * The tenant key in a host name (docs/rules.md#tenant-of-a-host). `provider-domain`: the first label of a host of three or more labels
 * under the provider's domain. `product-host`: the first label of the product's own host name. Else `default`.
 */
export function tenantKeyOf(host: string, rule: 'provider-domain' | 'product-host', productDomain: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  const labels = name.split('.');
  const [first] = labels;
  if (!first) return 'default';
  if (rule === 'product-host') return name === productDomain ? first : 'default';
  return labels.length >= 3 && name.endsWith(`.${productDomain}`) ? first : 'default';
}
