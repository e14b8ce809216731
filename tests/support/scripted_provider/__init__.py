"""A real HTTP server that speaks the OpenAI chat API and answers as a script tells it.

It invents nothing: every byte it sends, every pause and every fault is asked for by a test.
"""
