#!/bin/sh
# tokenizers' ByteFallback decoder replaces a whole run of byte tokens when one byte of it is bad;
# sentencepiece, whose models it decodes, replaces only that byte.
#
# Expected: the byte tokens C3 A9 FF are "é" and one replacement character, as in Python's
# bytes.decode(errors="replace"), and as sentencepiece has it.
# Seen with tokenizers 0.23.3 beside sentencepiece 0.2.1: three replacement characters: the good letter is
# lost, too, and there is one character for each byte. A server that decodes with tokenizers and one that
# decodes with sentencepiece or llama.cpp say different texts for the same tokens, and a stream that
# shows "é" as soon as its two bytes are there is no prefix of the whole text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv packages
packages/bin/pip install -q tokenizers==0.23.3 sentencepiece==0.2.1

cat >decode.py <<'PYTHON'
import io

import sentencepiece
from tokenizers import decoders

PIECES = ["<0xC3>", "<0xA9>", "<0xFF>"]

decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
print("tokenizers:", ascii(decoder.decode(PIECES)), ascii(decoder.decode(PIECES[:2])))

model = io.BytesIO()
sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=iter(["a few words to learn from"] * 50), model_writer=model, vocab_size=280,
    model_type="bpe", byte_fallback=True, minloglevel=2)
processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
ids = [processor.piece_to_id(piece) for piece in PIECES]
print("sentencepiece:", ascii(processor.decode(ids)), ascii(processor.decode(ids[:2])))
PYTHON

seen=$(packages/bin/python decode.py)
expected="tokenizers: '\\ufffd\\ufffd\\ufffd' '\\xe9'
sentencepiece: '\\xe9\\ufffd' '\\xe9'"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed; expected:"; echo "$expected"; exit 1; }
