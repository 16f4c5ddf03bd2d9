// Package llmtest is for tests, and never imported by what ships: scripted minds that follow a list or a function from request to reply, in
// process (Mind) or behind the three wire protocols as real HTTP servers on the loopback (Anthropic, OpenAI, Ollama), and Conformance, the
// suite that every adapter passes.
package llmtest
