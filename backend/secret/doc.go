// Package secret keeps credentials: keys of providers of language models, and whatever else must not stand in a file as it is.
//
// One random key of 32 bytes lies in the keyring of the operating system. The credentials lie in a file beside it, each sealed with that key
// (XChaCha20-Poly1305, bound to its id), so that a keyring's bounds of size do not matter and one prompt is enough. Without a keyring a person
// may choose a passphrase instead (age, scrypt), which is asked for at every start. What is neither is held by this process alone, and is gone
// with it: nothing is ever written in the clear, and Status says which of the three it is.
//
// A key that stands in the environment is used and never kept.
package secret
