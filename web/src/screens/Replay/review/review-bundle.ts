/** Everything that only a review needs; loaded when the user asks for one. */
export { ends, points } from "./review";
export { ReviewRequest } from "./review-request.svelte";
export { default as ReviewCard } from "./ReviewCard.svelte";
export { default as ReviewCurve } from "./ReviewCurve.svelte";
export { default as ReviewPanel } from "./ReviewPanel.svelte";
