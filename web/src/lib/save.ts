/** Give somebody a file. */
const SOON = 10_000;

export function saveFile(name: string, contents: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(contents);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SOON); // some browsers read it a little later
}
