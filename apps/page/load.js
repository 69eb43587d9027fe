// What the two buttons of the page of ./lab serve ask for, as calls of /v1/completions.

const kSystemPrompt = "It is a truth universally acknowledged, that a single man in possession " +
  "of a good fortune, must be in want of a wife. However little known the feelings or views of " +
  "such a man may be on his first entering a neighbourhood, this truth is so well fixed in the " +
  "minds of the surrounding families, that he is considered the rightful property of some one " +
  "or other of their daughters. ";
const kPeople = ["Emma", "Mr. Darcy", "Elizabeth", "Mrs. Bennet", "Anne", "Captain Wentworth",
  "Miss Bates", "Sir Walter"];
const kVerbs = ["said", "thought that", "was"];

export function eightUsers(seed) {
  const prompt = kPeople.map((name) => `${kSystemPrompt}${name} said`);
  return { prompt, max_tokens: 48, seed };
}

// Their tokens together need the pool twice.
export function tooManyUsers({ num_gpu_blocks, block_size }, seed) {
  const prompts = kVerbs.flatMap((verb) => kPeople.map((name) => `${name} ${verb}`));
  const tokens = Math.floor((2 * (num_gpu_blocks - 1) * block_size) / prompts.length);
  return { prompt: prompts, max_tokens: Math.min(Math.max(tokens, 16), 400), seed };
}
