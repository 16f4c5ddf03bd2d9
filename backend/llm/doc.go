// Package llm is what the program knows of language models: one Model and one Embedder, whichever provider stands behind. The adapters are
// packages of their own (anthropic, openai, ollama), and pass one conformance suite (llmtest).
//
// A model is asked and never trusted: what it sends back is text, or the wish to use a tool. Whoever asks decides what becomes of it.
package llm
