/**
 * A file of Python, which a site of files has gzipped: unpacked, and with a type that browsers want for what they compile.
 * Some hosts say by the name that a file is packed, and browsers unpack it on its way; what is kept unpacked says the same.
 */
export function unpacked(address: string, response: Response, body: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  if (!address.endsWith(".gz")) return new Response(body, { headers: response.headers });
  const type = address.endsWith(".wasm.gz") ? "application/wasm" : "application/octet-stream";
  const rest = isUnpacked(response) ? body : body.pipeThrough<Uint8Array<ArrayBuffer>>(new DecompressionStream("gzip"));
  return new Response(rest, { headers: { "Content-Type": type, "Content-Encoding": "gzip" } });
}

export function isUnpacked(response: Response): boolean {
  return response.headers.get("Content-Encoding") === "gzip";
}
