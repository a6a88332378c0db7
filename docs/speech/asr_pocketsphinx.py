#!/usr/bin/env python3
"""WAV (16 kHz, mono, 16 bit) on standard input -> one line of text on standard output.

Needs: pip install pocketsphinx     (its wheel holds an English model)
The decoder adapts to what it heard before: one process per utterance keeps the order of utterances out of the result.
"""
import io
import sys
import wave

from pocketsphinx import Decoder


def main():
    with wave.open(io.BytesIO(sys.stdin.buffer.read())) as audio:
        form = (audio.getframerate(), audio.getnchannels(), audio.getsampwidth())
        if form != (16000, 1, 2):
            sys.exit(f"wants 16000 Hz, 1 channel, 2 bytes a sample; got {form}")
        frames = audio.readframes(audio.getnframes())
    decoder = Decoder(samprate=16000, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(frames, full_utt=True)
    decoder.end_utt()
    best = decoder.hyp()
    print(best.hypstr if best else "")


main()
