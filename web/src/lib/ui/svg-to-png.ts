/** A drawing in pixels. */

/** Pixels for each unit of a picture: as `preau picture` has it. */
const SCALE = 2;

export const asDataUrl = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

export async function svgToPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = asDataUrl(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("the browser made no picture"))), "image/png"),
  );
}
