import { type TenantTheme, tenantColours } from '@sparechange/domain/tenant-colours';

export function paintTenant(root: HTMLElement, settings: { theme: TenantTheme }): void {
  for (const [name, colour] of Object.entries(tenantColours(settings))) root.style.setProperty(name, colour);
}
