/** Loads the page. If that fails for good, what the first file says of it in both languages is shown. */
import * as parts from "./lib/net/chunk-loader";

Object.freeze(parts); // used as a whole, so that what the bundler adds for all scripts is in this one and in no other
import("./main")
  .then(({ begin }) => begin())
  .catch((error: unknown) => {
    console.error(error);
    const failed = document.querySelector<HTMLTemplateElement>("#failed");
    if (failed) document.getElementById("app")?.replaceChildren(failed.content.cloneNode(true));
  });
