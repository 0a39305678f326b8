import type { DocumentPrinter } from '#documents/document-printer.ts';
import { drawPng } from '#documents/draw-picture.ts';
import { qrCodeSvg } from '#documents/qr-code.ts';
import { tenantOrDefault } from '#tenants/load-tenants.ts';
import { type Brands, homeOf } from './club-pages.ts';
import type { PublicClub } from './club-repository.ts';

export interface PosterDeps extends Brands {
  printer: DocumentPrinter;
  mainTenant: string;
}

/** The whole A4 poster as PDF, or its code alone. */
export type PosterFormat = 'poster' | 'svg' | 'png';

/** Pixels per module of the code in a picture: enough for a banner. */
const pixels = 32;

/** Returns the address in the code of a poster. */
export function posterAddress(brands: Brands, club: PublicClub): string {
  const { address } = homeOf(brands, club);
  address.search = '?efg=1&u=poster';
  return address.href;
}

/** Returns a club's poster in the colours of its home brand, or its QR code. */
export async function drawPoster(
  deps: PosterDeps,
  club: PublicClub,
  format: PosterFormat,
): Promise<string | Uint8Array> {
  const address = posterAddress(deps, club);
  if (format === 'svg') return qrCodeSvg(address);
  if (format === 'png') return drawPng(qrCodeSvg(address, pixels));
  const { printer, tenants, mainTenant } = deps;
  const { tenant } = homeOf(deps, club);
  return printer.poster({
    theme: tenant.theme,
    logo: await printer.logo(tenant.logoURL),
    mark: tenant.logoURLDashboard.endsWith(`/${club.logo}`) ? undefined : await printer.logo(club.logo),
    club: club.name,
    place: [club.suburb, club.sport].filter((part) => part !== null).join(' · '),
    address,
    brand: tenant.name,
    provider: tenantOrDefault(tenants, mainTenant).name,
  });
}
