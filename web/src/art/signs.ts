/** The small signs of the home page. Those of all other screens are in Icon.svelte, which the first load is spared. */
export const SIGNS = {
  play: "M7 4.5Q6 4 6 5.5v13Q6 20 7.5 19.2L19 12.8q1.2-.8 0-1.6Z",
  next: "M9 5l7 7-7 7",
  eye: "M2.5 12Q7 5.5 12 5.5T21.5 12Q17 18.5 12 18.5T2.5 12ZM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4.5 20.5q.5-7 7.5-7t7.5 7",
  check: "M5 13l4.5 5L19 6",
};
