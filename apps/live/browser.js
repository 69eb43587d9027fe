// What browser_pattern.cpp and browser_letters.cpp ask of JavaScript. Texts are UTF-8 in the memory
// of the program; em++ takes the functions into engine.js.

const browser = {
  $live: {
    patterns: [],
    textAt(place, size) {
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      return decoder.decode(HEAPU8.slice(place, place + size));
    },
  },

  // Patterns are numbers for C++. -1: it is none for JavaScript, whose \s has another list of letters.
  live_compile_pattern__deps: ["$live"],
  live_compile_pattern(regex, size) {
    const pattern = live.textAt(regex, size).replaceAll("\\s", "\\p{White_Space}")
      .replaceAll("\\S", "\\P{White_Space}");
    try {
      return live.patterns.push(new RegExp(pattern, "gu")) - 1;
    } catch {
      return -1;
    }
  },

  // Writes begin and end of each match, in bytes of the text; gives how many numbers these are.
  live_find_matches__deps: ["$live", "$lengthBytesUTF8"],
  live_find_matches(pattern, place, size, places) {
    const text = live.textAt(place, size);
    let count = 0;
    let letters = 0;
    let bytes = 0;
    const note = (end) => {
      bytes += lengthBytesUTF8(text.slice(letters, end));
      letters = end;
      HEAP32[places / 4 + count++] = bytes;
    };
    for (const match of text.matchAll(live.patterns[pattern])) {
      note(match.index);
      note(match.index + match[0].length);
    }
    return count;
  },

  // The bytes of the first letter; 0 if they are none.
  live_first_letter__deps: ["$live"],
  live_first_letter(place, size, letter) {
    const [first] = live.textAt(place, size);
    const encoded = new TextEncoder().encode(first);
    if (encoded.some((byte, at) => byte !== HEAPU8[place + at])) return 0;
    HEAP32[letter / 4] = first.codePointAt(0);
    return encoded.length;
  },

  live_write_letter(letter, place) {
    const encoded = new TextEncoder().encode(String.fromCodePoint(letter));
    HEAPU8.set(encoded, place);
    return encoded.length;
  },

  // The normal form C, in memory of malloc.
  live_composed__deps: ["$live", "$stringToNewUTF8"],
  live_composed(place, size) {
    return stringToNewUTF8(live.textAt(place, size).normalize("NFC"));
  },
};

addToLibrary(browser);
