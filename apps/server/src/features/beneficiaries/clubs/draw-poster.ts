import type { PosterFormat } from '@sparechange/contract/console';
import { clubPlace } from '@sparechange/domain/club-place';
import type { DocumentPrinter } from '#documents/document-printer.ts';
import { drawPng } from '#documents/draw-picture.ts';
import { qrCodeSvg } from '#documents/qr-code.ts';
import { clubPicture, shareSvg } from '#documents/share-picture.ts';
import { Refusal } from '#errors.ts';
import { tenantOrDefault } from '#tenants/load-tenants.ts';
import { type Brands, homeOf } from './club-pages.ts';
import type { PublicClub } from './club-repository.ts';

export interface PosterDeps extends Brands {
  printer: DocumentPrinter;
  mainTenant: string;
}

/** Pixels per module of the code in a picture: enough for a banner. */
const pixels = 32;

/** Returns the address in the code of a poster. */
export function posterAddress(brands: Brands, club: PublicClub): string {
  const { address } = homeOf(brands, club);
  address.search = '?efg=1&u=poster';
  return address.href;
}

/** Returns a club's poster in the colours of its home brand, its QR code, or the picture that its shared link shows. */
export async function drawPoster(
  deps: PosterDeps,
  club: PublicClub,
  format: PosterFormat,
): Promise<string | Uint8Array> {
  const address = posterAddress(deps, club);
  if (format === 'svg') return qrCodeSvg(address);
  if (format === 'png') return drawPng(qrCodeSvg(address, pixels));
  if (format === 'shared') return drawShared(deps, club);
  const { printer, tenants, mainTenant } = deps;
  const { tenant } = homeOf(deps, club);
  const poster = {
    theme: tenant.theme,
    logo: await printer.logo(tenant.logoURL),
    mark: tenant.logoURLDashboard.endsWith(`/${club.logo}`) ? undefined : await printer.logo(club.logo),
    club: club.name,
    place: clubPlace(club),
    address,
    brand: tenant.name,
    provider: tenantOrDefault(tenants, mainTenant).name,
  };
  return format === 'preview' ? printer.posterPicture(poster) : printer.poster(poster);
}

/** Draws the picture that a club's shared link shows, and without logos where these cannot be drawn. */
async function drawShared({ printer, ...brands }: PosterDeps, club: PublicClub): Promise<Uint8Array> {
  const { theme, logoURL } = homeOf(brands, club).tenant;
  const readLogo = (name: string | null) => printer.logo(name);
  const picture = await clubPicture({ theme, logoURL, readLogo, club: { ...club, logoURL: club.logo } });
  try {
    return await drawPng(shareSvg(picture));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return drawPng(shareSvg({ ...picture, logo: undefined, mark: undefined }));
  }
}
