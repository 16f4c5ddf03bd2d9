// Package minds says who may think: the embedded reader, or a language model that a person set up. It knows addresses, keys and budgets, finds
// models, tries them, and says what would leave this machine before anything does. While nothing may leave it gives no model that is elsewhere.
//
// A mind has a name: embedded, or the provider and the model with a colon between them, as in ollama:llama3.2:3b.
package minds
