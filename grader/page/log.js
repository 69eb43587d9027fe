// A sequence of calls with the state after each, as docs/dev/story.md has them. Frame 0 is the
// object before the first call.

export class Log {
  constructor(length, frameAt) {
    this.length = length;
    this.frameAt = frameAt;
    this.layout = layoutOf(frameAt(0));
  }

  // The state that frame `index` leaves. A call that has not come back leaves none: then this is
  // the state before it.
  stateAt(index) {
    return this.lastState(index, index);
  }

  // The state of the same object before the call; {} if there is none.
  stateBefore(index) {
    return this.lastState(index - 1, index).state;
  }

  // The last state, up to frame `last`, of the object that frame `index` is about.
  lastState(last, index) {
    const object = objectOf(this.frameAt(index));
    for (let at = last; at >= 0; --at) {
      const { state } = this.frameAt(at);
      const isKnown = state && Object.keys(state).length > 0;
      if (isKnown && objectOf(this.frameAt(at)) === object) return { state, isOlder: at < index };
    }
    return { state: {}, isOlder: false };
  }
}

// A history with two objects says which one a call is for: "second: popleft()".
function objectOf(frame) {
  return frame.sentence?.match(/^(first|second): /)?.[1] ?? "first";
}

// What is the same in all frames. A pool has a null block, block 0; a queue alone has none.
function layoutOf(start) {
  const { num_gpu_blocks, num_blocks, block_size } = start.args;
  const hasPool = num_gpu_blocks !== undefined;
  return { hasPool, numBlocks: num_gpu_blocks ?? num_blocks ?? 0, blockSize: block_size ?? 0 };
}

export function logOfStory(story) {
  const frames = [story.start, ...story.steps];
  return new Log(frames.length, (index) => frames[index]);
}

// text: an event log, an object a line. Why the lines are read when they are shown: a log of
// 100,000 calls is then there at once.
export function logOfLines(text) {
  const begins = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) begins.push(at + 1);
  if (begins.at(-1) < text.length) begins.push(text.length + 1);
  const read = (index) => JSON.parse(text.slice(begins[index], begins[index + 1] - 1));
  return new Log(begins.length - 1, remembered(read));
}

// The last few results of a function that is asked for the same frames again.
function remembered(read) {
  const kMaxKept = 256;
  const kept = new Map();
  return (index) => {
    if (!kept.has(index)) {
      if (kept.size === kMaxKept) kept.delete(kept.keys().next().value);
      kept.set(index, read(index));
    }
    return kept.get(index);
  };
}
